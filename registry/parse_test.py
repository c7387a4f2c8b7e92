# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import testing_registry as testing


def command_xml(name, parameters="", attributes="", result="void"):
    return (f"<command {attributes}><proto><type>{result}</type> <name>{name}</name></proto>"
            f"<param><type>VkDevice</type> <name>device</name></param>{parameters}</command>")


class CommandTest(unittest.TestCase):
    def test_attributes(self):
        parsed = testing.parse_xml(
            commands='<command queues="graphics,compute" renderpass="outside" videocoding="both" '
            'cmdbufferlevel="primary" tasks="action,synchronization">'
            "<proto><type>void</type> <name>vkCmdA</name></proto>"
            '<param externsync="true"><type>VkCommandBuffer</type> <name>commandBuffer</name></param>'
            "<param><type>VkBuffer</type> <name>buffer</name></param></command>",
            require='<command name="vkCmdA"/>')
        c = testing.command(parsed, "vkCmdA")
        self.assertEqual((c.dispatch, c.render_pass, c.video_coding), ("CommandBuffer", "Outside", "Both"))
        self.assertEqual(c.tasks, ["Action", "Synchronization"])
        self.assertEqual(c.queues, ["VK_QUEUE_GRAPHICS_BIT", "VK_QUEUE_COMPUTE_BIT"])
        self.assertEqual((c.primary, c.secondary), (True, False))
        self.assertEqual(c.provision.core, (1, 0))
        self.assertTrue(c.reaches_handle and c.direct_handles_only)

    def test_alias(self):
        parsed = testing.parse_xml(
            commands=command_xml("vkA") + '<command name="vkAEXT" alias="vkA"/>', require='<command name="vkA"/>',
            extensions=testing.extension("VK_EXT_a", 2, '<command name="vkAEXT"/>'))
        self.assertEqual([c.name for c in parsed.commands], ["vkA"])
        self.assertEqual([(a.name, a.command, a.extensions) for a in parsed.aliases], [("vkAEXT", "vkA", ["VK_EXT_a"])])
        self.assertEqual(testing.command(parsed, "vkA").provision.extensions, [])

    def test_platforms(self):
        parsed = testing.parse_xml(commands=command_xml("vkIn") + command_xml("vkElsewhere") + command_xml("vkOut") +
                                   command_xml("vkDisabled"),
                                   extensions=testing.extension("VK_EXT_in", 2, '<command name="vkIn"/>',
                                                                'supported="vulkan" type="device" platform="xcb"') +
                                   testing.extension("VK_EXT_elsewhere", 5, '<command name="vkElsewhere"/>',
                                                     'supported="vulkan" type="device" platform="win32"') +
                                   testing.extension("VK_EXT_out", 3, '<command name="vkOut"/>',
                                                     'supported="vulkansc" type="device" platform="win32"') +
                                   testing.extension("VK_EXT_disabled", 4, '<command name="vkDisabled"/>',
                                                     'supported="disabled" type="device"'))
        self.assertEqual([c.name for c in parsed.commands], ["vkElsewhere", "vkIn"])
        self.assertEqual([e.name for e in parsed.extensions], ["VK_EXT_elsewhere", "VK_EXT_in"])

    def test_lifetime(self):
        output = "<param><type>VkBuffer</type>* <name>pBuffer</name></param>"
        names = {
            "vkCreateA": output,
            "vkAllocateA": output,
            "vkRegisterA": output,
            "vkCreateNothing": "",
            "vkGetA": output,
            "vkGetNothing": "",
            "vkDestroyA": "<param><type>VkBuffer</type> <name>buffer</name></param>",
        }
        parsed = testing.parse_xml(commands="".join(command_xml(n, p) for n, p in names.items()),
                                   require="".join(f'<command name="{n}"/>' for n in names))
        self.assertEqual({c.name: c.lifetime for c in parsed.commands}, {
            "vkCreateA": "Create",
            "vkAllocateA": "Create",
            "vkRegisterA": "Create",
            "vkCreateNothing": "None",
            "vkGetA": "Retrieve",
            "vkGetNothing": "None",
            "vkDestroyA": "Destroy"
        })

    def test_extern_sync_behind_a_parameter(self):
        parsed = testing.parse_xml(
            commands=command_xml("vkA", '<param externsync="buffer->a,buffer->b"><type>VkBuffer</type> '
                                        '<name>buffer</name></param>'),
            require='<command name="vkA"/>')
        c = testing.command(parsed, "vkA")
        self.assertEqual(c.extern_sync_members, ["buffer->a", "buffer->b"])
        self.assertEqual(c.params[1].flags, [])


