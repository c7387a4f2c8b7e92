// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader objects that do not fit each other, for every command that draws with them.

#include <cstdint>
#include <string_view>
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
  // Of mesh shaders.
  bool has_task = false;
  std::vector<VkPushConstantRange> constants = {};
  std::vector<VkDescriptorSetLayout> sets = {};
};

class LinkedShaders : public DrawTest {
 protected:
  // With one call.
  std::vector<VkShaderEXT> Make(const std::vector<ShaderOptions>& shaders) {
    std::vector<std::vector<uint32_t>> words;
    words.reserve(shaders.size());
    std::vector<VkShaderCreateInfoEXT> infos;
    for (const ShaderOptions& shader : shaders) {
      const auto& code = words.emplace_back(test::AssembleSpirv(ShaderTextOf(shader.stage, {})));
      const bool has_no_task = shader.stage == kMesh && !shader.has_task;
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
    ExpectNothing();
    return handles;
  }
  void BindOne(VkShaderStageFlagBits stage, VkShaderEXT shader) { vk.CmdBindShadersEXT(commands_, 1, &stage, &shader); }
  // The rule is broken with that shader object; none if it is null.
  void ExpectBound(VkShaderStageFlagBits stage, VkShaderEXT shader, const char* rule) {
    BindOne(stage, shader);
    ExpectCase(rule);
  }
  // Draws that have the rule, with all states, and with shader objects that go together.
  template <class F>
  void DrawEach(std::string_view rule, const F& test) {
    Start({.has_shader_objects = true});
    RecordEach(rule, [&] {
      BindAndSetAll();
      test();
    });
  }
  // The first stage of the command's draws.
  VkShaderStageFlagBits First() const { return call_->draws_meshes ? kMesh : kVertex; }
};

TEST_F(LinkedShaders, NegativeNotAllBound) {
  constexpr char kRule[] = "None-08698";
  DrawEach(kRule, [&] {
    const VkShaderStageFlagBits first = First();
    const auto make = [&] { return Make({{.stage = first, .next = kFragment}, {.stage = kFragment}}); };
    const auto linked = make();
    ExpectBound(first, linked[0], kRule);
    ExpectBound(kFragment, linked[1], nullptr);
    ExpectBound(first, ShaderObject(first), kRule);
    // Linked with another one.
    ExpectBound(first, make()[0], kRule);
  });
}

TEST_F(LinkedShaders, NegativeOtherStageBetween) {
  DrawEach("None-08699", [&] {
    if (call_->draws_meshes) return;
    const auto linked = Make({{.stage = kVertex, .next = kFragment}, {.stage = kFragment}});
    BindOne(kVertex, linked[0]);
    ExpectBound(kFragment, linked[1], nullptr);
    ExpectBound(kGeometry, ShaderObject(kGeometry), "None-08699");
  });
}

// The stages that are linked are next to each other.
TEST_F(LinkedShaders, TaskMeshAndFragmentShader) {
  DrawEach("None-08699", [&] {
    if (!call_->draws_meshes) return;
    const auto linked = Make(
        {{.stage = kTask, .next = kMesh}, {.stage = kMesh, .next = kFragment, .has_task = true}, {.stage = kFragment}});
    BindOne(kTask, linked[0]);
    BindOne(kMesh, linked[1]);
    ExpectBound(kFragment, linked[2], nullptr);
  });
}

TEST_F(LinkedShaders, NegativeTaskShaders) {
  DrawEach("None-08694", [&] {
    ExpectBound(kMesh, Make({{.stage = kMesh, .flags = 0, .has_task = true}})[0], "None-08694");
    ExpectBound(kTask, ShaderObject(kTask), nullptr);
    ExpectBound(kMesh, ShaderObject(kMesh), "None-08695");
  });
}

TEST_F(LinkedShaders, NegativeOtherPushConstants) {
  const VkPushConstantRange both = {kVertex | kFragment | kMesh, 0, 16}, more = {VK_SHADER_STAGE_GEOMETRY_BIT, 16, 16};
  DrawEach("None-08878", [&] {
    const auto shaders = Make({{.stage = First(), .flags = 0, .constants = {both, more}},
                               {.stage = kFragment, .flags = 0, .constants = {more, both}},
                               {.stage = kFragment, .flags = 0, .constants = {both}}});
    BindOne(First(), shaders[0]);
    ExpectBound(kFragment, shaders[1], nullptr);
    ExpectBound(kFragment, shaders[2], "None-08878");
  });
}

TEST_F(LinkedShaders, NegativeOtherSetLayouts) {
  DrawEach("None-08879", [&] {
    const VkDescriptorSetLayout a = MakeSetLayout({{}}), same = MakeSetLayout({{}}),
                                other = MakeSetLayout({{.count = 2}});
    const auto shaders = Make({{.stage = First(), .flags = 0, .sets = {a, other}},
                               {.stage = kFragment, .flags = 0, .sets = {same, other}},
                               {.stage = kFragment, .flags = 0, .sets = {same}},
                               {.stage = kFragment, .flags = 0, .sets = {other, other}}});
    BindOne(First(), shaders[0]);
    ExpectBound(kFragment, shaders[1], nullptr);
    ExpectBound(kFragment, shaders[2], "None-08879");
    ExpectBound(kFragment, shaders[3], "None-08879");
  });
}

}  // namespace
}  // namespace assay::core
