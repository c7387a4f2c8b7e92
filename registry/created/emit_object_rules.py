# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""object_rules.h, the table behind object_rule_info.h."""

from registry import cpp


def _member(index):
    return "ObjectRule::kNoMember" if index < 0 else str(index)


def _row(rule, types):
    numbers = ", ".join(_member(i) for i in (rule.offset, rule.more, rule.stride, rule.count))
    bits = " | ".join(f"uint64_t{{{bit}}}" for bit in rule.bits) or "0"
    enum = f"ObjectBits::k{rule.enum.removeprefix('Vk')}" if rule.enum else "ObjectBits::kNone"
    chained = types[rule.chained] if rule.chained else "VkStructureType{}"
    path = ", ".join(str(step) for step in rule.path)
    return (f"{{VuidIndex{{{rule.vuid}}}, CommandId::k{rule.command}, {{{path}}}, {len(rule.path)}, {chained}, "
            f"{rule.handle}, {_member(rule.flags)}, {rule.flag_bits}, "
            f"ObjectTest::k{rule.test}, {enum}, {bits}, {numbers}, ObjectCount::{rule.counts}, "
            f"{rule.size}}}")


def object_rules(registry):
    types = {s.name: s.structure_type for s in registry.structs}
    rows = [_row(rule, types) for rule in registry.object_rules]
    body = f"// By command.\ninline constexpr size_t kObjectRuleCount = {len(rows)};\n"
    body += cpp.array("ObjectRule", "kObjectRules", rows, "inline constexpr")
    return cpp.header("emit_object_rules.py", "object_rules.h", ["<cstddef>", '"vk/rules/object_rule_info.h"'], body)


def outputs(registry):
    return {"object_rules.h": object_rules(registry)}
