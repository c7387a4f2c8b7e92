# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The ids that tests of the whole layer expect and receive, by test.

testing/delivered_ids.cc writes them to the outputs of each test, which Bazel keeps in bazel-testlogs. GOLDEN has the
same for all tests: a test depends on no other test's outputs.
"""

import os
import zipfile

GOLDEN = "tools/coverage/delivered_ids.txt"

_FILE = "delivered_ids.txt"
_HEAD = """\
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# For each test of the whole layer the ids that it expects and receives. Written by
# `./bazelw run //tools:coverage -- --update_goldens`, from what the last runs of the tests left in bazel-testlogs.
"""


def parse(lines):
    """{label of a test: ids} of the golden file."""
    result = {}
    ids = None
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("//"):
            ids = result.setdefault(line, set())
        elif line and not line.startswith("#"):
            ids.add(line.strip())
    return result


def text(by_test):
    """The golden file. Tests that receive nothing are left out."""
    parts = ["\n" + label + "\n" + "".join(f"  {vuid}\n" for vuid in sorted(ids))
             for label, ids in sorted(by_test.items()) if ids]
    return _HEAD + "".join(parts)


def _outputs(folder):
    """The lists of ids in the outputs of one run of a test: zipped by Bazel, or not."""
    plain = os.path.join(folder, _FILE)
    if os.path.exists(plain):
        with open(plain, encoding="utf-8") as file:
            yield file.read()
    zipped = os.path.join(folder, "outputs.zip")
    if os.path.exists(zipped):
        with zipfile.ZipFile(zipped) as archive:
            if _FILE in archive.namelist():
                yield archive.read(_FILE).decode("utf-8")


def collect(testlogs):
    """{label of a test: ids} of the tests that ran, from bazel-testlogs. The shards of a test are one."""
    result = {}
    for folder, _, _ in os.walk(testlogs):
        if os.path.basename(folder) != "test.outputs":
            continue
        test = os.path.relpath(os.path.dirname(folder), testlogs).split(os.sep)
        # Folders below that of the test are those of shards and runs.
        while test and test[-1].startswith(("shard_", "run_")):
            test.pop()
        for output in _outputs(folder):
            label = "//" + "/".join(test[:-1]) + ":" + test[-1]
            result.setdefault(label, set()).update(output.split())
    return result


def exists(label, tree):
    """Whether a BUILD file of the checkout names the test. bazel-testlogs keeps tests that are gone."""
    package, _, name = label[2:].partition(":")
    build = package + "/BUILD.bazel"
    return build in tree.files and any(f'"{name}"' in line for line in tree.lines(build))


def merge(old, new, tree):
    """The parts of tests that ran, as they are now, and of those that did not run, as they were."""
    return {label: ids for label, ids in {**old, **new}.items() if exists(label, tree)}
