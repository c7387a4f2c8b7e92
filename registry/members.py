# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Members of structures and parameters of commands: their kind, indirection, length and flags."""

import re

from registry.model import Length, Member

_C_TYPES = {
    "char", "float", "double", "int8_t", "uint8_t", "int16_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "int64_t",
    "size_t", "int",
}
# Platform types that are passed by value. They have a size.
_FOREIGN_VALUES = {
    "VisualID",
    "Window",
    "RROutput",
    "xcb_visualid_t",
    "xcb_window_t",
    "HINSTANCE",
    "HWND",
    "HMONITOR",
    "HANDLE",
    "DWORD",
    "LPCWSTR",
    "zx_handle_t",
    "GgpStreamDescriptor",
    "GgpFrameToken",
    "MTLDevice_id",
    "MTLCommandQueue_id",
    "MTLBuffer_id",
    "MTLTexture_id",
    "MTLSharedEvent_id",
    "IOSurfaceRef",
}
_DECLARATION = re.compile(r"^(?P<type>.*?)\s*\b(?P<name>\w+)\s*(?P<array>(?:\[[^\]]*\])*)\s*(?P<bits>:\s*\d+)?$")


class Types:
    """The names of every described type, by category."""

    def __init__(self, structs, enums, bitmasks, handles, flags, aliases=None):
        self.structs = structs
        self.enums = enums
        # FlagBits names.
        self.bitmasks = bitmasks
        self.handles = handles
        # {"VkAccessFlags2": "VkAccessFlagBits2" or None when it has no bits yet}.
        self.flags = flags
        # {"VkScopeNV": "VkScopeKHR"}.
        self.aliases = aliases or {}


def _kind(type_name, pointers, name, attributes, types):
    """(MemberKind, type_ref)."""
    if type_name not in types.flags:
        type_name = types.aliases.get(type_name, type_name)
    if name == "pNext" and pointers:
        return "Next", None
    if type_name == "VkStructureType":
        return "StructureType", None
    if type_name == "VkBool32":
        return "Bool32", None
    if type_name == "VkDeviceAddress":
        return "DeviceAddress", None
    if "objecttype" in attributes:
        return "TypedHandle", None
    if type_name in types.handles:
        return "Handle", type_name
    if type_name in types.structs:
        return "Struct", type_name
    if type_name in types.enums:
        return "Enum", type_name
    if type_name in types.bitmasks:
        return "Flags", type_name
    if type_name in types.flags:
        return "Flags", types.flags[type_name]
    if type_name == "char" and (pointers or "[" in attributes.get("declaration", "")):
        return "String", None
    if type_name.startswith("PFN_") or type_name == "void":
        return "OpaquePointer", None
    if type_name.startswith("StdVideo"):
        return ("OpaquePointer" if pointers else "Value"), None
    if pointers and type_name not in _C_TYPES and not type_name.startswith("Vk") and type_name not in _FOREIGN_VALUES:
        return "OpaquePointer", None
    return "Value", None


def _complete(type_name, kind):
    return type_name != "void" and not (
        kind == "OpaquePointer" and not type_name.startswith("PFN_") and not type_name.startswith("StdVideo"))


def parse_length(text, indices, sibling_types):
    """The Length that a `len` (or `altlen`) stands for.

    indices maps the siblings' names to their positions, sibling_types to their registry types. The parts after the
    first comma, and 'null-terminated', give the length of each element. They are left to the caller.
    """
    first = text.split(",")[0].strip()
    if first == "null-terminated":
        return Length("NullTerminated")
    if first in indices:
        return Length("Member", indices[first])
    if "->" in first:
        pointer, member = first.split("->")
        return Length("MemberOfPointee", indices[pointer], f"offsetof({sibling_types[pointer]}, {member})")
    match = re.fullmatch(r"\((\w+) \+ (\d+)\) / (\d+)", first)
    if match:
        name, added, divisor = match.groups()
        if int(added) + 1 != int(divisor):
            raise ValueError(f"not a division that rounds up: {text}")
        return Length("MemberDividedUp", indices[name], divisor)
    match = re.fullmatch(r"(\w+) / (\d+)", first)
    if match:
        return Length("MemberDivided", indices[match[1]], match[2])
    if re.fullmatch(r"[A-Z0-9_]+(\s*\*\s*[A-Z0-9_]+)*", first):
        return Length("One") if first == "1" else Length("Constant", -1, first)
    raise ValueError(f"unknown form of len: {text}")


