// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <optional>

#include "absl/strings/str_cat.h"
#include "core/pipelines/cases/shader_texts.h"
#include "core/pipelines/pipeline_setup.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// The id of a rule, of VkGraphicsPipelineCreateInfo where no other structure or command is named.
std::string IdOf(std::string_view rule) {
  const bool has_owner = rule.starts_with("Vk") || rule.starts_with("vk");
  return absl::StrCat(has_owner ? "VUID-" : "VUID-VkGraphicsPipelineCreateInfo-", rule);
}

uint32_t CountOf(const auto& values) { return static_cast<uint32_t>(values.size()); }

// A shader that does the least in its stage.
std::string TextOf(VkShaderStageFlagBits stage) {
  static const std::map<VkShaderStageFlagBits, std::string> texts = {
      {VK_SHADER_STAGE_VERTEX_BIT, test::VertexShader(1)},
      {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, Text({.model = "TessellationControl"})},
      {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, TessellationText("TessellationEvaluation", "Triangles")},
      {VK_SHADER_STAGE_GEOMETRY_BIT, GeometryText(kTriangleStrip)},
      {VK_SHADER_STAGE_MESH_BIT_EXT, MeshText()},
      {VK_SHADER_STAGE_FRAGMENT_BIT, test::FragmentShader(1)}};
  const auto text = texts.find(stage);
  return text != texts.end() ? text->second : test::ComputeShader({});
}

