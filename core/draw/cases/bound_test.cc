// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What must be bound, for every command that has the rule, through the whole layer.

#include <string>
#include <string_view>
#include <vector>

#include "core/draw/cases/draw_test.h"

namespace assay::core {
namespace {

using Bound = DrawTest;

TEST_F(Bound, NoPipeline) {
  Start();
  ForEach("None-08606", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    ExpectRule(call, commands, "None-08606");
    Bind(commands, PlainPipelineOf(call), PointOf(call));
    ExpectSilence(call, commands);
    EndFor(call, commands);
  });
}

TEST_F(Bound, NeitherPipelineNorShaderObjects) {
  Start({.has_shader_objects = true});
  ForEach("None-08607", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    ExpectRule(call, commands, "None-08607");
    Bind(commands, PlainPipelineOf(call), PointOf(call));
    ExpectSilence(call, commands);
    EndFor(call, commands);
  });
}

TEST_F(Bound, ComputeShaderObject) {
  Start({.has_shader_objects = true});
  const ActionCall& call = CallOf(vk::CommandId::kCmdDispatch);
  const VkCommandBuffer commands = BeginFor(call);
  BindShader(commands, VK_SHADER_STAGE_COMPUTE_BIT, true);
  ExpectSilence(call, commands);
  // Binding shader objects for draws takes nothing from dispatches.
  Bind(commands, MakeCompute(), VK_PIPELINE_BIND_POINT_COMPUTE);
  BindShader(commands, VK_SHADER_STAGE_VERTEX_BIT, false);
  ExpectSilence(call, commands);
  EndFor(call, commands);
}

TEST_F(Bound, ShaderObjectsUnbindThePipeline) {
  Start({.has_shader_objects = true});
  const ActionCall& call = CallOf(vk::CommandId::kCmdDraw);
  const VkCommandBuffer commands = BeginFor(call);
  Bind(commands, PlainPipelineOf(call));
  BindShaders(commands, Stages::kVertex, VK_SHADER_STAGE_GEOMETRY_BIT);
  ExpectRule(call, commands, "None-08687");
  Bind(commands, PlainPipelineOf(call));
  ExpectSilence(call, commands);
  EndFor(call, commands);
}

TEST_F(Bound, PipelineAfterSecondaryCommandBuffers) {
  Start();
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                          VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &inheritance};
  vk.BeginCommandBuffer(secondary, &begin);
  End(secondary);
  for (const vk::CommandId command : {vk::CommandId::kCmdDraw, vk::CommandId::kCmdDispatch}) {
    const ActionCall& call = CallOf(command);
    const VkPipeline pipeline = PlainPipelineOf(call);
    const VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    Bind(commands, pipeline, PointOf(call));
    vk.CmdExecuteCommands(commands, 1, &secondary);
    if (call.point == DrawRecording::kGraphics) BeginRendering(commands);
    ExpectRule(call, commands, "None-08606");
    Bind(commands, pipeline, PointOf(call));
    ExpectSilence(call, commands);
    EndFor(call, commands);
  }
}

TEST_F(Bound, EveryStageIsCalled) {
  constexpr struct {
    VkShaderStageFlagBits stage;
    std::string_view rule;
  } kRows[] = {{VK_SHADER_STAGE_VERTEX_BIT, "None-08684"},
               {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "None-08685"},
               {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "None-08686"},
               {VK_SHADER_STAGE_GEOMETRY_BIT, "None-08687"},
               {VK_SHADER_STAGE_FRAGMENT_BIT, "None-08688"},
               {VK_SHADER_STAGE_TASK_BIT_EXT, "None-08689"},
               {VK_SHADER_STAGE_MESH_BIT_EXT, "None-08690"}};
  Start({.has_shader_objects = true});
  for (const auto& row : kRows) {
    ForEach(row.rule, [&](const ActionCall& call) {
      const VkCommandBuffer commands = BeginFor(call);
      BindShaders(commands, StagesOf(call), row.stage);
      SetAll(commands);
      ExpectRule(call, commands, row.rule);
      BindShader(commands, row.stage, (FlagsOf(StagesOf(call)) & row.stage) != 0);
      ExpectSilence(call, commands);
      EndFor(call, commands);
    });
  }
}

TEST_F(Bound, StagesWithoutTheirFeatures) {
  Start({.has_shader_objects = true, .has_meshes = false, .without = {"geometryShader", "tessellationShader"}});
  const ActionCall& call = CallOf(vk::CommandId::kCmdDraw);
  const VkCommandBuffer commands = BeginFor(call);
  BindShader(commands, VK_SHADER_STAGE_VERTEX_BIT, true);
  BindShader(commands, VK_SHADER_STAGE_FRAGMENT_BIT, true);
  for (const VkDynamicState state : vk::kDynamicStates) {
    const bool is_other = state == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR ||
                          state == VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT ||
                          state == VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT ||
                          state == VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
    if (!is_other && HasState(state)) Set(commands, state);
  }
  ExpectSilence(call, commands);
  EndFor(call, commands);
}

