# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Reading what clang-tidy printed, and finding comments that silence all of it."""

import unittest

from tools.tidy import findings

OUTPUT = """\
/tree/vk/a.h:7:3: error: use nullptr [modernize-use-nullptr,-warnings-as-errors]
    7 |   int* p = 0;
      |            ^
      |            nullptr
/tree/vk/b.cc:3:1: note: called from here
/tree/vk/b.cc:12:9: error: no such thing [clang-diagnostic-error]
"""


class ParseTest(unittest.TestCase):

    def test_findings_with_their_notes(self):
        first, second = findings.parse(OUTPUT, "/tree")
        self.assertEqual(first[:3], ("vk/a.h", 7, "modernize-use-nullptr"))
        self.assertIn("\nvk/b.cc:3:1: note: called from here", first.text)
        self.assertEqual(second, ("vk/b.cc", 12, "clang-diagnostic-error",
                                  "vk/b.cc:12:9: error: no such thing [clang-diagnostic-error]"))

    def test_nothing_found(self):
        self.assertEqual(list(findings.parse("", "/tree")), [])


class FindingsTest(unittest.TestCase):

    def test_finding_in_a_header_counts_once(self):
        all_findings = findings.Findings()
        self.assertEqual(len(all_findings.add(findings.parse(OUTPUT, "/tree"))), 2)
        self.assertEqual(all_findings.add(findings.parse(OUTPUT, "/tree")), [])
        self.assertEqual(len(all_findings), 2)
        self.assertEqual(dict(all_findings.counts()), {"modernize-use-nullptr": 1, "clang-diagnostic-error": 1})


class SilencingTest(unittest.TestCase):

    def test_comment_that_names_its_checks(self):
        for comment in ("NOLINT(modernize-use-nullptr)", "NOLINTNEXTLINE(bugprone-a, bugprone-b): why",
                        "NOLINTBEGIN(google-x)", "NOLINTEND(google-x)", "UNNOLINTED"):
            self.assertEqual(findings.blanket_silencing("int x;  // " + comment), [], comment)

    def test_comment_that_silences_everything(self):
        for comment in ("NOLINT", "NOLINT: why", "NOLINT()", "NOLINT(*)", "NOLINT(bugprone-*)", "NOLINTNEXTLINE",
                        "NOLINTBEGIN", "NOLINTEND(*)"):
            self.assertEqual(findings.blanket_silencing("\nint x;  // " + comment), [2], comment)


if __name__ == "__main__":
    unittest.main()
