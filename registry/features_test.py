# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest
from xml.etree import ElementTree

from registry import features
from registry.model import Extension, ImplicitFeature, Member, Provision, Registry, Struct, Vuid

_EXTENDS = ["VkPhysicalDeviceFeatures2"]


def struct(name, members, core=None):
    return Struct(name, [Member(m, "VkBool32", "VkBool32", "Bool32") for m in members],
                  extends=_EXTENDS,
                  provision=Provision(core))


class FeaturesTest(unittest.TestCase):
    def test_ids(self):
        rows = features.parse([
            struct("VkPhysicalDeviceVulkan12Features", ["address"], (1, 2)),
            struct("VkPhysicalDeviceAddressFeatures", ["address"], (1, 2)),
            struct("VkPhysicalDeviceAddressFeaturesEXT", ["address"]),
            struct("VkPhysicalDeviceMeshFeaturesEXT", ["mesh"]),
            struct("VkPhysicalDeviceMeshFeaturesNV", ["mesh"]),
            struct("VkPhysicalDeviceOnlyFeaturesNV", ["format_A"]),
        ])
        self.assertEqual([r.id for r in rows],
                         ["kAddress", "kAddress", "kAddressEXT", "kMesh", "kMeshNV", "kFormatA"])

    def test_implicit(self):
        structs = [
            struct("VkPhysicalDeviceVulkan12Features", ["count"], (1, 2)),
            struct("VkPhysicalDeviceAlignmentFeaturesEXT", ["alignment", "more"]),
            struct("VkPhysicalDevicePushFeatures", ["push"], (1, 4)),
        ]
        registry = Registry(structs=structs, features=features.parse(structs))
        registry.extensions = [
            Extension("VK_EXT_alignment", "1", False, "", "VK_VERSION_1_3", (1, 3), False),
            Extension("VK_KHR_count", "1", False, "", "VK_VERSION_1_2", (1, 2), False),
            Extension("VK_AMD_count", "1", False, "", "VK_KHR_count", (1, 2), False),
            Extension("VK_KHR_push", "1", False, "", "VK_VERSION_1_4", (1, 4), False),
        ]
        registry.vuids = [
            Vuid("A", 'If ppEnabledExtensionNames contains "VK_KHR_count" and the pNext chain includes a '
                 "VkPhysicalDeviceVulkan12Features structure, then VkPhysicalDeviceVulkan12Features::count must be "
                 "VK_TRUE", ""),
            Vuid("B", "If the VK_KHR_push extension is not enabled, push must be enabled", ""),
        ]
        root = ElementTree.fromstring(
            '<registry><extensions><extension name="VK_EXT_alignment"><require><feature name="alignment" '
            'struct="VkPhysicalDeviceAlignmentFeaturesEXT"/></require></extension></extensions></registry>')
        self.assertEqual(features.implicit(root, registry), [
            ImplicitFeature("kAlignment", version=(1, 3)),
            ImplicitFeature("kCount", extension="VK_AMD_count"),
            ImplicitFeature("kCount", extension="VK_KHR_count"),
            ImplicitFeature("kPush", extension="VK_KHR_push"),
        ])


if __name__ == "__main__":
    unittest.main()