// Through the whole layer. What all kinds of pipelines have in common is in core/pipeline_creation.
class PipelineRulesTest : public test::ValidationTest {
 protected:
  void SetUp() override {}
  void Start(const PipelineSetup& setup) {
    driver().config().disabled_features = setup.without;
    driver().config().disabled_extensions.clear();
    driver().config().extension_versions = setup.versions;
    for (const auto& [format, features] : setup.formats) {
      driver().config().formats[format] = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, nullptr, features, features, 0};
    }
    const VkPhysicalDeviceLimits limits = driver().config().limits;
    if (setup.device_limits) setup.device_limits(driver().config().limits);
    driver().config().adjust_properties = [&setup](VkBaseOutStructure* properties) {
      for (const auto& limit : setup.limits) limit(properties);
    };
    test::DeviceOptions options = features_.EnableOnly(setup.extensions, setup.without);
    options.api_version = setup.api_version;
    if (!checks_shaders_) options.settings = {{"check_shaders", false}};
    Create(options);
    driver().config().adjust_properties = nullptr;
    driver().config().limits = limits;
  }

  VkRenderPass RenderPassOf(const PipelineSetup& setup) {
    std::vector<VkAttachmentDescription2> attachments;
    // One attachment more, or none.
    const auto add = [&](bool exists, VkFormat format, VkSampleCountFlags samples, const void* next = nullptr) {
      const uint32_t index = exists ? CountOf(attachments) : VK_ATTACHMENT_UNUSED;
      if (exists) {
        attachments.push_back({.pNext = next,
                               .format = format,
                               .samples = static_cast<VkSampleCountFlagBits>(samples),
                               .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                               .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
      }
      return VkAttachmentReference2{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, index, VK_IMAGE_LAYOUT_GENERAL,
                                    VK_IMAGE_ASPECT_COLOR_BIT};
    };
    VkAttachmentReference2 colors[2] = {};
    for (uint32_t i = 0; i < setup.rendering.colorAttachmentCount; ++i)
      colors[i] = add(true, setup.formats_of_colors[i], setup.subpass_samples);
    VkAttachmentReference2 depth = add(setup.has_depth, setup.rendering.depthAttachmentFormat, setup.subpass_samples);
    depth.aspectMask = 0;
    const auto input = add(setup.input_samples != 0, VK_FORMAT_R8G8B8A8_UNORM, setup.input_samples);
    const VkExternalFormatANDROID external = {VK_STRUCTURE_TYPE_EXTERNAL_FORMAT_ANDROID, nullptr, 1};
    const bool has_resolve = setup.has_external_resolve || setup.has_resolve;
    const auto resolve = add(has_resolve, setup.has_external_resolve ? VK_FORMAT_UNDEFINED : setup.formats_of_colors[0],
                             VK_SAMPLE_COUNT_1_BIT, setup.has_external_resolve ? &external : nullptr);
    const auto single_sampled = test::Typed(VkMultisampledRenderToSingleSampledInfoEXT{
        .multisampledRenderToSingleSampledEnable = VK_TRUE,
        .rasterizationSamples = static_cast<VkSampleCountFlagBits>(setup.single_sampled)});
    const VkSubpassDescription2 subpass = {
        .pNext = setup.single_sampled != 0 ? &single_sampled : nullptr,
        .flags = setup.subpass_flags,
        .viewMask = setup.subpass_view_mask,
        .inputAttachmentCount = setup.input_samples != 0 || setup.has_unused_input ? 1u : 0u,
        .pInputAttachments = &input,
        .colorAttachmentCount = setup.rendering.colorAttachmentCount,
        .pColorAttachments = colors,
        .pResolveAttachments = has_resolve ? &resolve : nullptr,
        .pDepthStencilAttachment = &depth};
    const std::vector<VkSubpassDescription2> subpasses(setup.subpass_count, subpass);
    std::vector<VkSubpassDependency2> dependencies;
    for (uint32_t i = 1; setup.has_dependencies && i < setup.subpass_count; ++i) {
      dependencies.push_back({.srcSubpass = i - 1,
                              .dstSubpass = i,
                              .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                              .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                              .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT});
    }
    return MakeRenderPass(attachments, subpasses, dependencies);
  }

  VkPipelineLayout LayoutOf(const PipelineSetup& setup) {
    const bool is_empty = setup.layout.flags == 0 && setup.layout.sets.empty() && setup.layout.ranges.empty();
    if (is_empty && empty_layout_ != VK_NULL_HANDLE) return empty_layout_;
    std::vector<VkDescriptorSetLayout> sets;
    sets.reserve(setup.layout.sets.size());
    for (const VkShaderStageFlags stages : setup.layout.sets) {
      const uint32_t count = setup.layout.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 16 : 1;
      sets.push_back(stages != 0 ? MakeSetLayout({{0, setup.layout.type, count, stages}}, setup.layout.set_flags)
                                 : VK_NULL_HANDLE);
    }
    const VkPipelineLayout layout =
        MakeFrom(VkPipelineLayoutCreateInfo{.flags = setup.layout.flags,
                                            .setLayoutCount = CountOf(sets),
                                            .pSetLayouts = sets.data(),
                                            .pushConstantRangeCount = CountOf(setup.layout.ranges),
                                            .pPushConstantRanges = setup.layout.ranges.data()},
                 vk.CreatePipelineLayout, vk.DestroyPipelineLayout);
    if (is_empty) empty_layout_ = layout;
    return layout;
  }

  VkPipelineShaderStageCreateInfo StageOf(const PipelineSetup& setup,
                                          const std::map<VkShaderStageFlagBits, std::string>& texts,
                                          VkShaderStageFlagBits stage) {
    const auto text = texts.find(stage);
    std::vector<uint32_t> words = test::AssembleSpirv(text != texts.end() ? text->second : TextOf(stage));
    // Older versions of Vulkan do not have the assembler's version of SPIR-V.
    if (setup.api_version < VK_API_VERSION_1_3) words[1] = 0x00010000;
    return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, stage, MakeShader(words), "main"};
  }

  // Creates the pipeline; returns null if that fails.
  VkPipeline Make(PipelineSetup& setup) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    stages.reserve(setup.stages.size());
    static constexpr uint8_t kIdentifier[4] = {1, 2, 3, 4};
    const auto identifier = test::Of<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(4, kIdentifier);
    for (const VkShaderStageFlagBits stage : setup.stages) {
      stages.push_back(setup.has_identifiers
                           ? VkPipelineShaderStageCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                             &identifier, 0, stage, VK_NULL_HANDLE, "main"}
                           : StageOf(setup, setup.texts, stage));
    }
    const auto dynamic = test::Typed(VkPipelineDynamicStateCreateInfo{.dynamicStateCount = CountOf(setup.dynamic),
                                                                      .pDynamicStates = setup.dynamic.data()});
    VkGraphicsPipelineCreateInfo info = setup.info;
    info.stageCount = CountOf(stages);
    info.pStages = setup.has_bad_stages ? nullptr : stages.data();
    if (!setup.dynamic.empty()) info.pDynamicState = &dynamic;
    if (setup.has_layout) info.layout = LayoutOf(setup);
    if (setup.has_render_pass) {
      info.renderPass = RenderPassOf(setup);
      if (setup.is_render_pass_wrong) messages.Take();
      messages.ExpectNothing();
      if (setup.is_render_pass_destroyed) DestroyNow(info.renderPass);
    }
    std::vector<VkPipeline> libraries;
    libraries.reserve(setup.libraries.size());
    for (const auto& library : setup.libraries) {
      libraries.push_back(Make(*library));
      ExpectNothing();
    }
    test::Links links;
    const auto linked = test::Of<VkPipelineLibraryCreateInfoKHR>(CountOf(libraries), libraries.data());
    if (!libraries.empty()) links.Chain(info, linked);
    if (setup.base != nullptr) {
      info.basePipelineHandle = Make(*setup.base);
      ExpectNothing();
    }
    std::vector<std::vector<VkPipelineShaderStageCreateInfo>> stages_of_groups;
    std::vector<VkGraphicsShaderGroupCreateInfoNV> groups;
    for (const PipelineSetup::Group& group : setup.groups) {
      auto& own = stages_of_groups.emplace_back();
      for (const VkShaderStageFlagBits stage : group.stages) own.push_back(StageOf(setup, group.texts, stage));
      groups.push_back({VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV, nullptr, CountOf(own), own.data(),
                        group.input, group.tessellation});
    }
    const auto all_groups = test::Of<VkGraphicsPipelineShaderGroupsCreateInfoNV>(
        CountOf(groups), groups.data(), setup.has_group ? 1u : 0u, &info.basePipelineHandle);
    if (setup.has_group || !groups.empty()) links.Chain(info, all_groups);
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    if (setup.base != nullptr) vk.DestroyPipeline(device, info.basePipelineHandle, nullptr);
    for (const VkPipeline library : libraries) vk.DestroyPipeline(device, library, nullptr);
    return pipeline;
  }

  // A correct pipeline of the device, which differs from the case in the change alone. It must not hide the mistake.
  void MakeOther(const PipelineSetup& than) {
    PipelineSetup other;
    other.api_version = than.api_version;
    const VkPipeline pipeline = Make(other);
    // On a device without what it needs.
    messages.Take();
    if (pipeline != VK_NULL_HANDLE) vk.DestroyPipeline(device, pipeline, nullptr);
  }

  void Run(const PipelineCase& row) {
    SCOPED_TRACE(row.id != nullptr ? row.id : "correct");
    PipelineSetup setup;
    row.change(setup);
    Start(setup);
    MakeOther(setup);
    std::optional<SkipCalls> skip;
    if (!setup.is_render_pass_wrong) skip.emplace(*this);
    const VkPipeline pipeline = Make(setup);
    std::vector<std::string> ids;
    for (const char* rule : {row.id, row.other_id})
      if (rule != nullptr && checks_shaders_) ids.push_back(IdOf(rule));
    ExpectMessages(ids);
    if (pipeline != VK_NULL_HANDLE) vk.DestroyPipeline(device, pipeline, nullptr);
    empty_layout_ = VK_NULL_HANDLE;
    Destroy();
    for (const auto& format : setup.formats) driver().config().formats.erase(format.first);
  }
  void Run(absl::Span<const PipelineCase> rows) {
    for (const PipelineCase& row : rows) Run(row);
  }

  test::ExtensionFeatures features_;
  // The layout without anything in it.
  VkPipelineLayout empty_layout_ = VK_NULL_HANDLE;
  bool checks_shaders_ = true;
};

