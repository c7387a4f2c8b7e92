// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_DRAW_TEST_H_
#define ASSAY_CORE_DRAW_CASES_DRAW_TEST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/draw/cases/action_calls.h"
#include "core/draw/cases/set_state.h"
#include "core/draw/cases/shader_texts.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

// Test-only: devices that have every dynamic state, and the pipelines and shader objects to draw with.
namespace assay::core {

using test::Of, test::Typed;

// The stages of a pipeline, or of shader objects.
enum class Stages : uint8_t { kVertex, kAllVertex, kMesh, kMeshNv, kTask };

struct PipelineOptions {
  Stages stages = Stages::kVertex;
  // Stages that are left out.
  VkShaderStageFlags without = 0;
  std::vector<VkDynamicState> dynamic = {};
  // Whether the discard rectangle structure is chained.
  bool has_discard_rectangles = false;
  // Chained to the viewport state.
  const void* viewport_chain = nullptr;
  bool is_discarded = false;
  bool has_depth_bias = false;
  bool has_blend_constants = false;
  // Of the source, where it blends.
  VkBlendFactor factor = VK_BLEND_FACTOR_CONSTANT_COLOR;
  bool has_sample_shading = false;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t vertex_bindings = 0;
  // Of these bindings, which are for instances unless it is 1.
  uint32_t divisor = 1;
  // For dynamic rendering.
  std::vector<VkFormat> colors = {VK_FORMAT_R8G8B8A8_UNORM};
  VkFormat depth = VK_FORMAT_D24_UNORM_S8_UINT;
  VkFormat stencil = VK_FORMAT_D24_UNORM_S8_UINT;
  uint32_t view_mask = 0;
  VkPipelineCreateFlags2 flags = 0;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  uint32_t subpass = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  // Of all attachments, by VkAttachmentSampleCountInfoNV; 0 without.
  VkSampleCountFlags mixed_samples = 0;
  uint32_t stream = 0;
  // Sample locations that are enabled; 0 per pixel without.
  struct Locations {
    VkSampleCountFlags per_pixel = 0;
    VkExtent2D grid = {1, 1};
  };
  Locations locations = {};
  // The end of the create info's chain, instead of structures above.
  const void* next = nullptr;
};

// One element of vkCreateShadersEXT.
struct ShaderOptions {
  VkShaderStageFlagBits stage;
  VkShaderStageFlags next = 0;
  VkShaderCreateFlagsEXT flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  // Of mesh shaders.
  bool has_task = false;
  std::vector<VkPushConstantRange> constants = {};
  std::vector<VkDescriptorSetLayout> sets = {};
};

// What is rendered to. The formats are those of PipelineOptions.
struct RenderingOptions {
  bool has_color_attachment = true;
  // Without it, the image view is VK_NULL_HANDLE.
  bool has_color = true;
  bool has_depth = true;
  bool has_stencil = true;
  uint32_t view_mask = 0;
  VkRenderingFlags flags = 0;
  bool has_shading_rate = false;
  bool has_density_map = false;
  VkImageLayout color_layout = VK_IMAGE_LAYOUT_GENERAL;
  VkImageLayout depth_layout = VK_IMAGE_LAYOUT_GENERAL;
  VkImageLayout stencil_layout = VK_IMAGE_LAYOUT_GENERAL;
  // Instead of those that the test has.
  VkImageView color = VK_NULL_HANDLE;
  VkImageView depth = VK_NULL_HANDLE;
  // A second color attachment.
  VkImageView second = VK_NULL_HANDLE;
  // What the color attachment is resolved to: an external format.
  VkImageView external = VK_NULL_HANDLE;
  // Samples of VkMultisampledRenderToSingleSampledInfoEXT; 0 without.
  VkSampleCountFlags single_sampled = 0;
};

class DrawTest : public test::ValidationTest {
 protected:
  void SetUp() override {}

  struct StartOptions {
    // VK_NV_shading_rate_image, which excludes VK_KHR_fragment_shading_rate.
    bool has_rate_images = false;
    bool has_shader_objects = false;
    bool has_meshes = true;
    // VK_NV_framebuffer_mixed_samples.
    bool has_mixed_samples = true;
    // Features.
    std::set<std::string> without = {};
    bool validates_sync = false;
    bool has_unused_attachments = false;
    // VK_EXT_fragment_density_map, which excludes both kinds of shading rate images.
    bool has_density_maps = false;
    bool is_strict = true;
    // More of them.
    std::vector<const char*> extensions = {};
    // Of the command buffers of BeginFor().
    VkCommandPoolCreateFlags pool_flags = 0;
  };
  // Instead of the device before.
  void Start(const StartOptions& options);
  void Start() { Start(StartOptions()); }

  // Whether the started device can have the state.
  bool HasState(VkDynamicState state) const;

