# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from tools.interfaces import document
from tools.interfaces import lookup
from tools.interfaces import sentences

_ID = "VUID-VkPen-ink-00001"


def _finding(**members):
    empty = {"ids": [_ID], "delivered": [], "checkers": [], "tests": [], "test_cases": [], "by_another": {}}
    return lookup.Finding(**{**empty, **members})


def _row(*entries, **members):
    return sentences.Row("A Section", "vkFillPen", "00000000", "Pens must …", "They write.", list(entries), **members)


_ENTRY = sentences.Entry(_ID)
_DELIVERED = _finding(delivered=[_ID], checkers=["core"], tests=["core/pen_test.cc"])


class DocumentTest(unittest.TestCase):

    def test_status(self):
        one, two = _row(_ENTRY), _row(_ENTRY, _ENTRY)
        self.assertEqual(document.status_of(one, [_DELIVERED]), "delivered")
        self.assertEqual(document.status_of(two, [_DELIVERED, _finding()]), "in part")
        self.assertEqual(document.status_of(two, [_finding(), _finding(test_cases=[_ID])]), "not delivered yet")
        self.assertEqual(document.status_of(_row(_ENTRY, missing="Ink."), [_DELIVERED]), "in part")
        self.assertEqual(document.status_of(_row(_ENTRY, missing="Ink."), [_finding()]), "not delivered yet")
        self.assertEqual(document.status_of(_row(reason="no id"), []), "not checked")

    def test_entries(self):
        self.assertEqual(document.entry_text(_ENTRY, _DELIVERED),
                         f"`{_ID}` in `core`: delivered by `core/pen_test.cc`")
        self.assertEqual(document.entry_text(_ENTRY, _finding()), f"`{_ID}`: not delivered yet")
        self.assertEqual(document.entry_text(_ENTRY, _finding(checkers=["core"], test_cases=[_ID])),
                         f"`{_ID}` in `core`: not delivered yet, test case alone")
        self.assertEqual(document.entry_text(_ENTRY, _finding(by_another={_ID: "VUID-B"})),
                         f"`{_ID}`: not delivered yet, reported as `VUID-B`")
        family = _finding(ids=["A", "B", "C"], delivered=["A"], tests=["a", "b", "c"])
        self.assertEqual(document.entry_text(sentences.Entry("*", is_general=True), family),
                         "`*` (general): 1 of 3 delivered by `a`, `b` and 1 more")

    def test_row(self):
        self.assertEqual(document.row_text(_row(_ENTRY, text="Or | so.", tests=["A.B"], missing="Ink."), [_finding()]),
                         f"| “Pens must …” `00000000` | They write. | not delivered yet | `{_ID}`: not delivered yet"
                         "<br>Test of the sentence: `A.B`<br>Not covered: Ink.<br>Or \\| so. |\n")
        self.assertEqual(document.row_text(_row(reason="no id", text="No id says it."), []),
                         "| “Pens must …” `00000000` | They write. | not checked | No id of the registry speaks of it."
                         "<br>No id says it. |\n")

    def test_document(self):
        made = document.make({
            "spec_shaders": [(_row(_ENTRY), [_DELIVERED]), (_row(reason="no id"), [])],
            "spec_shader_interfaces": [(_row(sentences.Entry("VUID-*")), [_finding()])],
        })
        self.assertIn("say in 3 sentences\n", made)
        self.assertIn("| delivered | 1 | 0 | 1 |", made)
        self.assertIn("| not delivered yet | 0 | 1 | 1 |", made)
        self.assertIn("| not checked | 1 | 0 | 1 |", made)
        self.assertIn("- no id of the registry speaks of it: 1\n", made)
        self.assertIn("name 2 ids and families, besides general ones: 1 are delivered, 0 have", made)
        self.assertEqual(made.count("### A Section, of `vkFillPen`\n"), 2)


if __name__ == "__main__":
    unittest.main()
