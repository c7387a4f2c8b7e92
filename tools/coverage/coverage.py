# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""bazel run //tools:coverage [-- --list]: counts the registry's valid-usage ids; --list names the implicit ones that are not checked.

Ends with status 1 when a generated negative test fails.
"""

import argparse
import json
import os
import pathlib
import subprocess

from tools.coverage import counting


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--exemptions", required=True)
    parser.add_argument("--facts", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()

    with open(arguments.vuids, encoding="utf-8") as file:
        coverage = counting.Coverage(counting.ids_of(json.load(file)))
    for program in arguments.facts:
        printed = subprocess.run([os.path.abspath(program)], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        coverage.add_facts(counting.read_facts(printed.splitlines()))
    workspace = pathlib.Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    for path in workspace.glob("[a-z]*/**/*"):
        if path.suffix in (".cc", ".h") and not path.parts[len(workspace.parts)].startswith("bazel-"):
            coverage.add_source(path.name, path.read_text(encoding="utf-8"))
    with open(arguments.exemptions, encoding="utf-8") as file:
        exemptions = counting.read_exemptions(file)

    print(f"{'kind':<18}{'existing':>9}{'checked':>9}{'tested':>9}{'by another id':>15}")
    for kind, *numbers in coverage.rows():
        print(f"{kind:<18}{numbers[0]:>9}{numbers[1]:>9}{numbers[2]:>9}{numbers[3]:>15}")
    print("\nImplicit ids that are not checked:")
    for reason, ids in sorted(coverage.unchecked(exemptions).items(), key=lambda item: -len(item[1])):
        print(f"{len(ids):>6}  {reason or 'not yet'}")
        if arguments.list:
            print("".join(f"          {vuid}\n" for vuid in ids), end="")
    for vuid, detail in sorted(coverage.failed.items()):
        print(f"The negative test of {vuid} fails: {detail}")
    return 1 if coverage.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
