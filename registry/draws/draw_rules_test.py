# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry.draws import draw_rules
from registry.draws.draw_rules import DynamicStateRule, DynamicStateTerm
from registry.model import Command, Enum, EnumValue, Feature, Member, Provision, Vuid

_COMMAND_BUFFER = Member("commandBuffer", "VkCommandBuffer", "VkCommandBuffer", "Handle")


def command(name, *parameters):
    return Command(name, "void", [_COMMAND_BUFFER, *parameters], Provision())


def boolean(name):
    return Member(name, "VkBool32", "VkBool32", "Bool32")


_COMMANDS = [
    command("vkCmdBindVertexBuffers2", Member("pStrides", "VkDeviceSize", "const VkDeviceSize*", "Value", "Pointer")),
    command("vkCmdSetAEnable", boolean("aEnable")),
    command("vkCmdSetB", Member("b", "float", "float")),
    command("vkCmdSetB2EXT", Member("pInfo", "VkB", "const VkB*", "Struct", "Pointer")),
    command("vkCmdSetCsEXT", Member("pCs", "VkBool32", "const VkBool32*", "Bool32", "Pointer")),
    command("vkCmdSetTopology", Member("topology", "VkT", "VkT", "Enum", type_ref="VkT")),
    command("vkCmdSetEvent", Member("event", "VkEvent", "VkEvent", "Handle")),
]
_A, _B, _C, _T = (f"VK_DYNAMIC_STATE_{n}" for n in ("A_ENABLE", "B", "CS_EXT", "TOPOLOGY"))
_STRIDE = "VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE"
_ENUMS = [
    Enum("VkDynamicState", "", 32, [EnumValue(n, i, Provision()) for i, n in enumerate((_A, _B, _C, _T, _STRIDE))]),
    Enum("VkT", "", 32, [EnumValue("VK_T_PATCH", 7, Provision())]),
]
_FEATURES = [Feature(n, "VkPhysicalDeviceFeatures", None) for n in ("one", "two", "three")]
_END = " must have been called and not subsequently invalidated in the current command buffer prior to this "
_GRAPHICS = "a shader object is bound to any graphics stage or "
_WITH_B = f"a graphics pipeline is bound which was created with the {_B} dynamic state enabled"


def parse(*sentences, owner="vkCmdDraw"):
    vuids = [Vuid(f"VUID-{owner}-None-{i:05}", text, "") for i, text in enumerate(sentences)]
    return draw_rules.parse(vuids, _COMMANDS, _FEATURES, _ENUMS)[0]


def read(conditions, setter="vkCmdSetB", end="drawing command"):
    rules = parse(f"If {conditions}, then {setter}{_END}{end}")
    return rules[0] if rules else None


class SetterTest(unittest.TestCase):

    def test_commands(self):
        _, setters = draw_rules.parse([], _COMMANDS, _FEATURES, _ENUMS)
        found = {s.command: (s.states, s.value) for s in setters}
        # vkCmdSetB2EXT is named in no table here, and vkCmdSetEvent sets no state.
        self.assertEqual(found, {
            "CmdBindVertexBuffers2": ([_STRIDE], None),
            "CmdSetAEnable": ([_A], "aEnable"),
            "CmdSetB": ([_B], None),
            "CmdSetCsEXT": ([_C], None),
            "CmdSetTopology": ([_T], "topology"),
        })


