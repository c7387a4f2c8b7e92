# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""bazel run //tools:coverage: counts the registry's valid-usage ids. tools/coverage/counting.py says what counts.

--list                  also names the ids: those that are not checked, and those that are checked without a test
--why VUID-...          says what becomes of an id
--owners vkCmdCopy.*    counts the explicit ids whose owners' names the regular expression matches, and names those that
                        no test of the whole layer receives; with several such, also counts all of them together
--with_structures       with --owners: also counts those of the structures that these commands and structures take
--markdown              prints the table of README.md instead
--update_goldens        after the tests: writes that table, tools/coverage/delivered_ids.txt and unchecked_ids.txt
--check_delivered       fails if delivered_ids.txt is not what the tests of the last runs received
--mutate 200            takes out the checks of that many ids, each alone, and reports the tests that do not notice

The exit status is also 1 if a generated negative test fails, or passes without its check.
"""

import argparse
import difflib
import sys

from registry import parse
from tools.coverage import areas
from tools.coverage import delivered
from tools.coverage import gathering
from tools.coverage import goldens
from tools.coverage import mutation
from tools.coverage import owners
from tools.coverage import unchecked
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


def _print_ids(count, what, ids, names_them):
    print(f"{count:>6}  {what}")
    if names_them:
        print("".join(f"          {vuid}\n" for vuid in sorted(ids)), end="")


def print_all(coverage, reason_of, names_ids):
    """Prints the numbers for each kind of id, and the ids without a check or a test."""
    print(f"{'kind':<18}{'existing':>9}{'checked':>9}{'tested':>9}{'test case':>11}{'by another rule':>17}")
    for kind, *numbers in coverage.rows():
        print(f"{kind:<18}{numbers[0]:>9}{numbers[1]:>9}{numbers[2]:>9}{numbers[3]:>11}{numbers[4]:>17}")
    print("\nReported by another rule, whose message names the rule:")
    for (kind, by), count in coverage.precedence().most_common():
        print(f"{count:>6}  {kind} in one of {by}")
    print("\nChecked:")
    untested = coverage.checked - coverage.tested - coverage.has_test_case
    _print_ids(len(untested), "neither tested nor with a test case; a unit test may be there", untested, names_ids)
    print("\nNot checked:")
    by_reason = {}
    for vuid in coverage.unchecked():
        by_reason.setdefault(reason_of.get(vuid, "no reason given"), []).append(vuid)
    for reason, ids in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        _print_ids(len(ids), reason, ids, names_ids)
    for vuid, detail in sorted(coverage.failed.items()):
        print(f"The negative test of {vuid} fails: {detail}")


def why(vuid, coverage, reason_of, tests):
    """What becomes of an id, in words."""
    if vuid not in coverage.ids:
        return "The registry does not have it."
    if vuid in coverage.stood_for():
        return f"Reported by another rule: {coverage.by_another[vuid]}"
    if vuid not in coverage.checked:
        return f"Not checked. {reason_of.get(vuid, 'No reason given.')}"
    test_case = " It has a test case." if vuid in coverage.has_test_case else ""
    received = [label for label, ids in sorted(tests.items()) if vuid in ids]
    return "Checked." + test_case + (" Tested by " + ", ".join(received) if received else "")


def _percent(part, whole):
    return f"{100 * len(part) / max(1, len(whole)):.1f} %"


def print_count(name, ids, coverage, reason_of):
    """Counts explicit ids. Returns those that are not tested."""
    tested, checked = ids & coverage.tested & coverage.checked, ids & coverage.checked
    breakable = [vuid for vuid in ids if not reason_of.get(vuid, "").startswith(unchecked.UNBREAKABLE)]
    print(f"{name}: {len(ids)} existing, {len(breakable)} that a program breaks alone, {len(checked)} checked, "
          f"{len(tested)} tested ({_percent(tested, ids)} of existing, {_percent(tested, breakable)} of those)")
    return sorted(ids - tested)


def print_owners(patterns, registry, coverage, reason_of):
    """Counts the explicit ids of some commands and structures, and names those that are not tested.

    With a registry, also those of the structures that they take.
    """
    counted = set()
    for pattern in patterns:
        names = owners.matching(coverage.owners(), pattern)
        ids = coverage.explicit_of(owners.structures_of(registry, names) if registry else names)
        for vuid in print_count(pattern, ids, coverage, reason_of):
            print(f"  {vuid}  {'checked' if vuid in coverage.checked else why(vuid, coverage, reason_of, {})}")
        counted |= ids
    if len(patterns) > 1:
        print_count("All of them", counted, coverage, reason_of)


def check_delivered(tree):
    """Prints how delivered_ids.txt differs from what tests received. Returns whether it does."""
    old, new = goldens.text_of(tree, delivered.GOLDEN), goldens.delivered_now(tree)
    sys.stdout.writelines(
        difflib.unified_diff(old.splitlines(True), new.splitlines(True), delivered.GOLDEN, "received"))
    return old != new


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--facts", action="append", default=[])
    parser.add_argument("--mutable", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--why", metavar="VUID")
    parser.add_argument("--owners", metavar="PATTERN", action="append", default=[])
    parser.add_argument("--with_structures", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--update_goldens", action="store_true")
    parser.add_argument("--check_delivered", action="store_true")
    parser.add_argument("--mutate", type=int, default=0)
    arguments = parser.parse_args()

    tree = checkout.Checkout(checkout.find_root())
    if arguments.check_delivered:
        return 1 if check_delivered(tree) else 0
    if arguments.update_goldens:
        goldens.update_delivered(tree)
        tree = checkout.Checkout(tree.root)
    document = gathering.read_document(arguments.vuids)
    coverage = gathering.gather(document, arguments.facts, tree)
    reason_of = unchecked.reasons(unchecked.parse(tree.lines(unchecked.GOLDEN)), coverage.ids)
    if arguments.update_goldens:
        goldens.update_others(tree, document, coverage)
    elif arguments.why:
        print(why(arguments.why, coverage, reason_of, delivered.parse(tree.lines(delivered.GOLDEN))))
    elif arguments.owners:
        registry = parse.parse(arguments.registry) if arguments.with_structures else None
        print_owners(arguments.owners, registry, coverage, reason_of)
    elif arguments.markdown:
        print(areas.markdown(areas.rules_of(document), coverage), end="")
    else:
        print_all(coverage, reason_of, arguments.list)
    survived = mutate(arguments.mutable, arguments.mutate) if arguments.mutate else 0
    return 1 if coverage.failed or survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
