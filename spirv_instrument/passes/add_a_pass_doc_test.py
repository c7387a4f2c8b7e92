# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""docs/instrumentation.md is true of the tree: what it quotes, what it changes, and what it lists.

A fenced block whose info string has a second word is looked at:

    ```spirv before       the function of the golden's module; ```spirv after is what passes make of it
    ```glsl PATH          stands in that file
    ```diff PATH          changes that file as testing/tour/tour.py says, and adds what it does not have
    ```cpp PATH           what add_a_pass_test.cc has between "begin FILE" and "end FILE"
"""

import re
import unittest

from testing.tour import tour

DOC = "docs/instrumentation.md"
PASSES = "spirv_instrument/passes/"
GOLDEN = PASSES + "goldens/buffer_bounds_runtime_array"
QUOTED_TEST = PASSES + "add_a_pass_test.cc"
HELP = "spirv_instrument/tool/goldens/help.txt"
ERROR_CODES = "spirv_instrument/runtime/error_codes.h"
STATISTICS = PASSES + "frame/statistics.cc"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def blocks(kind):
    """[(second word, text)] of the fenced blocks of a kind."""
    return [(name, text) for found, name, text in tour.steps_of(read(DOC)) if found == kind]


def function_lines(text):
    """The lines of %main without indentation, ids without name numbered in the order in which they appear."""
    lines = [line.strip() for line in text.splitlines()]
    first = next(i for i, line in enumerate(lines) if line.startswith("%main = OpFunction "))
    numbers = {}

    def renumber(match):
        return "%%n%d" % numbers.setdefault(match[1], len(numbers) + 1)

    function = lines[first:lines.index("OpFunctionEnd", first) + 1]
    return [re.sub(r"%n?(\d+)\b", renumber, line) for line in function]


def regions(source):
    """{file: text} of what stands between "// begin FILE" and "// end FILE"."""
    return dict(re.findall(r"^// begin (\S+)\n(.*?)^// end \1$", source, re.MULTILINE | re.DOTALL))


def pass_names():
    """The names of all passes, as --help lists them."""
    return re.findall(r"^ {29}(\w+)$", read(HELP).split("  -o FILE")[0], re.MULTILINE)


class InstrumentationDocTest(unittest.TestCase):

    def test_the_pass_is_the_one_that_is_tested(self):
        shown = blocks("cpp")
        files = [PASSES + "vector_index" + end for end in (".h", ".cc", "_test.cc")]
        self.assertEqual([path for path, _ in shown], files)
        tested = regions(read(QUOTED_TEST))
        self.assertEqual({PASSES + name: text for name, text in tested.items()}, dict(shown))

    def test_each_change_fits(self):
        changes = [("diff", path, text) for path, text in blocks("diff")]
        self.assertGreaterEqual(len(changes), 5)
        files = {path: read(path) for _, path, _ in changes}
        changed = tour.follow(changes, files)
        for path, text in changed.items():
            self.assertGreater(len(text), len(files[path]))
        for _, path, change in changes:
            for line in change.splitlines():
                # A line that a file has anyway, such as ")", says nothing.
                if line.startswith("+") and "ector_index" in line.lower():
                    self.assertNotIn(line[1:], files[path])

    def test_what_the_walk_adds_to_the_codes_is_free(self):
        added = [number for path, text in blocks("diff") if path == ERROR_CODES for number in self.codes(text).values()]
        self.assertEqual(len(added), 1)
        self.assertNotIn(added[0], self.codes(read(ERROR_CODES), at="").values())
        self.assertIn("= %s }" % added[0], read(QUOTED_TEST))

    def test_functions_are_as_they_are(self):
        shown = blocks("glsl")
        self.assertTrue(shown)
        for path, text in shown:
            self.assertIn(text, read(path))

    def test_the_example_is_the_golden(self):
        shown = dict(blocks("spirv"))
        self.assertEqual(function_lines(shown["before"]), function_lines(read(GOLDEN + ".spvasm")))
        self.assertEqual(function_lines(shown["after"]), function_lines(read(GOLDEN + ".txt")))

    def test_every_pass_has_a_row_and_a_section(self):
        doc = read(DOC)
        names = pass_names()
        self.assertGreaterEqual(len(names), 10)
        self.assertEqual(re.findall(r"^### (\w+)$", doc, re.MULTILINE), names)
        table = doc.split("**Cost.**")[0]
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE), names)

    def test_every_option_is_named(self):
        doc = read(DOC)
        options = re.findall(r"^  (--?[a-z-]+)\b", read(HELP), re.MULTILINE)
        self.assertGreaterEqual(len(options), 15)
        self.assertEqual([option for option in options if "`%s" % option not in doc], [])

    def test_every_outcome_is_listed(self):
        names = re.findall(r'return "(.+)";', read(STATISTICS))
        self.assertGreaterEqual(len(names), 10)
        table = read(DOC).split("| outcome | |")[1].split("\n\n")[0]
        self.assertEqual(re.findall(r"^\| ([\w ]+) \| \S", table, re.MULTILINE), names)

    def test_every_code_is_listed(self):
        doc = dict((name, number) for number, name in re.findall(r"^\| (\d+) \| (k\w+) \|", read(DOC), re.MULTILINE))
        self.assertEqual(doc, self.codes(read(ERROR_CODES), at=""))

    def codes(self, text, at=r"\+"):
        """{code: number} of the lines that begin so."""
        return dict(re.findall(r"^%sASSAY_CODE\((\w+), (\d+)\)$" % at, text, re.MULTILINE))


if __name__ == "__main__":
    unittest.main()
