# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The tables behind format_info.h."""

from registry import cpp


def format_data(registry):
    components = cpp.Pool("kComponents", "FormatComponent")
    planes = cpp.Pool("kPlanes", "FormatPlane")
    rows = []
    for f in registry.formats:
        component_span = components.span(
            f"{{'{c.name}', {c.bits}, {cpp.view(c.numeric_format)}, {c.plane}}}" for c in f.components)
        plane_span = planes.span(f"{{{p.width_divisor}, {p.height_divisor}, {p.compatible}}}" for p in f.planes)
        extent = ", ".join(map(str, f.block_extent))
        rows.append(f"{{{cpp.view(f.name)}, {f.name}, {cpp.view(f.class_name)}, {f.block_size}, {f.texels_per_block}, "
                    f"{{{extent}}}, {cpp.boolean(f.compressed)}, {cpp.joined(f.aspects)}, {component_span}, "
                    f"{plane_span}}}")
    body = "namespace {\n" + components.definition() + planes.definition() + "}  // namespace\n\n"
    body += cpp.table("FormatInfo", "kFormats", rows)
    body += f"constinit const size_t kFormatCount = {len(rows)};\n"
    body += cpp.value_index("kFormatByValue", {f.value: i for i, f in enumerate(registry.formats)})
    return cpp.source("emit_formats.py", ['"vk/format_tables.h"'], body)


def outputs(registry):
    return {"format_data.cc": format_data(registry)}
