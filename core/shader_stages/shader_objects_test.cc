// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The members of VkShaderCreateInfoEXT, and shaders that are linked.

#include "core/shader_stages/stage_test.h"

namespace assay::core {
namespace {

constexpr VkShaderCreateFlagsEXT kLink = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;

// A shader object that breaks a rule by its flags or next stage.
struct ObjectCase {
  const char* rule;
  const char* model;
  VkShaderCreateFlagsEXT flags = 0;
  VkShaderStageFlags next = 0;
};

class ObjectCases : public StageTest, public ::testing::WithParamInterface<ObjectCase> {
 protected:
  void MakeCase(VkShaderCreateFlagsEXT flags, VkShaderStageFlags next) {
    const std::vector<uint32_t> words = test::AssembleSpirv(Text({.model = GetParam().model}));
    VkShaderCreateInfoEXT info = Object(GetParam().model, words);
    info.flags = flags;
    info.nextStage = next;
    MakeObjects({info});
  }
};

TEST_P(ObjectCases, IsReported) {
  const ObjectCase& row = GetParam();
  MakeDevice();
  MakeCase(row.flags, row.next);
  ExpectMessage(absl::StrCat("VUID-VkShaderCreateInfoEXT-", row.rule));
}

TEST_P(ObjectCases, TwinIsSilent) {
  MakeDevice();
  MakeCase(0, 0);
  ExpectNothing();
}

constexpr ObjectCase kObjects[] = {
    {"flags-08412", "GLCompute", kLink},
    {"nextStage-08427", "Vertex", 0, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"nextStage-08430", "TessellationControl", 0, VK_SHADER_STAGE_FRAGMENT_BIT},
    {"nextStage-08431", "TessellationEvaluation", 0, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"nextStage-08433", "Geometry", 0, VK_SHADER_STAGE_VERTEX_BIT},
    {"nextStage-08435", "TaskEXT", 0, VK_SHADER_STAGE_FRAGMENT_BIT},
    {"nextStage-08436", "MeshEXT", 0, VK_SHADER_STAGE_VERTEX_BIT},
    {"nextStage-08434", "Fragment", 0, VK_SHADER_STAGE_VERTEX_BIT},
    {"flags-08414", "TaskEXT", VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT},
    {"flags-08485", "Vertex", VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT},
    {"flags-08992", "Vertex", VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT},
};
INSTANTIATE_TEST_SUITE_P(Members, ObjectCases, ::testing::ValuesIn(kObjects), [](const auto& info) {
  return absl::StrCat(info.index, "_", absl::StrReplaceAll(info.param.rule, {{"-", "_"}}));
});

class ShaderObjects : public StageTest {
 protected:
  std::vector<uint32_t> Words(const StageText& text) { return test::AssembleSpirv(Text(text)); }
  void ExpectCommand(const char* rule) { ExpectMessage(absl::StrCat("VUID-vkCreateShadersEXT-", rule)); }
  void ExpectInfo(const char* rule) { ExpectMessage(absl::StrCat("VUID-VkShaderCreateInfoEXT-", rule)); }
};

TEST_F(ShaderObjects, EntryPoint) {
  MakeDevice();
  const std::vector<uint32_t> words = Words({});
  VkShaderCreateInfoEXT info = Object("GLCompute", words);
  MakeObjects({info});
  ExpectNothing();
  info.pName = "other";
  MakeObjects({info});
  ExpectInfo("pName-08440");
}

TEST_F(ShaderObjects, WithoutFeature) {
  driver().config().disabled_features.insert("shaderObject");
  MakeDevice();
  const std::vector<uint32_t> words = Words({});
  MakeObjects({Object("GLCompute", words)});
  ExpectMessages({"VUID-vkCreateShadersEXT-None-08400", "VUID-vkDestroyShaderEXT-None-08481"});
}

TEST_F(ShaderObjects, Stages) {
  extensions.push_back(VK_HUAWEI_SUBPASS_SHADING_EXTENSION_NAME);
  extensions.push_back(VK_HUAWEI_CLUSTER_CULLING_SHADER_EXTENSION_NAME);
  MakeDevice();
  const std::vector<uint32_t> words = Words({});
  VkShaderCreateInfoEXT info = Object("GLCompute", words);
  const SkipCalls skip(*this);
  for (const VkShaderStageFlagBits all : {VK_SHADER_STAGE_ALL_GRAPHICS, VK_SHADER_STAGE_ALL}) {
    info.stage = all;
    MakeObjects({info});
    ExpectMessages({"VUID-VkShaderCreateInfoEXT-stage-parameter", "VUID-VkShaderCreateInfoEXT-stage-08418"});
  }
  info.stage = VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI;
  MakeObjects({info});
  ExpectInfo("stage-08425");
  info.stage = VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI;
  MakeObjects({info});
  ExpectInfo("stage-08426");
}

class ShaderQueues : public ShaderObjects {
 protected:
  void MakeWithout(VkQueueFlags flag, const char* model) {
    for (VkQueueFamilyProperties& family : driver().config().queue_families) family.queueFlags &= ~flag;
    MakeDevice();
    const std::vector<uint32_t> words = Words({.model = model});
    MakeObjects({Object(model, words)});
  }
};

TEST_F(ShaderQueues, Compute) {
  MakeWithout(VK_QUEUE_COMPUTE_BIT, "GLCompute");
  ExpectCommand("stage-09670");
}
TEST_F(ShaderQueues, Graphics) {
  MakeWithout(VK_QUEUE_GRAPHICS_BIT, "Vertex");
  ExpectCommand("stage-09671");
}
TEST_F(ShaderQueues, Meshes) {
  MakeWithout(VK_QUEUE_GRAPHICS_BIT, "MeshEXT");
  ExpectCommand("stage-09671");
}
TEST_F(ShaderQueues, ComputeWithoutGraphics) {
  MakeWithout(VK_QUEUE_GRAPHICS_BIT, "GLCompute");
  ExpectNothing();
}

TEST_F(ShaderObjects, TransformFeedback) {
  extensions.push_back(VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME);
  feature_structs.emplace_back("VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT");
  MakeDevice();
  const std::vector<uint32_t> words = Words(
      {.model = "Vertex", .capabilities = "OpCapability TransformFeedback\n", .modes = "OpExecutionMode %main Xfb\n"});
  VkShaderCreateInfoEXT info = Object("Vertex", words);
  MakeObjects({info});
  ExpectNothing();
  info.flags = VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT;
  MakeObjects({info});
  ExpectInfo("flags-11006");
}

TEST_F(ShaderObjects, DrawIndexOfMeshes) {
  MakeDevice();
  const std::vector<uint32_t> words = Words({.model = "MeshEXT",
                                             .capabilities = "OpCapability DrawParameters\n",
                                             .interface = "%index",
                                             .decorations = "OpDecorate %index BuiltIn DrawIndex\n",
                                             .globals = "%index_pointer = OpTypePointer Input %uint\n"
                                                        "%index = OpVariable %index_pointer Input\n"});
  VkShaderCreateInfoEXT info = Object("MeshEXT", words);
  info.flags = VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
  MakeObjects({info});
  ExpectNothing();
  info.flags = 0;
  MakeObjects({info});
  ExpectCommand("pCreateInfos-09632");
}

TEST_F(ShaderObjects, CodeSize) {
  MakeDevice();
  const std::vector<uint32_t> words = Words({});
  VkShaderCreateInfoEXT info = Object("GLCompute", words);
  const SkipCalls skip(*this);
  info.codeSize -= 1;
  MakeObjects({info});
  ExpectInfo("codeSize-08735");
}

TEST_F(ShaderObjects, Code) {
  MakeDevice();
  std::vector<uint32_t> words = Words({});
  words.push_back(0);
  VkShaderCreateInfoEXT info = Object("GLCompute", words);
  info.codeSize -= 4;
  info.pCode = reinterpret_cast<const char*>(words.data()) + 1;
  MakeObjects({info});
  ExpectInfo("pCode-08493");
  alignas(16) const char bytes[32] = {};
  info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  info.codeSize = 16;
  info.pCode = bytes;
  MakeObjects({info});
  ExpectNothing();
  info.pCode = bytes + 4;
  MakeObjects({info});
  ExpectInfo("pCode-08492");
}

TEST_F(ShaderObjects, Subgroups) {
  MakeDevice();
  constexpr VkShaderCreateFlagsEXT kFull = VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kVarying = VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT;
  const std::vector<uint32_t> full = Words({.modes = "OpExecutionMode %main LocalSize 64 1 1\n"});
  const std::vector<uint32_t> part = Words({.modes = "OpExecutionMode %main LocalSize 33 1 1\n"});
  VkShaderCreateInfoEXT info = Object("GLCompute", full);
  info.flags = kFull;
  MakeObjects({info});
  ExpectNothing();
  info = Object("GLCompute", part);
  info.flags = kFull;
  MakeObjects({info});
  ExpectInfo("flags-08417");
  info.flags = kFull | kVarying;
  MakeObjects({info});
  ExpectInfo("flags-08416");
}

TEST_F(ShaderObjects, PushConstantRanges) {
  MakeDevice();
  const std::vector<uint32_t> words = Words({});
  VkShaderCreateInfoEXT info = Object("GLCompute", words);
  VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4}, {VK_SHADER_STAGE_VERTEX_BIT, 4, 4}};
  info.pushConstantRangeCount = 2;
  info.pPushConstantRanges = ranges;
  MakeObjects({info});
  ExpectNothing();
  ranges[1].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  MakeObjects({info});
  ExpectInfo("pPushConstantRanges-10063");
}

