# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""rule_data.cc, the table behind implicit_rule_info.h."""

from registry import cpp

_FLAGS = {"Optional": "kRuleOptional", "NullableElements": "kRuleNullableElements"}


def rule_data(registry):
    rows = []

    def spans(owners):
        result = []
        for owner in owners:
            rules = registry.rules.get(owner.name, [])
            result.append(f"{{{len(rows)}, {len(rules)}}}")
            for r in rules:
                alternative = "kNoAlternative" if r.alternative < 0 else str(r.alternative)
                flags = cpp.joined(_FLAGS[f] for f in r.flags)
                rows.append(f"{{VuidIndex{{{r.vuid}}}, {r.member}, {alternative}, ImplicitRuleKind::k{r.kind}, "
                            f"{flags}}}")
        return result

    body = cpp.array("RuleSpan", "kStructRules", spans(registry.structs), "constinit const")
    body += cpp.array("RuleSpan", "kCommandRules", spans(registry.commands), "constinit const")
    body += cpp.table("ImplicitRuleInfo", "kRules", rows)
    return cpp.source("emit_implicit_rules.py", ['"vk/rules/implicit_rule_tables.h"'], body)


def outputs(registry):
    return {"rule_data.cc": rule_data(registry)}
