# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""extension_id.h, feature_id.h and the tables behind extension_info.h and feature_info.h."""

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


def _feature_ids(registry):
    return sorted({f.id for f in registry.features})


def feature_id(registry):
    ids = _feature_ids(registry)
    lines = "".join(f"  {name},\n" for name in ids)
    body = f"""
// Every feature: kSynchronization2 is synchronization2 of all structures that have it. Where features of several
// authors share a name, all but one have the author's name behind theirs (kMeshShaderNV).
enum class FeatureId : uint16_t {{
{lines}}};
inline constexpr size_t kFeatureIdCount = {len(ids)};
"""
    return cpp.header("emit_extensions.py", "feature_id.h", ["<cstddef>", "<cstdint>"], body)


def feature_data(registry):
    features = [
        f"{{{cpp.view(f.name)}, {cpp.view(f.struct_name)}, {f.structure_type or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, "
        f"offsetof({f.struct_name}, {f.name}), FeatureId::{f.id}}}" for f in registry.features
    ]
    names = {f.id: f.name for f in registry.features}
    extensions = {e.name: "ExtensionId::" + _id(e) for e in registry.extensions}
    implicit = [
        f"{{FeatureId::{i.feature}, {cpp.version(i.version)}, {extensions.get(i.extension, 'std::nullopt')}}}"
        for i in registry.implicit_features
    ]
    body = cpp.table("FeatureInfo", "kFeatures", features)
    body += f"constinit const size_t kFeatureCount = {len(features)};\n"
    body += cpp.table("std::string_view", "kFeatureNames", [cpp.view(names[i]) for i in _feature_ids(registry)])
    body += cpp.table("ImplicitFeature", "kImplicitFeatures", implicit)
    body += f"constinit const size_t kImplicitFeatureCount = {len(implicit)};\n"
    return cpp.source("emit_extensions.py", ["<cstddef>", "<optional>", '"vk/extension_tables.h"'], body)


def extension_data(registry):
    extensions = [
        f"{{{cpp.view(e.name)}, {e.spec_version}, {cpp.boolean(e.instance)}, {cpp.view(e.depends)}, "
        f"{cpp.view(e.promoted_to)}, {cpp.version(e.promoted_to_version)}, {cpp.boolean(e.provisional)}}}"
        for e in registry.extensions
    ]
    body = cpp.table("ExtensionInfo", "kExtensions", extensions)
    return cpp.source("emit_extensions.py", ["<cstddef>", '"vk/extension_tables.h"'], body)


def outputs(registry):
    return {
        "extension_id.h": extension_id(registry),
        "extension_data.cc": extension_data(registry),
        "feature_id.h": feature_id(registry),
        "feature_data.cc": feature_data(registry),
    }
