// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The members of VkShaderCreateInfoEXT, and shaders that are linked.

#include <deque>

#include "core/shader_stages/stage_test.h"

namespace assay::core {
namespace {

constexpr VkShaderCreateFlagsEXT kLink = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;

// A shader object that breaks a rule, if any, by its flags or next stage, and is correct with other ones.
struct ObjectCase {
  std::string id;
  StageText shader;
  VkShaderCreateFlagsEXT flags = 0;
  VkShaderStageFlags next = 0;
  VkShaderCreateFlagsEXT right_flags = 0;
};

class ShaderObjects : public StageTest {
 protected:
  // The words live as long as the test.
  VkShaderCreateInfoEXT Info(const StageText& text = {}) { return InfoOf(text.model, Text(text)); }
  VkShaderCreateInfoEXT InfoOf(const std::string& model, const std::string& text) {
    return Object(model, words_.emplace_back(test::AssembleSpirv(text)));
  }
  // Makes the objects; the id is empty if nothing is reported.
  void Expect(std::string_view id, const std::vector<VkShaderCreateInfoEXT>& infos,
              std::source_location where = std::source_location::current()) {
    MakeObjects(infos);
    ExpectAlone(VuidOf("VkShaderCreateInfoEXT", id), where);
  }

 private:
  std::deque<std::vector<uint32_t>> words_;
};

TEST_F(ShaderObjects, FlagsAndNextStage) {
  MakeDeviceWith({VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME});
  constexpr VkShaderCreateFlagsEXT kNoTask = VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kFull = VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kVarying = VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kBindable = VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kRates = VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT;
  const StageText feedback = {
      .model = "Vertex", .capabilities = Capabilities("TransformFeedback"), .modes = Modes("Xfb")};
  const StageText draw_index = {.model = "MeshEXT",
                                .capabilities = Capabilities("DrawParameters"),
                                .variables = {{"%index", "Input", "%uint", "BuiltIn DrawIndex"}}};
  const StageText two_subgroups = {.modes = Modes("LocalSize 64 1 1")}, a_part = {.modes = Modes("LocalSize 33 1 1")};
  const ObjectCase rows[] = {{"flags-08412", {}, kLink},
                             {"nextStage-08427", kVertex, 0, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
                             {"nextStage-08430", kControl, 0, VK_SHADER_STAGE_FRAGMENT_BIT},
                             {"nextStage-08431", kEvaluation, 0, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
                             {"nextStage-08433", {.model = "Geometry"}, 0, VK_SHADER_STAGE_VERTEX_BIT},
                             {"nextStage-08435", kTask, 0, VK_SHADER_STAGE_FRAGMENT_BIT},
                             {"nextStage-08436", kMesh, 0, VK_SHADER_STAGE_VERTEX_BIT},
                             {"flags-08416", a_part, kFull | kVarying},
                             {"flags-08417", a_part, kFull},
                             {"flags-11006", feedback, kBindable},
                             {"vkCreateShadersEXT-pCreateInfos-09632", draw_index, 0, 0, kNoTask},
                             {"", kFragment, kRates},
                             {"", two_subgroups, kVarying},
                             {"", two_subgroups, kFull},
                             {"", two_subgroups, kBindable},
                             {"", kVertex, 0, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
                             {"", kVertex, 0, VK_SHADER_STAGE_GEOMETRY_BIT}};
  for (const ObjectCase& row : rows) {
    SCOPED_TRACE(absl::StrCat(row.id, " ", row.shader.model, " ", row.flags, " ", row.next));
    VkShaderCreateInfoEXT info = Info(row.shader);
    info.flags = row.right_flags;
    Expect("", {info});
    info.flags = row.flags;
    info.nextStage = row.next;
    Expect(row.id, {info});
  }
}

// No device has both these and rates.
TEST_F(ShaderObjects, DensityMaps) {
  MakeDeviceWith({VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME});
  VkShaderCreateInfoEXT info = Info(kFragment);
  info.flags = VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;
  Expect("", {info});
}

TEST_F(ShaderObjects, EntryPoint) {
  VkShaderCreateInfoEXT info = Info();
  Expect("", {info});
  info.pName = "other";
  Expect("pName-08440", {info});
}

class ShaderQueues : public ShaderObjects {
 protected:
  void ExpectWithout(VkQueueFlags flag, const char* model, std::string_view id,
                     std::source_location where = std::source_location::current()) {
    for (VkQueueFamilyProperties& family : driver().config().queue_families) family.queueFlags &= ~flag;
    MakeDevice();
    Expect(id, {Info({.model = model})}, where);
  }
};

TEST_F(ShaderQueues, Compute) { ExpectWithout(VK_QUEUE_COMPUTE_BIT, "GLCompute", "vkCreateShadersEXT-stage-09670"); }
TEST_F(ShaderQueues, Graphics) { ExpectWithout(VK_QUEUE_GRAPHICS_BIT, "Vertex", "vkCreateShadersEXT-stage-09671"); }
TEST_F(ShaderQueues, Meshes) { ExpectWithout(VK_QUEUE_GRAPHICS_BIT, "MeshEXT", "vkCreateShadersEXT-stage-09671"); }
TEST_F(ShaderQueues, ComputeWithoutGraphics) { ExpectWithout(VK_QUEUE_GRAPHICS_BIT, "GLCompute", ""); }

TEST_F(ShaderObjects, Code) {
  std::vector<uint32_t> words = test::AssembleSpirv(Text({}));
  words.push_back(0);
  VkShaderCreateInfoEXT info = Object("GLCompute", words);
  info.codeSize -= 4;
  info.pCode = reinterpret_cast<const char*>(words.data()) + 1;
  Expect("pCode-08493", {info});
  alignas(16) const char bytes[32] = {};
  info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  info.codeSize = 16;
  info.pCode = bytes;
  Expect("", {info});
  info.pCode = bytes + 4;
  Expect("pCode-08492", {info});
}

TEST_F(ShaderObjects, PushConstantRanges) {
  VkShaderCreateInfoEXT info = Info();
  VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4}, {VK_SHADER_STAGE_VERTEX_BIT, 4, 4}};
  info.pushConstantRangeCount = 2;
  info.pPushConstantRanges = ranges;
  Expect("", {info});
  ranges[1].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  Expect("pPushConstantRanges-10063", {info});
}

TEST_F(ShaderObjects, EvaluationModes) {
  const std::string text = Text(kEvaluation);
  Expect("", {InfoOf("TessellationEvaluation", text)});
  const auto expect_without = [&](const char* mode, const char* id) {
    Expect(id, {InfoOf("TessellationEvaluation", absl::StrReplaceAll(text, {{Modes(mode), ""}}))});
  };
  expect_without("Triangles", "codeType-08872");
  expect_without("VertexOrderCcw", "codeType-08873");
  expect_without("SpacingEqual", "codeType-08874");
}

TEST_F(ShaderObjects, OutputPatchesOfEvaluationIfStrict) {
  settings = {{"strict", true}};
  MakeDevice();
  Expect("codeType-08875", {Info(kEvaluation)});
  const std::string modes = Modes("Triangles, SpacingEqual, OutputVertices 3, VertexOrderCcw");
  Expect("", {Info({.model = "TessellationEvaluation", .modes = modes})});
}

class LinkedShaders : public ShaderObjects {
 protected:
  VkShaderCreateInfoEXT Linked(const StageText& text, VkShaderStageFlags next, VkShaderCreateFlagsEXT flags = kLink) {
    VkShaderCreateInfoEXT info = Info(text);
    info.nextStage = next;
    info.flags = flags;
    return info;
  }
};

TEST_F(LinkedShaders, Flags) {
  constexpr VkShaderStageFlags kToFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
  constexpr VkShaderStageFlags kToMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kNoTask = VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
  const auto expect = [&](const char* number, const std::vector<VkShaderCreateInfoEXT>& infos) {
    Expect(absl::StrCat("vkCreateShadersEXT-pCreateInfos-", number), infos);
  };
  const VkShaderCreateInfoEXT last = Linked(kFragment, 0);
  Expect("", {Linked(kVertex, kToFragment), last});
  Expect("", {Linked(kTask, kToMesh), Linked(kMesh, kToFragment), last});
  expect("08402", {Linked(kVertex, kToFragment), Linked(kFragment, 0, 0)});
  expect("08403", {Linked(kTask, kToMesh, 0), Linked(kMesh, kToFragment), last});
  expect("08404", {Linked(kVertex, kToFragment), Linked(kMesh, kToFragment), last});
  expect("08405", {Linked(kTask, kToMesh), Linked(kMesh, kToFragment, kLink | kNoTask), last});
  expect("08409", {Linked(kVertex, 0), last});
  expect("08410", {Linked(kFragment, 0), last});
}

TEST_F(LinkedShaders, CodeTypes) {
  alignas(16) const char bytes[32] = {};
  VkShaderCreateInfoEXT binary = Linked(kFragment, 0);
  binary.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  binary.pCode = bytes;
  binary.codeSize = 16;
  Expect("vkCreateShadersEXT-pCreateInfos-08411", {Linked(kVertex, VK_SHADER_STAGE_FRAGMENT_BIT), binary});
}

TEST_F(LinkedShaders, Tessellation) {
  // The modes of both stages.
  const auto expect = [&](std::string_view id, const std::string& control, const std::string& evaluation) {
    SCOPED_TRACE(absl::StrCat(control, "; ", evaluation));
    Expect(id, {Linked({.model = "TessellationControl", .modes = Modes(control)},
                       VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT),
                Linked({.model = "TessellationEvaluation", .modes = Modes(evaluation)}, 0)});
  };
  expect("", "OutputVertices 3", "");
  expect("", "OutputVertices 3, Triangles", "");
  expect("vkCreateShadersEXT-pCreateInfos-08867", "OutputVertices 3, Quads", "");
  expect("vkCreateShadersEXT-pCreateInfos-08868", "OutputVertices 3, VertexOrderCw", "");
  expect("vkCreateShadersEXT-pCreateInfos-08869", "OutputVertices 3, PointMode", "");
  expect("vkCreateShadersEXT-pCreateInfos-08870", "OutputVertices 3, SpacingFractionalOdd", "");
  const std::string triangles = "Triangles, SpacingEqual, VertexOrderCcw, OutputVertices ";
  expect("", "OutputVertices 3", triangles + "3");
  expect("vkCreateShadersEXT-pCreateInfos-08871", "OutputVertices 3", triangles + "4");
}

}  // namespace
}  // namespace assay::core
