// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which pipelines and shader objects may be bound, and where.

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
constexpr auto kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;
constexpr auto kRayTracing = VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
constexpr auto kSubpassShading = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI;

class NegativeBinding : public DrawTest {
 protected:
  // Family 1 has only graphics, family 2 only compute.
  void StartWith(bool has_shader_objects) {
    driver().config().queue_families[1].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    driver().config().queue_families[2].queueFlags = VK_QUEUE_COMPUTE_BIT;
    Start({.has_shader_objects = has_shader_objects, .extensions = {"VK_HUAWEI_subpass_shading"}});
  }
  VkCommandBuffer Recording(uint32_t family = 0, VkCommandPoolCreateFlags pool_flags = 0) {
    const VkCommandBuffer commands = MakeCommandBuffer(family, VK_COMMAND_BUFFER_LEVEL_PRIMARY, pool_flags);
    Begin(commands);
    ExpectNothing();
    return commands;
  }
  VkPipeline PipelineOf(VkPipelineBindPoint point) {
    if (point == kGraphics) return MakePipeline({});
    return point == kCompute ? MakeCompute() : MakeRayTracing();
  }
  // Binds, and expects the rule; nothing for an empty one.
  void BindTo(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline, std::string_view rule = "") {
    SCOPED_TRACE(rule);
    ExpectNothing();
    Bind(commands, pipeline, point);
    ExpectAlone("vkCmdBindPipeline", rule);
  }
  // The same of vkCmdBindShadersEXT.
  void BindStages(VkCommandBuffer commands, const std::vector<VkShaderStageFlagBits>& stages, std::string_view rule,
                  const std::vector<VkShaderEXT>& shaders = {}) {
    SCOPED_TRACE(rule);
    ExpectNothing();
    vk.CmdBindShadersEXT(commands, static_cast<uint32_t>(stages.size()), stages.data(),
                         shaders.empty() ? nullptr : shaders.data());
    ExpectAlone("vkCmdBindShadersEXT", rule);
  }
};

TEST_F(NegativeBinding, PipelineOfAnotherKind) {
  StartWith(false);
  const VkCommandBuffer commands = Recording();
  for (const auto point : {kGraphics, kCompute, kRayTracing}) BindTo(commands, point, PipelineOf(point));
  BindTo(commands, kGraphics, PipelineOf(kCompute), "pipelineBindPoint-00780");
  BindTo(commands, kCompute, PipelineOf(kRayTracing), "pipelineBindPoint-00779");
  BindTo(commands, kRayTracing, PipelineOf(kGraphics), "pipelineBindPoint-02392");
  BindTo(commands, kSubpassShading, PipelineOf(kCompute), "pipelineBindPoint-04950");
  End(commands);
}

TEST_F(NegativeBinding, QueueFamilyForAnotherBindPoint) {
  StartWith(false);
  const VkPipeline graphics = PipelineOf(kGraphics), compute = PipelineOf(kCompute), rays = PipelineOf(kRayTracing);
  const VkCommandBuffer with_graphics = Recording(1), with_compute = Recording(2);
  BindTo(with_graphics, kGraphics, graphics);
  BindTo(with_compute, kCompute, compute);
  BindTo(with_compute, kRayTracing, rays);
  BindTo(with_graphics, kCompute, compute, "pipelineBindPoint-00777");
  BindTo(with_compute, kGraphics, graphics, "pipelineBindPoint-00778");
  BindTo(with_graphics, kRayTracing, rays, "pipelineBindPoint-02391");
  // The pipeline is not one for subpass shading, either.
  Bind(with_graphics, compute, kSubpassShading);
  ExpectMessages({"VUID-vkCmdBindPipeline-pipelineBindPoint-04949", "VUID-vkCmdBindPipeline-pipelineBindPoint-04950"});
  ExpectNothing();
}

TEST_F(NegativeBinding, LibraryAsPipeline) {
  StartWith(false);
  BindTo(Recording(), kCompute, MakeCompute(VK_PIPELINE_CREATE_LIBRARY_BIT_KHR), "pipeline-03382");
}

TEST_F(NegativeBinding, ProtectedCommandBuffers) {
  Start({.extensions = {"VK_EXT_pipeline_protected_access"}});
  const VkPipeline without = MakePipeline({.flags = VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT});
  const VkPipeline only = MakePipeline({.flags = VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT});
  const VkCommandBuffer is_protected = Recording(0, VK_COMMAND_POOL_CREATE_PROTECTED_BIT), is_not = Recording();
  BindTo(is_protected, kGraphics, only);
  BindTo(is_protected, kCompute, MakeCompute());
  BindTo(is_not, kGraphics, without);
  BindTo(is_not, kRayTracing, MakeRayTracing());
  BindTo(is_protected, kGraphics, without, "pipelineProtectedAccess-07408");
  BindTo(is_not, kGraphics, only, "pipelineProtectedAccess-07409");
  BindTo(is_protected, kRayTracing, MakeRayTracing(), "pipelineBindPoint-06721");
}

