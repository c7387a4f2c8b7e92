# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Which structures and commands lead to a non-dispatchable handle, so that the rest need no translation."""


def mark(structs, commands, handles):
    """Sets reaches_handle, reaches_handle_directly and direct_handles_only.

    structs, commands and handles map names to model objects; a uint64_t that holds a handle counts as one.
    """
    non_dispatchable = {h.name for h in handles.values() if not h.dispatchable}

    def is_handle(member):
        return member.kind == "TypedHandle" or (member.kind == "Handle" and member.type_ref in non_dispatchable)

    def leads(member, attribute):
        return is_handle(member) or (member.kind == "Struct" and getattr(structs[member.type_ref], attribute))

    # Structures contain and extend one another in circles, so this repeats until nothing changes.
    changed = True
    while changed:
        changed = False
        for struct in structs.values():
            directly = any(leads(m, "reaches_handle_directly") for m in struct.members)
            reaches = any(leads(m, "reaches_handle") for m in struct.members) or any(
                structs[name].reaches_handle for name in struct.extended_by)
            changed = changed or directly != struct.reaches_handle_directly or reaches != struct.reaches_handle
            struct.reaches_handle_directly, struct.reaches_handle = directly, reaches

    for command in commands.values():
        reaching = [m for m in command.params if leads(m, "reaches_handle")]
        # vkUpdateDescriptorSetWithTemplate: the template defines where the handles behind pData are.
        templated = any(m.type_name == "VkDescriptorUpdateTemplate" for m in command.params) and any(
            m.type_name == "void" for m in command.params)
        command.reaches_handle = bool(reaching)
        command.direct_handles_only = bool(reaching) and not templated and all(
            m.kind == "Handle" and m.indirection == "Inline" for m in reaching)