def _length(attributes, indirection, kind, type_name, array, is_parameter, indices, sibling_types):
    text = attributes.get("altlen", attributes.get("len"))
    if text:
        return parse_length(text, indices, sibling_types)
    if array and is_parameter:
        return Length("Constant", -1, array)
    if indirection == "Pointer" and kind == "OpaquePointer" and not type_name.startswith("StdVideo"):
        return Length("Unknown")
    return Length("One")


def _flags(attributes, type_name, kind, pointers, const, bits, length, indirection, is_parameter, in_union, counts,
           types):
    optional = attributes.get("optional", "").split(",")
    text_length = attributes.get("altlen", attributes.get("len", ""))
    output = pointers > 0 and not const and not in_union
    if kind == "OpaquePointer" and length.kind == "Unknown" and indirection == "Pointer":
        output = False
    tests = {
        "Const": const,
        "Optional": optional[0] == "true",
        "PointeeOptional": optional[1:2] == ["true"],
        "NoAutoValidity": attributes.get("noautovalidity") == "true",
        "ExternSync": attributes.get("externsync") == "true",
        "IsLengthOf": pointers > 0 and length.kind == "Member" and length.member in counts,
        "Output": output,
        "HasSelector": "selector" in attributes,
        "BitField": bits,
        "SingleBit": type_name in types.bitmasks,
        "OuterLengthOnly": indirection == "PointerToPointer" and length.kind != "One" and "," not in text_length,
    }
    return [name for name, value in tests.items() if value]


def parse_members(elements, attributes, types, is_parameter, in_union=False):
    """Members of one structure or command.

    elements are the object model's Member or Param objects, attributes the XML attributes of each.
    """
    indices = {e.name: i for i, e in enumerate(elements)}
    sibling_types = {e.name: e.type for e in elements}
    declarations = [" ".join(e.cDeclaration.split()) for e in elements]
    written_counts = {
        i for i, (e, d) in enumerate(zip(elements, declarations))
        if d.count("*") == 1 and not e.const and e.type in _C_TYPES
    }
    result = []
    for element, declaration, attribute in zip(elements, declarations, attributes, strict=True):
        attribute = dict(attribute, declaration=declaration)
        match = _DECLARATION.match(declaration)
        if not match or match["name"] != element.name:
            raise ValueError(f"cannot read the declaration '{declaration}'")
        pointers = match["type"].count("*")
        array = " * ".join(re.findall(r"\[([^\]]*)\]", match["array"]))
        if array and is_parameter:
            pointers += 1
        # The const of a parameter that is passed by value (const VkRemoteAddressNV) has no meaning for the caller.
        const = match["type"].startswith("const ") and pointers > 0
        kind, type_ref = _kind(element.type, pointers, element.name, attribute, types)
        indirection = ("Inline", "Pointer", "PointerToPointer")[pointers]
        if kind == "Next":
            indirection = "Pointer"
        length = _length(attribute, indirection, kind, element.type, array, is_parameter, indices, sibling_types)
        selector = attribute.get("selector", attribute.get("objecttype"))
        c_type = match["type"].replace("struct ", "").replace(" *", "*") + ("*" if array and is_parameter else "")
        flags = _flags(attribute, element.type, kind, pointers, const, bool(match["bits"]), length, indirection,
                       is_parameter, in_union, written_counts, types)
        result.append(Member(
            name=element.name,
            type_name=element.type,
            c_type=c_type,
            kind=kind,
            indirection=indirection,
            length=length,
            fixed_count=array if array and not is_parameter else "1",
            selector=indices[selector] if selector else -1,
            flags=flags,
            type_ref=type_ref,
            complete=_complete(element.type, kind) and kind != "Next",
            selections=attribute["selection"].split(",") if "selection" in attribute else [],
        ))
    return result
