# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The implicit valid-usage rules of parameters and members, from their ids and sentences.

An id such as VUID-VkBufferCreateInfo-usage-requiredbitmask names the structure, the member and the kind of rule. The
requirement of a `parameter` rule follows from the kind of the member. Its conditions stand in the sentence.
"""

import re

from registry.model import ImplicitRule

_KINDS = {
    "sType": "StructureType",
    "pNext": "Next",
    "unique": "Unique",
    "parameter": "Parameter",
    "arraylength": "Length",
    "requiredbitmask": "RequiredBitmask",
    "zerobitmask": "ZeroBitmask",
}
_ID = re.compile(r"VUID-(\w+)-([\w:]+)-(\w+)")
# The subject of a `parameter` sentence, which stands after its conditions: "the M member of data", or M.
_SUBJECT = r"(?:the (?P<alternative>\w+) member of (?P<union>\w+)|(?P<member>\w+)|Each element of (?P<elements>\w+))"
_PARAMETER = re.compile(
    r"(?:If (?P<condition>.*?), (?:and )?)?(?:if (?P<second>\w+) is not NULL, )?" + _SUBJECT + r" must be (?P<what>.*)")
_WHATS = [
    r"a valid \w+ (?:handle|value|structure|union)",
    r"a valid combination of \w+ values",
    r"(?:either )?a (?:valid )?pointer .*",
    r"a null-terminated UTF-8 string.*",
]


class Unreadable(ValueError):
    """A sentence whose form is not known."""


def parse(vuids, owners):
    """{owner's name: rules in the order of its members}.

    owners maps the names of structures and commands to their members. Ids of other owners are left out. So are rules
    that are not about one member.
    """
    result = {}
    for index, vuid in enumerate(vuids):
        match = _ID.fullmatch(vuid.id)
        if not match or match[1] not in owners or match[3] not in _KINDS:
            continue
        rule = _rule(index, vuid, match[2], _KINDS[match[3]], owners)
        if rule:
            result.setdefault(match[1], []).append(rule)
    order = list(_KINDS.values())
    for rules in result.values():
        rules.sort(key=lambda r: (r.member, order.index(r.kind), r.alternative))
    return result


def _rule(index, vuid, name, kind, owners):
    members = owners[_ID.fullmatch(vuid.id)[1]]
    positions = {m.name: i for i, m in enumerate(members)}
    if kind == "Length":
        return _length(index, vuid, name, members, positions)
    if kind == "Parameter":
        return _parameter(index, vuid, name, members, positions, owners)
    return ImplicitRule(index, kind, positions[name])


def _length(index, vuid, name, members, positions):
    if "::" in name:
        # pAllocateInfo::descriptorSetCount: a count behind a pointer, which is the length of the output array.
        pointer = positions[name.split("::")[0]]
        member = next(
            i for i, m in enumerate(members) if m.length.kind == "MemberOfPointee" and m.length.member == pointer)
        return ImplicitRule(index, "Length", member)
    if re.fullmatch(rf"{name} must be greater than 0", vuid.text):
        return ImplicitRule(index, "Length", positions[name])
    if re.fullmatch(rf"If any of [\w, ]+ are not NULL, {name} must be greater than 0", vuid.text):
        return ImplicitRule(index, "Length", positions[name], flags=["Optional"])
    raise Unreadable(f"{vuid.id}: {vuid.text}")


def _parameter(index, vuid, name, members, positions, owners):
    match = _PARAMETER.fullmatch(vuid.text)
    if not match or not any(re.fullmatch(w, match["what"]) for w in _WHATS):
        if re.fullmatch(rf"{name} must be a pointer value", vuid.text):
            return None
        raise Unreadable(f"{vuid.id}: {vuid.text}")
    condition = match["condition"] or ""
    flags = []
    if match["second"] or re.search(rf"\b{name} is not (?:NULL|0|VK_NULL_HANDLE)", condition):
        flags.append("Optional")
    if re.search(r"\bor VK_NULL_HANDLE\b", match["what"]):
        flags.append("NullableElements")
    if match["alternative"]:
        holder = positions[match["union"]]
        alternatives = owners[members[holder].type_ref]
        alternative = next(i for i, m in enumerate(alternatives) if m.name == match["alternative"])
        return ImplicitRule(index, "Parameter", holder, alternative, flags)
    if name not in (match["member"], match["elements"]):
        raise Unreadable(f"{vuid.id}: {vuid.text}")
    return ImplicitRule(index, "Parameter", positions[name], flags=flags)
