# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Reads explicit rules about an object that a command or structure names: how it was created and bound, and its size.

Such a sentence is about one handle, or each element of one array of handles, and is the same for many commands:

    buffer must have been created with the VK_BUFFER_USAGE_INDEX_BUFFER_BIT flag
    If buffer is non-sparse then it must be bound completely and contiguously to a single VkDeviceMemory object
    If size is not VK_WHOLE_SIZE, the sum of offset and size must be less than or equal to the size of buffer

A rule has a row for each command whose parameters lead to the structure, and for each address that it names. A sentence
with a word that is not understood makes no rule. Rules of copies, of synchronization and of descriptors are not read:
//core has checks of its own, which know more.
"""

import re
from dataclasses import dataclass, field, replace


@dataclass
class ObjectRule:
    """A rule about an object that a command, or a structure that its parameters lead to, names."""

    # An enumerator of ObjectTest without its k.
    test: str
    # Indices of members: the handle, or the device address in a buffer, and numbers, of which -1 is none.
    handle: int
    offset: int = -1
    more: int = -1
    stride: int = -1
    count: int = -1
    # An enumerator of ObjectCount: the counts for which there is the rule.
    counts: str = "kAny"
    # A C++ expression for the bytes that are added.
    size: str = "0"
    enum: str | None = None
    bits: list[str] = field(default_factory=list)
    # Index of its id among Registry.vuids.
    vuid: int = 0
    command: str = ""
    path: tuple[int, ...] = ()
    # The rule is one if the member has the bits.
    flags: int = -1
    flag_bits: int = 0
    # The structure, if it is in the chain of the path's end.
    chained: str | None = None

    def reached(self, command, path, chained):
        """The same rule, of a command."""
        return replace(self, command=command, path=path + self.path, chained=chained)


_ID = re.compile(r"VUID-(\w+)-[\w:\[\]]+-\d{5}")
# Owners whose rules //core checks by hand.
_BY_HAND = re.compile(
    r"vkCmd(?:Copy|Blit|Resolve|Clear|Fill|Update|Decode|Encode|Execute|Preprocess|BeginQuery|EndQuery)\w*|"
    r"Vk(?:Copy|Blit|Resolve)\w+|VkPushDescriptor\w+|VkDescriptorBufferInfo|VkFramebufferCreateInfo|VkRenderPass\w+|"
    r"Vk\w*(?:Barrier|IndirectExecution)\w*|VkBindVideo\w+|VkPipelineLayoutCreateInfo|"
    r"vkGetDescriptorSetLayout\w+|VkHostImageLayout\w+")
_NAME = r"(?:[Tt]he )?(?:(?:[Ee]ach|[Aa]ll|[Aa]ny) elements? of )?(?P<name>\w+(?:->\w+)?)"
_BITS = r"(?:the |flag )*(?P<bits>VK_\w+?_BIT(?:_[A-Z]+)?(?: or VK_\w+)?)"
_SET = r"(?: bit set| bit| usage flag| flag set| flag| set)?(?: in Vk\w+::flags)?"
_SIZE = rf"the size of (?:the )?{_NAME}"
_NUMBER = r"(?P<offset>\w+)"
_STRUCT = r"(?P<bytes>Vk\w+|uint32_t)"
_COUNT = r"If (?P<count>\w+) is (?P<test>equal to 1|greater than 1|greater than or equal to 1), "
_OF_ADDRESS = r"(?:the buffer device address(?:es)? for )?"
_BOUND_TO_ONE = r"must be bound completely and contiguously to a single VkDeviceMemory object"
_SENTENCES = [
    (rf"The buffers? from which {_OF_ADDRESS}{_NAME}(?: and (?P<second>\w+->\w+))? (?:is|are|was) queried must have "
     rf"been created with {_BITS}{_SET}", "Has"),
    (rf"The VkBuffer that {_NAME} comes from must have been created with {_BITS}{_SET}", "Has"),
    (rf"{_NAME} must be an address within a valid buffer that was created with {_BITS}", "Has"),
    (rf"{_NAME} must have {_BITS} bit set in its usage flag", "Has"),
    (rf"{_NAME}(?:’s)? usage flag must have {_BITS} bit set", "Has"),
    (rf"If (?:the underlying buffer for )?{_NAME} (?:is the address of a|comes from a|is) non-sparse(?: buffer)? then "
     rf"it {_BOUND_TO_ONE}", "Bound"),
    (rf"(?:If|For any element of (?P<array>\w+), if) the buffer from which {_NAME} was queried is non-sparse then it "
     rf"{_BOUND_TO_ONE}", "Bound"),
    (rf"{_NAME} must have been created with (?:a usage value (?:containing|including) (?:at least one of )?)?{_BITS}"
     rf"{_SET}", "Has"),
    (rf"{_NAME} must (?:not have been created with|have been created without) {_BITS}{_SET}", "HasNot"),
    (rf"{_NAME} must not have been created with any (?P<sparse>sparse) memory binding flags", "HasNot"),
    (rf"Each element of {_NAME} that is non-sparse {_BOUND_TO_ONE}", "Bound"),
    (rf"{_NAME} must have been created with a memory type that reports {_BITS}", "Has"),
    (rf"{_NAME} must not have been created with a memory type that reports {_BITS}{_SET}", "HasNot"),
    (rf"{_NUMBER} must be less than {_SIZE}", "Below"),
    # What it says of acceleration structures is meant so, too: one may end where its buffer ends.
    (rf"(?:If (?P<whole>\w+) is not (?:equal to )?VK_WHOLE_SIZE, )?(?:The|the) sum of {_NUMBER} and (?P<more>\w+) must "
     rf"be less than (?:or equal to )?{_SIZE}", "Within"),
    (rf"(?:If (?P<whole>\w+) is not (?:equal to )?VK_WHOLE_SIZE, )?(?P<more>\w+) must be less than or equal to {_SIZE} "
     rf"minus {_NUMBER}", "Within"),
    (rf"The sum of {_NUMBER} and the size of {_STRUCT} must be less than or equal to {_SIZE}", "Within"),
    (rf"\({_NUMBER} \+ sizeof\({_STRUCT}\)\) must be less than or equal to {_SIZE}", "Within"),
    (rf"{_NUMBER} must be less than or equal to {_SIZE} minus (?P<bytes>4)", "Within"),
    (rf"{_COUNT}\({_NUMBER} \+ sizeof\({_STRUCT}\)\) must be less than or equal to {_SIZE}", "Within"),
    (rf"{_COUNT}\((?P<stride>\w+) [×*] \((?P=count) - 1\) \+ {_NUMBER} \+ sizeof\({_STRUCT}\)\) must be less than or "
     rf"equal to {_SIZE}", "Within"),
    (r"(?P<name>commandBuffer) must not be a protected command buffer", "Unprotected"),
]
# The types of objects whose properties //core knows, and those that have a size or memory.
_TYPES = {
    "VkBuffer", "VkImage", "VkImageView", "VkDeviceMemory", "VkDescriptorPool", "VkDescriptorSetLayout", "VkSampler"
}
_BOUND = {"VkBuffer", "VkImage"}
_SIZED = {"VkBuffer", "VkDeviceMemory"}
# The enumerations of bits that a rule may be about, by type.
_ENUMS = {
    "VkBuffer": ("VkBufferUsageFlagBits", "VkBufferCreateFlagBits"),
    "VkImage": ("VkImageUsageFlagBits", "VkImageCreateFlagBits"),
    "VkImageView": ("VkImageUsageFlagBits", "VkImageCreateFlagBits"),
    "VkDeviceMemory": ("VkMemoryPropertyFlagBits",),
    "VkDescriptorPool": ("VkDescriptorPoolCreateFlagBits",),
    "VkDescriptorSetLayout": ("VkDescriptorSetLayoutCreateFlagBits",),
    "VkSampler": ("VkSamplerCreateFlagBits",),
}
_COUNTS = {
    None: "kAny",
    "equal to 1": "kOne",
    "greater than 1": "kMore",
    "greater than or equal to 1": "kOneOrMore",
}
_LONGEST_PATH = 3


class _Reader:
    """Reads sentences about the members of one owner. A reading is None if it does not understand every word."""

    def __init__(self, owner, owners, values):
        self.members = owners[owner]
        self.owners = owners
        self.values = values

    def index(self, name):
        """Some sentences have pRayGenShaderBindingTable for pRaygenShaderBindingTable."""
        return next((i for i, m in enumerate(self.members) if m.name.lower() == name.lower()), None)

    def inner(self, name):
        """A reader of the structure that a pointer leads to, with the pointer's index; None if there is none."""
        index = self.index(name)
        member = self.members[index] if index is not None else None
        if not member or (member.kind, member.indirection) != ("Struct", "Pointer"):
            return None
        if member.type_ref not in self.owners:
            return None
        return _Reader(member.type_ref, self.owners, self.values), index

    def number(self, name):
        """The index of a number that is one; -1 without a name, None if there is no such number."""
        if name is None:
            return -1
        index = self.index(name)
        if index is None:
            return None
        member = self.members[index]
        fits = member.indirection == "Inline" and member.type_name in ("VkDeviceSize", "uint32_t")
        return index if fits and member.fixed_count == "1" else None

    def bits(self, names, kind):
        """(name of the enumeration, names of the bits)."""
        for enum in _ENUMS[kind]:
            if all(self.values.get(enum, {}).get(name, 1 << 31) < 1 << 31 for name in names):
                return enum, names
        return None

    def sentence(self, text):
        """The rules without their id, command and path."""
        text = re.sub(r"^For each buffer handle in the (\w+) array that is not VK_NULL_HANDLE it", r"\1", text)
        text = re.sub(r"^If (\w+) is not VK_NULL_HANDLE,? (?:the )?(?:it|its|\1) (must |usage flag )", r"\1 \2", text)
        text = re.sub(r"^If (\w+) is not VK_NULL_HANDLE and is ", r"If \1 is ", text)
        match = re.fullmatch(r"If (usage) includes (VK_\w+), (.*)", text)
        if match:
            bits = self.values.get("VkBufferUsageFlagBits", {}).get(match[2])
            rules = self.sentence(match[3]) if bits and self.index(match[1]) is not None else []
            return [replace(rule, flags=self.index(match[1]), flag_bits=bits) for rule in rules]
        for pattern, test in _SENTENCES:
            match = re.fullmatch(pattern, text)
            groups = match.groupdict() if match else {}
            if groups.get("array"):
                groups["name"] = f"{groups['array']}->{groups['name']}"
            names = [groups[key] for key in ("name", "second") if groups.get(key)]
            rules = [self.rule(groups | {"name": name}, test) for name in names]
            if rules and all(rules):
                return rules
        return []

    def rule(self, groups, test):
        pointer, _, name = groups["name"].rpartition("->")
        if pointer:
            found = self.inner(pointer)
            rule = found and found[0].rule(groups | {"name": name}, test)
            return rule and replace(rule, path=(found[1],))
        handle = self.index(name)
        member = self.members[handle] if handle is not None else None
        if not member or member.kind not in ("Handle", "DeviceAddress"):
            return None
        kind = member.type_ref if member.kind == "Handle" else "VkBuffer"
        if test == "Unprotected":
            return ObjectRule(test, handle)
        if kind not in _TYPES or (test == "Bound" and kind not in _BOUND):
            return None
        if test in ("Below", "Within"):
            return self.range(groups, test, handle, kind)
        if test == "Bound":
            return ObjectRule(test, handle)
        names = groups["bits"].split(" or ") if groups.get("bits") else []
        if groups.get("sparse"):
            prefix = f"VK_{kind[2:].upper()}_CREATE_SPARSE_"
            names = [f"{prefix}{which}_BIT" for which in ("BINDING", "RESIDENCY", "ALIASED")]
        found = self.bits(names, kind)
        return found and ObjectRule(test, handle, enum=found[0], bits=found[1])

    def range(self, groups, test, handle, kind):
        if kind not in _SIZED or self.members[handle].kind != "Handle" or self.members[handle].indirection != "Inline":
            return None
        offset, more, stride, count = (self.number(groups.get(key)) for key in ("offset", "more", "stride", "count"))
        if None in (offset, more, stride, count) or (groups.get("whole") or groups.get("more")) != groups.get("more"):
            return None
        size = groups.get("bytes")
        size = "0" if size is None else size if size.isdigit() else f"sizeof({size})"
        return ObjectRule(test, handle, offset=offset, more=more, stride=stride, count=count, size=size,
                          counts=_COUNTS[groups.get("test")])