TEST_F(NegativeBinding, PipelineWithinTransformFeedback) {
  StartWith(false);
  const VkCommandBuffer commands = Recording();
  const VkPipeline pipeline = PipelineOf(kGraphics);
  BeginRendering(commands);
  BindTo(commands, kGraphics, pipeline);
  vk.CmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
  BindTo(commands, kGraphics, pipeline, "None-02323");
  vk.CmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
  BindTo(commands, kGraphics, pipeline);
}

TEST_F(NegativeBinding, StagesOfShaderObjects) {
  StartWith(true);
  const VkCommandBuffer commands = Recording();
  BindStages(commands, {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT}, "");
  BindStages(commands, {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_VERTEX_BIT}, "pStages-08463");
  BindStages(commands, {VK_SHADER_STAGE_ALL_GRAPHICS}, "pStages-parameter");
  BindStages(commands, {VK_SHADER_STAGE_RAYGEN_BIT_KHR}, "pStages-08465");
  BindStages(commands, {VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI}, "pStages-08467");
  BindStages(commands, {VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI}, "pStages-08468");
  const VkShaderEXT vertex = ShaderObject(VK_SHADER_STAGE_VERTEX_BIT);
  const VkShaderEXT mesh = ShaderObject(VK_SHADER_STAGE_MESH_BIT_EXT);
  const VkShaderEXT task = ShaderObject(VK_SHADER_STAGE_TASK_BIT_EXT);
  BindStages(commands, {VK_SHADER_STAGE_FRAGMENT_BIT}, "pShaders-08469", {vertex});
  const std::vector<VkShaderStageFlagBits> both = {VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_VERTEX_BIT};
  BindStages(commands, both, "", {mesh, VK_NULL_HANDLE});
  BindStages(commands, both, "", {VK_NULL_HANDLE, vertex});
  BindStages(commands, both, "pShaders-08471", {mesh, vertex});
  BindStages(commands, {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TASK_BIT_EXT}, "pShaders-08470", {vertex, task});
}

TEST_F(NegativeBinding, QueueFamilyForOtherStages) {
  StartWith(true);
  const VkCommandBuffer with_graphics = Recording(1), with_compute = Recording(2);
  BindStages(with_graphics, {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_MESH_BIT_EXT}, "");
  BindStages(with_compute, {VK_SHADER_STAGE_COMPUTE_BIT}, "");
  BindStages(with_graphics, {VK_SHADER_STAGE_COMPUTE_BIT}, "pShaders-08476");
  BindStages(with_compute, {VK_SHADER_STAGE_GEOMETRY_BIT}, "pShaders-08477");
  BindStages(with_compute, {VK_SHADER_STAGE_MESH_BIT_EXT}, "pShaders-08478");
}

TEST_F(NegativeBinding, Views) {
  Start({.has_rate_images = true, .extensions = {"VK_HUAWEI_invocation_mask"}});
  const auto make = [&](VkFormat format, VkImageViewType type) {
    const bool is_line = type == VK_IMAGE_VIEW_TYPE_1D;
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_SHADING_RATE_IMAGE_BIT_NV;
    VkImageCreateInfo image =
        test::ImageInfo(format, 8, is_line ? usage : usage | VK_IMAGE_USAGE_INVOCATION_MASK_BIT_HUAWEI);
    image.imageType = is_line ? VK_IMAGE_TYPE_1D : VK_IMAGE_TYPE_2D;
    image.extent.height = is_line ? 1 : 8;
    return MakeView(MakeImage(image), format, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}, type);
  };
  const VkImageView right = make(VK_FORMAT_R8_UINT, VK_IMAGE_VIEW_TYPE_2D),
                    layers = make(VK_FORMAT_R8_UINT, VK_IMAGE_VIEW_TYPE_2D_ARRAY),
                    other = make(VK_FORMAT_R8_UNORM, VK_IMAGE_VIEW_TYPE_2D),
                    line = make(VK_FORMAT_R8_UINT, VK_IMAGE_VIEW_TYPE_1D);
  messages.Take();
  const VkCommandBuffer commands = Recording();
  const auto bind_rates = [&](std::string_view rule, VkImageView view) {
    vk.CmdBindShadingRateImageNV(commands, view, VK_IMAGE_LAYOUT_GENERAL);
    ExpectAlone("vkCmdBindShadingRateImageNV", rule);
  };
  const auto bind_mask = [&](std::string_view rule, VkImageView view) {
    vk.CmdBindInvocationMaskHUAWEI(commands, view, VK_IMAGE_LAYOUT_GENERAL);
    ExpectAlone("vkCmdBindInvocationMaskHUAWEI", rule);
  };
  for (const VkImageView view : {right, layers, VkImageView{}}) bind_rates("", view);
  for (const VkImageView view : {right, VkImageView{}}) bind_mask("", view);
  bind_rates("imageView-02059", line);
  bind_rates("imageView-02060", other);
  bind_mask("imageView-04977", layers);
  bind_mask("imageView-04978", other);
}

}  // namespace
}  // namespace assay::core
