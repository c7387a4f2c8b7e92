# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The forms of sentences of explicit rules: patterns, and the tests for which they stand (vk::ExplicitTest)."""

import re

from registry.explicit.members import REFERENCE

FEATURE = r"(?:the )?(?P<feature>[\w:]+)(?: feature)?"
_MEMBER = rf"(?:[Tt]he )?(?:value of )?(?P<member>{REFERENCE})"
_CHAIN = r"(?:[Tt]he )?(?P<member>pNext|\w+->pNext) chain"
_STRUCT = r"(?:a |an |any )?(?:valid )?(?P<struct>\w+)(?: structure)?"
# VK_A, VK_B or VK_C, with the words that may stand around them.
_VALUES = (r"(?:(?:either|any of|one of|only|the following|the|bits?|flag|set|value|a|:|-) )*"
           r"(?P<values>\w+(?:(?:,? (?:or|- )|, |,? or )(?:the )?\w+)*)(?: bits?)?(?: flag)?(?: set)?(?: or both)?")

CONDITIONS = [
    (rf"{_MEMBER} (?:is|equals|is equal to|is set to) {_VALUES}", "OneOf"),
    (rf"{_MEMBER} (?:is not|is not equal to|does not equal|is not set to) (?P<values>\w+)", "NoneOf"),
    (rf"{_MEMBER} (?:includes|contains|has|specifies) {_VALUES}", "AnyBits"),
    (rf"(?:the )?(?P<values>VK_\w+)(?: bit)? (?:is set in|is included in) {_MEMBER}", "AnyBits"),
    (rf"{_MEMBER} (?:does not include|does not contain|does not have) {_VALUES}", "NoBits"),
    (rf"{_MEMBER} is greater than (?P<more>\d+)", "AtLeast"),
    (rf"{_CHAIN} includes {_STRUCT}", "HasLink"),
    (rf"{_CHAIN} does not include {_STRUCT}", "HasNoLink"),
    (rf"{_MEMBER} (?P<kinds>is a color format|is a depth/stencil format|is a depth/stencil format which includes both "
     rf"depth and stencil components|"
     r"is a depth/stencil format which includes only the (?:depth|stencil) component|includes a color or depth "
     r"component|includes a stencil component|only includes a stencil component)", "FormatKind"),
]
_PLUS = rf"(?:the )?(?P<plus>{REFERENCE})"
_LIMIT = r"(?:the )?(?P<limit>\w+(?:::\w+)?(?:\[\d\]|\.\w+)?)(?: bytes)?"
_OTHER = rf"(?:the )?(?P<other>{REFERENCE})"
_AT_MOST = (r"(?:be less than or equal to|be less or equal to|less than or equal to|not be (?:greater|larger) than|"
            r"be no greater than|not exceed)")
_MULTIPLE = r"be (?:a|an integer) multiple of|be aligned to(?: an integer multiple of)?"
REQUIREMENTS = [
    (rf"{_MEMBER} must (?:be|equal|be equal to) {_VALUES}", "OneOf"),
    (rf"{_MEMBER} must (?:equal|be equal to) {_OTHER}", "OneOf"),
    (rf"{_MEMBER} must not (?:be|equal|be equal to) {_VALUES}", "NoneOf"),
    (rf"{_MEMBER} must not (?:equal|be equal to) {_OTHER}", "NoneOf"),
    (rf"{_MEMBER} must not (?:include|contain|have) both (?:the )?(?P<all>\w+) and (?P<of>\w+)", "NotAll"),
    (rf"{_MEMBER} must not (?:also )?(?:include|contain|have) (?:either of )?{_VALUES}", "NoBits"),
    (rf"(?:[Tt]he )?(?P<values>VK_\w+)(?: bit)? must not be set in {_MEMBER}", "NoBits"),
    (rf"(?:[Tt]he )?(?P<values>VK_\w+) bit of {_MEMBER} must not be set", "NoBits"),
    (rf"{_MEMBER} must (?:also )?(?:include|contain|have) {_VALUES}", "AnyBits"),
    (rf"{_CHAIN} must include {_STRUCT}", "HasLink"),
    (rf"{_STRUCT} must be included in {_CHAIN}", "HasLink"),
    (rf"{_CHAIN} must not (?:include|contain) {_STRUCT}", "HasNoLink"),
    (rf"{_MEMBER} must only (?:include|contain) (?P<values>VK_\w+(?:(?:, and|, or|,| and| or) VK_\w+)*)", "OnlyBits"),
    (rf"{_MEMBER} must (?:{_MULTIPLE}) {_LIMIT}", "MultipleOf"),
    (rf"{_MEMBER} must be (?P<limit>\d+)[ -]byte aligned", "MultipleOf"),
    (rf"{_MEMBER} must be a multiple of the size of (?P<size>VkDeviceSize)", "MultipleOf"),
    (rf"{_MEMBER} must be greater than (?P<more>\d+|zero)", "AtLeast"),
    (rf"{_MEMBER} must not be (?P<negative>negative)", "AtLeast"),
    (rf"{_MEMBER} must be greater than or equal to {_LIMIT}", "AtLeast"),
    (rf"{_MEMBER} must be greater than or equal to {_OTHER}", "AtLeast"),
    (rf"[Tt]he sum of {_MEMBER} and {_PLUS} must be greater than or equal to {_LIMIT}", "AtLeast"),
    (rf"{_MEMBER} must be less than {_LIMIT}", "Below"),
    (rf"{_MEMBER} must be less than {_OTHER}", "Below"),
    (rf"{_MEMBER} must {_AT_MOST} {_LIMIT}", "AtMost"),
    (rf"{_MEMBER} must {_AT_MOST} {_OTHER}", "AtMost"),
    (rf"{_MEMBER} must be less than or equal to {_LIMIT} minus {_PLUS}", "AtMost"),
    (rf"[Tt]he sum of {_MEMBER} and {_PLUS} must be less than or equal to {_LIMIT}", "AtMost"),
    (rf"{_MEMBER} must be a power(?: of |-of-)two(?: value)?", "PowerOfTwo"),
    (rf"{_MEMBER} must (?:only have a single bit|have exactly one bit|have a single bit) set", "SingleBit"),
    (rf"{_MEMBER} must be a valid (?P<of_type>Vk\w+) value", "OneOf"),
    (rf"{_MEMBER} must be a valid combination of (?P<of_type>Vk\w+) values", "OnlyBits"),
    (rf"{_MEMBER} must be a valid (?P<pointer>pointer)(?: to .*)?", "NoneOf"),
    (rf"{_MEMBER} must be a valid (?P<handle>\w+)(?: handle)?", "NoneOf"),
    (r"there must be no element of the pDynamicStates member of (?P<member>pDynamicState) set to "
     r"(?P<values>\w+)", "NoDynamicState"),
]
# Of a device without what the property says.
NO_LIMIT = re.compile(r"(?:the )?(?P<limit>\w+(?:::\w+)?)(?: limit)? is (?:VK_FALSE|not supported)")
BETWEEN = re.compile(rf"(?P<subject>(?:[Tt]he sum of )?\w+(?: and \w+)?) must be (?:a value )?between (?P<least>\d+) "
                     rf"and {_LIMIT},? inclusive")
