# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""bazel run //tools:coverage [-- --list] [--mutate 200] [--markdown]: counts the registry's valid-usage ids.

--list names the implicit ids that are not checked. --mutate takes out the checks of that many ids, each alone, and
reports the tests that do not notice. --markdown prints the table of README.md instead. The exit status is 1 if a
generated negative test fails, or passes without its check.
"""

import argparse

from tools.coverage import areas
from tools.coverage import counting
from tools.coverage import gathering
from tools.coverage import mutation
from tools.layout import checkout


def mutate(programs, count):
    """Prints the results of tests without their checks, for a sample of the programs' ids. Returns how many pass."""
    ids = {vuid: program for program in programs for vuid in mutation.passing(mutation.run(program))}
    chosen = mutation.sample(ids, count)
    left = []
    for program in programs:
        left += mutation.survivors(program, [vuid for vuid in chosen if ids[vuid] == program])
    print(f"\n{len(chosen)} checks were taken out, each alone; the tests of {len(chosen) - len(left)} failed.")
    print("".join(f"        not {vuid}\n" for vuid in left), end="")
    return len(left)


def print_kinds(coverage, exemptions, names_unchecked):
    print(f"{'kind':<18}{'existing':>9}{'checked':>9}{'tested':>9}{'named in':>10}{'by another id':>15}")
    for kind, *numbers in coverage.rows():
        print(f"{kind:<18}{numbers[0]:>9}{numbers[1]:>9}{numbers[2]:>9}{numbers[3]:>10}{numbers[4]:>15}")
    print("\nNamed in a message of another rule, which takes precedence:")
    for (kind, by), count in coverage.precedence().most_common():
        print(f"{count:>6}  {kind} in one of {by}")
    print("\nImplicit ids that are not checked:")
    for reason, ids in sorted(coverage.unchecked(exemptions).items(), key=lambda item: -len(item[1])):
        print(f"{len(ids):>6}  {reason or 'not yet'}")
        if names_unchecked:
            print("".join(f"          {vuid}\n" for vuid in ids), end="")
    for vuid, detail in sorted(coverage.failed.items()):
        print(f"The negative test of {vuid} fails: {detail}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--exemptions", required=True)
    parser.add_argument("--facts", action="append", default=[])
    parser.add_argument("--mutable", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--mutate", type=int, default=0)
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()

    document = gathering.read_document(arguments.vuids)
    coverage = gathering.gather(document, arguments.facts, checkout.find_root())
    if arguments.markdown:
        print(areas.markdown(areas.rules_of(document), coverage), end="")
    else:
        with open(arguments.exemptions, encoding="utf-8") as file:
            print_kinds(coverage, counting.read_exemptions(file), arguments.list)
    survived = mutate(arguments.mutable, arguments.mutate) if arguments.mutate else 0
    return 1 if coverage.failed or survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
