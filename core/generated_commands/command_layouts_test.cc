// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of generated commands.

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using Info = VkIndirectCommandsLayoutCreateInfoEXT;
using Token = VkIndirectCommandsLayoutTokenEXT;
using NvInfo = VkIndirectCommandsLayoutCreateInfoNV;
using NvToken = VkIndirectCommandsLayoutTokenNV;

constexpr VkShaderStageFlags kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS;

Token Of(VkIndirectCommandsTokenTypeEXT type, uint32_t offset = 0, VkIndirectCommandsTokenDataEXT data = {}) {
  return {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, nullptr, type, data, offset};
}
Token Push(uint32_t first, uint32_t size = 4, uint32_t at = 0) {
  static std::map<std::pair<uint32_t, uint32_t>, VkIndirectCommandsPushConstantTokenEXT> ranges;
  auto& range = ranges[{first, size}];
  range.updateRange = {kVertex, first, size};
  return Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, at, {.pPushConstant = &range});
}
Token Sequence(uint32_t first, uint32_t size = 4) {
  Token token = Push(first, size);
  token.type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT;
  return token;
}
Token Index(VkFlags mode = VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT) {
  static std::map<VkFlags, VkIndirectCommandsIndexBufferTokenEXT> modes;
  modes[mode].mode = static_cast<VkIndirectCommandsInputModeFlagBitsEXT>(mode);
  return Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT, 0, {.pIndexBuffer = &modes[mode]});
}
Token Buffer() {
  static const VkIndirectCommandsVertexBufferTokenEXT kFirst = {0};
  return Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, 0, {.pVertexBuffer = &kFirst});
}
Token Set(VkShaderStageFlags stages = kVertex) {
  static VkIndirectCommandsExecutionSetTokenEXT set = {VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, 0};
  set.shaderStages = stages;
  return Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT, 0, {.pExecutionSet = &set});
}
const Token kDraw = Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT);
const Token kIndexed = Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT);
const Token kMesh = Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT);
const Token kMeshNv = Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV_EXT);
const Token kDispatch = Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT);
const Token kTrace = Of(VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT);

NvToken OfNv(VkIndirectCommandsTokenTypeNV type) {
  return {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV, .tokenType = type};
}

const NvToken kDrawNv = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV);
const NvToken kDispatchNv = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV);
const NvToken kPipelineNv = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV);

class CommandLayouts : public ResourceTest {
 protected:
  void Start(const std::set<std::string>& without = {}) {
    driver().config().limits.maxVertexInputBindings = 16;
    ChangeProperties<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT>([](auto& limits) {
      limits.supportedIndirectCommandsShaderStages = ~VkShaderStageFlags{VK_SHADER_STAGE_GEOMETRY_BIT};
      limits.supportedIndirectCommandsInputModes = VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT;
      limits.supportedIndirectCommandsShaderStagesPipelineBinding = kVertex;
      limits.supportedIndirectCommandsShaderStagesShaderBinding = kVertex;
    });
    ChangeProperties<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV>([](auto& limits) {
      limits.maxIndirectCommandsStreamStride = 128;
      limits.minIndirectCommandsBufferOffsetAlignment = 4;
    });
    ResourceTest::Start({}, without);
    layout_ = MakePipelineLayout({}, 16);
  }
  template <class AnyInfo, class AnyToken>
  static AnyInfo& SetTokens(AnyInfo& i, const std::vector<AnyToken>& tokens) {
    i.tokenCount = static_cast<uint32_t>(tokens.size());
    i.pTokens = tokens.data();
    return i;
  }
  // The tokens live as long as the case.
  static Case<Info> With(std::string_view rule, std::vector<Token> tokens, VkShaderStageFlags stages = kVertex) {
    return {rule, [=](Info& i) { SetTokens(i, tokens).shaderStages = stages; }};
  }
  void RunLayouts(const std::vector<Case<Info>>& cases) {
    const Token plain[] = {Push(0), kDraw};
    const auto correct = test::Of<Info>(0, kVertex, 128, layout_, 2, plain);
    Run("VkIndirectCommandsLayoutCreateInfoEXT", correct, cases, [this](const Info& info) {
      CreateOnce(vk.CreateIndirectCommandsLayoutEXT, vk.DestroyIndirectCommandsLayoutEXT, info);
    });
  }

