# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""struct_traits.h and the tables behind struct_info.h: structures, commands' parameters and handles."""

from registry import cpp
from registry.model import Provision

_SHARDS = 4
_FLAGS = {
    "Const": 1,
    "Optional": 2,
    "PointeeOptional": 4,
    "NoAutoValidity": 8,
    "ExternSync": 16,
    "IsLengthOf": 32,
    "Output": 64,
    "HasSelector": 128,
    "BitField": 256,
    "SingleBit": 512,
    "OuterLengthOnly": 1024,
}


def struct_traits(registry):
    structure_types = "".join(
        f"template <>\ninline constexpr VkStructureType kStructureTypeOf<{s.name}> = {s.structure_type};\n"
        for s in registry.structs if s.structure_type)
    object_types = "".join(f"template <>\ninline constexpr VkObjectType kObjectTypeOf<{h.name}> = {h.object_type};\n"
                           for h in registry.handles)
    non_dispatchable = "".join(f"template <>\ninline constexpr bool kIsNonDispatchable<{h.name}> = true;\n"
                               for h in registry.handles if not h.dispatchable)
    body = f"""
template <class T>
struct NoStructureType;
template <class T>
struct NoObjectType;

// The sType of structure T; does not compile for one that has none.
template <class T>
inline constexpr VkStructureType kStructureTypeOf = NoStructureType<T>::value;
// The VkObjectType of handle type T; does not compile for other types. Handles are distinct pointer types on the one \
architecture there is.
template <class T>
inline constexpr VkObjectType kObjectTypeOf = NoObjectType<T>::value;
// Whether T is a handle that is not dispatched on, and so one that Assay may replace.
template <class T>
inline constexpr bool kIsNonDispatchable = false;

{structure_types}
{object_types}
{non_dispatchable}
"""
    return cpp.header("emit_structs.py", "struct_traits.h", ['"vk/vulkan.h"'], body)


class _Tables:
    def __init__(self, registry):
        self.registry = registry
        self.struct_index = {s.name: i for i, s in enumerate(registry.structs)}
        self.enum_index = {e.name: i for i, e in enumerate(registry.enums)}
        self.handle_index = {h.name: i for i, h in enumerate(registry.handles)}
        self.extension_index = {e.name: i for i, e in enumerate(registry.extensions)}
        self.selections = cpp.Pool("kSelections", "int64_t")
        self.members = [[] for _ in range(_SHARDS)]

    def type_index(self, member):
        if member.type_ref is None:
            return "kNoType"
        table = {"Struct": self.struct_index, "Handle": self.handle_index}.get(member.kind, self.enum_index)
        return str(table.get(member.type_ref, "kNoType"))

    def member_row(self, owner, member):
        flags = "0x%x" % sum(_FLAGS[f] for f in member.flags)
        if "BitField" in member.flags:
            offset, size = "0", f"sizeof({owner})"
        else:
            offset = f"offsetof({owner}, {member.name})"
            size = f"sizeof({member.type_name})" if member.complete else "0"
        first, count = self.selections.place(member.selections)
        return (f"{{{cpp.view(member.name)}, {cpp.view(member.type_name)}, {offset}, {size}, {member.fixed_count}, "
                f"{member.length.value}, K::k{member.kind}, I::k{member.indirection}, L::k{member.length.kind}, "
                f"{member.length.member}, {member.selector}, {self.type_index(member)}, {flags}, {first}, {count}}}")

    def add_members(self, shard, owner, members):
        """Adds rows to a shard and returns a span over them."""
        rows = self.members[shard]
        first = len(rows)
        rows += [self.member_row(owner, m) for m in members]
        return f"{{kMembers{shard} + {first}, {len(members)}}}"


def _struct_flags(struct):
    flags = [
        name for name, value in (("Union", struct.union), ("ReturnedOnly", struct.returned_only),
                                 ("AllowDuplicate", struct.allow_duplicate), ("ReachesHandle", struct.reaches_handle),
                                 ("ReachesHandleDirectly", struct.reaches_handle_directly)) if value
    ]
    return cpp.joined(flags, "kStruct")


