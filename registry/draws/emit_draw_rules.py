# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""dynamic_state_rules.h, the tables behind dynamic_state_rule_info.h."""

from registry import cpp


class _Names:
    def __init__(self, registry):
        states = next((e.values for e in registry.enums if e.name == "VkDynamicState"), [])
        self.states = [v.name for v in states]
        self.features = {}
        for f in registry.features:
            self.features.setdefault(f.name, set()).add(f.id)

    def state(self, name):
        return str(self.states.index(name)) if name else "kNoDynamicState"

    def two(self, names):
        """Two indices, the same twice if there is one name."""
        first, last = (names[0], names[-1]) if names else (None, None)
        return f"{{{self.state(first)}, {self.state(last)}}}"

    def feature(self, name):
        """A name may stand for features of several authors: for that with the shortest id."""
        return "FeatureId::" + min(self.features[name], key=lambda i: (len(i), i))


def _extension(name):
    return "ExtensionId::k" + cpp.camel(name.removeprefix("VK_"))


def _setter(setter, names):
    offset = f"offsetof({setter.command}, {setter.value})" if setter.value else "DynamicStateSetter::kNoValue"
    return f"{{CommandId::k{setter.command}, {names.state(setter.states[0])}, {offset}}}"


def _rule(rule, names):
    stages = {None: "0", "any": "kAnyGraphicsStage"}.get(rule.shaders, rule.shaders)
    chain = {None: "kEither", True: "kPresent", False: "kAbsent"}[rule.with_discard_rectangles]
    features = ", ".join(names.feature(f) for f in rule.features)
    terms = ", ".join(f"{{{names.state(t.state)}, DynamicStateTest::k{t.test}, {t.number}}}" for t in rule.terms)
    extension = _extension(rule.extension) if rule.extension else "std::nullopt"
    return (f"{{{cpp.view(rule.name)}, CommandId::k{rule.setter.removeprefix('vk')}, {names.two(rule.needed)}, "
            f"{names.two(rule.pipeline)}, {names.state(rule.without)}, {rule.pipeline_stage or '0'}, {stages}, "
            f"{{{features}}}, {len(rule.features)}, {extension}, {{{{{terms}}}}}, {len(rule.terms)}, "
            f"{cpp.boolean(rule.with_colors)}, DiscardRectangles::{chain}}}")


def dynamic_state_rules(registry):
    names = _Names(registry)
    body = f"// Sorted by value.\ninline constexpr size_t kDynamicStateCount = {len(names.states)};\n"
    body += cpp.array("VkDynamicState", "kDynamicStates", names.states, "inline constexpr")
    body += cpp.array("DynamicStateSetter", "kDynamicStateSetters",
                      [_setter(s, names) for s in registry.dynamic_state_setters], "inline constexpr")
    rules = [_rule(r, names) for r in registry.dynamic_state_rules]
    body += f"inline constexpr size_t kDynamicStateRuleCount = {len(rules)};\n"
    body += cpp.array("DynamicStateRule", "kDynamicStateRules", rules, "inline constexpr")
    return cpp.header("emit_draw_rules.py", "dynamic_state_rules.h",
                      ["<cstddef>", '"vk/rules/dynamic_state_rule_info.h"'], body)


def outputs(registry):
    return {"dynamic_state_rules.h": dynamic_state_rules(registry)}
