// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader objects that do not fit each other, for every command that draws with them.

#include <cstdint>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr auto kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr auto kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr auto kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr auto kTask = VK_SHADER_STAGE_TASK_BIT_EXT;
constexpr auto kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;

// One element of vkCreateShadersEXT.
struct ShaderOptions {
  VkShaderStageFlagBits stage;
  VkShaderStageFlags next = 0;
  VkShaderCreateFlagsEXT flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  std::vector<VkPushConstantRange> constants = {};
  std::vector<VkDescriptorSetLayout> sets = {};
};

class LinkedShaders : public DrawTest {
 protected:
  // With one call.
  std::vector<VkShaderEXT> Make(const std::vector<ShaderOptions>& shaders) {
    std::vector<std::vector<uint32_t>> words;
    words.reserve(shaders.size());
    for (const ShaderOptions& shader : shaders) words.push_back(test::AssembleSpirv(ShaderTextOf(shader.stage, {})));
    std::vector<VkShaderCreateInfoEXT> infos;
    infos.reserve(shaders.size());
    for (size_t i = 0; i < shaders.size(); ++i) {
      const ShaderOptions& shader = shaders[i];
      infos.push_back({.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                       .flags = shader.flags,
                       .stage = shader.stage,
                       .nextStage = shader.next,
                       .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                       .codeSize = words[i].size() * sizeof(uint32_t),
                       .pCode = words[i].data(),
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
    ExpectNothing();
    return handles;
  }
  void BindOne(VkCommandBuffer commands, VkShaderStageFlagBits stage, VkShaderEXT shader) {
    vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
  }
  // A recording for the draw, with all states, and with shader objects that go together.
  VkCommandBuffer Recording(const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    BindShaders(commands, StagesOf(call));
    SetAll(commands);
    return commands;
  }
  // The first stage of the command's draws.
  static VkShaderStageFlagBits FirstOf(const ActionCall& call) { return call.draws_meshes ? kMesh : kVertex; }
  static VkShaderCreateFlagsEXT FlagsOf(VkShaderStageFlagBits stage, VkShaderCreateFlagsEXT flags) {
    return stage == kMesh ? flags | VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT : flags;
  }
};

TEST_F(LinkedShaders, NegativeNotAllBound) {
  Start({.has_shader_objects = true});
  ForEach("None-08698", [&](const ActionCall& call) {
    const VkShaderStageFlagBits first = FirstOf(call);
    const auto linked =
        Make({{.stage = first, .next = kFragment, .flags = FlagsOf(first, VK_SHADER_CREATE_LINK_STAGE_BIT_EXT)},
              {.stage = kFragment}});
    const VkCommandBuffer commands = Recording(call);
    BindOne(commands, first, linked[0]);
    ExpectRule(call, commands, "None-08698");
    BindOne(commands, kFragment, linked[1]);
    ExpectSilence(call, commands);
    BindOne(commands, first, ShaderObject(first));
    ExpectRule(call, commands, "None-08698");
    // Linked with another one.
    const auto others =
        Make({{.stage = first, .next = kFragment, .flags = FlagsOf(first, VK_SHADER_CREATE_LINK_STAGE_BIT_EXT)},
              {.stage = kFragment}});
    BindOne(commands, first, others[0]);
    ExpectRule(call, commands, "None-08698");
    EndFor(call, commands);
  });
}

TEST_F(LinkedShaders, NegativeOtherStageBetween) {
  Start({.has_shader_objects = true});
  const auto linked = Make({{.stage = kVertex, .next = kFragment}, {.stage = kFragment}});
  ForEach("None-08699", [&](const ActionCall& call) {
    if (call.draws_meshes) return;
    const VkCommandBuffer commands = Recording(call);
    BindOne(commands, kVertex, linked[0]);
    BindOne(commands, kFragment, linked[1]);
    ExpectSilence(call, commands);
    BindOne(commands, kGeometry, ShaderObject(kGeometry));
    ExpectRule(call, commands, "None-08699");
    EndFor(call, commands);
  });
}

// The stages that are linked are next to each other.
TEST_F(LinkedShaders, TaskMeshAndFragmentShader) {
  Start({.has_shader_objects = true});
  const auto linked =
      Make({{.stage = kTask, .next = kMesh}, {.stage = kMesh, .next = kFragment}, {.stage = kFragment}});
  ForEach("None-08699", [&](const ActionCall& call) {
    if (!call.draws_meshes) return;
    const VkCommandBuffer commands = Recording(call);
    BindOne(commands, kTask, linked[0]);
    BindOne(commands, kMesh, linked[1]);
    BindOne(commands, kFragment, linked[2]);
    ExpectSilence(call, commands);
    EndFor(call, commands);
  });
}

TEST_F(LinkedShaders, NegativeTaskShaders) {
  Start({.has_shader_objects = true});
  const VkShaderEXT with_task = Make({{.stage = kMesh, .flags = 0}})[0];
  ForEach("None-08694", [&](const ActionCall& call) {
    const VkCommandBuffer commands = Recording(call);
    BindOne(commands, kMesh, with_task);
    ExpectRule(call, commands, "None-08694");
    BindShader(commands, kTask, true);
    ExpectSilence(call, commands);
    BindShader(commands, kMesh, true);
    ExpectRule(call, commands, "None-08695");
    EndFor(call, commands);
  });
}

TEST_F(LinkedShaders, NegativeOtherPushConstants) {
  Start({.has_shader_objects = true});
  const VkPushConstantRange both = {kVertex | kFragment | kMesh, 0, 16}, more = {VK_SHADER_STAGE_GEOMETRY_BIT, 16, 16};
  ForEach("None-08878", [&](const ActionCall& call) {
    const VkShaderStageFlagBits first = FirstOf(call);
    const auto shaders = Make({{.stage = first, .flags = FlagsOf(first, 0), .constants = {both, more}},
                               {.stage = kFragment, .flags = 0, .constants = {more, both}},
                               {.stage = kFragment, .flags = 0, .constants = {both}}});
    const VkCommandBuffer commands = Recording(call);
    BindOne(commands, first, shaders[0]);
    BindOne(commands, kFragment, shaders[1]);
    ExpectSilence(call, commands);
    BindOne(commands, kFragment, shaders[2]);
    ExpectRule(call, commands, "None-08878");
    EndFor(call, commands);
  });
}

TEST_F(LinkedShaders, NegativeOtherSetLayouts) {
  Start({.has_shader_objects = true});
  const VkDescriptorSetLayout a = MakeSetLayout({{}}), same = MakeSetLayout({{}}),
                              other = MakeSetLayout({{.count = 2}});
  ForEach("None-08879", [&](const ActionCall& call) {
    const VkShaderStageFlagBits first = FirstOf(call);
    const auto shaders = Make({{.stage = first, .flags = FlagsOf(first, 0), .sets = {a, other}},
                               {.stage = kFragment, .flags = 0, .sets = {same, other}},
                               {.stage = kFragment, .flags = 0, .sets = {same}},
                               {.stage = kFragment, .flags = 0, .sets = {other, other}}});
    const VkCommandBuffer commands = Recording(call);
    BindOne(commands, first, shaders[0]);
    BindOne(commands, kFragment, shaders[1]);
    ExpectSilence(call, commands);
    BindOne(commands, kFragment, shaders[2]);
    ExpectRule(call, commands, "None-08879");
    BindOne(commands, kFragment, shaders[3]);
    ExpectRule(call, commands, "None-08879");
    EndFor(call, commands);
  });
}

}  // namespace
}  // namespace assay::core
