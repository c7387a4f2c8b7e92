# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""explicit_rule_data.cc, the table behind explicit_rule_info.h."""

from registry import cpp
from registry.explicit.model import Limit

# What the specification requires of limits of every device that has the structure: at least this of a limit of type
# "max", at most this of one of type "min". The registry lacks the table "Required Limits". The source is
# profiles/VP_KHR_roadmap.json of the same package, in the capabilities that state what a core version requires
# ("vulkan12requirements", "vulkan13requirements"), and so are the numbers. A limit that stands in no source here has no
# row; it is still not allowed to be 0.
_REQUIRED = {
    "VkPhysicalDeviceMaintenance4Properties": {
        "maxBufferSize": 1073741824,
    },
    "VkPhysicalDeviceTimelineSemaphoreProperties": {
        "maxTimelineSemaphoreValueDifference": 2147483647,
    },
}

# Limits that code compares with, besides those of explicit rules.
_USED_BY_CODE = [("VkPhysicalDeviceTimelineSemaphoreProperties", "maxTimelineSemaphoreValueDifference")]

# ExplicitBases has the owner as well.
_MOST_HOPS = 3


def _signed(value):
    """The signed number with the same 64 bits."""
    return value if value < 2**63 else value - 2**64


class _Tables:
    def __init__(self, registry):
        self.types = {s.name: s.structure_type for s in registry.structs}
        self.limit_types = registry.limit_types
        self.ids = {}
        for f in registry.features:
            self.ids.setdefault(f.name, set()).add(f.id)
            self.ids[f.struct_name + "::" + f.name] = {f.id}
        self.terms, self.operands, self.features, self.limits, self.hops = [], [], [], [], []

    def limit(self, limit):
        if limit not in self.limits:
            self.limits.append(limit)
        return self.limits.index(limit)

    @staticmethod
    def bases(rule):
        """The hops of the rule's places. The structures to which they lead have the numbers 1, 2 and so on."""
        places = [p for t in rule.conditions + rule.requirements for p in (t.place, t.plus, t.other) if p]
        bases = list(dict.fromkeys(p.hops[:n] for p in places for n in range(1, len(p.hops) + 1)))
        if len(bases) > _MOST_HOPS:
            raise ValueError(f"a rule with {len(bases)} hops: ExplicitBases has no room for them")
        return bases

    @staticmethod
    def place(place, bases):
        if not place:
            return "kNoPlace"
        base = bases.index(place.hops) + 1 if place.hops else 0
        path = list(place.path) + ["kNoMember"] * (4 - len(place.path))
        return f"{{{base}, {{{', '.join(str(step) for step in path)}}}}}"

    def hop(self, hops, bases):
        origin = bases.index(hops[:-1]) + 1 if hops[:-1] else 0
        element = hops[-1].element if hops[-1].element >= 0 else "ExplicitHop::kEach"
        link = self.types[hops[-1].link] if hops[-1].link else "VkStructureType{}"
        self.hops.append(f"{{{origin}, {hops[-1].member}, {element}, {link}}}")

    def term(self, term, bases):
        places = ", ".join(self.place(p, bases) for p in (term.place, term.plus, term.other))
        self.terms.append(f"{{{len(self.operands)}, {len(term.operands)}, ExplicitTest::k{term.test}, {places}}}")
        for operand in term.operands:
            is_limit = isinstance(operand, Limit)
            self.operands.append(f"{{0, {self.limit(operand)}}}" if is_limit else f"{{{_signed(operand)}, kNoLimit}}")

    def feature_ids(self, names, all_of_name):
        """A name may stand for features of several authors: for all of them, or for that with the shortest id."""
        result = []
        for name in names:
            ids = sorted(self.ids[name], key=lambda i: (len(i), i))
            result += [f"FeatureId::{i}" for i in (ids if all_of_name else ids[:1])]
        return list(dict.fromkeys(result))

    def rule(self, rule):
        absent, present = self.feature_ids(rule.absent, True), self.feature_ids(rule.present, False)
        bases = self.bases(rule)
        row = (f"{{VuidIndex{{{rule.vuid}}}, {cpp.version(rule.before)}, {len(self.terms)}, {len(self.features)}, "
               f"{len(self.hops)}, {len(rule.conditions)}, {len(rule.requirements)}, {len(absent)}, {len(present)}, "
               f"{len(bases)}}}")
        for hops in bases:
            self.hop(hops, bases)
        for term in rule.conditions + rule.requirements:
            self.term(term, bases)
        self.features += absent + present
        return row

    def limit_kind(self, limit):
        words = self.limit_types.get((limit.struct, limit.member), "").split(",")
        return "kMost" if "max" in words else "kLeast" if "min" in words else "kOther"

    def limit_rows(self):
        for limit in self.limits:
            member = f"{limit.struct}::{limit.member}"
            is_array = f"std::is_array_v<decltype({member})>"
            element = f"std::remove_all_extents_t<decltype({member})>"
            yield (f"{{{cpp.view(member)}, {cpp.view(limit.struct)}, "
                   f"{self.types[limit.struct] or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, offsetof({limit.struct}, "
                   f"{limit.member}) + {limit.index} * sizeof({element}), sizeof({element}), {limit.index}, "
                   f"{is_array}, LimitKind::{self.limit_kind(limit)}, "
                   f"{_REQUIRED.get(limit.struct, {}).get(limit.member, 0)}}}")


def explicit_rule_data(registry):
    tables = _Tables(registry)
    rows = []

    def spans(owners):
        result = []
        for owner in owners:
            rules = registry.explicit_rules.get(owner.name, [])
            result.append(f"{{{len(rows)}, {len(rules)}}}")
            rows.extend(tables.rule(r) for r in rules)
        return result

    for struct, member in _USED_BY_CODE:
        tables.limit(Limit(struct, member))
    body = cpp.array("ExplicitRuleSpan", "kStructExplicitRules", spans(registry.structs), "constinit const")
    body += cpp.array("ExplicitRuleSpan", "kCommandExplicitRules", spans(registry.commands), "constinit const")
    body += cpp.table("ExplicitRuleInfo", "kExplicitRules", rows)
    body += cpp.table("ExplicitTerm", "kExplicitTerms", tables.terms)
    body += cpp.table("ExplicitHop", "kExplicitHops", tables.hops)
    body += cpp.table("ExplicitOperand", "kExplicitOperands", tables.operands)
    body += cpp.table("FeatureId", "kExplicitFeatures", tables.features)
    body += cpp.table("LimitInfo", "kLimits", list(tables.limit_rows()))
    body += f"constinit const size_t kLimitCount = {len(tables.limits)};\n"
    return cpp.source("emit_explicit_rules.py", ["<cstddef>", "<type_traits>", '"vk/rules/explicit_rule_tables.h"'],
                      body)


def outputs(registry):
    return {"explicit_rule_data.cc": explicit_rule_data(registry)}