class SentenceTest(unittest.TestCase):

    def test_pipeline(self):
        rule = parse(f"If the bound graphics pipeline state was created with the {_B} dynamic state enabled then "
                     f"vkCmdSetB{_END}drawing command")[0]
        self.assertEqual(rule, DynamicStateRule("None-00000", [_B], "vkCmdSetB", [_B]))

    def test_pipeline_with_stage_and_two_states(self):
        rule = read("a graphics pipeline is bound which was created with both a VK_SHADER_STAGE_X_BIT stage and the "
                    f"{_B} dynamic state enabled")
        self.assertEqual((rule.pipeline, rule.pipeline_stage), ([_B], "VK_SHADER_STAGE_X_BIT"))
        rule = read(f"a graphics pipeline is bound which was created with the {_A} and {_B} dynamic state enabled")
        self.assertEqual(rule.pipeline, [_A, _B])

    def test_pipeline_without_state(self):
        rule = parse(f"If the bound graphics pipeline was created with the {_STRIDE} dynamic state enabled, but "
                     f"without the {_A} dynamic state enabled, then vkCmdBindVertexBuffers2{_END}draw command, and the "
                     "pStrides parameter of vkCmdBindVertexBuffers2 must not be NULL")[0]
        self.assertEqual((rule.needed, rule.pipeline, rule.without), ([_STRIDE], [_STRIDE], _A))

    def test_shader_objects(self):
        self.assertEqual(read(_GRAPHICS + _WITH_B).shaders, "any")
        rule = read("there is a shader object bound to the VK_SHADER_STAGE_VERTEX_BIT stage or the bound graphics "
                    f"pipeline state was created with the {_B} dynamic state enabled")
        self.assertEqual((rule.shaders, rule.pipeline), ("VK_SHADER_STAGE_VERTEX_BIT", [_B]))
        rule = read("a shader object is bound to the VK_SHADER_STAGE_FRAGMENT_BIT stage")
        self.assertEqual((rule.shaders, rule.pipeline), ("VK_SHADER_STAGE_FRAGMENT_BIT", []))

    def test_features(self):
        rule = read("any of the one, two or three features are enabled, and " + _GRAPHICS + _WITH_B)
        self.assertEqual(rule.features, ["one", "two", "three"])
        rule = read("the VK_EXT_b extension is enabled, " + _GRAPHICS + _WITH_B)
        self.assertEqual(rule.extension, "VK_EXT_b")
        self.assertIsNone(read("the other feature is enabled, and " + _GRAPHICS + _WITH_B))

    def test_values(self):
        rule = read(_WITH_B + ", the current value of aEnable is VK_TRUE, and the current value of topology is any "
                    "value other than VK_T_PATCH")
        self.assertEqual(rule.terms, [DynamicStateTerm(_A, "Equals", 1), DynamicStateTerm(_T, "Differs", 7)])
        recent = _WITH_B + ", and the most recent call to {} in the current command buffer set {}"
        rule = read(recent.format("vkCmdSetAEnable", "aEnable to VK_FALSE"))
        self.assertEqual(rule.terms, [DynamicStateTerm(_A, "Equals", 0)])
        rule = read(recent.format("vkCmdSetTopology", "topology to any line topology"))
        self.assertEqual(rule.terms, [DynamicStateTerm(_T, "IsLine", 0)])
        rule = read(recent.format("vkCmdSetCsEXT", "any element of pCs to VK_TRUE"))
        self.assertEqual(rule.terms, [DynamicStateTerm(_C, "Differs", 0)])
        # Not the command that sets the value.
        self.assertIsNone(read(recent.format("vkCmdSetB", "aEnable to VK_FALSE")))

    def test_attachments_and_rectangles(self):
        self.assertTrue(read(_WITH_B + " and there are color attachments bound").with_colors)
        chain = (" and the pNext chain of VkGraphicsPipelineCreateInfo {} a "
                 "VkPipelineDiscardRectangleStateCreateInfoEXT structure")
        self.assertEqual(read(_WITH_B + chain.format("included")).with_discard_rectangles, True)
        self.assertEqual(read(_WITH_B + chain.format("did not include")).with_discard_rectangles, False)

    def test_two_setters(self):
        rule = read(_WITH_B, "at least one of vkCmdSetCsEXT and vkCmdSetB")
        self.assertEqual((rule.needed, rule.setter), ([_C, _B], "vkCmdSetCsEXT"))

    def test_not_understood(self):
        self.assertIsNone(read(_WITH_B + ", and the moon is full"))
        self.assertIsNone(read(_WITH_B, "vkCmdSetMoon"))
        self.assertIsNone(read(_WITH_B, end="drawing command if the moon is full"))
        # Says nothing of who needs the state.
        self.assertIsNone(read("the one feature is enabled"))

    def test_owners(self):
        sentence = f"If {_WITH_B}, then vkCmdSetB{_END}drawing command"
        self.assertEqual(len(parse(sentence, owner="vkCmdDrawIndexed")), 1)
        self.assertEqual(parse(sentence, owner="vkCmdExecuteGeneratedCommandsEXT"), [])

    def test_other_sentence_of_the_same_name(self):
        vuids = [Vuid(f"VUID-{owner}-None-00000", f"If {who}, then vkCmdSetB{_END}drawing command", "")
                 for owner, who in (("vkCmdDraw", _WITH_B), ("vkCmdDrawIndexed", _GRAPHICS + _WITH_B))]
        with self.assertRaises(ValueError):
            draw_rules.parse(vuids, _COMMANDS, _FEATURES, _ENUMS)


if __name__ == "__main__":
    unittest.main()
