# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Explicit synchronization rules that differ only in a stage, an access, a layout or a feature, from their sentences.

Many structures and commands have the same rule, each with its own id. The patterns below are the sentences' forms.
"""

import re

from registry.model import AccessStageRule, LayoutFeatureRule, LayoutUsageRule, StageFeatureRule

_ID = re.compile(r"VUID-(\w+)-(\w+)-\d{5}")
_WITHOUT = (r"If (?:the (?P<feature>\w+) feature is not enabled"
            r"|neither (?:of )?the (?P<first>\w+)(?: extension)? or the (?P<second>\w+) features? (?:is|are) "
            r"enabled), ")
_STAGE = r"VK_PIPELINE_STAGE_\w+"
_LAYOUT = r"VK_IMAGE_LAYOUT_\w+"
_STAGE_FEATURE = re.compile(_WITHOUT + rf"(?P<member>\w*[sS]tage(?:Mask)?) must not (?:contain|be) "
                                       rf"(?P<stages>0|{_STAGE}(?: or {_STAGE})*)")
_ACCESS_STAGE = re.compile(
    r"If (?P<side>src|dst)AccessMask includes (?P<access>VK_ACCESS_2_\w+), (?P=side)StageMask must include "
    r"(?P<stages>.*)")
_LAYOUT_FEATURE = re.compile(
    rf"If the (?P<feature>\w+) feature is not enabled, (?P<member>oldLayout|newLayout) must not be "
    rf"(?P<layouts>{_LAYOUT}(?: or {_LAYOUT})*)")
_LAYOUT_USAGE = re.compile(
    r"If srcQueueFamilyIndex and dstQueueFamilyIndex define a queue family ownership transfer or oldLayout and "
    r"newLayout define an image layout "
    rf"transition, and oldLayout or newLayout is (?P<layout>{_LAYOUT}),? (?:then )?image must have been created with "
    rf"(?P<usages>.*)")
# Of the attachments of a render pass.
_ATTACHMENT_USAGE = re.compile(
    rf"If any of the \w+ or \w+ member of .* is (?P<layouts>{_LAYOUT}(?:,? (?:or )?{_LAYOUT})*) then the corresponding "
    r"attachment image view of .* must have been created with a usage value (?:including )?(?P<usages>.*)")
_EITHER_OR_BOTH = re.compile(r"either (\w+), or (?:with )?both (\w+) and either of (\w+) or (\w+)")
_ANY_SHADER = "VK_PIPELINE_STAGE_*_SHADER_BIT"
_SHADER = re.compile(r"VK_PIPELINE_STAGE_2_\w+_SHADER_BIT(?:_[A-Z]+)?")


class SyncRules:
    """Each list in the order of the ids' hashes.

    vuids are the valid-usage ids, stages and accesses the registry's. aliases maps other names of stages and accesses
    to the preferred ones.
    """

    def __init__(self, vuids, stages, accesses, aliases):
        self._values = {s.name: s.value for s in stages} | {a.name: a.value for a in accesses}
        self._aliases = aliases
        self._shaders = [s.name for s in stages if _SHADER.fullmatch(s.name)]
        self.stage_features, self.access_stages, self.layout_usages, self.layout_features = [], [], [], []
        for index, vuid in enumerate(vuids):
            match = _ID.fullmatch(vuid.id)
            if match:
                self._read(index, match[1], match[2], vuid.text)

    def _value(self, names):
        """The mask of stages and accesses. A stage of sync1 has the same bit as its synchronization2 counterpart."""
        value = 0
        for name in names:
            if not name.startswith(("VK_PIPELINE_STAGE_2_", "VK_ACCESS_2_")):
                name = name.replace("VK_PIPELINE_STAGE_", "VK_PIPELINE_STAGE_2_")
            while name not in self._values and name in self._aliases:
                name = self._aliases[name]
            value |= self._values[name]
        return value

    def _read(self, index, owner, member, text):
        if match := _STAGE_FEATURE.fullmatch(text):
            # A rule without stages requires that the mask is not 0.
            stages = self._value(re.findall(_STAGE, match["stages"]))
            features = [match[g] for g in ("feature", "first", "second") if match[g]]
            self.stage_features.append(StageFeatureRule(index, owner, match["member"], stages, features))
        elif match := _ACCESS_STAGE.fullmatch(text):
            names = self._shaders if _ANY_SHADER in match["stages"] else []
            stages = self._value([*names, *re.findall(_STAGE, match["stages"].replace(_ANY_SHADER, ""))])
            self.access_stages.append(
                AccessStageRule(index, owner, match["side"] + "AccessMask", self._value([match["access"]]), stages))
        elif match := _LAYOUT_FEATURE.fullmatch(text):
            for layout in re.findall(_LAYOUT, match["layouts"]):
                self.layout_features.append(LayoutFeatureRule(index, owner, match["member"], layout, match["feature"]))
        elif match := _LAYOUT_USAGE.fullmatch(text):
            self.layout_usages.append(LayoutUsageRule(index, owner, member, match["layout"], _usages(match["usages"])))
        elif match := _ATTACHMENT_USAGE.fullmatch(text):
            for layout in re.findall(_LAYOUT, match["layouts"]):
                self.layout_usages.append(LayoutUsageRule(index, owner, member, layout, _usages(match["usages"])))


def _usages(text):
    """Lists of usages. The image must have one usage of each list."""
    if match := _EITHER_OR_BOTH.fullmatch(text):
        alone, also, first, second = match.groups()
        return [[alone, also], [alone, first, second]]
    return [re.findall(r"VK_IMAGE_USAGE_\w+", part) for part in re.split(",? and (?:either )?the ", text)]
