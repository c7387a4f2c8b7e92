# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Small registries for tests: the parts that reg.py and base_generator.py require, and the fragment under test."""

import io

from registry import objects
from registry import parse

_PLATFORMS = """
<platforms>
  <platform name="xcb" protect="VK_USE_PLATFORM_XCB_KHR" comment=""/>
  <platform name="win32" protect="VK_USE_PLATFORM_WIN32_KHR" comment=""/>
  <platform name="provisional" protect="VK_ENABLE_BETA_EXTENSIONS" comment=""/>
</platforms>
"""

_TYPES = """
<type requires="vk_platform" name="void"/>
<type requires="vk_platform" name="char"/>
<type requires="vk_platform" name="float"/>
<type requires="vk_platform" name="uint8_t"/>
<type requires="vk_platform" name="uint32_t"/>
<type requires="vk_platform" name="uint64_t"/>
<type requires="vk_platform" name="size_t"/>
<type category="basetype">typedef <type>uint32_t</type> <name>VkBool32</name>;</type>
<type category="basetype">typedef <type>uint32_t</type> <name>VkFlags</name>;</type>
<type category="basetype">typedef <type>uint64_t</type> <name>VkFlags64</name>;</type>
<type category="basetype">typedef <type>uint64_t</type> <name>VkDeviceAddress</name>;</type>
<type name="VkStructureType" category="enum"/>
<type name="VkObjectType" category="enum"/>
<type name="VkResult" category="enum"/>
<type category="handle" objtypeenum="VK_OBJECT_TYPE_INSTANCE">
  <type>VK_DEFINE_HANDLE</type>(<name>VkInstance</name>)</type>
<type category="handle" parent="VkInstance" objtypeenum="VK_OBJECT_TYPE_DEVICE">
  <type>VK_DEFINE_HANDLE</type>(<name>VkDevice</name>)</type>
<type category="handle" parent="VkDevice" objtypeenum="VK_OBJECT_TYPE_BUFFER">
  <type>VK_DEFINE_NON_DISPATCHABLE_HANDLE</type>(<name>VkBuffer</name>)</type>
<type category="handle" parent="VkDevice" objtypeenum="VK_OBJECT_TYPE_COMMAND_BUFFER">
  <type>VK_DEFINE_HANDLE</type>(<name>VkCommandBuffer</name>)</type>
<type requires="VkPipelineStageFlagBits2" category="bitmask">
  typedef <type>VkFlags64</type> <name>VkPipelineStageFlags2</name>;</type>
<type requires="VkAccessFlagBits2" category="bitmask">typedef <type>VkFlags64</type> <name>VkAccessFlags2</name>;</type>
<type category="bitmask">typedef <type>VkFlags</type> <name>VkEmptyFlags</name>;</type>
<type name="VkPipelineStageFlagBits2" category="enum"/>
<type name="VkAccessFlagBits2" category="enum"/>
"""

_ENUMS = """
<enums name="VkResult" type="enum"><enum value="0" name="VK_SUCCESS"/></enums>
<enums name="VkObjectType" type="enum">
  <enum value="0" name="VK_OBJECT_TYPE_UNKNOWN"/><enum value="1" name="VK_OBJECT_TYPE_INSTANCE"/>
  <enum value="3" name="VK_OBJECT_TYPE_DEVICE"/><enum value="9" name="VK_OBJECT_TYPE_BUFFER"/>
  <enum value="6" name="VK_OBJECT_TYPE_COMMAND_BUFFER"/>
</enums>
<enums name="VkStructureType" type="enum">
  <enum value="0" name="VK_STRUCTURE_TYPE_A"/><enum value="1" name="VK_STRUCTURE_TYPE_B"/>
</enums>
"""

_STAGES = """
<enums name="VkPipelineStageFlagBits2" type="bitmask" bitwidth="64">
  <enum value="0" name="VK_PIPELINE_STAGE_2_NONE"/>
</enums>
<enums name="VkAccessFlagBits2" type="bitmask" bitwidth="64"><enum value="0" name="VK_ACCESS_2_NONE"/></enums>
"""

_CORE = """
VkStructureType VkObjectType VkResult VkInstance VkDevice VkBuffer VkCommandBuffer VkPipelineStageFlags2 VkAccessFlags2
VkPipelineStageFlagBits2 VkAccessFlagBits2 VkEmptyFlags VkDeviceAddress
"""


def xml(types="", enums="", commands="", require="", features="", extensions="", rest="", stages=_STAGES):
    """The text of a registry; require is what VK_VERSION_1_0 lists besides the basics."""
    basics = "".join(f'<type name="{name}"/>' for name in _CORE.split())
    return f"""<registry>{_PLATFORMS}<types>{_TYPES}{types}</types>{_ENUMS}{stages}{enums}
<commands>{commands}</commands>
<feature api="vulkan" name="VK_VERSION_1_0" number="1.0"><require>{basics}{require}</require></feature>{features}
<extensions>{extensions}</extensions>{rest}</registry>"""


def load(**fragments):
    return objects.load(io.StringIO(xml(**fragments)))


def parse_xml(**fragments):
    """The model of a registry."""
    return parse.parse(io.StringIO(xml(**fragments)))


def extension(name, number, contents, attributes='supported="vulkan" type="device"'):
    macro = name.upper()
    return f"""<extension name="{name}" number="{number}" author="EXT" {attributes}><require>
<enum value="1" name="{macro}_SPEC_VERSION"/><enum value="&quot;{name}&quot;" name="{macro}_EXTENSION_NAME"/>
{contents}</require></extension>"""


def struct(parsed, name):
    return next(s for s in parsed.structs if s.name == name)


def command(parsed, name):
    return next(c for c in parsed.commands if c.name == name)
