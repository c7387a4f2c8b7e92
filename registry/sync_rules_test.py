# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import model
from registry import sync_rules

STAGES = ["COPY_BIT", "VERTEX_SHADER_BIT", "MESH_SHADER_BIT_EXT", "PRE_RASTERIZATION_SHADERS_BIT", "HOST_BIT"]
STAGE = {name: 1 << i for i, name in enumerate(STAGES)}
ALIASES = {"VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV": "VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT"}
TRANSITION = ("If srcQueueFamilyIndex and dstQueueFamilyIndex define a queue family ownership transfer or oldLayout "
              "and newLayout define an image layout transition, and oldLayout or newLayout is VK_IMAGE_LAYOUT_A ")


def read(text, vuid="VUID-VkA-member-00001"):
    stages = [model.SyncStage("VK_PIPELINE_STAGE_2_" + n, v, None, v, True) for n, v in STAGE.items()]
    accesses = [model.SyncAccess("VK_ACCESS_2_READ_BIT", 8, [], 8, True, True, False)]
    return sync_rules.SyncRules([model.Vuid(vuid, text, "p")], stages, accesses, ALIASES)


class SyncRulesTest(unittest.TestCase):
    def test_stage_feature(self):
        rule = read("If the f feature is not enabled, srcStageMask must not contain VK_PIPELINE_STAGE_2_COPY_BIT or "
                    "VK_PIPELINE_STAGE_MESH_SHADER_BIT_NV").stage_features[0]
        self.assertEqual((rule.vuid, rule.owner, rule.member, rule.features), (0, "VkA", "srcStageMask", ["f"]))
        self.assertEqual(rule.stages, STAGE["COPY_BIT"] | STAGE["MESH_SHADER_BIT_EXT"])

    def test_stage_feature_or_extension(self):
        rule = read("If neither the VK_NV_x extension or the y feature are enabled, stage must not be "
                    "VK_PIPELINE_STAGE_HOST_BIT").stage_features[0]
        self.assertEqual((rule.features, rule.stages), (["VK_NV_x", "y"], STAGE["HOST_BIT"]))

    def test_no_stage(self):
        self.assertEqual(
            read("If the synchronization2 feature is not enabled, stageMask must not be 0").stage_features[0].stages, 0)

    def test_access(self):
        rule = read("If srcAccessMask includes VK_ACCESS_2_READ_BIT, srcStageMask must include "
                    "VK_PIPELINE_STAGE_2_COPY_BIT or one of the VK_PIPELINE_STAGE_*_SHADER_BIT stages").access_stages[0]
        self.assertEqual((rule.member, rule.access), ("srcAccessMask", 8))
        self.assertEqual(rule.stages, STAGE["COPY_BIT"] | STAGE["VERTEX_SHADER_BIT"] | STAGE["MESH_SHADER_BIT_EXT"])

    def test_usages(self):
        def usages(text):
            return read(TRANSITION + "then image must have been created with " + text).layout_usages[0].usages

        self.assertEqual(usages("VK_IMAGE_USAGE_A or VK_IMAGE_USAGE_B set"), [["VK_IMAGE_USAGE_A", "VK_IMAGE_USAGE_B"]])
        self.assertEqual(
            usages("either the VK_IMAGE_USAGE_A or VK_IMAGE_USAGE_B usage bits, and the VK_IMAGE_USAGE_C usage bit"),
            [["VK_IMAGE_USAGE_A", "VK_IMAGE_USAGE_B"], ["VK_IMAGE_USAGE_C"]])
        self.assertEqual(
            usages("either VK_IMAGE_USAGE_A, or with both VK_IMAGE_USAGE_B and either of VK_IMAGE_USAGE_C or "
                   "VK_IMAGE_USAGE_D"),
            [["VK_IMAGE_USAGE_A", "VK_IMAGE_USAGE_B"], ["VK_IMAGE_USAGE_A", "VK_IMAGE_USAGE_C", "VK_IMAGE_USAGE_D"]])

    def test_usages_of_attachments(self):
        rules = read("If any of the initialLayout or finalLayout member of the structures is VK_IMAGE_LAYOUT_A, or "
                     "VK_IMAGE_LAYOUT_B then the corresponding attachment image view of the framebuffer must have "
                     "been created with a usage value including either the VK_IMAGE_USAGE_A or VK_IMAGE_USAGE_B and "
                     "either the VK_IMAGE_USAGE_C usage bits").layout_usages
        self.assertEqual([(r.member, r.layout) for r in rules], [("member", "VK_IMAGE_LAYOUT_A"),
                                                                 ("member", "VK_IMAGE_LAYOUT_B")])
        self.assertEqual(rules[0].usages, [["VK_IMAGE_USAGE_A", "VK_IMAGE_USAGE_B"], ["VK_IMAGE_USAGE_C"]])

    def test_layout_feature(self):
        rules = read("If the f feature is not enabled, oldLayout must not be VK_IMAGE_LAYOUT_A or "
                     "VK_IMAGE_LAYOUT_B").layout_features
        self.assertEqual([(r.member, r.layout, r.feature) for r in rules], [("oldLayout", "VK_IMAGE_LAYOUT_A", "f"),
                                                                            ("oldLayout", "VK_IMAGE_LAYOUT_B", "f")])

    def test_other_sentences(self):
        found = read("If the f feature is not enabled, flags must not contain VK_X_BIT")
        self.assertEqual((found.stage_features, found.layout_features), ([], []))
        self.assertEqual(read("If the f feature is not enabled, divisor must not be 0").stage_features, [])
        self.assertEqual(
            read("If the f feature is not enabled, m must not be 0", "VUID-VkA-m-parameter").stage_features, [])


if __name__ == "__main__":
    unittest.main()
