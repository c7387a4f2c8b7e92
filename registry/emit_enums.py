# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""enum_id.h, enum_to_string.h/.cc and the tables behind enum_info.h."""

from registry import cpp


def _id(enum):
    return "k" + enum.name.removeprefix("Vk")


def _has_c_type(enum):
    """False for 64-bit FlagBits: they are integers in C, so overloads cannot distinguish them."""
    return not (enum.flags_name and enum.bit_width == 64)


def enum_id(registry):
    ids = "".join(f"  {_id(e)},\n" for e in registry.enums)
    body = f"""
// Every enumeration and FlagBits type, sorted by name.
enum class EnumId : uint16_t {{
{ids}}};
inline constexpr size_t kEnumCount = {len(registry.enums)};
"""
    return cpp.header("emit_enums.py", "enum_id.h", ["<cstddef>", "<cstdint>"], body)


def enum_to_string_h(registry):
    overloads = "".join(f"std::string_view ToString({e.name} value);\n" for e in registry.enums if _has_c_type(e))
    body = f"""
// The enumerant's name, or "Unhandled VkFormat" for a value that the registry does not have.
{overloads}"""
    return cpp.header("emit_enums.py", "enum_to_string.h", ["<string_view>", '"vk/vulkan.h"'], body)


def enum_to_string_cc(registry):
    overloads = []
    for e in registry.enums:
        if _has_c_type(e):
            value = "static_cast<uint32_t>(value)" if e.flags_name else "value"
            unhandled = "Unhandled " + e.name
            overloads.append(f"std::string_view ToString({e.name} value) {{ return Or(EnumName(EnumId::{_id(e)}, "
                             f"{value}), {cpp.view(unhandled)}); }}\n")
    body = """namespace {
std::string_view Or(std::string_view name, std::string_view unhandled) { return name.empty() ? unhandled : name; }
}  // namespace

""" + "".join(overloads)
    return cpp.source("emit_enums.py", ['"vk/enum_to_string.h"', '"vk/enum_info.h"'], body, "assay::vk")


def enum_data(registry):
    extension_ids = {e.name: i for i, e in enumerate(registry.extensions)}
    extensions = cpp.Pool("kBroughtBy", "uint16_t")
    values, enums = [], []
    for e in registry.enums:
        enums.append(f"{{{cpp.view(e.name)}, {cpp.view(e.flags_name)}, {cpp.boolean(e.flags_name)}, {e.bit_width}, "
                     f"{{kValues + {len(values)}, {len(e.values)}}}}}")
        for v in e.values:
            number = f"static_cast<int64_t>({v.value:#x}u)" if e.flags_name else str(v.value)
            ids = extensions.span(sorted(extension_ids[n] for n in v.provision.extensions))
            values.append(f"{{{cpp.view(v.name)}, {number}, {ids}, {cpp.version(v.provision.core)}}}")
    body = "namespace {\n" + extensions.definition()
    body += cpp.table("EnumValue", "kValues", values, "constexpr") + "}  // namespace\n\n"
    body += cpp.table("EnumInfo", "kEnums", enums)
    return cpp.source("emit_enums.py", ['"vk/enum_tables.h"'], body)


def outputs(registry):
    return {
        "enum_id.h": enum_id(registry),
        "enum_to_string.h": enum_to_string_h(registry),
        "enum_to_string.cc": enum_to_string_cc(registry),
        "enum_data.cc": enum_data(registry),
    }