def _struct_data(registry):
    """{file name: contents} of the tables."""
    tables = _Tables(registry)
    types = cpp.Pool("kTypes", "TypeIndex")
    extensions = cpp.Pool("kBroughtBy", "uint16_t")

    def row(name, owner, structure_type, flags, members, extends, extended_by, provision):
        return (f"{{{cpp.view(name)}, {structure_type}, sizeof({owner}), {flags}, {members}, "
                f"{types.span(tables.struct_index[n] for n in extends)}, "
                f"{types.span(tables.struct_index[n] for n in extended_by)}, "
                f"{extensions.span(sorted(tables.extension_index[n] for n in provision.extensions))}, "
                f"{cpp.version(provision.core)}}}")

    structs = []
    for i, s in enumerate(registry.structs):
        members = tables.add_members(i * (_SHARDS - 1) // len(registry.structs), s.name, s.members)
        structs.append(
            row(s.name, s.name, s.structure_type or "VK_STRUCTURE_TYPE_MAX_ENUM", _struct_flags(s), members, s.extends,
                s.extended_by, s.provision))
    parameters = []
    for c in registry.commands:
        flags = "kStructReachesHandle" if c.reaches_handle else "0"
        directly = any(
            m.kind == "TypedHandle" or
            (m.kind == "Handle" and not registry.handles[tables.handle_index[m.type_ref]].dispatchable) or
            (m.kind == "Struct" and registry.structs[tables.struct_index[m.type_ref]].reaches_handle_directly)
            for m in c.params)
        if directly:
            flags += " | kStructReachesHandleDirectly"
        members = tables.add_members(_SHARDS - 1, c.short_name, c.params)
        parameters.append(row(c.name, c.short_name, "VK_STRUCTURE_TYPE_MAX_ENUM", flags, members, [], [], Provision(
            c.provision.core, c.provision.extensions)))

    values = next(e.values for e in registry.enums if e.name == "VkStructureType")
    by_name = {v.name: v.value for v in values}
    by_type = {}
    for i, s in enumerate(registry.structs):
        if s.structure_type and by_type.setdefault(by_name[s.structure_type], i) != i:
            raise ValueError(f"{s.name} has the sType of another structure")

    body = "namespace {\n" + types.definition() + extensions.definition() + "}  // namespace\n\n"
    body += cpp.table("StructInfo", "kStructs", structs)
    body += f"constinit const size_t kStructCount = {len(structs)};\n"
    body += cpp.table("StructInfo", "kCommandParameters", parameters)
    body += cpp.value_index("kStructByType", by_type)
    declarations = "".join(
        f"extern const MemberInfo kMembers{i}[{len(rows)}];\n" for i, rows in enumerate(tables.members))
    tables_header = '"vk/struct_member_tables.h"'
    files = {
        "struct_member_tables.h":
            cpp.header("emit_structs.py", "struct_member_tables.h", ['"vk/struct_info.h"'],
                       f"namespace tables {{\n\n{declarations}\n}}  // namespace tables"),
        "struct_data.cc":
            cpp.source("emit_structs.py", ['"vk/commands.h"', tables_header, '"vk/struct_tables.h"'], body),
    }
    aliases = "using K = MemberKind;\nusing I = Indirection;\nusing L = LengthKind;\n\n"
    for i, rows in enumerate(tables.members):
        body = "namespace {\n" + aliases + "}  // namespace\n\n" + cpp.table("MemberInfo", f"kMembers{i}", rows)
        if i == _SHARDS - 1:
            body += tables.selections.definition("constinit const")
        includes = ["<cstddef>", '"vk/commands.h"', tables_header, '"vk/struct_tables.h"']
        files[f"struct_members_{i}.cc"] = cpp.source("emit_structs.py", includes, body)
    return files


def _handle_data(registry):
    index = {h.name: i for i, h in enumerate(registry.handles)}
    rows = [
        f"{{{cpp.view(h.name)}, {h.object_type}, {h.debug_report_type}, {cpp.boolean(h.dispatchable)}, "
        f"{index[h.parent] if h.parent else 'kNoType'}}}" for h in registry.handles
    ]
    enums = {e.name: {v.name: v.value for v in e.values} for e in registry.enums}
    object_types = {enums["VkObjectType"][h.object_type]: i for i, h in enumerate(registry.handles)}
    unknown = "VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT"
    report_types = {
        enums["VkDebugReportObjectTypeEXT"][h.debug_report_type]: i
        for i, h in enumerate(registry.handles)
        if h.debug_report_type != unknown
    }
    body = cpp.table("HandleInfo", "kHandles", rows)
    body += f"constinit const size_t kHandleCount = {len(rows)};\n"
    body += cpp.value_index("kHandleByObjectType", object_types)
    body += cpp.value_index("kHandleByDebugReportType", report_types)
    return cpp.source("emit_structs.py", ['"vk/struct_tables.h"'], body)


def outputs(registry):
    return {
        "struct_traits.h": struct_traits(registry),
        "handle_data.cc": _handle_data(registry),
        **_struct_data(registry)
    }
