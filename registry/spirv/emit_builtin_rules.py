# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The table behind spirv/builtin_rule_info.h."""

import re

from registry import cpp

# In validation_state.cpp, the ids that SPIRV-Tools' validator can report.
_REPORTED = re.compile(r"\bVUID_WRAP\((VUID-[\w-]+)\)")
# Ids there that no module gets: another check refuses them before, without an id.
_UNREACHED = {"VUID-WorkgroupSize-WorkgroupSize-04426"}


def reported_ids(text):
    """The ids that the text of SPIRV-Tools' validation_state.cpp names."""
    found = set(_REPORTED.findall(text))
    if not found:
        raise ValueError("SPIRV-Tools names its ids in another way")
    return found - _UNREACHED


def _number(operand):
    return str(operand) if isinstance(operand, int) else f"static_cast<uint32_t>(spv::{operand[0]}::{operand[1]})"


def _type(t):
    if not t:
        return "{}"
    return f"{{BuiltInScalar::k{t.scalar}, {t.width}, {t.components}, {t.columns}, {t.arrays}, {t.size}}}"


def builtin_rule_data(rules, reported):
    models = cpp.Pool("kModels", "spv::ExecutionModel")
    operands = cpp.Pool("kOperands", "uint32_t")
    # Of a built-in with two names it reports the ids of one.
    by_tools = {(r.built_in, r.kind) for r in rules if r.extension and r.id in reported}
    rows = [
        f"{{VuidIndex{{{r.vuid}}}, spv::BuiltIn::{r.built_in}, BuiltInRuleKind::k{r.kind}, "
        f"{cpp.boolean(r.id in reported or (r.built_in, r.kind) in by_tools)}, {cpp.boolean(r.excludes_models)}, "
        f"{models.span(f'spv::ExecutionModel::{m}' for m in r.models)}, {operands.span(map(_number, r.operands))}, "
        f"{_type(r.type)}, {cpp.view(r.extension)}}}" for r in rules
    ]
    body = "namespace {\n" + models.definition() + operands.definition() + "}  // namespace\n\n"
    body += cpp.table("BuiltInRule", "kBuiltInRules", rows)
    body += f"constinit const size_t kBuiltInRuleCount = {len(rows)};\n"
    includes = ["<cstddef>", '"spirv/unified1/spirv.hpp11"', '"vk/spirv/builtin_rule_tables.h"']
    return cpp.source("emit_builtin_rules.py", includes, body)


def outputs(rules, reported):
    return {"builtin_rule_data.cc": builtin_rule_data(rules, reported)}
