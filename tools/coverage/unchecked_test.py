# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import random
import unittest

from tools.coverage import unchecked

_DRAW = {f"VUID-vkCmdDraw{kind}-None-{number}" for kind in ("", "Indexed", "Indirect") for number in ("00001", "00002")}
_OFFSET = "VUID-vkCmdDrawIndirect-offset-00003"
_TYPE = "VUID-VkDrawing-sType-sType"
_BLIT = "VUID-vkCmdBlitImage-None-00002"
_IDS = _DRAW | {_OFFSET, _TYPE, _BLIT}


def _problems(text, unchecked_ids):
    return unchecked.problems(unchecked.parse(text.splitlines()), _IDS, unchecked_ids)


class UncheckedTest(unittest.TestCase):

    def test_good(self):
        self.assertEqual(_problems("[Why]\nvkCmdDraw* 00001-00002\n", _DRAW), [])
        self.assertEqual(_problems("[Why]\nvkCmdDraw* 00001 00002\n# A comment.\n", _DRAW), [])
        self.assertEqual(_problems("[Why]\nvkCmdDraw* *\nVUID-VkDrawing-sType-sType\n", _DRAW | {_OFFSET, _TYPE}), [])
        self.assertEqual(_problems("[Why]\nvkCmdBlitImage *\n[Why not]\nvkCmdDraw* 00001-00002\n", _DRAW | {_BLIT}), [])

    def test_an_id_without_a_line(self):
        self.assertEqual(_problems("[Why]\nvkCmdDraw* *\n", _DRAW | {_OFFSET, _BLIT}),
                         [f"{_BLIT} is not checked, and no line says why."])

    def test_a_line_with_a_checked_id(self):
        self.assertEqual(_problems("[Why]\nvkCmdDraw* *\n", _DRAW),
                         [f"{_OFFSET} is checked, or reported by another rule, but line 2 names it."])
        self.assertEqual(_problems(f"[Why]\nvkCmdDraw* 00001-00002\n{_TYPE}\n", _DRAW),
                         [f"{_TYPE} is checked, or reported by another rule, but line 3 names it."])

    def test_an_id_with_two_lines(self):
        self.assertEqual(_problems("[Why]\nvkCmdDraw* 00001-00002\nvkCmdDraw 00002\n", _DRAW),
                         ["VUID-vkCmdDraw-None-00002 is named by lines 2 and 3."])

    def test_a_line_without_an_id(self):
        for text in ("vkCmdDraw 00003", "vkCmdDra 00001", "VUID-VkDrawing-pNext-pNext", "VkNone* *",
                     "vkCmd* 00004-00009"):
            problems = _problems(f"[Why]\nvkCmdDraw* 00001-00002\n{text}\n", _DRAW)
            self.assertEqual([problem[:18] for problem in problems], ["Line 3 names no id"], text)

    def test_a_range_without_an_id(self):
        self.assertEqual(len(_problems("[Why]\nvkCmdDraw* 00001-00002 00005\n", _DRAW)), 1)

    def test_forms(self):
        for text in ("vkCmdDraw *", "[Why]\nvkCmdDraw", "[Why]\nvkCmdDraw 123", "[Why]\nVUID-a-b-c *", "[Why]\na 1-2"):
            with self.assertRaises(ValueError):
                unchecked.parse(text.splitlines())

    def test_text(self):
        text = unchecked.text({vuid: "Not yet." for vuid in _DRAW | {_TYPE}}, _IDS)
        self.assertTrue(text.endswith(f"\n[Not yet.]\nvkCmdDraw* 00001-00002\n{_TYPE}\n"), text)
        text = unchecked.text({vuid: "Not yet." for vuid in _DRAW | {_OFFSET}}, _IDS)
        self.assertTrue(text.endswith("\n[Not yet.]\nvkCmdDraw* *\n"), text)

    def test_update(self):
        lines = unchecked.parse("[Why]\nvkCmdDraw* 00001\n[Why not]\nvkCmdDraw* 00002-00003\n".splitlines())
        left = _DRAW - {"VUID-vkCmdDraw-None-00001", "VUID-vkCmdDraw-None-00002"}
        text = unchecked.update(lines, _IDS, left)
        self.assertEqual(unchecked.reasons(unchecked.parse(text.splitlines()), _IDS),
                         {vuid: "Why" if vuid.endswith("1") else "Why not" for vuid in left})
        with self.assertRaises(ValueError):
            unchecked.update(lines, _IDS, left | {_BLIT})

    def test_any_sets_are_named_once_each(self):
        names = ("Draw", "DrawA", "DrawB", "Drawing", "DrawingX", "Draw2", "Fill", "FillDraw")
        owners = ["vkCmd" + name for name in names]
        ids = {f"VUID-{owner}-None-{number:05}" for owner in owners for number in range(1, 9)}
        ids |= {f"VUID-{owner}-sType-sType" for owner in owners}
        for seed in range(200):
            chance = random.Random(seed)
            dense = chance.random()
            reason_of = {vuid: chance.choice(["A", "B"]) for vuid in sorted(ids) if chance.random() < dense}
            lines = unchecked.parse(unchecked.text(reason_of, ids).splitlines())
            self.assertEqual(unchecked.problems(lines, ids, reason_of.keys()), [], seed)
            self.assertEqual(unchecked.reasons(lines, ids), reason_of, seed)


if __name__ == "__main__":
    unittest.main()
