# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""vuid_owners.h: under which names a command's ids are found, for vk/vuid_families.h."""

import re

from registry import cpp
from registry import vuids

_NUMBERED = re.compile(r"VUID-[^-]+-(.*-\d{5})")


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
    return cpp.header("emit_vuid_owners.py", "vuid_owners.h", ["<cstdint>", "<string_view>", '"vk/commands.h"'], body)


def outputs(registry):
    return {"vuid_owners.h": vuid_owners(registry)}