def _paths(command, owners, links):
    """{structure: its path} for the structures that the command's parameters lead to, nearest first.

    A path has indices of members. A structure in a chain has the path of the chain's head, and its own name.
    """
    found = {command: ((), None)}
    todo = [command]
    while todo:
        owner = todo.pop(0)
        path, chained = found[owner]
        if chained or len(path) == _LONGEST_PATH:
            continue
        for i, member in enumerate(owners[owner]):
            if member.kind == "Struct" and member.type_ref in owners and member.type_ref not in found:
                if member.indirection in ("Inline", "Pointer"):
                    found[member.type_ref] = (path + (i,), None)
                    todo.append(member.type_ref)
        for link in links.get(owner, []):
            found.setdefault(link, (path, link))
    return found


def parse(vuids, commands, structs, values):
    """The rules of all commands, by the commands' order.

    values maps enumerations to {name: value}.
    """
    owners = {s.name: s.members for s in structs if not s.union}
    owners.update({c.name: c.params for c in commands})
    links = {s.name: s.extended_by for s in structs}
    read = {}
    for index, vuid in enumerate(vuids):
        match = _ID.fullmatch(vuid.id)
        if not match or match[1] not in owners or _BY_HAND.fullmatch(match[1]):
            continue
        for rule in _Reader(match[1], owners, values).sentence(vuid.text.rstrip(" ,.")):
            rule.vuid = index
            read.setdefault(match[1], []).append(rule)
    result = []
    for command in commands:
        for owner, (path, chained) in _paths(command.name, owners, links).items():
            result += [rule.reached(command.short_name, path, chained) for rule in read.get(owner, [])]
    return result
