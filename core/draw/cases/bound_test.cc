// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What must be bound, for every command that has the rule, through the whole layer.

#include <string_view>
#include <utility>
#include <vector>

#include "core/draw/cases/draw_test.h"

namespace assay::core {
namespace {

class Bound : public DrawTest {};

TEST_F(Bound, NeitherPipelineNorShaderObjects) {
  for (const bool has_shader_objects : {false, true}) {
    Start({.has_shader_objects = has_shader_objects});
    RunRule(has_shader_objects ? "None-08607" : "None-08606", [] {}, [&] { BindPlain(); });
  }
}

TEST_F(Bound, ComputeShaderObject) {
  Start({.has_shader_objects = true});
  RecordFor(vk::CommandId::kCmdDispatch, [&] {
    BindShader(VK_SHADER_STAGE_COMPUTE_BIT);
    ExpectSilence();
    // Binding shader objects for draws takes nothing from dispatches.
    BindPlain();
    BindShader(VK_SHADER_STAGE_VERTEX_BIT, false);
    ExpectSilence();
  });
}

TEST_F(Bound, ShaderObjectsUnbindThePipeline) {
  Start({.has_shader_objects = true});
  RecordFor(vk::CommandId::kCmdDraw, [&] {
    BindPlain();
    BindShaders(Stages::kVertex, VK_SHADER_STAGE_GEOMETRY_BIT);
    ExpectRule("None-08687");
    BindPlain();
    ExpectSilence();
  });
}

TEST_F(Bound, PipelineAfterSecondaryCommandBuffers) {
  Start();
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(secondary, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  End(secondary);
  for (const vk::CommandId command : {vk::CommandId::kCmdDraw, vk::CommandId::kCmdDispatch}) {
    BeginWith(CallOf(command));
    BindPlain();
    vk.CmdExecuteCommands(commands_, 1, &secondary);
    BeginPass();
    ExpectRule("None-08606");
    BindPlain();
    ExpectSilence();
    EndFor();
  }
}

TEST_F(Bound, EveryStageIsCalled) {
  constexpr std::pair<VkShaderStageFlagBits, std::string_view> kRows[] = {
      {VK_SHADER_STAGE_VERTEX_BIT, "None-08684"},
      {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "None-08685"},
      {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "None-08686"},
      {VK_SHADER_STAGE_GEOMETRY_BIT, "None-08687"},
      {VK_SHADER_STAGE_FRAGMENT_BIT, "None-08688"},
      {VK_SHADER_STAGE_TASK_BIT_EXT, "None-08689"},
      {VK_SHADER_STAGE_MESH_BIT_EXT, "None-08690"}};
  Start({.has_shader_objects = true});
  for (const auto& [stage, rule] : kRows) {
    RunRule(
        rule, [&, stage = stage] { BindAndSetAll(StagesOf(*call_), stage); },
        [&, stage = stage] { BindShader(stage, (FlagsOf(StagesOf(*call_)) & stage) != 0); });
  }
}

TEST_F(Bound, StagesWithoutTheirFeatures) {
  Start({.has_shader_objects = true, .has_meshes = false, .without = {"geometryShader", "tessellationShader"}});
  RecordFor(vk::CommandId::kCmdDraw, [&] {
    BindShader(VK_SHADER_STAGE_VERTEX_BIT);
    BindShader(VK_SHADER_STAGE_FRAGMENT_BIT);
    SetAll({VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
            VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT});
    ExpectSilence();
  });
}

// With VK_EXT_shader_object alone, draws need nothing of other extensions.
TEST_F(Bound, StatesOfOtherExtensions) {
  driver().config().disabled_features = {"depthClamp", "depthBounds",    "logicOp",
                                         "alphaToOne", "geometryShader", "tessellationShader"};
  StartWithOnly({"VK_EXT_shader_object"});
  BeginWith(CallOf(vk::CommandId::kCmdDraw));
  BeginRendering(commands_,
                 {.has_depth = false, .has_stencil = false, .color = MakeAttachment(VK_FORMAT_R8G8B8A8_UNORM)});
  BindShader(VK_SHADER_STAGE_VERTEX_BIT);
  BindShader(VK_SHADER_STAGE_FRAGMENT_BIT);
  for (const VkDynamicState state :
       {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
        VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
        VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
        VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
        VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
        VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
        VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
        VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT}) {
    Set(state);
  }
  ExpectNothing();
  ExpectSilence();
  EndFor();
}

TEST_F(Bound, VertexOrMeshShader) {
  Start({.has_shader_objects = true});
  RecordEach("None-08693", [&] {
    BindAndSetAll();
    ExpectSilence();
    for (const bool is_bound : {true, false}) {
      BindShader(VK_SHADER_STAGE_VERTEX_BIT, is_bound);
      BindShader(VK_SHADER_STAGE_MESH_BIT_EXT, is_bound);
      ExpectRule("None-08693");
    }
  });
}

TEST_F(Bound, ShadersOfTheOtherKind) {
  Start({.has_shader_objects = true});
  RunRule("None-08696", [&] {
    BindAndSetAll(Stages::kVertex);
    BindShader(VK_SHADER_STAGE_TASK_BIT_EXT);
  });
  RunRule("None-08885", [&] { BindAndSetAll(Stages::kMesh); });
}

TEST_F(Bound, ShaderObjectsInRenderPass) {
  Start({.has_shader_objects = true});
  RecordEachIn(MakeEmptyPass(), {}, "None-08876", [&] {
    BindAndSetAll();
    ExpectRule("None-08876");
  });
}

TEST_F(Bound, PipelineOfTheOtherKind) {
  Start();
  for (const std::string_view rule : {"stage-06481", "stage-06480"})
    RunRule(rule, [&] { Bind(MakePipeline({.stages = call_->draws_meshes ? Stages::kVertex : Stages::kMesh})); });
}

TEST_F(Bound, MeshShaderOfTheOtherExtension) {
  Start();
  for (const std::string_view rule :
       {"MeshNV-07080", "MeshNV-07081", "MeshNV-07082", "MeshEXT-07087", "MeshEXT-07091", "MeshEXT-07100"}) {
    RecordEach(rule, [&] {
      BindPlain();
      ExpectSilence();
      Bind(MakePipeline({.stages = StagesOf(*call_) == Stages::kMesh ? Stages::kMeshNv : Stages::kMesh}));
      ExpectRule(rule);
    });
  }
}

TEST_F(Bound, RayQueriesInProtectedCommandBuffers) {
  for (const VkCommandPoolCreateFlags flags : {0, int{VK_COMMAND_POOL_CREATE_PROTECTED_BIT}}) {
    Start({.extensions = {"VK_KHR_ray_query"}, .pool_flags = flags});
    Add({.capabilities = Capabilities("RayQueryKHR", "SPV_KHR_ray_query")});
    RecordEach("commandBuffer-04617", [&] {
      BindPlain();
      ExpectRule(flags == 0 ? "" : "commandBuffer-04617");
    });
  }
}

TEST_F(Bound, IndirectCountsNeedTheirFeature) {
  Start({.without = {"drawIndirectCount"}});
  RunRule("None-04445", [&] { BindPlain(); });
}

TEST_F(Bound, GroupBase) {
  Start({.has_shader_objects = true});
  BeginWith(CallOf(vk::CommandId::kCmdDispatch));
  Bind(MakeCompute(VK_PIPELINE_CREATE_DISPATCH_BASE));
  vk.CmdDispatchBase(commands_, 1, 0, 0, 1, 1, 1);
  ExpectNothing();
  BindPlain();
  vk.CmdDispatchBase(commands_, 0, 0, 1, 1, 1, 1);
  ExpectMessage("VUID-vkCmdDispatchBase-baseGroupX-00427");
  BindShader(VK_SHADER_STAGE_COMPUTE_BIT);
  vk.CmdDispatchBase(commands_, 0, 1, 0, 1, 1, 1);
  ExpectMessage("VUID-vkCmdDispatchBase-baseGroupX-00427");
}

// With maintenance6 a draw needs none.
TEST_F(Bound, IndexBuffer) {
  for (const bool needs_one : {true, false}) {
    Start({.without = needs_one ? std::set<std::string>{"maintenance6"} : std::set<std::string>()});
    ForEach("None-07312", [&](const ActionCall& call) {
      BeginWith(call);
      BeginRendering(commands_);
      BindPlain();
      ExpectRule(needs_one ? "None-07312" : "");
      vk.CmdBindIndexBuffer(commands_, MakeBuffer(64), 0, VK_INDEX_TYPE_UINT32);
      ExpectSilence();
      EndFor();
    });
  }
}

TEST_F(Bound, VertexBuffers) {
  Start();
  RecordEach("None-04007", [&] {
    const test::Buffer buffer = MakeBuffer(4096);
    const VkDeviceSize zero = 0;
    Bind(MakePipeline({.vertex_bindings = 2}));
    vk.CmdBindVertexBuffers(commands_, 0, 1, &buffer.handle, &zero);
    ExpectRule("None-04007");
    vk.CmdBindVertexBuffers(commands_, 1, 1, &buffer.handle, &zero);
    ExpectSilence();
  });
}

// A second draw is compared with the first, which was correct. It is not the same.
TEST_F(Bound, AfterACorrectDraw) {
  Start();
  const ActionCall& draw = CallOf(vk::CommandId::kCmdDraw);
  const ActionCall& mesh = CallOf(vk::CommandId::kCmdDrawMeshTasksEXT);
  BeginFor(draw);
  BindPlain();
  ExpectSilence();
  ExpectSilence();
  ExpectRule(mesh, "stage-06480");
  Bind(PlainPipelineOf(mesh));
  ExpectRule(draw, "stage-06481");
  ExpectRule(mesh, "");
  vk.CmdEndRendering(commands_);
  ExpectRule(CallOf(vk::CommandId::kCmdDispatch), "None-08606");
  End(commands_);
}

}  // namespace
}  // namespace assay::core