// With VK_EXT_shader_object alone, draws need nothing of other extensions.
TEST_F(Bound, StatesOfOtherExtensions) {
  driver().config().disabled_extensions.clear();
  driver().config().disabled_features = {"depthClamp", "depthBounds",    "logicOp",
                                         "alphaToOne", "geometryShader", "tessellationShader"};
  test::DeviceOptions options;
  options.device_extensions = {"VK_EXT_shader_object"};
  test::ExtensionFeatures features;
  options.features = features.Enable(options.device_extensions, {});
  Create(options);
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkImageView view = MakeView(MakeImage(format, 64, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
  const VkRenderingAttachmentInfo color = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
  const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                     .renderArea = {{0, 0}, {64, 64}},
                                     .layerCount = 1,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color};
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  vk.CmdBeginRendering(commands, &rendering);
  BindShader(commands, VK_SHADER_STAGE_VERTEX_BIT, true);
  BindShader(commands, VK_SHADER_STAGE_FRAGMENT_BIT, true);
  for (const VkDynamicState state :
       {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
        VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
        VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
        VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
        VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
        VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
        VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
        VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT}) {
    Set(commands, state);
  }
  ExpectNothing();
  vk.CmdDraw(commands, 3, 1, 0, 0);
  ExpectNothing();
  vk.CmdEndRendering(commands);
  End(commands);
}

TEST_F(Bound, VertexOrMeshShader) {
  Start({.has_shader_objects = true});
  ForEach("None-08693", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    BindShaders(commands, StagesOf(call));
    SetAll(commands);
    ExpectSilence(call, commands);
    BindShader(commands, VK_SHADER_STAGE_VERTEX_BIT, true);
    BindShader(commands, VK_SHADER_STAGE_MESH_BIT_EXT, true);
    ExpectRule(call, commands, "None-08693");
    BindShader(commands, VK_SHADER_STAGE_VERTEX_BIT, false);
    BindShader(commands, VK_SHADER_STAGE_MESH_BIT_EXT, false);
    ExpectRule(call, commands, "None-08693");
    EndFor(call, commands);
  });
}

TEST_F(Bound, VertexShaderWithTaskShader) {
  Start({.has_shader_objects = true});
  ForEach("None-08696", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    BindShaders(commands, Stages::kVertex);
    BindShader(commands, VK_SHADER_STAGE_TASK_BIT_EXT, true);
    SetAll(commands);
    ExpectRule(call, commands, "None-08696");
    EndFor(call, commands);
  });
}

TEST_F(Bound, MeshShaderForVertices) {
  Start({.has_shader_objects = true});
  ForEach("None-08885", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    BindShaders(commands, Stages::kMesh);
    SetAll(commands);
    ExpectRule(call, commands, "None-08885");
    EndFor(call, commands);
  });
}

TEST_F(Bound, ShaderObjectsInRenderPass) {
  Start({.has_shader_objects = true});
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
  const VkRenderPass render_pass =
      MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass});
  const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = render_pass,
                                       .framebuffer = MakeFramebuffer(render_pass, {}, 64, 64),
                                       .renderArea = {{0, 0}, {64, 64}}};
  ForEach("None-08876", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    vk.CmdEndRendering(commands);
    vk.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    BindShaders(commands, StagesOf(call));
    SetAll(commands);
    ExpectRule(call, commands, "None-08876");
    vk.CmdEndRenderPass(commands);
    End(commands);
  });
}

TEST_F(Bound, PipelineOfTheOtherKind) {
  Start();
  for (const std::string_view rule : {"stage-06481", "stage-06480"}) {
    ForEach(rule, [&](const ActionCall& call) {
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, MakePipeline({.stages = call.draws_meshes ? Stages::kVertex : Stages::kMesh}));
      ExpectRule(call, commands, rule);
      EndFor(call, commands);
    });
  }
}

TEST_F(Bound, MeshShaderOfTheOtherExtension) {
  Start();
  for (const std::string_view rule :
       {"MeshNV-07080", "MeshNV-07081", "MeshNV-07082", "MeshEXT-07087", "MeshEXT-07091", "MeshEXT-07100"}) {
    ForEach(rule, [&](const ActionCall& call) {
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, PlainPipelineOf(call));
      ExpectSilence(call, commands);
      Bind(commands, MakePipeline({.stages = StagesOf(call) == Stages::kMesh ? Stages::kMeshNv : Stages::kMesh}));
      ExpectRule(call, commands, rule);
      EndFor(call, commands);
    });
  }
}

