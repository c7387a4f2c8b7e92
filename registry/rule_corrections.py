# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Sentences of the specification that say something else than it means, each with the reason.

A rule is read from the correction. A sentence that changes with the registry makes the build fail: look whether it
still needs its correction.
"""

_MULTI_DRAW = (
    "drawCount must be less than VkPhysicalDeviceMultiDrawPropertiesEXT::maxMultiDrawCount",
    "drawCount must be less than or equal to VkPhysicalDeviceMultiDrawPropertiesEXT::maxMultiDrawCount",
    # The limit is defined as "the maximum number of draw calls which can be batched into a single multidraw".
)
_MOTION = (
    "If VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV is set in createFlags and type is "
    "VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, one member of the pNext chain must be a pointer to a valid instance "
    "of VkAccelerationStructureMotionInfoNV",
    "If createFlags includes VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV and type is "
    "VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, the pNext chain must include a VkAccelerationStructureMotionInfoNV",
    # In other words than those of all such rules.
)

# {id: (the sentence, its correction)}.
CORRECTIONS = {
    "VUID-VkComputePipelineCreateInfo-stage-00701": (
        "The stage member of stage must be VK_SHADER_STAGE_COMPUTE_BIT",
        "The stage member of stage must be VK_SHADER_STAGE_COMPUTE_BIT, or VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI",
        # Subpass shading pipelines are created in this way: see the example of VK_HUAWEI_subpass_shading.
    ),
    "VUID-VkAccelerationStructureCreateInfoKHR-createFlags-04954": _MOTION,
    "VUID-vkCmdDrawMultiEXT-drawCount-04934": _MULTI_DRAW,
    "VUID-vkCmdDrawMultiIndexedEXT-drawCount-04939": _MULTI_DRAW,
}


def corrected(vuid):
    """The sentence of a Vuid from which its rule is read."""
    if vuid.id not in CORRECTIONS:
        return vuid.text
    sentence, correction = CORRECTIONS[vuid.id]
    if vuid.text.rstrip(".") != sentence:
        raise ValueError(f"{vuid.id} has changed: {vuid.text}")
    return correction
