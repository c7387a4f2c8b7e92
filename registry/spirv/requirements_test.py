# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest
from xml.etree import ElementTree

from registry import model
from registry.spirv import requirements

_XML = """<registry><spirvcapabilities>
  <spirvcapability name="Geometry"><enable struct="VkF" feature="geometryShader" requires="VK_VERSION_1_0"/>
    <enable extension="VK_X"/><enable version="VK_VERSION_1_2"/></spirvcapability>
  <spirvcapability name="Clustered">
    <enable property="VkP" member="operations" value="BIT" requires="VK_VERSION_1_1,VK_Y"/>
    <enable struct="VkOfAnotherApi" feature="f"/></spirvcapability>
</spirvcapabilities></registry>"""


class SpirvTest(unittest.TestCase):
    def test_alternatives(self):
        features = [model.Feature("geometryShader", "VkF", "STYPE_F", "kGeometryShader")]
        structs = [model.Struct(name="VkP", members=[], structure_type="STYPE_P")]
        rows = requirements.parse(ElementTree.fromstring(_XML), "spirvcapability", features, structs)
        self.assertEqual([r.name for r in rows], ["Clustered", "Geometry"])
        (clustered,) = rows[0].alternatives
        self.assertEqual((clustered.structure_type, clustered.member, clustered.value, clustered.requires),
                         ("STYPE_P", "operations", "BIT", "VK_VERSION_1_1,VK_Y"))
        feature, extension, version = rows[1].alternatives
        self.assertEqual((feature.feature, extension.extension, version.version), ("kGeometryShader", "VK_X", (1, 2)))


if __name__ == "__main__":
    unittest.main()
