# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""README.md has the table that //tools:coverage prints. `bazel run` with --update_goldens writes the table."""

import argparse
import os
import sys
import unittest

from tools.coverage import areas
from tools.coverage import gathering
from tools.layout import checkout

_README = "README.md"
_BEGIN = "<!-- coverage table: ./bazelw run //tools:coverage -- --markdown -->\n"
_END = "<!-- end -->\n"
_ARGUMENTS = argparse.Namespace()


def _printed():
    document = gathering.read_document(_ARGUMENTS.vuids)
    coverage = gathering.gather(document, _ARGUMENTS.facts, checkout.find_root())
    return areas.markdown(areas.rules_of(document), coverage)


def _parts(readme):
    """The text before the table, the table, and the text after it."""
    before, begin, rest = readme.partition(_BEGIN)
    table, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{_README} does not have the lines {_BEGIN}and {_END}")
    return before + begin, table, end + after


class ReadmeTableTest(unittest.TestCase):

    def test_table_is_what_is_printed(self):
        self.maxDiff = None
        with open(_README, encoding="utf-8") as file:
            before, table, after = _parts(file.read())
        if not _ARGUMENTS.update_goldens:
            self.assertEqual(table, _printed())
            return
        # Bazel sets the variable for `bazel run`.
        with open(os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], _README), "w", encoding="utf-8") as file:
            file.write(before + _printed() + after)

    def test_parts(self):
        self.assertEqual(_parts("a\n" + _BEGIN + "| b |\n" + _END + "c\n"), ("a\n" + _BEGIN, "| b |\n", _END + "c\n"))
        with self.assertRaises(ValueError):
            _parts("a\n" + _BEGIN + "| b |\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--facts", action="append", required=True)
    parser.add_argument("--update_goldens", action="store_true")
    _, rest = parser.parse_known_args(namespace=_ARGUMENTS)
    unittest.main(argv=sys.argv[:1] + rest)
