// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What commands and questions for memory are given, and preprocessing, of both extensions.

#include <optional>

#include "core/draw/cases/generated_test.h"

namespace assay::core {
namespace {

using test::Of;
using Info = VkGeneratedCommandsInfoEXT;
using Asked = VkGeneratedCommandsMemoryRequirementsInfoEXT;
using NvInfo = VkGeneratedCommandsInfoNV;
using NvAsked = VkGeneratedCommandsMemoryRequirementsInfoNV;

constexpr VkShaderStageFlags kVertex = VK_SHADER_STAGE_VERTEX_BIT, kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS, kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;
constexpr auto kDrawNv = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV,
               kDispatchNv = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV;
constexpr auto kExplicit = VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT;
constexpr auto kExplicitNv = VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_NV;
constexpr VkPipelineCreateFlags kBindableNv = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
constexpr uint32_t kMostSequences = 8;

// A preprocessing of each extension.
struct Preprocessing {
  Info info;
  VkCommandBuffer commands;
  VkCommandBuffer of_state;
};
struct NvPreprocessing {
  NvInfo info;
  VkCommandBuffer commands;
};

class GeneratedInfos : public GeneratedTest {
 protected:
  void Start(StartOptions options = {}) {
    ChangeProperties<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT>([](auto& limits) {
      limits.maxIndirectSequenceCount = kMostSequences;
      limits.supportedIndirectCommandsShaderStages = ~kGeometry;
    });
    ChangeProperties<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV>(
        [](auto& limits) { limits.maxIndirectSequenceCount = kMostSequences; });
    options.extensions = {"VK_NV_device_generated_commands_compute"};
    DrawTest::Start(options);
    pipeline_ = MakeBindable();
    chained_.pipeline = pipeline_;
    plain_address_ = AddressWith(0);
    set_ = MakeExecutionSet(pipeline_);
    with_set_ = MakeSequence({SetToken(kDrawing), DrawToken()});
  }
  VkDeviceAddress AddressWith(VkBufferUsageFlags usage) {
    return AddressOf(MakeBuffer(64, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
  }
  // With another token before the action, if there is one.
  VkIndirectCommandsLayoutNV NvSequence(VkIndirectCommandsTokenTypeNV action, VkPipelineBindPoint point,
                                        VkIndirectCommandsLayoutUsageFlagsNV flags = 0,
                                        std::optional<VkIndirectCommandsTokenTypeNV> before = std::nullopt) {
    VkIndirectCommandsLayoutTokenNV tokens[] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV, .tokenType = before.value_or(action)},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV, .tokenType = action}};
    if (before == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV) {
      tokens[0].pushconstantPipelineLayout = MakePipelineLayout({}, 4);
      tokens[0].pushconstantShaderStageFlags = VK_SHADER_STAGE_ALL;
      tokens[0].pushconstantSize = 4;
    }
    const uint32_t stride = 64, count = before.has_value() ? 2 : 1;
    const auto info = Of<VkIndirectCommandsLayoutCreateInfoNV>(flags, point, count, tokens, 1, &stride);
    return MakeFrom(info, vk.CreateIndirectCommandsLayoutNV, vk.DestroyIndirectCommandsLayoutNV);
  }
  VkCommandBuffer Begun(VkPipeline pipeline) {
    const VkCommandBuffer commands = BeginFor(CallOf(vk::CommandId::kCmdDraw));
    Bind(commands, pipeline);
    return commands;
  }
  Info Correct() const {
    return {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
            .pNext = &chained_,
            .shaderStages = kDrawing,
            .indirectCommandsLayout = numbers.sequences[0],
            .indirectAddress = 4096,
            .indirectAddressSize = 64,
            .maxSequenceCount = 1,
            .maxDrawCount = 1};
  }
  // Of one stream and one sequence, with 32 bytes for preprocessing.
  NvInfo CorrectNv(VkPipeline pipeline, VkPipelineBindPoint point, VkIndirectCommandsLayoutNV layout) {
    streams_[0].buffer = streams_[1].buffer = MakeBuffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    return Of<NvInfo>(point, pipeline, layout, 1, streams_, 1, streams_[0].buffer, 0, 32);
  }
  // With a place for its metadata in the buffer, if there is one.
  VkPipeline MakeIndirect(VkDeviceAddress place) {
    const auto buffer = Of<VkComputePipelineIndirectBufferInfoNV>(place, 64);
    constexpr auto kStage = VK_SHADER_STAGE_COMPUTE_BIT;
    const auto stage = Of<VkPipelineShaderStageCreateInfo>(0, kStage, MakeShader(ShaderTextOf(kStage, {})), "main");
    auto info = Of<VkComputePipelineCreateInfo>(kBindableNv, stage, layout(), VkPipeline{}, -1);
    info.pNext = &buffer;
    return MakePipelineFrom(info, vk.CreateComputePipelines);
  }
  void Ask(const NvAsked& asked) {
    VkMemoryRequirements2 found = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vk.GetGeneratedCommandsMemoryRequirementsNV(device, &asked, &found);
  }
  // The execution set, with a layout of commands that use one.
  void UseSet(auto& info, VkIndirectCommandsLayoutEXT layout) {
    info.indirectCommandsLayout = layout;
    info.indirectExecutionSet = set_;
  }

