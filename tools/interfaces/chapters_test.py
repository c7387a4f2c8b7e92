# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from tools.interfaces import chapters

_NUMBERED = """\
8. Pens

8.1. Ink

Pens have ink. The ink must be blue (e.g. Royal Blue). It must dry.

void vkFillPen(
    VkPen                                       pen);
  • pen is the pen.

Valid Usage
  • pen must be empty

Host Synchronization
  • Host access to pen must be externally synchronized

Afterwards, pens must write.

8.2. Paper

Note

Paper is muster.
"""

_TITLES = """\
Pens and Ink

All pens must be:

  • blue, and
  • full.
  1. Every pen must write.

Empty pens must

If one of the conditions below applies

A Second Section

the pen must follow: its owner.
"""


def _found(text):
    return [tuple(sentence) for sentence in chapters.must_sentences(text)]


class ChaptersTest(unittest.TestCase):

    def test_numbered_headings_and_owners(self):
        self.assertEqual(_found(_NUMBERED), [
            ("8.1. Ink", "", "The ink must be blue (e.g. Royal Blue)."),
            ("8.1. Ink", "", "It must dry."),
            ("8.1. Ink", "vkFillPen", "pen must be empty"),
            ("8.1. Ink", "vkFillPen", "Host access to pen must be externally synchronized"),
            ("8.1. Ink", "", "Afterwards, pens must write."),
        ])

    def test_structures_own_their_valid_usage(self):
        text = "1. A\ntypedef struct VkPen {\n    int ink;\n} VkPen;\nValid Usage (Implicit)\n  • ink must be 0\n"
        self.assertEqual(_found(text), [("1. A", "VkPen", "ink must be 0")])

    def test_titles_and_lists(self):
        self.assertEqual(_found(_TITLES), [
            ("Pens and Ink", "", "All pens must be: blue, and full. Every pen must write."),
            ("Pens and Ink", "", "Every pen must write."),
            ("Pens and Ink", "", "Empty pens must"),
            ("A Second Section", "", "the pen must follow: its owner."),
        ])

    def test_nothing(self):
        self.assertEqual(_found(""), [])
        self.assertEqual(_found("A Heading\n\nNo such word; mustard.\n"), [])

    def test_keys(self):
        self.assertEqual(chapters.key_of("Pens  must\nwrite."), chapters.key_of("Pens must write."))
        self.assertNotEqual(chapters.key_of("Pens must write."), chapters.key_of("Pens must not write."))
        self.assertRegex(chapters.key_of(""), "^[0-9a-f]{8}$")

    def test_first_words(self):
        self.assertEqual(chapters.first_words("Pens must write."), "Pens must write.")
        self.assertEqual(chapters.first_words("a b c d e"), "a b c d e")
        self.assertEqual(chapters.first_words("a b c d e f"), "a b c d e …")


if __name__ == "__main__":
    unittest.main()