TEST_F(Bound, RayQueriesInProtectedCommandBuffers) {
  for (const VkCommandPoolCreateFlags flags : {0, int{VK_COMMAND_POOL_CREATE_PROTECTED_BIT}}) {
    Start({.extensions = {"VK_KHR_ray_query"}, .pool_flags = flags});
    Add({.capabilities = "OpCapability RayQueryKHR\n", .extensions = "OpExtension \"SPV_KHR_ray_query\"\n"},
        VK_NULL_HANDLE);
    ForEach("commandBuffer-04617", [&](const ActionCall& call) {
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, PlainPipelineOf(call), PointOf(call));
      flags == 0 ? ExpectSilence(call, commands) : ExpectRule(call, commands, "commandBuffer-04617");
      EndFor(call, commands);
    });
    Destroy();
  }
}

TEST_F(Bound, IndirectCountsNeedTheirFeature) {
  Start({.without = {"drawIndirectCount"}});
  ForEach("None-04445", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    Bind(commands, PlainPipelineOf(call));
    ExpectRule(call, commands, "None-04445");
    EndFor(call, commands);
  });
}

TEST_F(Bound, GroupBase) {
  Start({.has_shader_objects = true});
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  Bind(commands, MakeCompute(VK_PIPELINE_CREATE_DISPATCH_BASE), VK_PIPELINE_BIND_POINT_COMPUTE);
  vk.CmdDispatchBase(commands, 1, 0, 0, 1, 1, 1);
  ExpectNothing();
  Bind(commands, MakeCompute(), VK_PIPELINE_BIND_POINT_COMPUTE);
  vk.CmdDispatchBase(commands, 0, 0, 1, 1, 1, 1);
  ExpectMessage("VUID-vkCmdDispatchBase-baseGroupX-00427");
  BindShader(commands, VK_SHADER_STAGE_COMPUTE_BIT, true);
  vk.CmdDispatchBase(commands, 0, 1, 0, 1, 1, 1);
  ExpectMessage("VUID-vkCmdDispatchBase-baseGroupX-00427");
}

TEST_F(Bound, IndexBuffer) {
  Start({.without = {"maintenance6"}});
  ForEach("None-07312", [&](const ActionCall& call) {
    const VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    BeginRendering(commands);
    Bind(commands, PlainPipelineOf(call));
    ExpectRule(call, commands, "None-07312");
    vk.CmdBindIndexBuffer(commands, MakeBuffer(64), 0, VK_INDEX_TYPE_UINT32);
    ExpectSilence(call, commands);
    EndFor(call, commands);
  });
}

TEST_F(Bound, NoIndexBufferWithMaintenance6) {
  Start();
  const ActionCall& call = CallOf(vk::CommandId::kCmdDrawIndexed);
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  BeginRendering(commands);
  Bind(commands, PlainPipelineOf(call));
  ExpectSilence(call, commands);
  EndFor(call, commands);
}

TEST_F(Bound, VertexBuffers) {
  Start();
  ForEach("None-04007", [&](const ActionCall& call) {
    const test::Buffer buffer = MakeBuffer(4096);
    const VkDeviceSize zero = 0;
    const VkCommandBuffer commands = BeginFor(call);
    Bind(commands, MakePipeline({.vertex_bindings = 2}));
    vk.CmdBindVertexBuffers(commands, 0, 1, &buffer.handle, &zero);
    ExpectRule(call, commands, "None-04007");
    vk.CmdBindVertexBuffers(commands, 1, 1, &buffer.handle, &zero);
    ExpectSilence(call, commands);
    EndFor(call, commands);
  });
}

// A second draw is compared with the first, which was correct. It is not the same.
TEST_F(Bound, AfterACorrectDraw) {
  Start();
  const ActionCall& draw = CallOf(vk::CommandId::kCmdDraw);
  const ActionCall& mesh = CallOf(vk::CommandId::kCmdDrawMeshTasksEXT);
  const ActionCall& dispatch = CallOf(vk::CommandId::kCmdDispatch);
  const VkCommandBuffer commands = BeginFor(draw);
  Bind(commands, PlainPipelineOf(draw));
  ExpectSilence(draw, commands);
  ExpectSilence(draw, commands);
  ExpectRule(mesh, commands, "stage-06480");
  Bind(commands, PlainPipelineOf(mesh));
  ExpectRule(draw, commands, "stage-06481");
  ExpectSilence(mesh, commands);
  vk.CmdEndRendering(commands);
  ExpectRule(dispatch, commands, "None-08606");
  End(commands);
}

}  // namespace
}  // namespace assay::core
