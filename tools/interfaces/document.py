# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The text of docs/interfaces.md."""

import collections
import itertools
import textwrap

from tools.interfaces import sentences

GOLDEN = "docs/interfaces.md"

DELIVERED = "delivered"
IN_PART = "in part"
NOT_YET = "not delivered yet"
NOT_CHECKED = "not checked"

_MEANINGS = {
    DELIVERED: "a test of the whole layer expects and receives each of its ids, or some of each family",
    IN_PART: "so for some of its ids, or for what the ids cover of it",
    NOT_YET: "no test receives one of its ids",
    NOT_CHECKED: "it has no id that a validator could report",
}
_MOST_TESTS = 2
_COLUMNS = 100

_HEAD = """\
# Shaders and their interfaces, sentence by sentence

<!-- Made from tools/interfaces and the checkout. To make it anew:
     ./bazelw run //tools/interfaces -- --update_goldens -->

The chapters "Shaders" and "Shader Interfaces" of the Vulkan specification say in %(sentences)d sentences
what must be. Each has a row here: how it begins, what it asks in short, and the ids by which the
registry says so. The chapters are of other versions than the registry; where an id differs, the row
says how.

Whether an id is delivered is read from
[tools/coverage/delivered_ids.txt](../tools/coverage/delivered_ids.txt), which the tests of the
whole layer write, and from the sources: no status is written by hand. Tests are named by the file
that has the id, or by their label if they name ids in another way. A *test case* runs the check
alone. A family of ids, such as `VUID-vkCmd*-None-08114`, has the same rule for several commands or
structures. *General* is an id that says many things at once: it counts for a sentence if a test of
that sentence is named and found. Six ids ask for all linking rules of the second chapter at once
(`VUID-VkComputePipelineCreateInfo-stage-00702` and its like); rows name them only where one stage
must match another.

"""


def status_of(row, findings):
    """DELIVERED and so on, from what there is of each of the row's ids."""
    if not row.entries:
        return NOT_CHECKED
    found = [bool(finding.delivered) for finding in findings]
    found += [False] if row.missing else []
    return DELIVERED if all(found) else IN_PART if any(found) else NOT_YET


def _names(names):
    """The first names of a list."""
    text = ", ".join(f"`{name}`" for name in names[:_MOST_TESTS])
    return text + (f" and {len(names) - _MOST_TESTS} more" if len(names) > _MOST_TESTS else "")


def _undelivered(finding):
    if finding.test_cases:
        return NOT_YET + ", test case alone"
    if finding.by_another:
        return NOT_YET + ", reported as " + _names(sorted(set(finding.by_another.values())))
    return NOT_YET


def entry_text(entry, finding):
    """An id or a family, who checks it, and which tests receive it."""
    parts = [f"`{entry.pattern}`"]
    if entry.is_general:
        parts.append("(general)")
    if finding.checkers:
        parts.append("in " + _names(finding.checkers))
    state = _undelivered(finding)
    if finding.delivered:
        count = f"{len(finding.delivered)} of {len(finding.ids)} " if len(finding.ids) > 1 else ""
        state = f"{count}delivered by {_names(finding.tests)}"
    return " ".join(parts) + ": " + state


def _cell(text):
    return text.replace("|", "\\|")


def row_text(row, findings):
    """A row of the table."""
    parts = [entry_text(entry, finding) for entry, finding in zip(row.entries, findings)]
    parts += [f"Test of the sentence: `{name}`" for name in row.tests]
    if row.reason:
        parts.append(sentences.REASONS[row.reason][0].upper() + sentences.REASONS[row.reason][1:] + ".")
    if row.missing:
        parts.append("Not covered: " + row.missing)
    if row.text:
        parts.append(row.text)
    cells = (f"“{row.words}” `{row.key}`", row.asks, status_of(row, findings), "<br>".join(parts))
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |\n"


def _counts(by_chapter):
    """The table on top: of each status, the number of rows of each chapter."""
    columns = [collections.Counter(status_of(*item) for item in items) for items in by_chapter.values()]
    titles = [sentences.CHAPTERS[chapter] for chapter in by_chapter]
    yield "| status | " + " | ".join(titles) + " | both | meaning |\n"
    yield "| --- " * (len(titles) + 3) + "|\n"
    for status, meaning in _MEANINGS.items():
        numbers = [column[status] for column in columns]
        yield f"| {status} | " + " | ".join(str(number) for number in numbers + [sum(numbers)]) + f" | {meaning} |\n"
    reasons = collections.Counter(row.reason for items in by_chapter.values() for row, _ in items if row.reason)
    yield "\nNot checked is a sentence that\n\n"
    for reason, meaning in sentences.REASONS.items():
        yield f"- {meaning}: {reasons[reason]}\n"
    findings = {entry.pattern: finding for items in by_chapter.values() for row, found in items
                for entry, finding in zip(row.entries, found) if not entry.is_general}
    delivered = sum(bool(finding.delivered) for finding in findings.values())
    alone = sum(bool(finding.test_cases) and not finding.delivered for finding in findings.values())
    yield "\n" + textwrap.fill(
        f"The rows name {len(findings)} ids and families, besides general ones: {delivered} are delivered, {alone} "
        f"have a test case alone, {len(findings) - delivered - alone} have neither.", _COLUMNS) + "\n"


def make(by_chapter):
    """The document. `by_chapter` has for each chapter the pairs of a row and what there is of each of its ids."""
    count = sum(len(items) for items in by_chapter.values())
    parts = [_HEAD % {"sentences": count}, *_counts(by_chapter)]
    for chapter, items in by_chapter.items():
        parts.append(f"\n## {sentences.CHAPTERS[chapter]}\n")
        for (section, owner), rows in itertools.groupby(items, key=lambda item: item[0].place[:2]):
            parts.append(f"\n### {section}{', of `' + owner + '`' if owner else ''}\n\n")
            parts.append("| sentence | it asks | status | ids |\n| --- | --- | --- | --- |\n")
            parts += [row_text(row, findings) for row, findings in rows]
    return "".join(parts)