TEST_F(ShaderObjects, EvaluationModes) {
  MakeDevice();
  struct Row {
    const char* mode;
    const char* rule;
  };
  for (const Row& row :
       {Row{"Triangles", "codeType-08872"}, {"VertexOrderCcw", "codeType-08873"}, {"SpacingEqual", "codeType-08874"}}) {
    const std::string line = absl::StrCat("OpExecutionMode %main ", row.mode, "\n");
    const std::string text = Text({.model = "TessellationEvaluation"});
    const std::vector<uint32_t> right = test::AssembleSpirv(text);
    MakeObjects({Object("TessellationEvaluation", right)});
    ExpectNothing();
    const std::vector<uint32_t> wrong = test::AssembleSpirv(absl::StrReplaceAll(text, {{line, ""}}));
    MakeObjects({Object("TessellationEvaluation", wrong)});
    ExpectInfo(row.rule);
  }
}

TEST_F(ShaderObjects, OutputPatchesOfEvaluationIfStrict) {
  settings = {{"strict", true}};
  MakeDevice();
  const std::string text = Text({.model = "TessellationEvaluation"});
  const std::vector<uint32_t> without = test::AssembleSpirv(text);
  MakeObjects({Object("TessellationEvaluation", without)});
  ExpectInfo("codeType-08875");
  const std::string mode = "OpExecutionMode %main SpacingEqual\n";
  const std::vector<uint32_t> with = test::AssembleSpirv(
      absl::StrReplaceAll(text, {{mode, absl::StrCat(mode, "OpExecutionMode %main OutputVertices 3\n")}}));
  MakeObjects({Object("TessellationEvaluation", with)});
  ExpectNothing();
}

