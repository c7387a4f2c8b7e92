# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The files of the checkout that follow from the coverage: README.md's table, delivered_ids.txt, unchecked_ids.txt."""

import os

from tools.coverage import areas
from tools.coverage import delivered
from tools.coverage import unchecked

README = "README.md"
TABLE_BEGIN = "<!-- coverage table: ./bazelw run //tools:coverage -- --markdown -->\n"
TABLE_END = "<!-- end -->\n"


def readme_parts(readme):
    """The text before the table, the table, and the text after it."""
    before, begin, rest = readme.partition(TABLE_BEGIN)
    table, end, after = rest.partition(TABLE_END)
    if not begin or not end:
        raise ValueError(f"{README} does not have the lines {TABLE_BEGIN}and {TABLE_END}")
    return before + begin, table, end + after


def text_of(tree, path):
    return "".join(line + "\n" for line in tree.lines(path))


def _write(tree, path, text):
    with open(os.path.join(tree.root, path), "w", encoding="utf-8") as file:
        file.write(text)


def delivered_now(tree):
    """delivered_ids.txt as the last runs of the tests make it."""
    old = delivered.parse(tree.lines(delivered.GOLDEN))
    return delivered.text(delivered.merge(old, delivered.collect(os.path.join(tree.root, "bazel-testlogs")), tree))


def update_delivered(tree):
    _write(tree, delivered.GOLDEN, delivered_now(tree))


def update_others(tree, document, coverage):
    """Writes what follows from the coverage, which must know the delivered ids of now. Raises ValueError for an
    unchecked id without a reason."""
    lines = unchecked.parse(tree.lines(unchecked.GOLDEN))
    _write(tree, unchecked.GOLDEN, unchecked.update(lines, coverage.ids, coverage.unchecked()))
    before, _, after = readme_parts(text_of(tree, README))
    _write(tree, README, before + areas.markdown(areas.rules_of(document), coverage) + after)
