# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Prints `N passed, N failed` for the test targets in a file of Bazel's build events; fails if there are none.

    count_tests.py EVENTS STATUS...

Each STATUS is the exit code of a further step, which counts as one more test.
"""

import json
import sys


def count(lines):
    """Returns how many tests passed and how many did not, among those that a filter did not leave out."""
    tests = set()
    summaries = {}
    built = set()
    for line in lines:
        event = json.loads(line)
        identity = event["id"]
        if "testSize" in event.get("configured", {}):
            tests.add(identity["targetConfigured"]["label"])
        elif event.get("completed", {}).get("success"):
            built.add(identity["targetCompleted"]["label"])
        elif "testSummary" in event:
            summaries[identity["testSummary"]["label"]] = event["testSummary"]["overallStatus"]
    passed = sum(status in ("PASSED", "FLAKY") for status in summaries.values())
    # One that was built and has no summary was not asked for.
    unbuilt = tests - built - set(summaries)
    return passed, len(summaries) - passed + len(unbuilt)


def main():
    with open(sys.argv[1], encoding="utf-8") as events:
        passed, failed = count(line for line in events if line.strip())
    steps = [status == "0" for status in sys.argv[2:]]
    print("%d passed, %d failed" % (passed + steps.count(True), failed + steps.count(False)))
    return 0 if passed + failed else 1


if __name__ == "__main__":
    sys.exit(main())