class LinkedShaders : public ShaderObjects {
 protected:
  void SetUp() override {
    MakeDevice();
    for (const char* model :
         {"TaskEXT", "MeshEXT", "Vertex", "TessellationControl", "TessellationEvaluation", "Fragment"}) {
      words_[model] = Words({.model = model});
    }
  }
  VkShaderCreateInfoEXT Linked(const char* model, VkShaderStageFlags next, VkShaderCreateFlagsEXT flags = kLink) {
    VkShaderCreateInfoEXT info = Object(model, words_[model]);
    info.nextStage = next;
    info.flags = flags;
    return info;
  }
  std::map<std::string, std::vector<uint32_t>> words_;
};

TEST_F(LinkedShaders, Flags) {
  constexpr VkShaderStageFlags kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
  constexpr VkShaderStageFlags kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
  constexpr VkShaderCreateFlagsEXT kNoTask = VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
  MakeObjects({Linked("Vertex", kFragment), Linked("Fragment", 0)});
  MakeObjects({Linked("TaskEXT", kMesh), Linked("MeshEXT", kFragment), Linked("Fragment", 0)});
  ExpectNothing();
  MakeObjects({Linked("Vertex", kFragment), Linked("Fragment", 0, 0)});
  ExpectCommand("pCreateInfos-08402");
  MakeObjects({Linked("TaskEXT", kMesh, 0), Linked("MeshEXT", kFragment), Linked("Fragment", 0)});
  ExpectCommand("pCreateInfos-08403");
  MakeObjects({Linked("Vertex", kFragment), Linked("MeshEXT", kFragment), Linked("Fragment", 0)});
  ExpectCommand("pCreateInfos-08404");
  MakeObjects({Linked("TaskEXT", kMesh), Linked("MeshEXT", kFragment, kLink | kNoTask), Linked("Fragment", 0)});
  ExpectCommand("pCreateInfos-08405");
  MakeObjects({Linked("Vertex", 0), Linked("Fragment", 0)});
  ExpectCommand("pCreateInfos-08409");
  MakeObjects({Linked("Fragment", 0), Linked("Fragment", 0)});
  ExpectCommand("pCreateInfos-08410");
}

