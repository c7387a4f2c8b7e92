# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""explicit_rule_data.cc, the table behind explicit_rule_info.h."""

from registry import cpp
from registry.model import Limit


def _signed(value):
    """The signed number with the same 64 bits."""
    return value if value < 2**63 else value - 2**64


class _Tables:
    def __init__(self, registry):
        self.types = {s.name: s.structure_type for s in registry.structs}
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

    def rule(self, rule):
        row = (f"{{VuidIndex{{{rule.vuid}}}, {cpp.version(rule.before)}, {len(self.terms)}, {len(self.features)}, "
               f"{len(rule.conditions)}, {len(rule.requirements)}, {len(rule.absent)}, {len(rule.present)}}}")
        for term in rule.conditions + rule.requirements:
            self.term(term)
        self.features += [cpp.view(f) for f in rule.absent + rule.present]
        return row

    def limit_rows(self):
        for limit in self.limits:
            member = f"{limit.struct}::{limit.member}"
            element = f"std::remove_all_extents_t<decltype({member})>"
            name = limit.struct + "::" + limit.member
            yield (f"{{{cpp.view(name)}, {cpp.view(limit.struct)}, "
                   f"{self.types[limit.struct] or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, offsetof({limit.struct}, "
                   f"{limit.member}) + {limit.index} * sizeof({element}), sizeof({element}), {limit.index}, "
                   f"std::is_array_v<decltype({member})>}}")


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

    body = cpp.array("ExplicitRuleSpan", "kStructExplicitRules", spans(registry.structs), "constinit const")
    body += cpp.array("ExplicitRuleSpan", "kCommandExplicitRules", spans(registry.commands), "constinit const")
    body += cpp.table("ExplicitRuleInfo", "kExplicitRules", rows)
    body += cpp.table("ExplicitTerm", "kExplicitTerms", tables.terms)
    body += cpp.table("ExplicitOperand", "kExplicitOperands", tables.operands)
    body += cpp.table("std::string_view", "kExplicitFeatures", tables.features)
    body += cpp.table("LimitInfo", "kLimits", list(tables.limit_rows()))
    body += f"constinit const size_t kLimitCount = {len(tables.limits)};\n"
    return cpp.source("emit_explicit_rules.py", ["<cstddef>", "<type_traits>", '"vk/rules/explicit_rule_tables.h"'],
                      body)


def outputs(registry):
    return {"explicit_rule_data.cc": explicit_rule_data(registry)}
