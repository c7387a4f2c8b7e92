# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Through which source a header is seen."""

import unittest

from tools.tidy import selection

FILES = {
    "a/own.h": "",
    "a/own.cc": '#include "a/own.h"\n',
    "a/shared.h": "",
    "b/first.cc": '#include <vector>\n\n#include "a/shared.h"\n',
    "b/second.cc": '#include "a/shared.h"\n',
    "a/inner.h": "",
    "b/outer.h": '#include "a/inner.h"\n',
    "c/user.cc": '#include "b/outer.h"\n',
    "a/circle.h": '#include "a/circle.h"\n',
}


class IncludesTest(unittest.TestCase):

    def setUp(self):
        self.includes = selection.Includes(FILES, FILES.get)

    def test_source_is_seen_by_itself(self):
        self.assertEqual(self.includes.source_for("b/second.cc"), "b/second.cc")

    def test_header_with_a_source_of_its_own(self):
        self.assertEqual(self.includes.source_for("a/own.h"), "a/own.cc")

    def test_header_without_one_is_seen_through_the_first_that_includes_it(self):
        self.assertEqual(self.includes.source_for("a/shared.h"), "b/first.cc")

    def test_header_that_only_headers_include(self):
        self.assertEqual(self.includes.source_for("a/inner.h"), "c/user.cc")

    def test_header_that_no_source_includes(self):
        self.assertIsNone(self.includes.source_for("a/circle.h"))


if __name__ == "__main__":
    unittest.main()
