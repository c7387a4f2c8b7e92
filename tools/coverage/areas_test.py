# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule of the registry is in exactly one area."""

import collections
import re
import sys
import unittest

from tools.coverage import areas
from tools.coverage import counting
from tools.coverage import gathering

_VUIDS = []


def _rule(vuid, chapter="", sentence=""):
    document = {"validation": {"x": {"core": [{"vuid": vuid, "page": f"chapters/{chapter}.html", "text": sentence}]}}}
    return areas.rules_of(document)[0]


def _areas(*arguments):
    return [area.name for area in areas.areas_of(_rule(*arguments))]


class AreasTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        document = gathering.read_document(_VUIDS[0])
        cls.existing = counting.ids_of(document)
        cls.rules = areas.rules_of(document)
        cls.areas = {rule: areas.areas_of(rule) for rule in cls.rules}

    def test_every_rule_has_one_area(self):
        self.assertGreater(len(self.existing), 10000)
        self.assertEqual(collections.Counter(rule.vuid for rule in self.rules), collections.Counter(self.existing))
        wrong = [(rule.vuid, [area.name for area in found]) for rule, found in self.areas.items() if len(found) != 1]
        self.assertEqual(wrong, [])

    def test_rows_add_up(self):
        table = areas.markdown(self.rules, counting.Coverage(self.existing))
        *counts, total = [int(count) for count in re.findall(r" 0 of (\d+) ", table)]
        self.assertEqual(sum(counts), total)
        self.assertEqual(total, len(self.existing))

    def test_every_area_has_rules_of_each_sort(self):
        found = {(area.name, sort) for rule, found in self.areas.items() for area in found
                 for sort in (rule.kind, rule.chapter)}
        for area in areas.AREAS:
            sorts = area.kinds + area.chapters
            self.assertEqual([sort for sort in sorts if (area.name, sort) not in found], [], area.name)
        self.assertEqual(len({area.name for area in areas.AREAS}), len(areas.AREAS))

    def test_handles(self):
        given = '<code>buffer</code> must be a valid <a href="#VkBuffer">VkBuffer</a> handle'
        self.assertEqual(_areas("VUID-vkA-buffer-parameter", "resources", given), ["Handles and lifetimes"])
        returned = "pBuffer must be a valid pointer to a VkBuffer handle"
        self.assertEqual(_areas("VUID-vkA-pBuffer-parameter", "resources", returned), ["Parameters"])

    def test_explicit_rules_go_by_owner_before_chapter(self):
        self.assertEqual(_areas("VUID-VkSubmitInfo-pNext-00001", "cmdbuffers"), ["Synchronization commands"])
        self.assertEqual(_areas("VUID-vkCmdExecuteCommands-pNext-00001", "cmdbuffers"), ["Recorded commands"])
        self.assertEqual(_areas("VUID-VkSubmitInfo-pNext-pNext", "cmdbuffers"), ["Parameters"])
        self.assertEqual(_areas("VUID-vkA-None-00001", "no_such_chapter"), [])

    def test_table(self):
        draw, copy = _rule("VUID-vkCmdDraw-None-00001", "drawing"), _rule("VUID-vkCmdCopy-None-00002", "copies")
        coverage = counting.Coverage([draw.vuid, copy.vuid])
        coverage.add_source(f'Vuid("{copy.vuid}") "SYNC-HAZARD-A" "SYNC-HAZARD-B" "SYNC-HAZARD-" // "SYNC-HAZARD-*"')
        lines = areas.markdown([draw, copy], coverage).splitlines()
        self.assertEqual(len(lines), len(areas.AREAS) + 3)
        self.assertEqual({line.count(" | ") for line in lines}, {4})
        counts = {line.split(" | ")[0][2:]: line.split(" | ")[3] for line in lines}
        self.assertEqual(counts["Draws and dispatches"], "0 of 1")
        self.assertEqual(counts["Copies and clears"], "1 of 1")
        self.assertEqual(counts["Synchronization hazards"], "2 `SYNC-HAZARD-*`")
        self.assertEqual(counts["All of the registry"], "1 of 2")


if __name__ == "__main__":
    _VUIDS += sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
