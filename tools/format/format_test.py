# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The checkout is formatted, and it would be noticed if it were not."""

import os
import sys
import tempfile
import unittest

from tools.format import formatting
from tools.format import sources
from tools.layout import checkout

SCRIPT = os.path.abspath(sys.argv.pop())

GOOD = "int Sum(int a, int b) { return a + b; }\n"
BAD = "int Sum( int a,int b )\n{\n  return a+b;\n}\n"


class FormatTest(unittest.TestCase):

    def setUp(self):
        self.clang_format = formatting.ClangFormat(SCRIPT, checkout.find_root())
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as output:
            output.write(text)
        return path

    def test_checkout_is_formatted(self):
        files = sources.cpp_files()
        # Should no files be found, nothing would be wrong.
        self.assertIn("messages/messages.h", files)
        self.assertIn("layer/minimal_calls_test.cc", files)
        changed = self.clang_format.unformatted(files)
        self.assertFalse(changed, "clang-format would change %d files; `./bazelw run //tools/format` does it:\n%s" %
                         (len(changed), "\n".join(changed)))

    def test_badly_formatted_file_is_noticed(self):
        files = [self.write("%d.cc" % i, GOOD) for i in range(5)]
        self.assertEqual(self.clang_format.unformatted(files), [])
        for bad in range(len(files)):
            self.write("%d.cc" % bad, BAD)
            self.assertEqual(self.clang_format.unformatted(files), files[:bad + 1])

    def test_line_may_have_120_columns(self):
        long = self.write("long.cc", "int %s;\n" % ("x" * 115))
        split = self.write("split.cc", "int Sum(int a,\n        int b);\n")
        self.assertEqual(self.clang_format.unformatted([long, split]), [split])

    def test_rewriting_formats(self):
        path = self.write("x.cc", BAD)
        self.assertEqual(self.clang_format.rewrite([path]), [])
        with open(path, encoding="utf-8") as text:
            self.assertEqual(text.read(), GOOD)

    def test_rewriting_goes_on_until_nothing_changes(self):
        macros = " ".join("ASSAY_VK_COMMANDS_%d(ASSAY_COUNT)" % i for i in range(8))
        path = self.write("x.cc", "void Count() {\n  %s\n  EXPECT_EQ(count, kCommandCount);\n}\n" % macros)
        self.assertEqual(self.clang_format.rewrite([path]), [])
        self.assertEqual(self.clang_format.unformatted([path]), [])

    def test_file_that_is_not_there_is_an_error(self):
        with self.assertRaises(RuntimeError):
            self.clang_format.unformatted([os.path.join(self.folder, "none.cc")])


if __name__ == "__main__":
    sys.exit(unittest.main())