# Each of several members, and each element of an array, must do what the sentence says of all.
SEVERAL = re.compile(r"(?:[Bb]oth )?(?:the )?(?P<names>[\w.]+(?:, [\w.]+)*,? and [\w.]+) must (?:both |each |all )*"
                     r"(?P<rest>.*)")
NONE_OF_ARRAY = re.compile(r"(\w+) must not contain (?:an? (\w+) of )?(VK_.*)")
FOR_EACH = re.compile(r"[Ff]or (?:each|any) element of (?P<array>\w+), (?P<rest>.*)")
LATE_CONDITION = re.compile(r"(?P<rest>.* must .*) if (?P<condition>(?!and only).*)")
# Kinds of formats, with the values of ExplicitTest::kFormatKind.
_COLOR, _DEPTH, _STENCIL, _BOTH = 1, 2, 4, 8
FORMAT_KINDS = {
    "is a color format": _COLOR,
    "is a depth/stencil format": _DEPTH | _STENCIL | _BOTH,
    "is a depth/stencil format which includes both depth and stencil components": _BOTH,
    "is a depth/stencil format which includes only the depth component": _DEPTH,
    "is a depth/stencil format which includes only the stencil component": _STENCIL,
    "includes a color or depth component": _COLOR | _DEPTH | _BOTH,
    "includes a stencil component": _STENCIL | _BOTH,
    "only includes a stencil component": _STENCIL,
}
RANGE = re.compile(rf"{_MEMBER} must be (?P<least>greater than (?:\d+|zero)|greater than or equal to [\w:]+) and "
                   rf"(?:less than or equal to|less or equal to) {_LIMIT}")
NEEDED = [
    r"(?:(?:The|the) )?(?P<a>[\w:]+)(?: feature)? must be enabled",
    r"(?:Either )?[Tt]he (?P<a>[\w:]+) feature or the (?P<b>[\w:]+) feature(?: or both)? must be enabled",
    r"At least one of the (?P<a>[\w:]+) or (?P<b>[\w:]+) features must be enabled",
    r"At least one of the following must be true: - [Tt]he (?P<a>[\w:]+) feature is enabled - [Tt]he (?P<b>[\w:]+) "
    r"feature is enabled",
    r"At least one of the following must be true: - [Tt]he (?P<a>[\w:]+) feature is enabled - [Tt]he (?P<b>[\w:]+) "
    r"feature is enabled - the value of VkApplicationInfo::apiVersion used to create the VkInstance parent of "
    r"commandBuffer is greater than or equal to Version (?P<major>\d)\.(?P<minor>\d)",
    r"(?:the|The) (?P<a>[\w:]+) or (?P<b>[\w:]+) feature must be enabled",
    r"(?P<a>VkPhysicalDevice\w+::\w+) must be VK_TRUE",
    r"Feature (?P<a>\w+) must be enabled",
    r"One of the (?P<a>\w+), (?P<b>\w+), or (?P<c>\w+) features must be enabled",
    r"at least one of the following features must be enabled: (?P<a>\w+) (?P<b>\w+)",
]
