# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest
from xml.etree import ElementTree

from registry import sync

STAGES = [
    "TOP_OF_PIPE", "HOST", "COPY", "CLEAR", "ALL_TRANSFER", "ALL_COMMANDS", "BUILD", "SHADER", "TESTS", "BOTTOM_OF_PIPE"
]
ACCESSES = [
    "TRANSFER_READ", "TRANSFER_WRITE", "SAMPLED_READ", "SHADER_READ", "MEMORY_READ", "MEMORY_WRITE", "HOST_READ"
]
STAGE = {name: f"VK_PIPELINE_STAGE_2_{name}_BIT" for name in STAGES}
ACCESS = {name: f"VK_ACCESS_2_{name}_BIT" for name in ACCESSES}
STAGE_VALUES = {"VK_PIPELINE_STAGE_2_NONE": 0, **{STAGE[name]: 1 << i for i, name in enumerate(STAGES)}}
ACCESS_VALUES = {"VK_ACCESS_2_NONE": 0, **{ACCESS[name]: 1 << i for i, name in enumerate(ACCESSES)}}


def stage_xml(name, queues="", equivalent=""):
    support = f'<syncsupport queues="{queues}"/>' if queues else ""
    if equivalent:
        support += '<syncequivalent stage="' + ",".join(STAGE[n] for n in equivalent.split()) + '"/>'
    return f'<syncstage name="{STAGE[name]}">{support}</syncstage>'


def access_xml(name, stages="", equivalent=""):
    support = '<syncsupport stage="' + ",".join(STAGE[n] for n in stages.split()) + '"/>' if stages else ""
    if equivalent:
        support += '<syncequivalent access="' + ",".join(ACCESS[n] for n in equivalent.split()) + '"/>'
    return f'<syncaccess name="{ACCESS[name]}">{support}</syncaccess>'


XML = ('<registry><sync><syncstage name="VK_PIPELINE_STAGE_2_NONE"/>' + stage_xml("TOP_OF_PIPE") + stage_xml("HOST") +
       stage_xml("COPY", "transfer,graphics") + stage_xml("CLEAR", "graphics") +
       stage_xml("ALL_TRANSFER", "transfer", "COPY CLEAR") + stage_xml("ALL_COMMANDS") + stage_xml("BUILD") +
       stage_xml("SHADER") + stage_xml("TESTS") + stage_xml("BOTTOM_OF_PIPE") +
       '<syncaccess name="VK_ACCESS_2_NONE"/>' + access_xml("TRANSFER_READ", "ALL_TRANSFER COPY") +
       access_xml("TRANSFER_WRITE", "ALL_TRANSFER") + access_xml("SAMPLED_READ", "SHADER") +
       access_xml("SHADER_READ", "BUILD SHADER", "SAMPLED_READ") + access_xml("MEMORY_READ") +
       access_xml("MEMORY_WRITE") + access_xml("HOST_READ", "HOST") + f"""
<syncpipeline name="graphics"><syncpipelinestage>{STAGE["COPY"]}</syncpipelinestage>
<syncpipelinestage order="None" before="{STAGE["TESTS"]}">{STAGE["BUILD"]}</syncpipelinestage>
<syncpipelinestage>{STAGE["TESTS"]}</syncpipelinestage><syncpipelinestage>{STAGE["SHADER"]}</syncpipelinestage>
<syncpipelinestage order="None">{STAGE["CLEAR"]}</syncpipelinestage></syncpipeline>
<syncpipeline name="host"><syncpipelinestage>{STAGE["HOST"]}</syncpipelinestage></syncpipeline></sync></registry>""")


