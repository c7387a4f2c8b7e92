# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Reads explicit valid-usage rules from their sentences, if one structure or one command's parameters decide them.

A sentence has conditions and requirements. A condition is about a member or a feature, a requirement about a member.
Each is a test of one number against others: those that the registry or the device knows, or another member's. The
number may be behind a pointer, in each element of an array, or in a structure of the chain. Four examples:

    If the sparseBinding feature is not enabled, flags must not contain VK_BUFFER_CREATE_SPARSE_BINDING_BIT
    If queryType is VK_QUERY_TYPE_PIPELINE_STATISTICS, pipelineStatistics must not be zero
    offset must be less than VkPhysicalDeviceLimits::maxPushConstantsSize
    For each element of pLayers, its averageBitrate member must be less than or equal to its maxBitrate member

A sentence with a word that is not understood makes no rule. Such a rule is written by hand (//stateless/manual).
"""

import re

from registry.explicit import sentences
from registry.explicit.corrections import corrected, is_by_hand
from registry.explicit.members import Members
from registry.explicit.model import ExplicitRule, Limit, Term

_ID = re.compile(r"VUID-(\w+)-[\w:\[\]]+-\d{5}")
# Owners of synchronization rules. //core checks them, except that a feature must be enabled for a command at all.
_SYNC_OWNER = re.compile(
    r".*(?:Barrier|Event|SubpassDependency|DependencyInfo|SemaphoreSubmitInfo)2?(?:KHR)?(?<!vkCreateEvent)")
_SYNC_TYPES = {
    "VkPipelineStageFlagBits", "VkPipelineStageFlagBits2", "VkAccessFlagBits", "VkAccessFlagBits2",
    "VkAccessFlagBits3KHR"
}
_NUMBERS = {"zero": 0, "0": 0, "NULL": 0, "VK_NULL_HANDLE": 0, "VK_FALSE": 0, "VK_TRUE": 1}
# For each type of a member: the type of the constants that it is compared with.
_INTEGERS = {"uint32_t": "uint32_t", "uint64_t": "uint64_t", "VkDeviceSize": "uint64_t"}
_BIT_TESTS = {"AnyBits", "NoBits", "NotAll", "OnlyBits"}
_UNFIT_TYPES = {"float", "double", "char", "void"}

class _Reader:
    """Reads sentences about the members of one owner. A reading is None if it does not understand every word."""

    def __init__(self, members, values, features, limits, types, constants):
        self.members = members
        self.types = types
        # {enumeration: {name: value}}, and {name: (enumeration, value)}.
        self.constants = constants
        self.values = values
        self.features = features
        self.limits, self.properties = limits
        # Hops to the structures that members are searched in, and to that of "its member".
        self.contexts = [()]
        self.its = None
        # The text of the last condition's member: "it".
        self.last = None

    def find(self, text):
        if text.startswith("its "):
            its = text.removeprefix("its ").removesuffix(" member")
            return self.its is not None and self.members.find(its, [self.its]) or None
        return self.members.find(text, self.contexts)

    def term(self, match, test):
        groups = match.groupdict()
        found = self.find(groups["member"])
        if not found:
            return None
        place, member = found
        term = Term(test, place, [])
        for name in ("plus", "other"):
            if groups.get(name):
                # "The size member of pTable must be equal to its stride member".
                self.its = place.hops or self.its
                second = self.find(groups[name])
                if not second or member.kind != second[1].kind or member.kind != "Value":
                    return None
                setattr(term, name, second[0])
        term.operands = [] if term.other else self.operands(groups, place, member, test)
        return term if term.operands is not None else None

    def operands(self, groups, place, member, test):
        if groups.get("struct"):
            fits = member.kind == "Next" and (place.hops or self.members.links) and groups["struct"] in self.types
            return [self.types[groups["struct"]]] if fits else None
        if groups.get("kinds"):
            return [sentences.FORMAT_KINDS[groups["kinds"]]] if member.type_name == "VkFormat" else None
        if test == "NoDynamicState":
            known = self.values.get(groups["values"])
            return [known[1]] if known and known[0] == "VkDynamicState" else None
        is_pointer = place.path and (member.indirection != "Inline" or member.kind == "OpaquePointer")
        if groups.get("pointer"):
            return [0] if is_pointer and "NoAutoValidity" in member.flags else None
        if is_pointer or (member.kind == "DeviceAddress" and groups.get("values") == "NULL"):
            return [0] if groups.get("values") == "NULL" and test in ("OneOf", "NoneOf") else None
        if member.type_ref in _SYNC_TYPES:
            return None
        if groups.get("of_type"):
            known = self.constants.get(member.type_ref, {}) if member.type_ref == groups["of_type"] else {}
            return sorted(set(known.values())) or None
        if groups.get("handle"):
            return [0] if member.kind == "Handle" and groups["handle"] == member.type_name else None
        if groups.get("negative"):
            return [0] if member.type_name == "int32_t" else None
        if groups.get("size"):
            return [8] if member.kind == "Value" else None
        if groups.get("more"):
            if member.kind != "Value":
                return None
            return [_NUMBERS.get(groups["more"], None) or int(groups["more"].replace("zero", "0")) + 1]
        if groups.get("limit"):
            limit = self.limit(groups["limit"]) if member.kind in ("Value", "DeviceAddress") else None
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
                if (name == "VK_NULL_HANDLE") != (member.kind in ("Handle", "TypedHandle")):
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

    def limit(self, text, is_property=False):
        """A number or a limit of the device; or one of its properties, which may be a VkBool32."""
        if text.isdigit():
            return int(text)
        known = self.properties if is_property else self.limits
        struct, _, rest = text.rpartition("::")
        name, _, index = rest.partition("[")
        structs = [struct] if struct else ["VkPhysicalDeviceLimits"]
        # "maxFragmentShadingRateAttachmentTexelSize.width" is of the only structure that has it.
        structs += sorted(s for s, n in known if n == name and ("." in name or is_property) and not struct)
        for s in structs:
            if (s, name) in known:
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
            match = re.fullmatch(rf"{sentences.FEATURE} is (?P<enabled>not )?enabled", part)
            both = re.fullmatch(r"neither (?:the )?([\w:]+) (?:feature )?(?:or|nor) (?:the )?([\w:]+) "
                                r"(?:features? )?(?:is|are) enabled", part)
            if both:
                absent += [both[1], both[2]]
            elif match:
                (absent if match["enabled"] else present).append(match["feature"])
            elif (match := sentences.NO_LIMIT.fullmatch(part)) and (limit := self.limit(match["limit"], True)):
                terms.append(Term("NoLimit", None, [limit]))
            else:
                term = self.first(sentences.CONDITIONS, part)
                if not term:
                    return None
                terms.append(term)
                self.follow(term)
        # Such a sentence may mean that any of the features is disabled. A rule means that all of them are.
        if len(absent) > 1 and " and " in text and not both:
            return None
        absent, present = self.known_features(absent), self.known_features(present)
        return None if absent is None or present is None else (terms, absent, present)

    def follow(self, term):
        """What "its member" means after the condition: a member of the structure that it is about."""
        if term.test == "HasLink" and not term.place.hops:
            self.its = self.members.hops_to_link(next(n for n, t in self.types.items() if t == term.operands[0]))
        elif term.place.path and (hops := self.members.enter(self.last, ())):
            self.its = hops

    def first(self, patterns, text):
        for pattern, test in patterns:
            match = re.fullmatch(pattern, text)
            term = match and self.term(match, test)
            if term:
                self.last = match["member"]
                return term
        return None

    def requirements(self, text):
        match = sentences.SEVERAL.fullmatch(text)
        if match:
            names = re.split(r", and |, | and ", match["names"])
            found = [self.requirement(f"{name} must {match['rest']}") for name in names]
            return found if all(found) else None
        match = sentences.NONE_OF_ARRAY.fullmatch(text)
        if match:
            subject = (f"the {match[2]} member of " if match[2] else "") + f"each element of {match[1]}"
            requirement = self.requirement(f"{subject} must not be {match[3]}")
            if requirement:
                return [requirement]
        match = sentences.BETWEEN.fullmatch(text)
        if match:
            low = self.requirement(f"{match['subject']} must be greater than or equal to {match['least']}")
            high = self.requirement(f"{match['subject']} must be less than or equal to {match['limit']}")
            if not low or not high:
                return None
            return [high] if match["least"] == "0" else [low, high]
        match = sentences.RANGE.fullmatch(text)
        if match:
            low = self.requirement(f"{match['member']} must be {match['least']}")
            high = self.requirement(f"{match['member']} must be less than or equal to {match['limit']}")
            return [low, high] if low and high else None
        requirement = self.requirement(text)
        return [requirement] if requirement else None

    def requirement(self, text):
        return self.first(sentences.REQUIREMENTS, text)

    def needed(self, text):
        """(features of which one must be enabled, version that suffices instead)."""
        for pattern in sentences.NEEDED:
            match = re.fullmatch(pattern, text)
            if match:
                groups = match.groupdict()
                features = self.known_features([groups[k] for k in ("a", "b", "c") if groups.get(k)])
                version = (int(groups["major"]), int(groups["minor"])) if groups.get("major") else None
                return features and (features, version)
        return None

    def normal(self, text):
        """The sentence in the words that are read, with all names that "VK_A_i_BIT for any index i" stands for."""

        def names(match):
            found = [name for name in self.values if re.fullmatch(rf"{match[1]}\d+{match[2]}", name)]
            return " or ".join(found) if found else match[0]

        text = re.sub(r"(VK_\w+_)i(_\w+) for any index i", names, text)
        text = re.sub(r"[Tt]he sum of the ([\w.]+) and ([\w.]+) members (of any element of \w+)",
                      r"The sum of the \1 member \3 and the \2 member \3", text)
        text = re.sub(r"the (\w+) member of (VkPhysicalDeviceLimits)", r"\2::\1", text)
        text = re.sub(r"the (\w+) specified in (p[A-Z]\w+)", r"the \1 member of \2", text)
        return text.replace("2^32-1", str(2**32 - 1))

    def sentence(self, text):
        """The rule without its id."""
        text = self.normal(text)
        each = sentences.FOR_EACH.fullmatch(text)
        return self.for_each(each) if each else self.rule(text)

    def for_each(self, each):
        """The rule about each element of an array."""
        hops = self.members.enter(each["array"])
        if hops is None:
            return None
        self.contexts, self.its = [hops, ()], hops
        rest = each["rest"]
        rule = self.rule(rest[0].upper() + rest[1:] if rest.startswith("if ") else rest)
        return rule if rule and any(t.place.hops for t in rule.requirements) else None

    def rule(self, text):
        needed = self.needed(text)
        if needed:
            return ExplicitRule(0, absent=needed[0], before=needed[1])
        match = sentences.LATE_CONDITION.fullmatch(text)
        if match and not text.startswith("If "):
            text = f"If {match['condition']}, {match['rest']}"
        match = re.fullmatch(r"If (.*)", text)
        if not match:
            requirements = None if text.endswith(" handle") else self.requirements(text)
            return requirements and ExplicitRule(0, requirements=requirements)
        its = self.its
        for comma in re.finditer(r",? then |, ", match[1]):
            self.its = its
            conditions = self.conditions(match[1][:comma.start()])
            if not conditions:
                continue
            terms, absent, present = conditions
            rest = match[1][comma.end():].removeprefix("then ")
            if rest.startswith("it must ") and terms:
                rest = self.last + rest.removeprefix("it")
            each = sentences.FOR_EACH.fullmatch(rest)
            if each:
                rule = self.for_each(each)
                return rule and ExplicitRule(0, terms + rule.conditions, rule.requirements, absent, present)
            needed = self.needed(rest)
            if needed and not absent and terms:
                return ExplicitRule(0, terms, [], needed[0], present, needed[1])
            requirements = self.requirements(rest)
            # object_lifetimes checks that a handle is valid. A feature may still require that it is not null.
            if requirements and (absent or not rest.endswith(" handle")) and not any(r in terms for r in requirements):
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
    properties = {(s.name, m.name) for s in limit_structs for m in s.members if m.kind == "Bool32"}
    limits |= {(s.name, f"{m.name}.{inner.name}") for s in limit_structs for m in s.members
               if m.type_name == "VkExtent2D" for inner in owners["VkExtent2D"]}
    result = {}
    types = {
        s.name: values["VkStructureType"][s.structure_type]
        for s in structs
        if s.structure_type in values["VkStructureType"]
    }
    links = {s.name for s in structs if s.extends}
    extended_by = {s.name: s.extended_by for s in structs}
    flat = {name: (enum, value) for enum, names in values.items() for name, value in names.items()}
    for index, vuid in enumerate(vuids):
        match = _ID.fullmatch(vuid.id)
        if not match or match[1] not in owners or is_by_hand(vuid.id):
            continue
        owner, text = match[1], corrected(vuid).rstrip(" ,.")
        # A sentence about a structure in a chain may also be about the chain's head. That of a command about a
        # structure's member is one of the structure.
        named = re.findall(r"\b(Vk\w+)::", text)
        head = next((h for h in named if owner in extended_by.get(h, []) and h not in links), owner)
        if owner.startswith("vk") and re.match(r"If Vk\w+::", text) and named[0] in owners:
            owner = head = named[0]
        reader = _Reader(Members(head, head in links, owners, extended_by), flat, features, (limits, properties), types,
                         values)
        if head != owner:
            reader.contexts.insert(0, reader.members.hops_to_link(owner))
        rule = reader.sentence(text)
        if rule and _SYNC_OWNER.fullmatch(owner) and (rule.conditions or rule.requirements):
            continue
        if rule:
            rule.vuid = index
            result.setdefault(head, []).append(rule)
    return result
