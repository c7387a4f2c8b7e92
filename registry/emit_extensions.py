# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""extension_id.h and the tables behind extension_info.h."""

from registry import cpp


def _id(extension):
    return "k" + cpp.camel(extension.name.removeprefix("VK_"))


def extension_id(registry):
    ids = [_id(e) for e in registry.extensions]
    if len(set(ids)) != len(ids):
        raise ValueError("two extensions have the same identifier")
    lines = "".join(f"  {name},\n" for name in ids)
    body = f"""
// Every extension, sorted by name: kKhrSwapchain is VK_KHR_swapchain.
enum class ExtensionId : uint16_t {{
{lines}}};
inline constexpr size_t kExtensionCount = {len(ids)};
"""
    return cpp.header("emit_extensions.py", "extension_id.h", ["<cstddef>", "<cstdint>"], body)


def extension_data(registry):
    extensions = [
        f"{{{cpp.view(e.name)}, {e.spec_version}, {cpp.boolean(e.instance)}, {cpp.view(e.depends)}, "
        f"{cpp.view(e.promoted_to)}, {cpp.version(e.promoted_to_version)}, {cpp.boolean(e.provisional)}}}"
        for e in registry.extensions
    ]
    features = [
        f"{{{cpp.view(f.name)}, {cpp.view(f.struct_name)}, {f.structure_type or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, "
        f"offsetof({f.struct_name}, {f.name})}}" for f in registry.features
    ]
    body = cpp.table("ExtensionInfo", "kExtensions", extensions)
    body += cpp.table("FeatureInfo", "kFeatures", features)
    body += f"constinit const size_t kFeatureCount = {len(features)};\n"
    return cpp.source("emit_extensions.py", ["<cstddef>", '"vk/extension_tables.h"'], body)


def outputs(registry):
    return {"extension_id.h": extension_id(registry), "extension_data.cc": extension_data(registry)}