  VkPipeline pipeline_ = VK_NULL_HANDLE;
  VkGeneratedCommandsPipelineInfoEXT chained_ = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT};
  VkDeviceAddress plain_address_ = 0;
  VkIndirectExecutionSetEXT set_ = VK_NULL_HANDLE;
  VkIndirectCommandsLayoutEXT with_set_ = VK_NULL_HANDLE;
  VkIndirectCommandsStreamNV streams_[2] = {};
};

TEST_F(GeneratedInfos, Commands) {
  Start();
  const VkIndirectCommandsPushConstantTokenEXT range = {{kVertex, 0, 4}};
  const VkIndirectCommandsVertexBufferTokenEXT unit = {0};
  const VkPipelineLayout large = MakePipelineLayout({}, 16);
  const auto push = [&](VkIndirectCommandsTokenTypeEXT type) {
    return MakeSequence({SetToken(kDrawing), Token(type, 0, {.pPushConstant = &range}), DrawToken()}, 0, large);
  };
  const auto pushes = push(VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT),
             indices = push(VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT),
             binds = MakeSequence(
                 {Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, 0, {.pVertexBuffer = &unit}), DrawToken()}),
             counts = MakeSequence({Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT)}),
             of_large = MakeSequence({SetToken(kDrawing), DrawToken()}, 0, large);
  VkCommandBuffer commands = Begun(pipeline_);
  const VkCommandBuffer dynamic = Begun(MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE}})),
                        other = Begun(MakePipeline({})), tall = Begun(MakePipeline({.stages = Stages::kAllVertex}));
  const auto run = [&](const Info& info) { vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info); };
  Run<Info>(
      "VkGeneratedCommandsInfoEXT", Correct(),
      {{"", [&](auto& i) { UseSet(i, with_set_); }},
       {"indirectCommandsLayout-11083", [&](auto& i) { i.indirectCommandsLayout = with_set_; }},
       {"indirectCommandsLayout-10241", [&](auto& i) { i.indirectExecutionSet = set_; }},
       {"indirectExecutionSet-11080", [](auto& i) { i.pNext = nullptr; }},
       {"indirectCommandsLayout-11002", [&](auto& i) { UseSet(i, MakeSequence({SetToken(kVertex), DrawToken()})); }},
       {"indirectCommandsLayout-11065", [&](auto& i) { UseSet(i, pushes); }},
       {"indirectCommandsLayout-11066", [&](auto& i) { UseSet(i, indices); }},
       {"indirectCommandsLayout-11144", [&](auto& i) { UseSet(i, of_large); }},
       {"indirectCommandsLayout-11079", [&](auto& i) { i.indirectCommandsLayout = binds; }},
       {"maxSequenceCount-11067", [](auto& i) { i.maxSequenceCount = kMostSequences + 1; }},
       {"", [&](auto& i) { i.maxDrawCount = 1u << 24; }},
       {"maxDrawCount-11078", [&](auto& i) { i.indirectCommandsLayout = counts, i.maxDrawCount = 1u << 24; }},
       {"preprocessAddress-11069", [&](auto& i) { i.preprocessAddress = plain_address_; }},
       {"sequenceCountAddress-11072", [&](auto& i) { i.sequenceCountAddress = plain_address_; }},
       {"vkCmdExecuteGeneratedCommandsEXT-indirectCommandsLayout-11053",
        [&](auto& i) { UseSet(i, with_set_), commands = other; }},
       {"vkCmdExecuteGeneratedCommandsEXT-supportedIndirectCommandsShaderStages-11060",
        [&](auto&) { commands = tall; }},
       {"", [&](auto& i) { i.indirectCommandsLayout = binds, commands = dynamic; }}},
      run);
  commands = Begun(pipeline_);
  driver().config().adjust_requirements = [](VkMemoryRequirements2& found) { found.memoryRequirements.size = 64; };
  Info preprocessed = Correct();
  preprocessed.preprocessAddress = 1 << 30;
  preprocessed.preprocessSize = 64;
  Run<Info>("VkGeneratedCommandsInfoEXT", preprocessed,
            {{"preprocessAddress-11063", [](auto& i) { i.preprocessAddress = 0; }},
             {"preprocessSize-11071", [](auto& i) { i.preprocessSize = 63; }}},
            run);
}
TEST_F(GeneratedInfos, Questions) {
  Start({.has_shader_objects = true});
  const auto counts = MakeSequence({Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT)});
  const VkShaderEXT shaders[] = {ShaderObject(VK_SHADER_STAGE_VERTEX_BIT), ShaderObject(VK_SHADER_STAGE_VERTEX_BIT)};
  const auto twice = Of<VkGeneratedCommandsShaderInfoEXT>(2, shaders);
  Run<Asked>(
      "VkGeneratedCommandsMemoryRequirementsInfoEXT",
      {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
       .pNext = &chained_,
       .indirectCommandsLayout = numbers.sequences[0],
       .maxSequenceCount = 1},
      {{"indirectCommandsLayout-11010", [&](auto& a) { a.indirectCommandsLayout = with_set_; }},
       {"indirectCommandsLayout-11011", [&](auto& a) { a.indirectExecutionSet = set_; }},
       {"indirectExecutionSet-11012", [](auto& a) { a.pNext = nullptr; }},
       {"indirectCommandsLayout-11151", [&](auto& a) { UseSet(a, MakeSequence({SetToken(kVertex), DrawToken()})); }},
       {"maxSequencesCount-11009", [](auto& a) { a.maxSequenceCount = kMostSequences + 1; }},
       {"maxDrawCount-11146", [&](auto& a) { a.indirectCommandsLayout = counts, a.maxDrawCount = 1u << 24; }},
       {"VkGeneratedCommandsShaderInfoEXT-pShaders-11127", [&](auto& a) { a.pNext = &twice; }}},
      [this](const Asked& asked) {
        VkMemoryRequirements2 found = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        vk.GetGeneratedCommandsMemoryRequirementsEXT(device, &asked, &found);
      });
}
TEST_F(GeneratedInfos, Preprocessing) {
  Start({.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT});
  const auto own = MakeSequence({DrawToken()}, kExplicit),
             own_with_set = MakeSequence({SetToken(kDrawing), DrawToken()}, kExplicit);
  const VkCommandBuffer commands = MakeCommandBuffer(), ended = MakeCommandBuffer();
  const VkCommandBuffer guarded = BeginFor(CallOf(vk::CommandId::kCmdDispatch));
  Begin(commands);
  Begin(ended);
  End(ended);
  Info info = Correct();
  info.indirectCommandsLayout = own;
  const VkCommandBuffer of_state = Begun(pipeline_), other = Begun(MakePipeline({}));
  const auto use_set = [&](auto& p, VkCommandBuffer state) {
    UseSet(p.info, own_with_set);
    p.of_state = state;
  };
  Run<Preprocessing>(
      "vkCmdPreprocessGeneratedCommandsEXT", {info, commands, of_state},
      {{"commandBuffer-11081", [&](auto& p) { p.commands = guarded; }},
       {"pGeneratedCommandsInfo-11082", [&](auto& p) { p.info.indirectCommandsLayout = numbers.sequences[0]; }},
       {"supportedIndirectCommandsShaderStages-11088", [](auto& p) { p.info.shaderStages |= kGeometry; }},
       {"stateCommandBuffer-11138", [&](auto& p) { p.of_state = ended; }},
       {"", [&](auto& p) { use_set(p, of_state); }},
       {"indirectCommandsLayout-11084", [&](auto& p) { use_set(p, other); }}},
      [this](const auto& p) { vk.CmdPreprocessGeneratedCommandsEXT(p.commands, &p.info, p.of_state); });
  const auto own_nv = NvSequence(kDrawNv, kGraphics, kExplicitNv);
  Run<NvPreprocessing>(
      "vkCmdPreprocessGeneratedCommandsNV", {CorrectNv(pipeline_, kGraphics, own_nv), commands},
      {{"commandBuffer-02974", [&](auto& p) { p.commands = guarded; }},
       {"pGeneratedCommandsInfo-02927", [&](auto& p) { p.info.indirectCommandsLayout = numbers.sequences_nv[0]; }}},
      [this](const auto& p) { vk.CmdPreprocessGeneratedCommandsNV(p.commands, &p.info); });
}

