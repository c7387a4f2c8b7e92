# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the registry's own Python object model (reg.py, base_generator.py) and keeps what it drops.

The object model selects the elements of one API and orders the additions of extensions to core. It drops attributes
such as `selector`, `objecttype`, `selection` and the spelling of `len`, the values of enumerants and the names of
aliases. This module takes those from the XML elements that the object model passes to its generator.
"""

import re
import sys
import tempfile
from xml.etree import ElementTree

API = "vulkan"


class Objects:
    """The object model's `vk`, the XML's root, and the attributes of members, parameters and enumerants."""

    def __init__(self):
        self.root = None
        self.vk = None
        # {"VkBufferCreateInfo": [attributes of its members in order]}, the same for commands' parameters.
        self.member_attributes = {}
        # {"VkFormat": {"VK_FORMAT_R8_UNORM": 9}}, aliases left out.
        self.enum_values = {}
        # {"VK_FORMAT_X_EXT": "VK_FORMAT_X"}, for enumerants.
        self.enumerant_aliases = {}
        self.type_aliases = {}

    def all_values(self):
        """{"VkFormat": {"VK_FORMAT_R8_UNORM": 9}} with aliases; constants by their C type, under uint32_t and so on."""
        result = {enum: dict(values) for enum, values in self.enum_values.items()}
        owners = {name: enum for enum, values in result.items() for name in values}
        for alias, name in self.enumerant_aliases.items():
            while name in self.enumerant_aliases:
                name = self.enumerant_aliases[name]
            if name in owners:
                result[owners[name]][alias] = result[owners[name]][name]
        for element in self.root.iterfind("enums[@name='API Constants']/enum"):
            # "256", "(~0U)", "(~1ULL)"; other constants are not integers.
            match = re.fullmatch(r"\(?(~?)(\d+)U?(L*)\)?", element.get("value", ""))
            if match:
                bits = 64 if match[3] else 32
                value = ~int(match[2]) % 2**bits if match[1] else int(match[2])
                result.setdefault(element.get("type"), {})[element.get("name")] = value
        return result


def _make_generator(objects):
    import base_generator

    class Collector(base_generator.BaseGenerator):
        def generate(self):
            objects.vk = self.vk

        def genType(self, typeinfo, name, alias):
            super().genType(typeinfo, name, alias)
            if alias is not None:
                objects.type_aliases[name] = alias
            elif typeinfo.elem.get("category") in ("struct", "union"):
                objects.member_attributes[name] = [dict(m.attrib) for m in typeinfo.elem.findall(".//member")]

        def genCmd(self, cmdinfo, name, alias):
            super().genCmd(cmdinfo, name, alias)
            objects.member_attributes[name] = [dict(p.attrib) for p in cmdinfo.elem.findall("param")]

        def genGroup(self, groupinfo, name, alias):
            super().genGroup(groupinfo, name, alias)
            if alias is not None:
                objects.type_aliases[name] = alias
                return
            values = objects.enum_values.setdefault(name, {})
            for element in groupinfo.elem.findall("enum"):
                if element.get("alias") is not None:
                    objects.enumerant_aliases[element.get("name")] = element.get("alias")
                elif self.isEnumRequired(element):
                    values.setdefault(element.get("name"), self.enumToValue(element, True)[0])

    return Collector()


def load(xml_path):
    """Reads vk.xml (a path or an open file); the registry's Python modules must be importable."""
    import base_generator
    import reg

    objects = Objects()
    text = ElementTree.parse(xml_path)
    # reg.py changes the tree that it works on, so it gets a copy.
    tree = ElementTree.ElementTree(ElementTree.fromstring(ElementTree.tostring(text.getroot())))
    with tempfile.TemporaryDirectory() as directory:
        base_generator.SetOutputDirectory(directory)
        base_generator.SetOutputFileName("unused")
        base_generator.SetTargetApiName(API)
        base_generator.SetMergedApiNames(None)
        generator = _make_generator(objects)
        registry = reg.Registry(generator, base_generator.BaseGeneratorOptions())
        registry.loadElementTree(tree)
        stdout, sys.stdout = sys.stdout, sys.stderr
        try:
            registry.apiGen()
        finally:
            sys.stdout = stdout
    objects.root = text.getroot()
    return objects


def _has_api(element, attribute="api"):
    value = element.get(attribute)
    return value is None or API in value.split(",")


def in_build(extension):
    """Whether the headers declare the extension (an <extension> element); vk/vulkan.h includes every platform's."""
    return extension.get("supported") and _has_api(extension, "supported")


def version_of(feature_name):
    """(1, 3) for VK_VERSION_1_3, else None."""
    parts = feature_name.split("_")
    if feature_name.startswith("VK_VERSION_") and len(parts) == 4:
        return (int(parts[2]), int(parts[3]))
    return None


def provisions(root):
    """{name: (lowest core version or None, [extensions])} for types, commands and enumerants, under their own names."""
    result = {}

    def add(name, core, extension):
        core_versions, extensions = result.setdefault(name, ([], []))
        if core:
            core_versions.append(core)
        elif extension not in extensions:
            extensions.append(extension)

    for element in [*root.iterfind("feature"), *root.iterfind("extensions/extension")]:
        core = version_of(element.get("name")) if element.tag == "feature" else None
        if element.tag == "feature" and (core is None or not _has_api(element)):
            continue
        if element.tag == "extension" and not in_build(element):
            continue
        for require in element.iterfind("require"):
            if not _has_api(require):
                continue
            for item in require:
                if item.tag in ("type", "command", "enum") and _has_api(item):
                    add(item.get("name"), core, element.get("name"))
    return {name: (min(core) if core else None, extensions) for name, (core, extensions) in result.items()}
