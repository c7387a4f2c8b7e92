# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Sentences of the specification that say something else than it means, each with the reason. Sentences not to read.

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

_COMBINER_OPS = tuple(
    f"If the {limit}NonTrivialCombinerOps limit is not supported, elements of combinerOps must be either "
    "VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR or VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR"
    for limit in ("fragmentSize", "fragmentShadingRate"))


def _dependency(subpass):
    return (
        f"The {subpass} member of each element of pDependencies must be less than subpassCount",
        f"For any element of pDependencies, if its {subpass} is not VK_SUBPASS_EXTERNAL, it must be less than "
        "subpassCount",
        # Other sentences of VkSubpassDependency2 are about VK_SUBPASS_EXTERNAL.
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
    "VUID-VkRenderPassCreateInfo2-srcSubpass-02526": _dependency("srcSubpass"),
    "VUID-VkRenderPassCreateInfo2-dstSubpass-02527": _dependency("dstSubpass"),
    "VUID-vkCmdSetFragmentShadingRateKHR-fragmentSizeNonTrivialCombinerOps-04512": _COMBINER_OPS,
    "VUID-vkCmdSetFragmentShadingRateEnumNV-fragmentSizeNonTrivialCombinerOps-04583": _COMBINER_OPS,
}


def corrected(vuid):
    """The sentence of a Vuid from which its rule is read."""
    if vuid.id not in CORRECTIONS:
        return vuid.text
    sentence, correction = CORRECTIONS[vuid.id]
    if vuid.text.rstrip(".") != sentence:
        raise ValueError(f"{vuid.id} has changed: {vuid.text}")
    return correction

# Rules whose sentences could be read. Checks that are written by hand know more, or say more; or an implicit rule says
# it.
_BY_HAND = {
    f"{line.split()[0]} {number}"
    for line in """
VkBindDescriptorSetsInfo 06563
VkAccelerationStructureGeometryLinearSweptSpheresDataNV 10422
VkAccelerationStructureGeometrySpheresDataNV 10432
VkAllocationCallbacks 00632 00633 00634
VkBufferCreateInfo 00913 02604 03337 09499
VkBufferViewCreateInfo 06782
VkColorBlendEquationEXT 07361
VkCommandBufferInheritanceInfo 00057 02789
VkCommandBufferInheritanceRenderingInfo 06004 06005
VkComputePipelineCreateInfo 06566 09497
VkDedicatedAllocationImageCreateInfoNV 00994
VkDescriptorBufferBindingInfoEXT 09499
VkDecompressMemoryRegionNV 07690
VkDescriptorSetLayoutBindingFlagsCreateInfo 03002 03003 03012 03013 03014
VkDescriptorSetLayoutCreateInfo 04595
VkDescriptorSetVariableDescriptorCountAllocateInfo 03045
VkDescriptorUpdateTemplateCreateInfo 00351
VkDeviceImageMemoryRequirements 06416 06776
VkDeviceImageSubresourceInfo 00997 01716 01717
VkFramebufferCreateInfo 02778
VkGraphicsPipelineCreateInfo 00764 06594 06640 06644 09497
VkHostImageLayoutTransitionInfo 08702 08703
VkImageCreateInfo 00941 00956 02052 02053 04738 06783
VkImageDrmFormatModifierExplicitCreateInfoEXT 02267
VkImageFormatListCreateInfo 09540
VkImageViewCreateInfo 06787
VkImageViewSampleWeightCreateInfoQCOM 06958 06959
VkMemoryAllocateInfo 03329 03330 03331 03332 06780
VkMemoryMapInfo 09573 09574
VkMemoryMapPlacedInfoEXT 09576
VkMutableDescriptorTypeListEXT 04600 04601 04602 04603
VkImageViewCreateInfo 06957
VkPhysicalDeviceExternalBufferInfo 09499
VkPipelineColorBlendAttachmentState 01409
VkPipelineColorBlendStateCreateInfo 00607
VkPipelineColorWriteCreateInfoEXT 04801 06655
VkPipelineRasterizationStateStreamCreateInfoEXT 02326
VkPipelineShaderStageCreateInfo 02784 02785
VkRayTracingPipelineCreateInfoKHR 03590 06652 09497
VkRayTracingPipelineCreateInfoNV 06651 09497
VkRayTracingShaderGroupCreateInfoKHR 03475
VkRenderPassCreateInfo 01929
VkRenderingAttachmentLocationInfo 09515
VkRenderingFragmentShadingRateAttachmentInfoKHR 06149 06150 06151 06152 06153 06154
VkRenderingInfo 06093 06095 06098 06099 07733 07735 08994 08995 09318 09319 09320
VkSamplerCreateInfo 01075 01080 01423 02577 04011 06964 06967
VkSamplerYcbcrConversionCreateInfo 09207 09208
VkSpecializationInfo 00773
VkSubpassDescription 00853
VkSubpassDescription2 03073
VkSwapchainPresentFenceInfoEXT 07757
VkSwapchainPresentModeInfoEXT 07760
VkWriteDescriptorSet 00324 02995
vkBuildAccelerationStructuresKHR 03771 03772 03774 03778 04628 04630
vkBuildMicromapsEXT 07462
vkCmdBindDescriptorSets 06563
vkCmdBindShadersEXT 08464 08465 08467 08468
vkCmdBindTransformFeedbackBuffersEXT 02359
vkCmdBindVertexBuffers 04001
vkCmdBindVertexBuffers2 04111
vkCmdBuildAccelerationStructuresIndirectKHR 03648 03710 03714 03715 03716 03787 03810 04628 04630
vkCmdBuildAccelerationStructuresKHR 03710 03714 03715 03716 03810 04628 04630
vkCmdBuildMicromapsEXT 07462 07514
vkCmdClearAttachments 01934
vkCmdClearColorImage 04961
vkCmdCopyAccelerationStructureToMemoryKHR 03740
vkCmdCopyMemoryIndirectNV 07654
vkCmdCopyMemoryToAccelerationStructureKHR 03743
vkCmdCopyMemoryToMicromapEXT 07544
vkCmdCopyMicromapToMemoryEXT 07537
vkCmdPushDescriptorSetWithTemplate 01686
vkCmdTraceRaysIndirectKHR 03682 03685 03686 03689 03690 03693 03694 04023 04029 04035 04041
vkCmdTraceRaysKHR 03682 03685 03686 03689 03690 03693 03694 04023 04029 04035 04041
vkCmdWaitEvents2 10205
vkCreateRayTracingPipelinesKHR 03587
vkFreeCommandBuffers 00048
vkFreeDescriptorSets 00310
vkGetImageSubresourceLayout 00997
vkGetImageSubresourceLayout2 00997
vkGetPipelinePropertiesEXT 06739
vkMapMemory 09568
""".strip().splitlines() for number in line.split()[1:]
}


def is_by_hand(vuid_id):
    """Whether a check that is written by hand has the id."""
    parts = vuid_id.split("-")
    return f"{parts[1]} {parts[-1]}" in _BY_HAND