  // With all tokens that are valid.
  static Case<NvInfo> WithNv(std::string_view rule, std::vector<NvToken> tokens,
                             VkPipelineBindPoint point = kGraphics) {
    return {rule, [=](NvInfo& i) { SetTokens(i, tokens).pipelineBindPoint = point; }};
  }
  void RunNv(const std::vector<Case<NvInfo>>& cases) {
    const uint32_t stride = 128;
    const auto correct = test::Of<NvInfo>(0, kGraphics, 1, &kDrawNv, 1, &stride);
    Run("VkIndirectCommandsLayoutCreateInfoNV", correct, cases, [this](const NvInfo& info) {
      CreateOnce(vk.CreateIndirectCommandsLayoutNV, vk.DestroyIndirectCommandsLayoutNV, info);
    });
  }

  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

TEST_F(CommandLayouts, Tokens) {
  Start();
  constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT, kRays = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                               kMeshes = VK_SHADER_STAGE_MESH_BIT_EXT;
  const VkPushConstantRange all = {kVertex, 0, 16};
  const auto chained =
      test::Typed(VkPipelineLayoutCreateInfo{.pushConstantRangeCount = 1, .pPushConstantRanges = &all});
  RunLayouts({
      With("", {Set(), Sequence(0), Push(4), Buffer(), Index(), kIndexed}),
      With("", {kDispatch}, kCompute),
      With("", {kTrace}, kRays),
      With("", {kMesh}, kMeshes),
      With("pTokens-11093", {Set(), Set(), kDraw}),
      With("pTokens-11145", {Sequence(0), Sequence(4), kDraw}),
      With("pTokens-11094", {Index(), Index(), kIndexed}),
      With("pTokens-11139", {Push(0), Set(), kDraw}),
      With("pTokens-11100", {kDraw, Push(0)}),
      With("pTokens-11100", {kDraw, kDraw}),
      With("shaderStages-11112", {kDraw}, kVertex | kCompute),
      With("shaderStages-11091", {kDraw}, kVertex | VK_SHADER_STAGE_GEOMETRY_BIT),
      With("pTokens-11104", {kDraw}, kCompute),
      With("shaderStages-11110", {kTrace}, kCompute),
      With("shaderStages-11109", {kDispatch}),
      With("pTokens-11108", {kTrace}),
      With("pTokens-11105", {kDispatch}, kRays),
      With("shaderStages-11111", {kDraw}, kRays),
      With("pTokens-11106", {kMesh}),
      With("pTokens-11107", {kMeshNv}),
      With("pTokens-11095", {Index(), kDraw}),
      With("pTokens-11096", {Buffer(), kMesh}, kMeshes),
      With("pTokens-11097", {Buffer(), Buffer(), kDraw}),
      With("VkIndirectCommandsPushConstantTokenEXT-size-11133", {Sequence(0, 8), kDraw}),
      With("VkIndirectCommandsPushConstantTokenEXT-updateRange-11132", {Push(12, 8), kDraw}),
      With("pTokens-11099", {Push(0, 8), Push(4), kDraw}),
      With("pTokens-11103", {Push(0, 4, 8), kDraw}),
      With("VkIndirectCommandsIndexBufferTokenEXT-mode-11136",
           {Index(VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT), kIndexed}),
      {"pTokens-11102", [](Info& i) { i.pipelineLayout = VK_NULL_HANDLE; }},
      {"", [&](Info& i) { i.pipelineLayout = VK_NULL_HANDLE, i.pNext = &chained; }},
  });
  RunLayouts({With("VkIndirectCommandsExecutionSetTokenEXT-shaderStages-11137",
                   {Set(kVertex | VK_SHADER_STAGE_GEOMETRY_BIT), kDraw})});
}
TEST_F(CommandLayouts, Features) {
  Start({"meshShader", "taskShader", "dynamicGeneratedPipelineLayout"});
  RunLayouts({
      With("VkIndirectCommandsLayoutTokenEXT-meshShader-11126", {kMesh}, VK_SHADER_STAGE_MESH_BIT_EXT),
      {"pTokens-11101", [](Info& i) { i.pipelineLayout = VK_NULL_HANDLE; }},
  });
}

TEST_F(CommandLayouts, TokensOfNv) {
  Start();
  const NvToken group = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV);
  NvToken flags = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_STATE_FLAGS_NV);
  flags.indirectStateFlags = VK_INDIRECT_STATE_FLAG_FRONTFACE_BIT_NV;
  NvToken push = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV);
  push.pushconstantPipelineLayout = layout_;
  push.pushconstantShaderStageFlags = VK_SHADER_STAGE_ALL;
  push.pushconstantSize = 16;
  NvToken buffer = OfNv(VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV);
  const auto changed = [](NvToken token, auto&& change) {
    change(token);
    return token;
  };
  constexpr VkPipelineBindPoint kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;
  static const uint32_t kLargeStride = 256;
  RunNv({
      WithNv("", {group, flags, push, buffer, kDrawNv}),
      WithNv("", {kPipelineNv, push, kDispatchNv}, kCompute),
      WithNv("pTokens-02932", {flags, group, kDrawNv}),
      WithNv("pTokens-02932", {group, group, kDrawNv}),
      WithNv("pTokens-09585", {push, kPipelineNv, kDispatchNv}, kCompute),
      WithNv("pTokens-02933", {flags, flags, kDrawNv}),
      WithNv("pTokens-02934", {kDrawNv, push}),
      WithNv("pTokens-02935", {kDrawNv, kDrawNv}),
      WithNv("pTokens-02935", {kDispatchNv}),
      WithNv("pipelineBindPoint-09089", {buffer, kDispatchNv}, kCompute),
      {"pStreamStrides-02937", [](NvInfo& i) { i.pStreamStrides = &kLargeStride; }},
      WithNv("VkIndirectCommandsLayoutTokenNV-stream-02951", {changed(kDrawNv, [](auto& t) { t.stream = 1; })}),
      WithNv("VkIndirectCommandsLayoutTokenNV-offset-06888", {changed(kDrawNv, [](auto& t) { t.offset = 2; })}),
      WithNv("VkIndirectCommandsLayoutTokenNV-tokenType-02976",
             {changed(buffer, [](auto& t) { t.vertexBindingUnit = 16; }), kDrawNv}),
      WithNv("VkIndirectCommandsLayoutTokenNV-tokenType-02977",
             {changed(push, [](auto& t) { t.pushconstantPipelineLayout = VK_NULL_HANDLE; }), kDrawNv}),
      WithNv("VkIndirectCommandsLayoutTokenNV-tokenType-02982",
             {changed(push, [](auto& t) { t.pushconstantSize = 20; }), kDrawNv}),
      WithNv("VkIndirectCommandsLayoutTokenNV-tokenType-02983",
             {changed(push, [](auto& t) { t.pushconstantShaderStageFlags = kVertex; }), kDrawNv}),
  });
}
TEST_F(CommandLayouts, FeaturesOfNv) {
  Start({"deviceGeneratedComputePipelines"});
  RunNv({WithNv("pipelineBindPoint-09090", {kPipelineNv, kDispatchNv}, VK_PIPELINE_BIND_POINT_COMPUTE)});
}

}  // namespace
}  // namespace assay::core
