// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader objects that do not fit each other, for every command that draws with them.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr auto kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr auto kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr auto kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr auto kTask = VK_SHADER_STAGE_TASK_BIT_EXT;
constexpr auto kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;

class LinkedShaders : public DrawTest {
 protected:
  void BindOne(VkShaderStageFlagBits stage, VkShaderEXT shader) { vk.CmdBindShadersEXT(commands_, 1, &stage, &shader); }
  // The rule is broken with that shader object; none if it is empty.
  void ExpectBound(VkShaderStageFlagBits stage, VkShaderEXT shader, std::string_view rule) {
    BindOne(stage, shader);
    ExpectRule(rule);
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
    const auto make = [&] { return MakeShaders({{.stage = first, .next = kFragment}, {.stage = kFragment}}); };
    const auto linked = make();
    ExpectBound(first, linked[0], kRule);
    ExpectBound(kFragment, linked[1], "");
    ExpectBound(first, ShaderObject(first), kRule);
    // Linked with another one.
    ExpectBound(first, make()[0], kRule);
  });
}

TEST_F(LinkedShaders, NegativeOtherStageBetween) {
  DrawEach("None-08699", [&] {
    if (call_->draws_meshes) {
      // The stages that are linked are next to each other.
      const auto linked = MakeShaders({{.stage = kTask, .next = kMesh},
                                       {.stage = kMesh, .next = kFragment, .has_task = true},
                                       {.stage = kFragment}});
      BindOne(kTask, linked[0]);
      BindOne(kMesh, linked[1]);
      return ExpectBound(kFragment, linked[2], "");
    }
    const auto linked = MakeShaders({{.stage = kVertex, .next = kFragment}, {.stage = kFragment}});
    BindOne(kVertex, linked[0]);
    ExpectBound(kFragment, linked[1], "");
    ExpectBound(kGeometry, ShaderObject(kGeometry), "None-08699");
  });
}

TEST_F(LinkedShaders, NegativeTaskShaders) {
  DrawEach("None-08694", [&] {
    ExpectBound(kMesh, MakeShaders({{.stage = kMesh, .flags = 0, .has_task = true}})[0], "None-08694");
    ExpectBound(kTask, ShaderObject(kTask), "");
    ExpectBound(kMesh, ShaderObject(kMesh), "None-08695");
  });
}

TEST_F(LinkedShaders, NegativeOtherPushConstants) {
  const VkPushConstantRange both = {kVertex | kFragment | kMesh, 0, 16}, more = {VK_SHADER_STAGE_GEOMETRY_BIT, 16, 16};
  DrawEach("None-08878", [&] {
    const auto shaders = MakeShaders({{.stage = First(), .flags = 0, .constants = {both, more}},
                                      {.stage = kFragment, .flags = 0, .constants = {more, both}},
                                      {.stage = kFragment, .flags = 0, .constants = {both}}});
    BindOne(First(), shaders[0]);
    ExpectBound(kFragment, shaders[1], "");
    ExpectBound(kFragment, shaders[2], "None-08878");
  });
}

TEST_F(LinkedShaders, NegativeOtherSetLayouts) {
  DrawEach("None-08879", [&] {
    const VkDescriptorSetLayout a = MakeSetLayout({{}}), same = MakeSetLayout({{}}),
                                other = MakeSetLayout({{.count = 2}});
    const auto shaders = MakeShaders({{.stage = First(), .flags = 0, .sets = {a, other}},
                                      {.stage = kFragment, .flags = 0, .sets = {same, other}},
                                      {.stage = kFragment, .flags = 0, .sets = {same}},
                                      {.stage = kFragment, .flags = 0, .sets = {other, other}}});
    BindOne(First(), shaders[0]);
    ExpectBound(kFragment, shaders[1], "");
    ExpectBound(kFragment, shaders[2], "None-08879");
    ExpectBound(kFragment, shaders[3], "None-08879");
  });
}

}  // namespace
}  // namespace assay::core
