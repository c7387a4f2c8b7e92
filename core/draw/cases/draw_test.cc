// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/draw_test.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "core/draw/cases/shader_texts.h"
#include "testing/shaders.h"
#include "vk/command_info.h"

namespace assay::core {
namespace {

constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;

}  // namespace

VkShaderStageFlags FlagsOf(Stages stages) {
  if (stages == Stages::kVertex) return VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  if (stages == Stages::kAllVertex) return VK_SHADER_STAGE_ALL_GRAPHICS;
  if (stages == Stages::kTask) return VK_SHADER_STAGE_TASK_BIT_EXT | FlagsOf(Stages::kMesh);
  return VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_FRAGMENT_BIT;
}

void DrawTest::Start(const StartOptions& options) {
  Destroy();
  options_ = options;
  modules_.clear();
  shaders_.clear();
  std::vector<const char*> extensions = options.extensions;
  const auto add = [&](std::initializer_list<const char*> more) { extensions.insert(extensions.end(), more); };
  // Of dynamic states.
  add({"VK_EXT_extended_dynamic_state2", "VK_EXT_extended_dynamic_state3", "VK_EXT_vertex_input_dynamic_state",
       "VK_EXT_color_write_enable", "VK_EXT_discard_rectangles", "VK_EXT_sample_locations",
       "VK_EXT_conservative_rasterization", "VK_EXT_depth_clip_enable", "VK_EXT_depth_clip_control",
       "VK_EXT_depth_clamp_control", "VK_EXT_provoking_vertex", "VK_EXT_blend_operation_advanced",
       "VK_EXT_attachment_feedback_loop_layout", "VK_EXT_attachment_feedback_loop_dynamic_state",
       "VK_NV_clip_space_w_scaling", "VK_NV_viewport_swizzle", "VK_NV_fragment_coverage_to_color",
       "VK_NV_representative_fragment_test", "VK_NV_scissor_exclusive"});
  // Of commands, pipelines and rendering.
  add({"VK_EXT_transform_feedback", "VK_EXT_multi_draw", "VK_KHR_acceleration_structure",
       "VK_KHR_deferred_host_operations", "VK_KHR_ray_tracing_pipeline", "VK_KHR_ray_tracing_maintenance1",
       "VK_NV_ray_tracing", "VK_EXT_device_generated_commands", "VK_NV_device_generated_commands",
       "VK_HUAWEI_subpass_shading", "VK_KHR_pipeline_library", "VK_AMDX_shader_enqueue", "VK_EXT_legacy_dithering",
       "VK_KHR_maintenance7"});
  if (options.has_meshes) add({"VK_EXT_mesh_shader", "VK_NV_mesh_shader", "VK_HUAWEI_cluster_culling_shader"});
  if (options.has_mixed_samples) add({"VK_NV_framebuffer_mixed_samples", "VK_NV_coverage_reduction_mode"});
  add({options.has_density_maps  ? "VK_EXT_fragment_density_map"
       : options.has_rate_images ? "VK_NV_shading_rate_image"
                                 : "VK_KHR_fragment_shading_rate"});
  if (options.has_shader_objects) add({"VK_EXT_shader_object"});
  if (options.has_unused_attachments) add({"VK_EXT_dynamic_rendering_unused_attachments"});
  driver().config().disabled_features = options.without;
  std::set<std::string> without = options.without;
  if (options.has_rate_images || options.has_density_maps) without.insert("primitiveFragmentShadingRateMeshShader");
  Create({.device_extensions = extensions,
          .settings = {{"validate_sync", options.validates_sync}, {"strict", options.is_strict}},
          .features = features_.Enable(extensions, without)});
  parameters_ = MakeBuffer(4096, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                     VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                     VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX |
                                     VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT);
  address_ = AddressOf(parameters_);
  layout_ = MakePipelineLayout({});
  color_ = MakeAttachment(VK_FORMAT_R8G8B8A8_UNORM);
  depth_ = MakeAttachment(kDepthFormat, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_TILING_OPTIMAL,
                          VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT);
  if (options.has_density_maps) {
    density_map_ = MakeView(MakeImage(VK_FORMAT_R8G8_UNORM, 8, 8, VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT));
  } else if (!options.has_rate_images) {
    shading_rate_ =
        MakeView(MakeImage(VK_FORMAT_R8_UINT, 64, 64, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR));
  }
  shading_pass_ = MakeEmptyPass(VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
  MakeSequences();
  ExpectNothing();
}

void DrawTest::StartWithOnly(const std::vector<const char*>& extensions) {
  Destroy();
  driver().config().disabled_extensions.clear();
  Create({.device_extensions = extensions, .features = features_.Enable(extensions, {})});
}

VkImageView DrawTest::MakeAttachment(VkFormat format, VkSampleCountFlagBits samples, VkImageTiling tiling,
                                     VkImageCreateFlags flags) {
  constexpr VkImageUsageFlags kDepthUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  constexpr VkImageUsageFlags kColorUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VkImageCreateInfo info = test::ImageInfo(format, 64, format == kDepthFormat ? kDepthUsage : kColorUsage);
  info.flags = flags;
  info.samples = samples;
  info.tiling = tiling;
  return MakeView(MakeImage(info));
}

VkIndirectCommandsLayoutEXT DrawTest::MakeSequenceOf(const std::vector<VkIndirectCommandsLayoutTokenEXT>& tokens,
                                                     VkShaderStageFlags stages,
                                                     VkIndirectCommandsLayoutUsageFlagsEXT flags,
                                                     VkPipelineLayout layout) {
  const auto info = Of<VkIndirectCommandsLayoutCreateInfoEXT>(flags, stages, 128, layout, tokens.size(), tokens.data());
  return MakeFrom(info, vk.CreateIndirectCommandsLayoutEXT, vk.DestroyIndirectCommandsLayoutEXT);
}

VkIndirectCommandsLayoutNV DrawTest::MakeSequenceNv(std::vector<VkIndirectCommandsLayoutTokenNV> tokens) {
  for (VkIndirectCommandsLayoutTokenNV& token : tokens)
    token.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV;
  const uint32_t stride = 128;
  const auto info = Of<VkIndirectCommandsLayoutCreateInfoNV>(0, VK_PIPELINE_BIND_POINT_GRAPHICS, tokens.size(),
                                                             tokens.data(), 1, &stride);
  return MakeFrom(info, vk.CreateIndirectCommandsLayoutNV, vk.DestroyIndirectCommandsLayoutNV);
}

void DrawTest::MakeSequences() {
  constexpr VkIndirectCommandsTokenTypeEXT kTokens[] = {
      VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT,
      VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
      VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT};
  constexpr VkIndirectCommandsTokenTypeNV kTokensNv[] = {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV,
                                                         VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_NV,
                                                         VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV};
  numbers.generated = MakeCompute();
  for (size_t i = 0; i < std::size(kTokens); ++i) {
    if (!options_.has_meshes && kGeneratedLike[i] == "vkCmdDrawMeshTasksEXT") continue;
    numbers.sequences[i] = MakeSequenceOf(
        {{.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, .type = kTokens[i]}}, kGeneratedStages[i]);
    if (i < std::size(kTokensNv)) numbers.sequences_nv[i] = MakeSequenceNv({{.tokenType = kTokensNv[i]}});
  }
}

bool DrawTest::HasState(VkDynamicState state) const {
  switch (state) {
    case VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV:
    case VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV:
    case VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV:
      return options_.has_rate_images;
    case VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR:
      return !options_.has_rate_images && !options_.has_density_maps;
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV:
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV:
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV:
    case VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV:
      return options_.has_mixed_samples;
    default:
      return true;
  }
}

VkShaderModule DrawTest::ShaderOf(VkShaderStageFlagBits stage, bool is_nv) {
  VkShaderModule& module = modules_[{stage, is_nv}];
  if (module == VK_NULL_HANDLE) module = MakeShader(ShaderTextOf(stage, addition_, is_nv));
  return module;
}

void DrawTest::Add(const ShaderAddition& addition, VkDescriptorSetLayout set, uint32_t size) {
  addition_ = addition;
  sets_.assign(set != VK_NULL_HANDLE ? 1 : 0, set);
  layout_ = MakePipelineLayout(sets_, size);
  modules_.clear();
  shaders_.clear();
}

std::vector<VkShaderEXT> DrawTest::MakeShaders(const std::vector<ShaderOptions>& shaders) {
  std::vector<std::vector<uint32_t>> words;
  words.reserve(shaders.size());
  std::vector<VkShaderCreateInfoEXT> infos;
  for (const ShaderOptions& shader : shaders) {
    const auto& code = words.emplace_back(test::AssembleSpirv(ShaderTextOf(shader.stage, addition_)));
    const bool has_no_task = shader.stage == VK_SHADER_STAGE_MESH_BIT_EXT && !shader.has_task;
    infos.push_back({.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                     .flags = shader.flags | (has_no_task ? VkFlags{VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT} : 0),
                     .stage = shader.stage,
                     .nextStage = shader.next,
                     .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                     .codeSize = code.size() * sizeof(uint32_t),
                     .pCode = code.data(),
                     .pName = "main",
                     .setLayoutCount = static_cast<uint32_t>(shader.sets.size()),
                     .pSetLayouts = shader.sets.data(),
                     .pushConstantRangeCount = static_cast<uint32_t>(shader.constants.size()),
                     .pPushConstantRanges = shader.constants.data()});
  }
  std::vector<VkShaderEXT> handles(shaders.size());
  const auto count = static_cast<uint32_t>(infos.size());
  EXPECT_EQ(vk.CreateShadersEXT(device, count, infos.data(), nullptr, handles.data()), VK_SUCCESS);
  for (VkShaderEXT handle : handles) Defer(handle, [=, this] { vk.DestroyShaderEXT(device, handle, nullptr); });
  return handles;
}

VkShaderEXT DrawTest::ShaderObject(VkShaderStageFlagBits stage) {
  VkShaderEXT& shader = shaders_[stage];
  if (shader == VK_NULL_HANDLE) shader = MakeShaders({{.stage = stage, .flags = 0, .sets = sets_}})[0];
  return shader;
}

void DrawTest::BindShader(VkShaderStageFlagBits stage, bool is_bound) {
  const VkShaderEXT bound = is_bound ? ShaderObject(stage) : VK_NULL_HANDLE;
  vk.CmdBindShadersEXT(commands_, 1, &stage, &bound);
}

void DrawTest::BindShaders(Stages stages, VkShaderStageFlags without) {
  for (const VkShaderStageFlagBits stage : kGraphicsStages) {
    const bool is_mesh = stage == VK_SHADER_STAGE_TASK_BIT_EXT || stage == VK_SHADER_STAGE_MESH_BIT_EXT;
    if ((without & stage) != 0 || (is_mesh && !options_.has_meshes)) continue;
    BindShader(stage, (FlagsOf(stages) & stage) != 0);
  }
}

void DrawTest::BeginRendering(VkCommandBuffer commands, const RenderingOptions& options) {
  const auto attachment = [](VkImageView view, VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL) {
    return Typed<VkRenderingAttachmentInfo>(
        {.imageView = view, .imageLayout = layout, .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE});
  };
  const VkImageView color = options.color != VK_NULL_HANDLE ? options.color : color_;
  VkRenderingAttachmentInfo colors[] = {attachment(options.has_color ? color : VK_NULL_HANDLE, options.color_layout),
                                        attachment(options.second)};
  if (options.external != VK_NULL_HANDLE) {
    colors[0].resolveMode = VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID;
    colors[0].resolveImageView = options.external;
    colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  const VkImageView depth_view = options.depth != VK_NULL_HANDLE ? options.depth : depth_;
  const VkRenderingAttachmentInfo depth = attachment(depth_view, options.depth_layout);
  const VkRenderingAttachmentInfo stencil = attachment(depth_view, options.stencil_layout);
  const auto rate =
      Of<VkRenderingFragmentShadingRateAttachmentInfoKHR>(shading_rate_, VK_IMAGE_LAYOUT_GENERAL, VkExtent2D{8, 8});
  const auto density = Of<VkRenderingFragmentDensityMapAttachmentInfoEXT>(density_map_, VK_IMAGE_LAYOUT_GENERAL);
  const auto single_sampled = Of<VkMultisampledRenderToSingleSampledInfoEXT>(
      VK_TRUE, static_cast<VkSampleCountFlagBits>(options.single_sampled));
  const void* const next = options.has_density_map       ? static_cast<const void*>(&density)
                           : options.has_shading_rate    ? &rate
                           : options.single_sampled != 0 ? static_cast<const void*>(&single_sampled)
                                                         : nullptr;
  const auto info = Typed<VkRenderingInfo>(
      {.pNext = next,
       .flags = options.flags,
       .renderArea = {{0, 0}, {64, 64}},
       .layerCount = 1,
       .viewMask = options.view_mask,
       .colorAttachmentCount = (options.has_color_attachment ? 1u : 0u) + (options.second != VK_NULL_HANDLE ? 1u : 0u),
       .pColorAttachments = colors,
       .pDepthAttachment = options.has_depth ? &depth : nullptr,
       .pStencilAttachment = options.has_stencil ? &stencil : nullptr});
  vk.CmdBeginRendering(commands, &info);
}

void DrawTest::BeginPass() {
  if (call_->point == DrawRecording::kGraphics) BeginRendering(commands_);
  if (call_->point == DrawRecording::kSubpassShading)
    BeginRenderPass(commands_, shading_pass_, MakeFramebuffer(shading_pass_, {}, 64, 64));
}

VkCommandBuffer DrawTest::BeginFor(const ActionCall& call) {
  call_ = &call;
  commands_ = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                options_.pool_flags | VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  Begin(commands_);
  if (call.point == DrawRecording::kGraphics) vk.CmdBindIndexBuffer(commands_, parameters_, 0, VK_INDEX_TYPE_UINT32);
  BeginPass();
  ExpectNothing();
  return commands_;
}

void DrawTest::EndFor() {
  if (call_->point == DrawRecording::kGraphics) vk.CmdEndRendering(commands_);
  if (call_->point == DrawRecording::kSubpassShading) vk.CmdEndRenderPass(commands_);
  End(commands_);
  ExpectNothing();
  commands_ = VK_NULL_HANDLE;
}

void DrawTest::SetAll(const std::vector<VkDynamicState>& without) {
  for (const VkDynamicState state : vk::kDynamicStates) {
    const bool is_left_out = state == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR ||
                             std::ranges::find(without, state) != without.end();
    if (!is_left_out && HasState(state)) Set(state);
  }
}

void DrawTest::RunRule(std::string_view rule, const std::function<void()>& wrong, const std::function<void()>& right) {
  RecordEach(rule, [&] {
    wrong();
    ExpectRule(rule);
    if (right == nullptr) return;
    right();
    ExpectSilence();
  });
}

void DrawTest::BindWith(PipelineOptions options) {
  options.stages = StagesOf(*call_);
  Bind(MakePipeline(options));
}

const ActionCall& DrawTest::CallOf(vk::CommandId command) {
  return *std::ranges::find(ActionCalls(), command, &ActionCall::command);
}

}  // namespace assay::core
