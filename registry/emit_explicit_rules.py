# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""explicit_rule_data.cc, the table behind explicit_rule_info.h."""

from registry import cpp
from registry.model import Limit

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
        self.terms, self.operands, self.features, self.limits = [], [], [], []

    def limit(self, limit):
        if limit not in self.limits:
            self.limits.append(limit)
        return self.limits.index(limit)

    def term(self, term):
        inner = "kNoMember" if term.inner < 0 else term.inner
        plus = "kNoMember" if term.plus < 0 else term.plus
        self.terms.append(f"{{{len(self.operands)}, {len(term.operands)}, ExplicitTest::k{term.test}, {term.member}, "
                          f"{inner}, {plus}}}")
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
        row = (f"{{VuidIndex{{{rule.vuid}}}, {cpp.version(rule.before)}, {len(self.terms)}, {len(self.features)}, "
               f"{len(rule.conditions)}, {len(rule.requirements)}, {len(absent)}, {len(present)}}}")
        for term in rule.conditions + rule.requirements:
            self.term(term)
        self.features += absent + present
        return row

    def limit_kind(self, limit):
        words = self.limit_types.get((limit.struct, limit.member), "").split(",")
        return "kMost" if "max" in words else "kLeast" if "min" in words else "kOther"

    def limit_rows(self):
        for limit in self.limits:
            member = f"{limit.struct}::{limit.member}"
            element = f"std::remove_all_extents_t<decltype({member})>"
            name = limit.struct + "::" + limit.member
            yield (f"{{{cpp.view(name)}, {cpp.view(limit.struct)}, "
                   f"{self.types[limit.struct] or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, offsetof({limit.struct}, "
                   f"{limit.member}) + {limit.index} * sizeof({element}), sizeof({element}), {limit.index}, "
                   f"std::is_array_v<decltype({member})>, LimitKind::{self.limit_kind(limit)}, "
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
    body += cpp.table("ExplicitOperand", "kExplicitOperands", tables.operands)
    body += cpp.table("FeatureId", "kExplicitFeatures", tables.features)
    body += cpp.table("LimitInfo", "kLimits", list(tables.limit_rows()))
    body += f"constinit const size_t kLimitCount = {len(tables.limits)};\n"
    return cpp.source("emit_explicit_rules.py", ["<cstddef>", "<type_traits>", '"vk/rules/explicit_rule_tables.h"'],
                      body)


def outputs(registry):
    return {"explicit_rule_data.cc": explicit_rule_data(registry)}
