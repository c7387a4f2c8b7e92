# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""vuid_hashes.h, the text table behind vuid.h, and vuid_owners.h: where the ids of a command are found."""

import re

from registry import cpp
from registry import vuids

_NUMBERED = re.compile(r"VUID-[^-]+-(.*-\d{5})")


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


def owners_of(command, registry):
    """The command, then the structures that its parameters lead to, nearest first. Chained ones are not there."""
    structs = {s.name: s for s in registry.structs}
    owners, members = [command.name], command.params
    while members:
        found = [m.type_ref for m in members if m.kind == "Struct" and m.type_ref in structs]
        new = [name for name in dict.fromkeys(found) if name not in owners]
        owners += new
        members = [member for name in new for member in structs[name].members]
    return owners


def rules_of(registry):
    """What follows the owner in an id with a number, e.g. srcImage-00126: of all owners."""
    return sorted({match[1] for v in registry.vuids if (match := _NUMBERED.fullmatch(v.id))})


def vuid_owners(registry):
    with_ids = {v.id.split("-")[1] for v in registry.vuids if _NUMBERED.fullmatch(v.id)}
    body = "\ntemplate <class C>\nstruct VuidOwners;\n"
    for command in registry.commands:
        owners = [name for name in owners_of(command, registry) if name in with_ids]
        if not owners:
            continue
        names = ", ".join(cpp.view(name) for name in owners)
        body += (f"template <>\nstruct VuidOwners<{command.short_name}> {{\n"
                 f"  static constexpr std::string_view kNames[] = {{{names}}};\n}};\n")
    hashes = [f"{value:#x}u" for value in sorted(vuids.fnv1a(rule) for rule in rules_of(registry))]
    body += f"""
inline constexpr uint32_t kVuidRuleCount = {len(hashes)};
// VuidHash of what follows the owner in ids with a number, sorted.
{cpp.array("uint64_t", "kVuidRuleHashes", hashes, "inline constexpr")}"""
    return cpp.header("emit_vuids.py", "vuid_owners.h", ["<cstdint>", "<string_view>", '"vk/commands.h"'], body)


def outputs(registry):
    return {
        "vuid_hashes.h": vuid_hashes(registry),
        "vuid_owners.h": vuid_owners(registry),
        "vuid_data.cc": vuid_data(registry),
    }
