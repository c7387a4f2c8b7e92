# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Reads which dynamic state a draw needs, from sentences like this one:

    If the depthClamp feature is enabled, a shader object is bound to any graphics stage or a graphics pipeline is bound
    which was created with the VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT dynamic state enabled, and the current value of
    rasterizerDiscardEnable is VK_FALSE, then vkCmdSetDepthClampEnableEXT must have been called and not subsequently
    invalidated in the current command buffer prior to this drawing command

All draw commands have the same sentences, under the same rule names. A sentence with a word that is not understood
makes no rule.
"""

import re
from dataclasses import dataclass, field

_OWNERS = re.compile(r"vkCmd(?:Draw|TraceRays)\w*")
_CALLED = re.compile(r"If (?P<conditions>.*?),?(?: then)? (?P<setters>(?:at least one of )?vkCmd\w+"
                     r"(?:(?: or | and )vkCmd\w+)*) must have been called(?: and not subsequently invalidated)? in the "
                     r"current command buffer prior to this (?:draw|trace)(?: command)?(?P<rest>.*)")
# What may follow a sentence without changing who breaks it by calling nothing at all.
_REST = re.compile(r"|, and the pStrides parameter of vkCmdBindVertexBuffers2 must not be NULL"
                   r"| for each discard rectangle in \w+::\w+")

_STAGES = r"any graphics stage|the (?P<stage>VK_SHADER_STAGE_\w+_BIT)(?: stage)?"
_SHADER = rf"(?:a shader object is bound to|there is a shader object bound to) (?:{_STAGES})"
_PIPELINE = (r"(?:a graphics pipeline is bound which was created with|(?:a|the) bound (?:graphics|ray tracing) pipeline"
             r"(?: state)? was created with) (?:both )?(?:a (?P<with>VK_SHADER_STAGE_\w+_BIT) stage and )?(?:the )?"
             r"(?P<state>VK_DYNAMIC_STATE_\w+?)(?: and (?P<also>VK_DYNAMIC_STATE_\w+?))?(?: dynamic)?(?: state)?"
             r"(?: enabled)?(?:, but without the (?P<but>VK_DYNAMIC_STATE_\w+) dynamic state enabled)?")
_WHO = re.compile(rf"(?:{_SHADER})?(?:,? or )?(?:{_PIPELINE})?(?=,| and |$)")
_FEATURES = re.compile(r"(?:the (?P<one>\w+) feature is enabled|"
                       r"any of the (?P<a>\w+), (?P<b>\w+) or (?P<c>\w+) features are enabled)")
_EXTENSION = re.compile(r"the (?P<name>VK_\w+) extension is enabled")
_CURRENT = re.compile(r"(?:both )?the current value of (?:and )?(?P<value>\w+) is (?P<not>any value other than )?"
                      r"(?P<number>VK_\w+)")
_RECENT = re.compile(r"(?:both )?the most recent call to (?P<setter>vkCmd\w+) (?:in the current command buffer |for "
                     r"any attachment )set (?:any element of |that attachment’s value in )?(?P<value>\w+) to "
                     r"(?P<number>VK_\w+|any line topology)")
_CHAIN = re.compile(r"the pNext chain of VkGraphicsPipelineCreateInfo (?P<not>did not include|included) a "
                    r"VkPipelineDiscardRectangleStateCreateInfoEXT structure")
_WITH_COLORS = re.compile(r"there are color attachments bound")
# Code asks whether a state is inherited, for all rules.
_INHERITED = re.compile(r"the state is not inherited")
_AND = re.compile(r"(?:,? and |, |$)")

# The setters whose name is not that of the state.
_OTHER_SETTERS = {
    "vkCmdBindVertexBuffers2": ["VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE"],
    "vkCmdSetCoarseSampleOrderNV": ["VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV"],
    "vkCmdSetDepthBias2EXT": ["VK_DYNAMIC_STATE_DEPTH_BIAS"],
    "vkCmdSetFragmentShadingRateEnumNV": ["VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR"],
}
_SUFFIX = re.compile(r"(?:_?(?:EXT|KHR|NV))$")
_NUMBER_TYPES = {"Bool32", "Enum", "Flags"}


@dataclass
class DynamicStateSetter:
    """A command that sets dynamic states."""

    # Command.short_name.
    command: str
    # VkDynamicState names.
    states: list[str]
    # The parameter that is the state's value, if the value is one number.
    value: str | None
    # All but the command buffer.
    parameters: list[str]


@dataclass
class DynamicStateTerm:
    """The current value of a dynamic state, compared with a number."""

    state: str
    # An enumerator of DynamicStateTest without its k.
    test: str
    number: int


@dataclass
class DynamicStateRule:
    """A dynamic state that must have been set before a draw."""

    # What follows the owner in the ids: "None-07840".
    name: str
    # VkDynamicState names, one of which must have been set.
    needed: list[str]
    # The first command that sets them.
    setter: str
    # The dynamic states that the bound pipeline must have for the rule to apply; none if it is not about pipelines.
    pipeline: list[str] = field(default_factory=list)
    pipeline_stage: str | None = None
    # A dynamic state that the pipeline must not have.
    without: str | None = None
    # "any", or a stage; None if the rule is not about shader objects.
    shaders: str | None = None
    # One of these must be enabled.
    features: list[str] = field(default_factory=list)
    extension: str | None = None
    terms: list[DynamicStateTerm] = field(default_factory=list)
    with_colors: bool = False
    # Whether the pipeline's chain has, or must not have, a VkPipelineDiscardRectangleStateCreateInfoEXT.
    with_discard_rectangles: bool | None = None


def _plain(name):
    """vkCmdSetDepthBiasEnable and VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE: DEPTHBIASENABLE."""
    name = _SUFFIX.sub("", name.removeprefix("vkCmdSet").removeprefix("VK_DYNAMIC_STATE_"))
    return name.upper().replace("_", "")


def setters(commands, states):
    """The commands that set dynamic states. states: the names of VkDynamicState."""
    by_name = {_plain(s): s for s in states}
    result = []
    for command in commands:
        found = _OTHER_SETTERS.get(command.name)
        if not found and command.name.startswith("vkCmdSet") and _plain(command.name) in by_name:
            found = [by_name[_plain(command.name)]]
        if not found:
            continue
        own = command.params[1:]
        is_number = len(own) == 1 and own[0].kind in _NUMBER_TYPES and own[0].indirection == "Inline"
        result.append(DynamicStateSetter(command.short_name, found, own[0].name if is_number else None,
                                         [p.name for p in own]))
    return result


class _Reader:
    """Reads the conditions of one sentence from left to right."""

    def __init__(self, known_setters, features, enumerants):
        self.states = {"vk" + s.command: s.states[0] for s in known_setters}
        # By the name of the parameter: rasterizerDiscardEnable, pColorBlendEnables.
        self.values = {}
        for setter in known_setters:
            for parameter in setter.parameters:
                self.values.setdefault(parameter, setter.states[0])
        self.features = {f.name for f in features}
        self.enumerants = enumerants

    def sentence(self, text):
        match = _CALLED.fullmatch(text)
        if not match or not _REST.fullmatch(match["rest"]):
            return None
        names = re.findall(r"vkCmd\w+", match["setters"])
        if any(n not in self.states for n in names):
            return None
        needed = list(dict.fromkeys(self.states[n] for n in names))
        rule = DynamicStateRule("", needed, names[0])
        return rule if self.conditions(match["conditions"], rule) and (rule.pipeline or rule.shaders) else None

    def conditions(self, text, rule):
        while text:
            taken = next((m for read in (self.gate, self.chain, self.term, self.who) if (m := read(text, rule))), None)
            after = taken and _AND.match(text, taken.end())
            if not after:
                return False
            text = text[after.end():]
        return True

    def gate(self, text, rule):
        if match := _EXTENSION.match(text):
            rule.extension = match["name"]
        elif match := _FEATURES.match(text):
            rule.features = [n for n in match.groups() if n]
            if not set(rule.features) <= self.features:
                return None
        return match

    def chain(self, text, rule):
        if match := _CHAIN.match(text):
            rule.with_discard_rectangles = match["not"] == "included"
        return match

    def term(self, text, rule):
        if match := _WITH_COLORS.match(text):
            rule.with_colors = True
            return match
        if match := _INHERITED.match(text):
            return match
        match = _CURRENT.match(text) or _RECENT.match(text)
        if not match or match["value"] not in self.values:
            return None
        groups = match.groupdict()
        state = self.values[groups["value"]]
        if groups.get("setter") and self.states.get(groups["setter"]) != state:
            return None
        if groups["number"] == "any line topology":
            rule.terms.append(DynamicStateTerm(state, "IsLine", 0))
            return match
        if groups["number"] not in self.enumerants:
            return None
        # The value of an array is a bit for each element.
        is_array = re.match(r"p[A-Z]", groups["value"])
        test = "Differs" if groups.get("not") else "Equals"
        number = self.enumerants[groups["number"]]
        rule.terms.append(DynamicStateTerm(state, "Differs", 0) if is_array and number == 1 else
                          DynamicStateTerm(state, test, number))
        return match

    @staticmethod
    def who(text, rule):
        match = _WHO.match(text)
        if not match or not match[0] or rule.pipeline or rule.shaders:
            return None
        if "shader object" in match[0]:
            rule.shaders = match["stage"] or "any"
        if match["state"]:
            rule.pipeline = [match["state"]] + ([match["also"]] if match["also"] else [])
            rule.pipeline_stage = match["with"]
            rule.without = match["but"]
        return match


def parse(vuids, commands, features, enums):
    """(the rules, sorted by name; the setters, in the order of commands)."""
    numbers = {v.name: v.value for e in enums for v in e.values}
    found_setters = setters(commands, [v.name for e in enums if e.name == "VkDynamicState" for v in e.values])
    reader = _Reader(found_setters, features, {**numbers, "VK_TRUE": 1, "VK_FALSE": 0})
    rules, sentences = {}, {}
    for vuid in vuids:
        _, owner, name = (vuid.id.split("-", 2) + ["", ""])[:3]
        if not _OWNERS.fullmatch(owner) or "must have been called" not in vuid.text:
            continue
        text = vuid.text.rstrip(". ").replace("drawing", "draw")
        if sentences.setdefault(name, text) != text:
            raise ValueError(f"{vuid.id}: not the sentence that other commands have")
        if name not in rules and (rule := reader.sentence(text)):
            rule.name = name
            rules[name] = rule
    return [rules[name] for name in sorted(rules)], found_setters
