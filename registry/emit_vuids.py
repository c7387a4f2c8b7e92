# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""vuid_hashes.h and the text table behind vuid.h."""

from registry import cpp
from registry import vuids


def vuid_hashes(registry):
    hashes = [f"{vuids.fnv1a(v.id):#x}u" for v in registry.vuids]
    body = f"""
inline constexpr uint32_t kVuidCount = {len(hashes)};
// VuidHash (vk/vuid.h) of every valid-usage id, sorted.
{cpp.array("uint64_t", "kVuidHashes", hashes, "inline constexpr")}"""
    return cpp.header("emit_vuids.py", "vuid_hashes.h", ["<cstdint>"], body)


def vuid_data(registry):
    """One text without relocations, in the order of ids: each id, then its sentence; offsets say where each begins."""
    pages = sorted({v.page for v in registry.vuids})
    page_index = {p: i for i, p in enumerate(pages)}
    by_id = sorted(range(len(registry.vuids)), key=lambda i: registry.vuids[i].id.encode())
    lines, offsets, position = [], [None] * len(by_id), 0
    for i in by_id:
        v = registry.vuids[i]
        id_length, text_length = len(v.id.encode()), len(v.text.encode())
        offsets[i] = f"{{{position}, {id_length}, {text_length}, {page_index[v.page]}}}"
        lines += [cpp.literal(v.id + v.text)]
        position += id_length + text_length
    body = "constinit const char kVuidText[] =\n" + "\n".join(lines) + ";\n\n"
    body += cpp.array("VuidEntry", "kVuidEntries", offsets, "constinit const")
    body += cpp.array("VuidIndex", "kVuidsById", [f"VuidIndex{{{i}}}" for i in by_id], "constinit const")
    body += cpp.table("std::string_view", "kVuidPages", [cpp.view(p) for p in pages])
    return cpp.source("emit_vuids.py", ['"vk/vuid_tables.h"'], body)


def outputs(registry):
    return {"vuid_hashes.h": vuid_hashes(registry), "vuid_data.cc": vuid_data(registry)}
