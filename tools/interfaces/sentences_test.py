# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from tools.interfaces import chapters
from tools.interfaces import sentences

_TEXT = """\
8. Pens
Pens must write. Pens must have ink.
void vkFillPen(
Valid Usage
  • pen must be empty
"""
_WRITE, _INK, _EMPTY = (chapters.key_of(sentence.text) for sentence in chapters.must_sentences(_TEXT))


def _file(*parts):
    return "\n".join(("# A comment.", "") + parts).split("\n")


_ROWS = _file(
    "[8. Pens]", "", f"{_WRITE} Pens must write.", "  They write.", "  not checked, implementation: Pens do.", "",
    f"{_INK} Pens must have ink.", "  They have ink.", "  VUID-VkPen-ink-00001", "  VUID-vkCmd*-None-00002 (general)",
    "  test: NegativePen.HasNoInk", "  missing: Blue ink.", "  besides: The second is newer.", "",
    "[8. Pens: vkFillPen]", "",
    f"{_EMPTY} pen must be empty", "  It is empty.", "  SYNC-HAZARD-*")


class SentencesTest(unittest.TestCase):

    def test_parse(self):
        write, ink, empty = sentences.parse(_ROWS)
        self.assertEqual(write.place, ("8. Pens", "", _WRITE))
        self.assertEqual((write.words, write.asks), ("Pens must write.", "They write."))
        self.assertEqual((write.entries, write.reason, write.text), ([], "implementation", "Pens do."))
        self.assertEqual(ink.entries, [sentences.Entry("VUID-VkPen-ink-00001"),
                                       sentences.Entry("VUID-vkCmd*-None-00002", is_general=True)])
        self.assertEqual((ink.tests, ink.missing), (["NegativePen.HasNoInk"], "Blue ink."))
        self.assertEqual((ink.reason, ink.text), ("", "The second is newer."))
        self.assertEqual(empty.place, ("8. Pens", "vkFillPen", _EMPTY))
        self.assertEqual(empty.entries, [sentences.Entry("SYNC-HAZARD-*")])

    def test_reason_alone(self):
        row, = sentences.parse(_file("00000000 Pens must write.", "  They write.", "  not checked, no id"))
        self.assertEqual((row.reason, row.text), ("no id", ""))

    def test_what_is_no_row(self):
        head = "00000000 Pens must write."
        for lines, error in (
            (("Pens.",), "line 3"),
            (("  They write.",), "line 3"),
            ((head, "  They write.", "  VUID-A-b-00001 twice"), "line 5"),
            ((head, "  They write."), "either ids or a reason"),
            ((head, "  VUID-A-b-00001"), "either ids or a reason"),
            ((head, "  They write.", "  VUID-A-b-00001", "  not checked, no id: Why."), "either ids or a reason"),
            ((head, "  They write.", "  not checked, laziness: Why."), "laziness"),
        ):
            with self.assertRaisesRegex(ValueError, error):
                sentences.parse(_file(*lines))

    def test_every_sentence_has_one_row(self):
        rows = sentences.parse(_ROWS)
        self.assertEqual(sentences.problems(rows, _TEXT), [])
        self.assertEqual(sentences.problems(rows[:1] + rows[2:], _TEXT),
                         [f"no row for {_INK} Pens must have ink. [8. Pens]"])
        self.assertEqual(sentences.problems(rows + rows[2:], _TEXT),
                         [f"no sentence for {_EMPTY} pen must be empty [8. Pens: vkFillPen]"])

    def test_changed_sentence_has_no_row(self):
        changed = sentences.problems(sentences.parse(_ROWS), _TEXT.replace("have ink", "have blue ink"))
        self.assertEqual(len(changed), 2)
        self.assertRegex(changed[0], "^no row for .* Pens must have blue ink")
        self.assertRegex(changed[1], "^no sentence for .* Pens must have ink")

    def test_repeated_sentence_needs_a_row_each(self):
        rows = sentences.parse(_ROWS)
        repeated = _TEXT.replace("Pens must write.", "Pens must write. Pens must write.")
        self.assertEqual(sentences.problems(rows, repeated), [f"no row for {_WRITE} Pens must write. [8. Pens]"])


if __name__ == "__main__":
    unittest.main()