TEST_F(LinkedShaders, CodeTypes) {
  alignas(16) const char bytes[32] = {};
  VkShaderCreateInfoEXT fragment = Linked("Fragment", 0);
  fragment.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  fragment.pCode = bytes;
  fragment.codeSize = 16;
  MakeObjects({Linked("Vertex", VK_SHADER_STAGE_FRAGMENT_BIT), fragment});
  ExpectCommand("pCreateInfos-08411");
}

TEST_F(LinkedShaders, Tessellation) {
  struct Row {
    const char* mode;
    const char* rule;
  };
  constexpr Row kRows[] = {{"", nullptr},
                           {"Triangles", nullptr},
                           {"Quads", "pCreateInfos-08867"},
                           {"VertexOrderCw", "pCreateInfos-08868"},
                           {"PointMode", "pCreateInfos-08869"},
                           {"SpacingFractionalOdd", "pCreateInfos-08870"}};
  for (const Row& row : kRows) {
    const std::string modes = absl::StrCat("OpExecutionMode %main OutputVertices 3\n",
                                           row.mode[0] != 0 ? "OpExecutionMode %main " : "", row.mode, "\n");
    words_["TessellationControl"] = Words({.model = "TessellationControl", .modes = modes});
    MakeObjects({Linked("TessellationControl", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT),
                 Linked("TessellationEvaluation", 0)});
    if (row.rule != nullptr) ExpectCommand(row.rule);
    ExpectNothing();
  }
  words_["TessellationControl"] = Words({.model = "TessellationControl"});
  for (const char* vertices : {"3", "4"}) {
    words_["TessellationEvaluation"] = Words({.model = "TessellationEvaluation",
                                              .modes = absl::StrCat("OpExecutionMode %main Triangles\n"
                                                                    "OpExecutionMode %main SpacingEqual\n"
                                                                    "OpExecutionMode %main VertexOrderCcw\n"
                                                                    "OpExecutionMode %main OutputVertices ",
                                                                    vertices, "\n")});
    MakeObjects({Linked("TessellationControl", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT),
                 Linked("TessellationEvaluation", 0)});
    if (vertices[0] == '4') ExpectCommand("pCreateInfos-08871");
    ExpectNothing();
  }
}

}  // namespace
}  // namespace assay::core