class SyncTest(unittest.TestCase):
    def setUp(self):
        queue_bits = {"transfer": "VK_QUEUE_TRANSFER_BIT", "graphics": "VK_QUEUE_GRAPHICS_BIT"}
        self.section = sync.SyncSection(ElementTree.fromstring(XML), STAGE_VALUES, ACCESS_VALUES, {}, queue_bits)
        self.stages = {s.name: s for s in self.section.stages}
        self.accesses = {a.name: a for a in self.section.accesses}
        self.orders = {o.stage: o for o in self.section.orders}

    @staticmethod
    def bits(values, names, *wanted):
        return sum(values[names[w]] for w in wanted)

    def test_stages(self):
        transfer = self.stages[STAGE["ALL_TRANSFER"]]
        self.assertFalse(transfer.single)
        self.assertEqual(transfer.expands_to, self.bits(STAGE_VALUES, STAGE, "COPY", "CLEAR"))
        self.assertEqual(self.stages[STAGE["COPY"]].queues, ["VK_QUEUE_TRANSFER_BIT", "VK_QUEUE_GRAPHICS_BIT"])
        self.assertIsNone(self.stages[STAGE["HOST"]].queues)
        self.assertTrue(self.stages[STAGE["TOP_OF_PIPE"]].single)

    def test_all_commands_leaves_the_host_out(self):
        self.assertEqual(self.stages[STAGE["ALL_COMMANDS"]].expands_to,
                         self.bits(STAGE_VALUES, STAGE, "COPY", "CLEAR", "BUILD", "SHADER", "TESTS"))

    def test_compound_stage_adds_nothing_to_listed_ones(self):
        self.assertEqual(self.accesses[ACCESS["TRANSFER_READ"]].stages, [STAGE["COPY"]])
        self.assertEqual(self.accesses[ACCESS["TRANSFER_WRITE"]].stages, [STAGE["COPY"], STAGE["CLEAR"]])

    def test_accesses(self):
        read = self.accesses[ACCESS["MEMORY_READ"]]
        self.assertEqual(read.expands_to,
                         self.bits(ACCESS_VALUES, ACCESS, "TRANSFER_READ", "SAMPLED_READ", "SHADER_READ", "HOST_READ"))
        self.assertEqual((read.is_read, read.is_write, read.single), (True, False, False))
        self.assertEqual(self.accesses[ACCESS["MEMORY_WRITE"]].expands_to,
                         self.bits(ACCESS_VALUES, ACCESS, "TRANSFER_WRITE"))

    def test_compound_access_stays_where_nothing_else_stands_for_it(self):
        self.assertEqual(self.accesses[ACCESS["SHADER_READ"]].expands_to,
                         self.bits(ACCESS_VALUES, ACCESS, "SAMPLED_READ", "SHADER_READ"))
        self.assertEqual([p.name for p in self.section.pairs], [
            "HOST_HOST_READ", "COPY_TRANSFER_READ", "COPY_TRANSFER_WRITE", "CLEAR_TRANSFER_WRITE", "BUILD_SHADER_READ",
            "SHADER_SAMPLED_READ"
        ])

    def test_order(self):
        self.assertEqual(self.orders[STAGE["SHADER"]].earlier,
                         self.bits(STAGE_VALUES, STAGE, "TOP_OF_PIPE", "COPY", "BUILD", "TESTS", "SHADER"))
        self.assertEqual(self.orders[STAGE["COPY"]].later,
                         self.bits(STAGE_VALUES, STAGE, "COPY", "TESTS", "SHADER", "BOTTOM_OF_PIPE"))

    def test_unordered_stage_before_another(self):
        self.assertEqual(self.orders[STAGE["BUILD"]].earlier, self.bits(STAGE_VALUES, STAGE, "TOP_OF_PIPE", "BUILD"))
        self.assertEqual(self.orders[STAGE["BUILD"]].later,
                         self.bits(STAGE_VALUES, STAGE, "BUILD", "TESTS", "SHADER", "BOTTOM_OF_PIPE"))

    def test_unordered_stage(self):
        self.assertEqual(self.orders[STAGE["CLEAR"]].earlier, self.bits(STAGE_VALUES, STAGE, "TOP_OF_PIPE", "CLEAR"))

    def test_host_has_no_order(self):
        self.assertEqual((self.orders[STAGE["HOST"]].earlier, self.orders[STAGE["HOST"]].later),
                         (STAGE_VALUES[STAGE["HOST"]],) * 2)

    def test_short_names(self):
        self.assertEqual(sync.short_name("VK_ACCESS_2_MICROMAP_READ_BIT_EXT", "VK_ACCESS_2_"), "MICROMAP_READ")


if __name__ == "__main__":
    unittest.main()
