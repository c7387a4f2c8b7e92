# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Features: which structures share one, and which are enabled without a structure that names them."""

import re

from registry.model import Feature, ImplicitFeature

_AUTHOR = re.compile(r"[a-z0-9]([A-Z]{2,})$")
# Better authors first: of several features with one name, the first gets the plain id.
_AUTHORS = ["", "KHR", "EXT"]
_NAMED_BY_EXTENSION = re.compile(
    r'If ppEnabledExtensionNames contains "(?P<extension>\w+)" and the pNext chain includes a \w+ structure, '
    r"then (?P<features>.*) must (?:both )?be VK_TRUE")
_OR_EXTENSION = re.compile(
    r"If the (?P<extension>\w+) extension is not enabled, (?:the )?(?P<feature>\w+)(?: feature)? must be enabled")


def _author(struct):
    """The author of a structure that only extensions provide; "" for one that a core version has."""
    match = None if struct.provision.core else _AUTHOR.search(struct.name)
    return match[1] if match else ""


def parse(structs):
    """A row for each feature of each structure. Structures of core versions share the features of one name."""
    rows = [(m.name, s) for s in structs
            if s.name == "VkPhysicalDeviceFeatures" or "VkPhysicalDeviceFeatures2" in s.extends for m in s.members
            if m.kind == "Bool32"]
    authors = {}
    for name, struct in rows:
        authors.setdefault(name, set()).add(_author(struct))

    def identifier(name, struct):
        rank = sorted(authors[name], key=lambda a: (_AUTHORS.index(a) if a in _AUTHORS else len(_AUTHORS), a))
        suffix = "" if _author(struct) == rank[0] else _author(struct)
        return "k" + name[0].upper() + name[1:].replace("_", "") + suffix

    return [Feature(name, s.name, s.structure_type, identifier(name, s)) for name, s in rows]


def implicit(root, registry):
    """The features that versions and extensions enable by themselves.

    A version does so where it includes an extension, but not the structure of the feature that the extension requires
    (texelBufferAlignment). An extension that is older than its feature does so too (drawIndirectCount): sentences about
    VkDeviceCreateInfo and about users of the feature say which.
    """
    core_structs = {s.name for s in registry.structs if s.provision.core}
    ids = {(f.struct_name, f.name): f.id for f in registry.features}
    promoted = {e.name: e for e in registry.extensions}
    result = []
    for element in root.iterfind("extensions/extension"):
        extension = promoted.get(element.get("name"))
        if not extension or not extension.promoted_to_version:
            continue
        for item in element.iterfind("require/feature"):
            key = item.get("struct"), item.get("name")
            if key in ids and key[0] not in core_structs:
                result.append(ImplicitFeature(ids[key], version=extension.promoted_to_version))
    plain = {f.name: f.id for f in registry.features if f.struct_name in core_structs}
    found = []
    for vuid in registry.vuids:
        if match := _NAMED_BY_EXTENSION.fullmatch(vuid.text):
            for struct, name in re.findall(r"(\w+)::(\w+)", match["features"]):
                found.append((ids[struct, name], match["extension"]))
        elif match := _OR_EXTENSION.fullmatch(vuid.text):
            if match["feature"] in plain:
                found.append((plain[match["feature"]], match["extension"]))
    # What was promoted to such an extension does the same.
    for feature, name in list(found):
        found += [(feature, e.name) for e in registry.extensions if e.promoted_to == name]
    result += [ImplicitFeature(feature, extension=name) for feature, name in sorted(set(found)) if name in promoted]
    return sorted(result, key=lambda f: (f.feature, f.extension or ""))
