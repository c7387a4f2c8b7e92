# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Reads explicit valid-usage rules from their sentences, if one structure or one command's parameters decide them.

A sentence has conditions and requirements. A condition is about a member or a feature, a requirement about a member.
Each is a test of one number against other numbers, which the registry or the device knows. Three examples:

    If the sparseBinding feature is not enabled, flags must not contain VK_BUFFER_CREATE_SPARSE_BINDING_BIT
    If queryType is VK_QUERY_TYPE_PIPELINE_STATISTICS, pipelineStatistics must not be zero
    offset must be less than VkPhysicalDeviceLimits::maxPushConstantsSize

A sentence with a word that is not understood makes no rule. Such a rule is written by hand (//stateless/manual).
"""

import re

from registry.model import ExplicitRule, Limit, Term
from registry.rule_corrections import corrected

_ID = re.compile(r"VUID-(\w+)-[\w:\[\]]+-\d{5}")
# Owners of synchronization rules. //core checks them, except that a feature must be enabled for a command at all.
_SYNC_OWNER = re.compile(
    r".*(?:Barrier|Event|SubpassDependency|DependencyInfo|SemaphoreSubmitInfo)2?(?:KHR)?(?<!vkCreateEvent)")
_SYNC_TYPES = {
    "VkPipelineStageFlagBits", "VkPipelineStageFlagBits2", "VkAccessFlagBits", "VkAccessFlagBits2",
    "VkAccessFlagBits3KHR"
}
_NUMBERS = {"zero": 0, "0": 0, "NULL": 0, "VK_NULL_HANDLE": 0, "VK_FALSE": 0, "VK_TRUE": 1}
_NUMERIC_KINDS = {"Value", "Bool32", "Enum", "Flags", "Handle", "DeviceAddress"}
# For each type of a member: the type of the constants that it is compared with.
_INTEGERS = {"uint32_t": "uint32_t", "uint64_t": "uint64_t", "VkDeviceSize": "uint64_t"}
_UNFIT_TYPES = {"float", "double", "char", "void"}

_FEATURE = r"(?:the )?(?P<feature>[\w:]+)(?: feature)?"
# size, extent.width, or the width member of extent.
_MEMBER = r"(?:[Tt]he )?(?P<member>\w+(?:\.\w+| member of \w+)?)"
_CHAIN = r"(?:the )?(?P<member>pNext) chain"
_STRUCT = r"(?:a |an |any )?(?P<struct>\w+)(?: structure)?"
# VK_A, VK_B or VK_C, with the words that may stand around them.
_VALUES = (r"(?:(?:either|any of|one of|only|the following|the|bits?|flag|set|value|a|:|-) )*"
           r"(?P<values>\w+(?:(?:,? (?:or|- )|, |,? or )(?:the )?\w+)*)(?: bits?)?(?: set)?(?: or both)?")

_CONDITIONS = [
    (rf"{_MEMBER} (?:is|equals|is equal to|is set to) {_VALUES}", "OneOf"),
    (rf"{_MEMBER} (?:is not|is not equal to|does not equal) (?P<values>\w+)", "NoneOf"),
    (rf"{_MEMBER} (?:includes|contains|has|specifies) {_VALUES}", "AnyBits"),
    (rf"(?:the )?(?P<values>VK_\w+)(?: bit)? (?:is set in|is included in) {_MEMBER}", "AnyBits"),
    (rf"{_MEMBER} (?:does not include|does not contain|does not have) {_VALUES}", "NoBits"),
    (rf"{_MEMBER} is greater than (?P<more>\d+)", "AtLeast"),
    (rf"{_CHAIN} includes {_STRUCT}", "HasLink"),
    (rf"{_CHAIN} does not include {_STRUCT}", "HasNoLink"),
    (rf"{_MEMBER} (?P<kinds>is a color format|is a depth/stencil format|is a depth/stencil format which includes both "
     rf"depth and stencil components|"
     r"is a depth/stencil format which includes only the (?:depth|stencil) component|includes a color or depth "
     r"component|includes a stencil component|only includes a stencil component)", "FormatKind"),
]
_LIMIT = r"(?:the )?(?P<limit>\w+::\w+(?:\[\d\])?|\w+(?:\[\d\])?)"
_REQUIREMENTS = [
    (rf"{_MEMBER} must (?:be|equal|be equal to) {_VALUES}", "OneOf"),
    (rf"{_MEMBER} must not (?:be|equal|be equal to) {_VALUES}", "NoneOf"),
    (rf"{_MEMBER} must not (?:include|contain|have) both (?:the )?(?P<all>\w+) and (?P<of>\w+)", "NotAll"),
    (rf"{_MEMBER} must not (?:include|contain|have) (?:either of )?{_VALUES}", "NoBits"),
    (rf"{_MEMBER} must (?:also )?(?:include|contain|have) {_VALUES}", "AnyBits"),
    (rf"{_CHAIN} must include {_STRUCT}", "HasLink"),
    (rf"{_CHAIN} must not include {_STRUCT}", "HasNoLink"),
    (rf"{_MEMBER} must only (?:include|contain) (?P<values>VK_\w+(?:(?:, and|, or|,| and| or) VK_\w+)*)", "OnlyBits"),
    (rf"{_MEMBER} must be (?:a|an integer) multiple of {_LIMIT}(?: bytes)?", "MultipleOf"),
    (rf"{_MEMBER} must be greater than (?P<more>\d+|zero)", "AtLeast"),
    (rf"{_MEMBER} must be greater than or equal to {_LIMIT}", "AtLeast"),
    (rf"[Tt]he sum of {_MEMBER} and (?P<plus>\w+) must be greater than or equal to {_LIMIT}", "AtLeast"),
    (rf"{_MEMBER} must be less than {_LIMIT}", "Below"),
    (rf"{_MEMBER} must (?:be less (?:than )?or equal to|not be greater than) {_LIMIT}", "AtMost"),
    (rf"{_MEMBER} must be less than or equal to {_LIMIT} minus (?P<plus>\w+)", "AtMost"),
    (rf"[Tt]he sum of {_MEMBER} and (?P<plus>\w+) must be less than or equal to {_LIMIT}", "AtMost"),
    (rf"{_MEMBER} must be aligned to (?P<limit>\d+)(?: bytes)?", "MultipleOf"),
    (rf"{_MEMBER} must be a power of two", "PowerOfTwo"),
    (rf"{_MEMBER} must (?:only have a single bit|have exactly one bit) set", "SingleBit"),
    (rf"{_MEMBER} must be a valid (?P<handle>\w+)(?: handle)?", "NoneOf"),
    (r"there must be no element of the pDynamicStates member of (?P<member>pDynamicState) set to "
     r"(?P<values>\w+)", "NoDynamicState"),
]
_BETWEEN = re.compile(rf"(?P<subject>(?:[Tt]he sum of )?\w+(?: and \w+)?) must be (?:a value )?between (?P<least>\d+) "
                      rf"and {_LIMIT},? inclusive")
# Kinds of formats, with the values of ExplicitTest::kFormatKind.
_COLOR, _DEPTH, _STENCIL, _BOTH = 1, 2, 4, 8
_FORMAT_KINDS = {
    "is a color format": _COLOR,
    "is a depth/stencil format": _DEPTH | _STENCIL | _BOTH,
    "is a depth/stencil format which includes both depth and stencil components": _BOTH,
    "is a depth/stencil format which includes only the depth component": _DEPTH,
    "is a depth/stencil format which includes only the stencil component": _STENCIL,
    "includes a color or depth component": _COLOR | _DEPTH | _BOTH,
    "includes a stencil component": _STENCIL | _BOTH,
    "only includes a stencil component": _STENCIL,
}
_RANGE = re.compile(rf"{_MEMBER} must be greater than (?P<more>\d+|zero) and less than or equal to {_LIMIT}")
_NEEDED = [
    r"(?:(?:The|the) )?(?P<a>[\w:]+)(?: feature)? must be enabled",
    r"(?P<a>VkPhysicalDevice\w+::\w+) must be VK_TRUE",
    r"(?:Either )?[Tt]he (?P<a>[\w:]+) feature or the (?P<b>[\w:]+) feature(?: or both)? must be enabled",
    r"At least one of the (?P<a>[\w:]+) or (?P<b>[\w:]+) features must be enabled",
    r"At least one of the following must be true: - [Tt]he (?P<a>[\w:]+) feature is enabled - [Tt]he (?P<b>[\w:]+) "
    r"feature is enabled",
    r"At least one of the following must be true: - [Tt]he (?P<a>[\w:]+) feature is enabled - [Tt]he (?P<b>[\w:]+) "
    r"feature is enabled - the value of VkApplicationInfo::apiVersion used to create the VkInstance parent of "
    r"commandBuffer is greater than or equal to Version (?P<major>\d)\.(?P<minor>\d)",
    r"(?:the|The) (?P<a>[\w:]+) or (?P<b>[\w:]+) feature must be enabled",
]
_BIT_TESTS = {"AnyBits", "NoBits", "NotAll", "OnlyBits"}


class _Reader:
    """Reads sentences about the members of one owner. A reading is None if it does not understand every word."""

    def __init__(self, owner, is_link, owners, values, features, limits, types):
        self.is_link = is_link
        self.members = owners[owner]
        self.owners = owners
        self.types = types
        self.values = values
        self.features = features
        self.limits = limits

    def term(self, match, test):
        groups = match.groupdict()
        found = self.find_member(groups["member"])
        if not found:
            return None
        index, inner, member = found
        operands = self.operands(groups, member, test)
        plus = -1
        if groups.get("plus"):
            other = self.find_member(groups["plus"])
            if not other or other[2].kind != "Value" or other[1] >= 0:
                return None
            plus = other[0]
        return Term(test, index, inner, operands, plus) if operands is not None else None

    def find_member(self, path):
        of = re.fullmatch(r"(\w+) member of (\w+)", path)
        name, _, inner_name = f"{of[2]}.{of[1]}".partition(".") if of else path.partition(".")
        for i, member in enumerate(self.members):
            if member.name != name or "BitField" in member.flags or member.fixed_count != "1":
                continue
            if not inner_name:
                return (i, -1, member) if self.is_number(member) else None
            if member.kind != "Struct" or member.indirection != "Inline" or member.type_ref not in self.owners:
                return None
            for j, inner in enumerate(self.owners[member.type_ref]):
                if inner.name == inner_name and inner.fixed_count == "1" and self.is_number(inner):
                    return i, j, inner
        return None

    @staticmethod
    def is_number(member):
        if member.indirection != "Inline" or member.kind == "Next":
            return True
        return member.kind in _NUMERIC_KINDS and member.type_name not in _UNFIT_TYPES and "BitField" not in member.flags

    def operands(self, groups, member, test):
        if groups.get("struct"):
            # If the owner is itself in a pNext chain, the structures before it count too, so its pNext does not decide.
            fits = member.kind == "Next" and not self.is_link and groups["struct"] in self.types
            return [self.types[groups["struct"]]] if fits else None
        if groups.get("kinds"):
            return [_FORMAT_KINDS[groups["kinds"]]] if member.type_name == "VkFormat" else None
        if test == "NoDynamicState":
            known = self.values.get(groups["values"])
            return [known[1]] if known and known[0] == "VkDynamicState" else None
        if member.indirection != "Inline" or (member.kind == "DeviceAddress" and groups.get("values") == "NULL"):
            return [0] if groups.get("values") == "NULL" and test in ("OneOf", "NoneOf") else None
        if member.type_ref in _SYNC_TYPES:
            return None
        if groups.get("handle"):
            return [0] if member.kind == "Handle" and groups["handle"] == member.type_name else None
        if groups.get("more"):
            if member.kind != "Value":
                return None
            return [_NUMBERS.get(groups["more"], None) or int(groups["more"].replace("zero", "0")) + 1]
        if groups.get("limit"):
            limit = self.limit(groups["limit"]) if member.kind == "Value" or member.kind == "DeviceAddress" else None
            return None if limit is None else [limit]
        if groups.get("all"):
            return self.enumerants([groups["all"], groups["of"]], member, test)
        if groups.get("values"):
            names = re.findall(r"\w+", re.sub(r"\b(?:or|and|the)\b", " ", groups["values"]))
            return self.enumerants(names, member, test)
        return []

    def enumerants(self, names, member, test):
        result = []
        for name in names:
            if name.isdigit() or name in _NUMBERS:
                if test not in ("OneOf", "NoneOf") or (name == "NULL"):
                    return None
                if (name == "VK_NULL_HANDLE") != (member.kind == "Handle"):
                    return None
                if (name in ("VK_TRUE", "VK_FALSE")) != (member.kind == "Bool32"):
                    return None
                result.append(_NUMBERS.get(name) if name in _NUMBERS else int(name))
                continue
            if name not in self.values or member.kind not in ("Enum", "Flags", "Value"):
                return None
            owner, value = self.values[name]
            if owner != (_INTEGERS.get(member.type_name) if member.kind == "Value" else member.type_ref):
                return None
            # The sentence does not define a test against some bits of a value with several.
            if test in _BIT_TESTS and bin(value).count("1") != 1 and not (test == "OnlyBits" and value == 0):
                return None
            result.append(value)
        return result

    def limit(self, text):
        if text.isdigit():
            return int(text)
        struct, _, rest = text.rpartition("::")
        name, _, index = rest.partition("[")
        structs = [struct] if struct else ["VkPhysicalDeviceLimits"]
        for s in structs:
            if (s, name) in self.limits:
                return Limit(s, name, int(index[:-1]) if index else 0)
        return None

    def known_features(self, names):
        result = []
        for name in names:
            struct, _, feature = name.rpartition("::")
            if not any(f.name == feature for f in self.features):
                return None
            is_member = (struct, feature) in {(f.struct_name, f.name) for f in self.features}
            result.append(name if struct and is_member else feature)
        return result

    def conditions(self, text):
        """(terms, features that must all be disabled, features that must all be enabled)."""
        terms, absent, present = [], [], []
        for part in re.split(r",? and (?!VK_)|, (?!VK_|or |and )", text):
            part = part.strip().removeprefix("if ")
            match = re.fullmatch(rf"{_FEATURE} is (?P<enabled>not )?enabled", part)
            both = re.fullmatch(r"neither (?:the )?([\w:]+) (?:feature )?(?:or|nor) (?:the )?([\w:]+) "
                                r"(?:features? )?(?:is|are) enabled", part)
            if both:
                absent += [both[1], both[2]]
            elif match:
                (absent if match["enabled"] else present).append(match["feature"])
            else:
                term = self.first(_CONDITIONS, part)
                if not term:
                    return None
                terms.append(term)
        # Such a sentence may mean that any of the features is disabled. A rule means that all of them are.
        if len(absent) > 1 and " and " in text and not both:
            return None
        absent, present = self.known_features(absent), self.known_features(present)
        return None if absent is None or present is None else (terms, absent, present)

    def first(self, patterns, text):
        for pattern, test in patterns:
            match = re.fullmatch(pattern, text)
            term = match and self.term(match, test)
            if term:
                return term
        return None

    def requirements(self, text):
        match = _BETWEEN.fullmatch(text)
        if match:
            low = self.first(_REQUIREMENTS, f"{match['subject']} must be greater than or equal to {match['least']}")
            high = self.first(_REQUIREMENTS, f"{match['subject']} must be less than or equal to {match['limit']}")
            if not low or not high:
                return None
            return [high] if match["least"] == "0" else [low, high]
        match = _RANGE.fullmatch(text)
        if match:
            low = self.first(_REQUIREMENTS, f"{match['member']} must be greater than {match['more']}")
            high = self.first(_REQUIREMENTS, f"{match['member']} must be less than or equal to {match['limit']}")
            return [low, high] if low and high else None
        requirement = self.first(_REQUIREMENTS, text)
        return [requirement] if requirement else None

    def needed(self, text):
        """(features of which one must be enabled, version that suffices instead)."""
        for pattern in _NEEDED:
            match = re.fullmatch(pattern, text)
            if match:
                groups = match.groupdict()
                features = self.known_features([groups[k] for k in ("a", "b") if groups.get(k)])
                version = (int(groups["major"]), int(groups["minor"])) if groups.get("major") else None
                return features and (features, version)
        return None

    def all_numbers(self, text):
        """The sentence with all names that "VK_A_i_BIT for any index i" stands for."""

        def names(match):
            found = [name for name in self.values if re.fullmatch(rf"{match[1]}\d+{match[2]}", name)]
            return " or ".join(found) if found else match[0]

        return re.sub(r"(VK_\w+_)i(_\w+) for any index i", names, text)

    def sentence(self, text):
        """The rule without its id."""
        text = self.all_numbers(text).replace("the size of VkDeviceSize", "8").replace("2^32-1", str(2**32 - 1))
        needed = self.needed(text)
        if needed:
            return ExplicitRule(0, absent=needed[0], before=needed[1])
        match = re.fullmatch(r"If (.*)", text)
        if not match:
            requirements = None if text.endswith(" handle") else self.requirements(text)
            return requirements and ExplicitRule(0, requirements=requirements)
        for comma in re.finditer(r",? then |, ", match[1]):
            conditions = self.conditions(match[1][:comma.start()])
            if not conditions:
                continue
            terms, absent, present = conditions
            rest = match[1][comma.end():].removeprefix("then ")
            if rest.startswith("it must ") and terms:
                rest = self.members[terms[-1].member].name + rest.removeprefix("it")
            needed = self.needed(rest)
            if needed and not absent and terms:
                return ExplicitRule(0, terms, [], needed[0], present, needed[1])
            requirements = self.requirements(rest)
            # object_lifetimes checks that a handle is valid. A feature may still require that it is not null.
            if requirements and (absent or not rest.endswith(" handle")):
                return ExplicitRule(0, terms, requirements, absent, present)
        return None


def parse(vuids, owners, values, features, structs):
    """{owner's name: rules}.

    owners maps names of structures and commands to members, values maps enumerations to {name: value}.
    """
    limit_structs = [
        s for s in structs if s.name == "VkPhysicalDeviceLimits" or "VkPhysicalDeviceProperties2" in s.extends
    ]
    limits = {(s.name, m.name) for s in limit_structs for m in s.members
              if m.kind == "Value" and m.indirection == "Inline" and m.type_name not in _UNFIT_TYPES}
    result = {}
    types = {
        s.name: values["VkStructureType"][s.structure_type]
        for s in structs
        if s.structure_type in values["VkStructureType"]
    }
    links = {s.name for s in structs if s.extends}
    flat = {name: (enum, value) for enum, names in values.items() for name, value in names.items()}
    for index, vuid in enumerate(vuids):
        match = _ID.fullmatch(vuid.id)
        if not match or match[1] not in owners:
            continue
        reader = _Reader(match[1], match[1] in links, owners, flat, features, limits, types)
        rule = reader.sentence(corrected(vuid).rstrip(" ,"))
        if rule and _SYNC_OWNER.fullmatch(match[1]) and (rule.conditions or rule.requirements):
            continue
        if rule:
            rule.vuid = index
            result.setdefault(match[1], []).append(rule)
    return result