  // For the pipelines and shader objects that are made afterwards. Their descriptor set 0 has the layout; null for
  // none. `size`: bytes of push constants.
  void Add(const ShaderAddition& addition, VkDescriptorSetLayout set = VK_NULL_HANDLE, uint32_t size = 0);
  VkPipelineLayout layout() const { return layout_; }

  // `create`: vkCreateGraphicsPipelines, or what has the same parameters.
  template <class Info, class Create>
  VkPipeline MakePipelineFrom(const Info& info, const Create& create) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(create(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkPipeline MakePipeline(const PipelineOptions& options);
  // `stage`: that, or VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI.
  VkPipeline MakeCompute(VkPipelineCreateFlags flags = 0, VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT,
                         VkPipeline base = VK_NULL_HANDLE);
  // An execution graph of one node.
  VkPipeline MakeGraph(VkPipelineCreateFlags flags = 0);
  VkPipeline MakeRayTracing(const std::vector<VkDynamicState>& dynamic = {}, VkPipelineCreateFlags flags = 0);
  // With one call.
  std::vector<VkShaderEXT> MakeShaders(const std::vector<ShaderOptions>& shaders);
  // The shader object of a stage. The same one each time.
  VkShaderEXT ShaderObject(VkShaderStageFlagBits stage);

  void BeginRendering(VkCommandBuffer commands, const RenderingOptions& options = {});
  void Bind(VkCommandBuffer commands, VkPipeline pipeline,
            VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS) {
    vk.CmdBindPipeline(commands, point, pipeline);
  }
  static VkPipelineBindPoint PointOf(const ActionCall& call) { return core::PointOf(call.point); }
  VkPipeline PlainPipelineOf(const ActionCall& call, VkPipelineCreateFlags flags = 0) {
    constexpr auto kSubpassShading = VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI;
    if (call.point == DrawRecording::kCompute) return MakeCompute(flags);
    if (call.point == DrawRecording::kRayTracing) return MakeRayTracing({}, flags);
    if (call.point == DrawRecording::kSubpassShading) return MakeCompute(flags, kSubpassShading);
    if (call.point == DrawRecording::kExecutionGraph) return MakeGraph(flags);
    return MakePipeline({.stages = StagesOf(call), .flags = flags});
  }
  // Of the calls that are run.
  ActionNumbers numbers;

  static const ActionCall& CallOf(vk::CommandId command);
  // Runs the test for each command that has the rule.
  template <class F>
  void ForEach(std::string_view rule, F&& test) {
    size_t count = 0;
    for (const ActionCall& call : ActionCalls()) {
      if (!call.Has(rule)) continue;
      SCOPED_TRACE(std::string(call.name));
      test(call);
      ++count;
    }
    EXPECT_NE(count, 0u) << rule;
  }
  static Stages StagesOf(const ActionCall& call) {
    const bool is_nv = call.name.starts_with("vkCmdDrawMeshTasks") && call.name.ends_with("NV");
    return is_nv ? Stages::kMeshNv : call.draws_meshes ? Stages::kMesh : Stages::kVertex;
  }

  // The call that is recorded, and where. BeginFor() and what calls it change them, the functions below use them.
  const ActionCall* call_ = nullptr;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;

  // A command buffer for the call, in no render pass instance and without an index buffer.
  void BeginWith(const ActionCall& call, VkCommandBufferUsageFlags usage = 0) {
    call_ = &call;
    commands_ = MakeCommandBuffer();
    Begin(commands_, usage);
  }
  // A command buffer for the call, in a render pass instance if the command needs that: of dynamic rendering for draws.
  VkCommandBuffer BeginFor(const ActionCall& call);
  void BeginPass();
  void EndFor();
  // Calls record() between BeginFor and EndFor.
  template <class F>
  void RecordFor(const ActionCall& call, const F& record) {
    SCOPED_TRACE(std::string(call.name));
    BeginFor(call);
    record();
    EndFor();
  }
  template <class F>
  void RecordFor(vk::CommandId command, const F& record) {
    RecordFor(CallOf(command), record);
  }
  // The same for each command that has the rule.
  template <class F>
  void RecordEach(std::string_view rule, const F& record) {
    ForEach(rule, [&](const ActionCall& call) { RecordFor(call, record); });
  }
  // The same for each command of the bind point.
  template <class F>
  void RecordEach(DrawRecording::BindPoint point, const F& record) {
    for (const ActionCall& call : ActionCalls())
      if (call.point == point) RecordFor(call, record);
  }
  // The same for each, in a render pass with these attachments instead of dynamic rendering.
  template <class T, class F>
  void RecordEachIn(VkRenderPass pass, const std::vector<VkImageView>& views, const T& rule_or_point, const F& record) {
    const VkFramebuffer framebuffer = MakeFramebuffer(pass, views, 64, 64);
    RecordEach(rule_or_point, [&] {
      vk.CmdEndRendering(commands_);
      BeginRenderPass(commands_, pass, framebuffer);
      record();
      vk.CmdEndRenderPass(commands_);
      BeginRendering(commands_);
    });
  }
  // Each command that has the rule breaks it after wrong(), and no rule after right() then.
  void RunRule(std::string_view rule, const std::function<void()>& wrong, const std::function<void()>& right = nullptr);

  void Bind(VkPipeline pipeline) { Bind(commands_, pipeline, PointOf(*call_)); }
  void BindPlain() { Bind(PlainPipelineOf(*call_)); }
  // With the stages of the call.
  void BindWith(PipelineOptions options);
  // With vkCmdBindShadersEXT for each stage: a shader object where `stages` has it, else VK_NULL_HANDLE. `without`: the
  // stages that are left out.
  void BindShaders(Stages stages, VkShaderStageFlags without = 0);
  void BindShader(VkShaderStageFlagBits stage, bool is_bound = true);
  void Set(VkDynamicState state, uint32_t value) { SetState(vk, commands_, state, value, parameters_); }
  void Set(VkDynamicState state) { Set(state, PlainValue(state)); }
  // Sets everything that shader objects need, but for some states.
  void SetAll(const std::vector<VkDynamicState>& without = {});
  void BindAndSetAll(Stages stages, VkShaderStageFlags without = 0) {
    BindShaders(stages, without);
    SetAll();
  }
  void BindAndSetAll() { BindAndSetAll(StagesOf(*call_)); }
  // Another render pass instance instead of that of BeginFor(), for draws.
  void RenderInstead(const RenderingOptions& options) {
    vk.CmdEndRendering(commands_);
    BeginRendering(commands_, options);
  }
  void Run(const ActionCall& call) { call.run(vk, commands_, parameters_, address_, numbers); }
  void Run() { Run(*call_); }
  // The call breaks the rule alone; none if it is empty. A rule that is not the command's is a whole id.
  void ExpectRule(const ActionCall& call, std::string_view rule) {
    Run(call);
    rule.starts_with("VUID-") ? ExpectAlone(rule) : ExpectAlone(call.name, rule);
  }
  void ExpectRule(std::string_view rule) { ExpectRule(*call_, rule); }
  void ExpectSilence() { ExpectRule(""); }

  // The view of an image of 64 by 64 texels, for color or for depth and stencil.
  VkImageView MakeAttachment(VkFormat format, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT,
                             VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL, VkImageCreateFlags flags = 0);
  // Of generated commands, with 128 bytes for each sequence. NV: in one stream, for draws.
  VkIndirectCommandsLayoutEXT MakeSequenceOf(const std::vector<VkIndirectCommandsLayoutTokenEXT>& tokens,
                                             VkShaderStageFlags stages, VkIndirectCommandsLayoutUsageFlagsEXT flags = 0,
                                             VkPipelineLayout layout = VK_NULL_HANDLE);
  VkIndirectCommandsLayoutNV MakeSequenceNv(std::vector<VkIndirectCommandsLayoutTokenNV> tokens);
  // Begins a render pass of this area: 64 by 64.
  void BeginRenderPass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer) {
    const VkRenderPassBeginInfo info = BeginInfo(pass, framebuffer);
    vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  }
  // One without attachments, of one subpass.
  VkRenderPass MakeEmptyPass(VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS) {
    return MakeRenderPass({}, {{.pipelineBindPoint = point}});
  }
  // A device with these extensions and their features, instead of that of Start().
  void StartWithOnly(const std::vector<const char*>& extensions);

 private:
  VkShaderModule ShaderOf(VkShaderStageFlagBits stage, bool is_nv = false);
  void MakeSequences();

  StartOptions options_;
  test::ExtensionFeatures features_;
  test::Buffer parameters_;
  VkDeviceAddress address_ = 0;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSetLayout> sets_;
  ShaderAddition addition_;
  VkImageView color_ = VK_NULL_HANDLE;
  VkImageView depth_ = VK_NULL_HANDLE;
  VkImageView shading_rate_ = VK_NULL_HANDLE;
  VkImageView density_map_ = VK_NULL_HANDLE;
  VkRenderPass shading_pass_ = VK_NULL_HANDLE;
  // Those of VK_NV_mesh_shader apart.
  std::map<std::pair<VkShaderStageFlagBits, bool>, VkShaderModule> modules_;
  std::map<VkShaderStageFlagBits, VkShaderEXT> shaders_;
};

// The stages of graphics pipelines and shader objects, in order.
inline constexpr VkShaderStageFlagBits kGraphicsStages[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                            VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                            VK_SHADER_STAGE_GEOMETRY_BIT,
                                                            VK_SHADER_STAGE_FRAGMENT_BIT,
                                                            VK_SHADER_STAGE_TASK_BIT_EXT,
                                                            VK_SHADER_STAGE_MESH_BIT_EXT};
// The stages that are not VK_NULL_HANDLE.
VkShaderStageFlags FlagsOf(Stages stages);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_DRAW_TEST_H_
