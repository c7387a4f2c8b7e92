# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The tables behind spirv/spirv_info.h."""

from registry import cpp

# Capabilities that the SPIR-V headers do not have.
_UNKNOWN = {"ClusterCullingShadingHUAWEI"}


def _alternative(a, extensions):
    extension = f"ExtensionId::k{cpp.camel(a.extension.removeprefix('VK_'))}" if a.extension in extensions else None
    if a.extension and not extension:
        return None
    size = f"sizeof({a.struct}::{a.member})" if a.member else "0"
    offset = f"offsetof({a.struct}, {a.member})" if a.member else "0"
    text = a.text or a.extension or a.member or "Vulkan {}.{}".format(*a.version)
    return (f"{{{cpp.version(a.version)}, {extension or 'std::nullopt'}, "
            f"{'FeatureId::' + a.feature if a.feature else 'std::nullopt'}, "
            f"{a.structure_type or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, {offset}, {size}, {a.value or 0}, "
            f"{cpp.view(a.requires)}, {cpp.view(text)}}}")


def spirv_data(registry):
    extensions = {e.name for e in registry.extensions}
    pool = cpp.Pool("kAlternatives", "SpirvAlternative")

    def row(entry, value):
        alternatives = [_alternative(a, extensions) for a in entry.alternatives]
        return f"{{{cpp.view(entry.name)}, {value}, {pool.span(a for a in alternatives if a)}}}"

    capabilities = [
        row(c, f"static_cast<uint32_t>(spv::Capability::{c.name})") for c in registry.spirv_capabilities
        if c.name not in _UNKNOWN
    ]
    names = [row(e, 0) for e in registry.spirv_extensions]
    body = "namespace {\n" + pool.definition() + "}  // namespace\n\n"
    body += cpp.table("SpirvRequirement", "kSpirvCapabilities", capabilities)
    body += f"constinit const size_t kSpirvCapabilityCount = {len(capabilities)};\n"
    body += cpp.table("SpirvRequirement", "kSpirvExtensions", names)
    body += f"constinit const size_t kSpirvExtensionCount = {len(names)};\n"
    includes = ["<cstddef>", "<optional>", '"spirv/unified1/spirv.hpp11"', '"vk/spirv/spirv_tables.h"']
    return cpp.source("emit_spirv.py", includes, body)


def outputs(registry):
    return {"spirv_data.cc": spirv_data(registry)}