TEST_F(PipelineRulesTest, State) { Run(StateCases()); }
TEST_F(PipelineRulesTest, Output) { Run(OutputCases()); }
TEST_F(PipelineRulesTest, ShadingRate) { Run(ShadingRateCases()); }
TEST_F(PipelineRulesTest, Stage) { Run(StageCases()); }
TEST_F(PipelineRulesTest, Target) { Run(TargetCases()); }
TEST_F(PipelineRulesTest, Library) { Run(LibraryCases()); }
TEST_F(PipelineRulesTest, Link) { Run(LinkCases()); }
TEST_F(PipelineRulesTest, LocalRead) { Run(LocalReadCases()); }
TEST_F(PipelineRulesTest, Shader) { Run(ShaderCases()); }
TEST_F(PipelineRulesTest, FragmentShader) { Run(FragmentShaderCases()); }
TEST_F(PipelineRulesTest, ShadersAreNotChecked) {
  checks_shaders_ = false;
  Run(ShaderCases());
  Run(FragmentShaderCases());
}
TEST_F(PipelineRulesTest, ExternalFormat) { Run(ExternalFormatCases()); }
TEST_F(PipelineRulesTest, Flag) { Run(FlagCases()); }
TEST_F(PipelineRulesTest, Pointer) { Run(PointerCases()); }
TEST_F(PipelineRulesTest, Group) { Run(GroupCases()); }
TEST_F(PipelineRulesTest, Chain) { Run(ChainCases()); }

}  // namespace
}  // namespace assay::core