class EnumTest(unittest.TestCase):
    def test_core_value(self):
        value = self.values(testing.parse_xml(), "VkResult")["VK_SUCCESS"]
        self.assertEqual((value.value, value.provision.core, value.provision.extensions), (0, (1, 0), []))

    def test_extension_value(self):
        parsed = testing.parse_xml(extensions=testing.extension(
            "VK_EXT_a", 3, '<enum offset="1" extends="VkResult" dir="-" name="VK_ERROR_A_EXT"/>'))
        value = self.values(parsed, "VkResult")["VK_ERROR_A_EXT"]
        self.assertEqual((value.value, value.provision.core, value.provision.extensions),
                         (-1000002001, None, ["VK_EXT_a"]))

    def test_promoted_value_keeps_one_name(self):
        parsed = testing.parse_xml(
            features='<feature api="vulkan" name="VK_VERSION_1_1" number="1.1"><require>'
            '<enum offset="0" extnumber="3" extends="VkResult" name="VK_A"/></require></feature>',
            extensions=testing.extension("VK_EXT_a", 3, '<enum extends="VkResult" name="VK_A_EXT" alias="VK_A"/>'))
        values = self.values(parsed, "VkResult")
        self.assertNotIn("VK_A_EXT", values)
        self.assertEqual((values["VK_A"].value, values["VK_A"].provision.core, values["VK_A"].provision.extensions),
                         (1000002000, (1, 1), ["VK_EXT_a"]))

    def test_promoted_extension_adds_value_with_another_extension(self):
        parsed = testing.parse_xml(
            extensions=testing.extension(
                "VK_EXT_a", 3, "", 'supported="vulkan" type="device" promotedto="VK_VERSION_1_3"').replace(
                    "</extension>", '<require depends="VK_EXT_b">'
                    '<enum bitpos="24" extends="VkAccessFlagBits2" name="VK_ACCESS_2_B_BIT"/></require></extension>') +
            testing.extension("VK_EXT_b", 4, ""))
        value = self.values(parsed, "VkAccessFlagBits2")["VK_ACCESS_2_B_BIT"]
        self.assertEqual((value.provision.core, value.provision.extensions), (None, ["VK_EXT_a", "VK_EXT_b"]))

    def test_bitmask(self):
        enum = next(e for e in testing.parse_xml().enums if e.name == "VkAccessFlagBits2")
        self.assertEqual((enum.flags_name, enum.bit_width), ("VkAccessFlags2", 64))

    @staticmethod
    def values(parsed, name):
        return {v.name: v for v in next(e for e in parsed.enums if e.name == name).values}


class StructTest(unittest.TestCase):
    NEXT = '<member optional="true">const <type>void</type>* <name>pNext</name></member>'

    def test_chain_reaches_handle(self):
        parsed = testing.parse_xml(
            types='<type category="struct" name="VkA">'
            '<member values="VK_STRUCTURE_TYPE_A"><type>VkStructureType</type> <name>sType</name></member>'
            f"{self.NEXT}</type>"
            '<type category="struct" name="VkB" structextends="VkA">'
            '<member values="VK_STRUCTURE_TYPE_B"><type>VkStructureType</type> <name>sType</name></member>'
            f"{self.NEXT}<member><type>VkBuffer</type> <name>buffer</name></member></type>",
            commands=command_xml("vkA", "<param>const <type>VkA</type>* <name>pInfo</name></param>"),
            require='<type name="VkA"/><type name="VkB"/><command name="vkA"/>')
        a = testing.struct(parsed, "VkA")
        self.assertEqual((a.structure_type, a.extended_by, a.reaches_handle, a.reaches_handle_directly),
                         ("VK_STRUCTURE_TYPE_A", ["VkB"], True, False))
        self.assertTrue(testing.struct(parsed, "VkB").reaches_handle_directly)
        c = testing.command(parsed, "vkA")
        self.assertEqual((c.reaches_handle, c.direct_handles_only), (True, False))

    def test_typed_handle_parameter_needs_a_walk(self):
        parsed = testing.parse_xml(
            commands=command_xml("vkA", "<param><type>VkObjectType</type> <name>type</name></param>"
                                 '<param objecttype="type"><type>uint64_t</type> <name>object</name></param>'),
            require='<command name="vkA"/>')
        c = testing.command(parsed, "vkA")
        self.assertEqual((c.reaches_handle, c.direct_handles_only), (True, False))

    def test_dispatchable_handles_do_not_count(self):
        parsed = testing.parse_xml(
            types='<type category="struct" name="VkA"><member><type>VkDevice</type> '
                  '<name>device</name></member></type>',
            require='<type name="VkA"/>')
        self.assertFalse(testing.struct(parsed, "VkA").reaches_handle)

    def test_alias_adds_an_extension(self):
        parsed = testing.parse_xml(
            types='<type category="struct" name="VkA"><member><type>uint32_t</type> <name>a</name></member></type>'
            '<type category="struct" name="VkAEXT" alias="VkA"/>',
            require='<type name="VkA"/>', extensions=testing.extension("VK_EXT_a", 2, '<type name="VkAEXT"/>'))
        self.assertEqual([s.name for s in parsed.structs], ["VkA"])
        self.assertEqual(parsed.structs[0].provision.extensions, ["VK_EXT_a"])


class ExtensionTest(unittest.TestCase):
    def test_promotion_is_resolved(self):
        attributes = 'supported="vulkan" type="device" depends="VK_VERSION_1_1+VK_KHR_x" promotedto="{}"'
        parsed = testing.parse_xml(
            extensions=testing.extension("VK_EXT_a", 2, "", attributes.format("VK_EXT_b")) +
            testing.extension("VK_EXT_b", 3, "", attributes.format("VK_VERSION_1_2")))
        a = parsed.extensions[0]
        self.assertEqual((a.promoted_to, a.promoted_to_version, a.depends),
                         ("VK_EXT_b", (1, 2), "VK_VERSION_1_1+VK_KHR_x"))


if __name__ == "__main__":
    unittest.main()