TEST_F(GeneratedInfos, CommandsOfNv) {
  Start();
  const auto groups = NvSequence(kDrawNv, kGraphics, 0, VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV),
             pushes = NvSequence(kDrawNv, kGraphics, 0, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV),
             indexed = NvSequence(kDrawNv, kGraphics, VK_INDIRECT_COMMANDS_LAYOUT_USAGE_INDEXED_SEQUENCES_BIT_NV);
  const VkCommandBuffer commands = Begun(pipeline_);
  const auto run = [&](const NvInfo& info) { vk.CmdExecuteGeneratedCommandsNV(commands, VK_FALSE, &info); };
  driver().config().adjust_requirements = [](VkMemoryRequirements2& found) { found.memoryRequirements.size = 32; };
  Run<NvInfo>("VkGeneratedCommandsInfoNV", CorrectNv(pipeline_, kGraphics, numbers.sequences_nv[0]),
              {{"indirectCommandsLayout-02914", [&](auto& i) { i.indirectCommandsLayout = groups; }},
               {"indirectCommandsLayout-02915", [&](auto& i) { i.indirectCommandsLayout = pushes; }},
               {"streamCount-02916", [](auto& i) { i.streamCount = 2; }},
               {"sequencesCount-02917", [](auto& i) { i.sequencesCount = kMostSequences + 1; }},
               {"preprocessSize-02920", [](auto& i) { i.preprocessSize = 31; }},
               {"sequencesIndexBuffer-02924", [&](auto& i) { i.indirectCommandsLayout = indexed; }},
               {"sequencesIndexBuffer-02924", [&](auto& i) { i.sequencesIndexBuffer = streams_[0].buffer; }}},
              run);
  const VkPipeline indirect = MakeIndirect(
                       AddressWith(VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)),
                   lost = MakeIndirect(0), plain = MakeCompute();
  ExpectNothing();
  MakeIndirect(plain_address_);
  ExpectMessage("VUID-VkComputePipelineIndirectBufferInfoNV-deviceAddress-09012");
  const auto kChoice = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV;
  const auto layout = NvSequence(kDispatchNv, kCompute), chooses = NvSequence(kDispatchNv, kCompute, 0, kChoice),
             own = NvSequence(kDispatchNv, kCompute, kExplicitNv),
             own_chooses = NvSequence(kDispatchNv, kCompute, kExplicitNv, kChoice);
  const VkCommandBuffer outside = MakeCommandBuffer();
  Begin(outside);
  Bind(outside, indirect, kCompute);
  const auto preprocess = [&](const NvInfo& info) { vk.CmdPreprocessGeneratedCommandsNV(outside, &info); };
  Run<NvInfo>("VkGeneratedCommandsInfoNV", CorrectNv(indirect, kCompute, own),
              {{"pipelineBindPoint-09084", [&](auto& i) { i.pipeline = plain; }},
               {"pipelineBindPoint-09085", [&](auto& i) { i.pipeline = lost; }},
               {"pipelineBindPoint-09087", [&](auto& i) { i.indirectCommandsLayout = own_chooses; }}},
              preprocess);
  Run<NvAsked>("VkGeneratedCommandsMemoryRequirementsInfoNV", Of<NvAsked>(kCompute, indirect, layout, 1),
               {{"pipelineBindPoint-09075", [&](auto& a) { a = Of<NvAsked>(kGraphics, VkPipeline{}, indexed, 1); }},
                {"pipelineBindPoint-09076", [](auto& a) { a.pipeline = VK_NULL_HANDLE; }},
                {"pipelineBindPoint-09077", [&](auto& a) { a.indirectCommandsLayout = chooses; }}},
               [this](const NvAsked& asked) { Ask(asked); });
  Run<VkPipelineIndirectDeviceAddressInfoNV>(
      "VkPipelineIndirectDeviceAddressInfoNV", Of<VkPipelineIndirectDeviceAddressInfoNV>(kCompute, indirect),
      {{"pipelineBindPoint-09079", [](auto& a) { a.pipelineBindPoint = kGraphics; }},
       {"pipeline-09080", [&](auto& a) { a.pipeline = plain; }},
       {"pipeline-09081", [&](auto& a) { a.pipeline = lost; }}},
      [this](const auto& info) { vk.GetPipelineIndirectDeviceAddressNV(device, &info); });
  Run<VkPipeline>("vkCmdUpdatePipelineIndirectBufferNV", indirect,
                  {{"pipeline-09019", [&](auto& p) { p = plain; }}, {"pipeline-09020", [&](auto& p) { p = lost; }}},
                  [&](VkPipeline p) { vk.CmdUpdatePipelineIndirectBufferNV(outside, kCompute, p); });
}
TEST_F(GeneratedInfos, MeshesOfNv) {
  Start();
  const VkPipeline ext = MakePipeline({.stages = Stages::kMesh}), nv = MakePipeline({.stages = Stages::kMeshNv});
  const auto tasks = NvSequence(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV, kGraphics, kExplicitNv),
             meshes = NvSequence(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV, kGraphics, kExplicitNv);
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  const auto run = [&](const NvInfo& info) { vk.CmdPreprocessGeneratedCommandsNV(commands, &info); };
  Run<NvInfo>("VkGeneratedCommandsInfoNV", CorrectNv(nv, kGraphics, tasks),
              {{"indirectCommandsLayout-07078", [&](auto& i) { i.pipeline = ext; }}}, run);
  Run<NvInfo>("VkGeneratedCommandsInfoNV", CorrectNv(ext, kGraphics, meshes),
              {{"indirectCommandsLayout-07079", [&](auto& i) { i.pipeline = nv; }}}, run);
}
TEST_F(GeneratedInfos, FeatureOfNv) {
  Start({.without = {"deviceGeneratedCompute"}});
  Ask(Of<NvAsked>(kCompute, MakeCompute(), numbers.sequences_nv[0], 1));
  ExpectMessage("VUID-vkGetGeneratedCommandsMemoryRequirementsNV-pInfo-09074");
}

}  // namespace
}  // namespace assay::core
