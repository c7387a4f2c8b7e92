# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""sync_rule_data.cc, the tables behind sync_rule_info.h."""

from registry import cpp


def _head(rule):
    return f"VuidIndex{{{rule.vuid}}}, {cpp.view(rule.owner)}"


def sync_rule_data(registry):
    stage_features = [
        f"{{{_head(r)}, {cpp.view(r.member)}, {r.stages:#x}u, {{{{{', '.join(cpp.view(f) for f in r.features)}}}}}}}"
        for r in registry.stage_feature_rules
    ]
    access_stages = [
        f"{{{_head(r)}, {cpp.view(r.member)}, {r.access:#x}u, {r.stages:#x}u}}" for r in registry.access_stage_rules
    ]
    layout_usages = [
        f"{{{_head(r)}, {cpp.view(r.member)}, {r.layout}, {{{', '.join(cpp.joined(u) for u in r.usages)}}}}}"
        for r in registry.layout_usage_rules
    ]
    layout_features = [
        f"{{{_head(r)}, {cpp.view(r.member)}, {r.layout}, {cpp.view(r.feature)}}}"
        for r in registry.layout_feature_rules
    ]
    body = ""
    for name, rows in (("StageFeature", stage_features), ("AccessStage", access_stages), ("LayoutUsage", layout_usages),
                       ("LayoutFeature", layout_features)):
        body += cpp.table(f"{name}Rule", f"k{name}Rules", rows)
        body += f"constinit const size_t k{name}RuleCount = {len(rows)};\n"
    return cpp.source("emit_sync_rules.py", ['"vk/sync/sync_rule_tables.h"'], body)


def outputs(registry):
    return {"sync_rule_data.cc": sync_rule_data(registry)}
