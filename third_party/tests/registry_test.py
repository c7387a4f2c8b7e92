# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The registry's Python object model can be imported, and the interpreter is the machine's own."""

import json
import sys
import unittest
import xml.etree.ElementTree

import base_generator
import reg
import vulkan_object

REGISTRY = "../vulkan_headers/usr/share/vulkan/registry/"


class RegistryTest(unittest.TestCase):

    def test_interpreter_is_the_machines_own(self):
        self.assertTrue(sys.executable.startswith("/usr/bin/python3"), sys.executable)

    def test_object_model_is_importable(self):
        self.assertTrue(hasattr(vulkan_object, "Command"))
        self.assertTrue(hasattr(base_generator, "BaseGenerator"))
        self.assertTrue(hasattr(reg, "Registry"))

    def test_registry_is_of_the_pinned_version(self):
        root = xml.etree.ElementTree.parse(REGISTRY + "vk.xml").getroot()
        versions = {
            entry.find("name").tail.strip()
            for entry in root.find("types")
            if entry.findtext("name") == "VK_HEADER_VERSION"
        }
        self.assertIn("309", versions)

    def test_valid_usage_is_there(self):
        with open(REGISTRY + "validusage.json", encoding="utf-8") as rules:
            self.assertIn("validation", json.load(rules))


if __name__ == "__main__":
    unittest.main()
