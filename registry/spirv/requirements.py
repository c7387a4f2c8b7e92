# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What a device must have for a SPIR-V module to declare a capability or an extension."""

from dataclasses import dataclass


@dataclass
class SpirvAlternative:
    """One of: a version, an extension, a feature, a property that has the bits of a value."""

    version: tuple[int, int] | None = None
    extension: str = ""
    # An enumerator of FeatureId.
    feature: str = ""
    # The name of the feature.
    text: str = ""
    struct: str = ""
    structure_type: str = ""
    member: str = ""
    value: str = ""
    # "VK_VERSION_1_2,VK_KHR_shader_float_controls": one of them provides the property.
    requires: str = ""


@dataclass
class SpirvName:
    """A capability or an extension of SPIR-V."""

    name: str
    alternatives: list[SpirvAlternative]


def _alternative(element, feature_ids, structure_types):
    if element.get("version"):
        major, minor = element.get("version").removeprefix("VK_VERSION_").split("_")
        return SpirvAlternative(version=(int(major), int(minor)))
    if element.get("extension"):
        return SpirvAlternative(extension=element.get("extension"))
    if element.get("struct"):
        feature = feature_ids.get((element.get("struct"), element.get("feature")))
        return SpirvAlternative(feature=feature, text=element.get("feature")) if feature else None
    struct = element.get("property")
    if struct not in structure_types:
        return None
    return SpirvAlternative(struct=struct,
                            structure_type=structure_types[struct],
                            member=element.get("member"),
                            value=element.get("value"),
                            requires=element.get("requires", ""))


def parse(root, tag, features, structs):
    """The rows of <spirvcapabilities> or <spirvextensions>, whose elements are `tag`, by name.

    One alternative is enough. Those of structures and extensions outside of this registry are left out.
    """
    feature_ids = {(f.struct_name, f.name): f.id for f in features}
    structure_types = {s.name: s.structure_type for s in structs if s.structure_type}
    rows = []
    for element in root.iter(tag):
        found = [_alternative(e, feature_ids, structure_types) for e in element.iterfind("enable")]
        rows.append(SpirvName(element.get("name"), [a for a in found if a]))
    return sorted(rows, key=lambda row: row.name)
