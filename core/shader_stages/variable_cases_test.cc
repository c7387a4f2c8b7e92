// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Variables: what they hold, images without a format, input attachments, and outputs that must be written.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

class VariableCaseTest : public StageCaseTest {};

TEST_P(VariableCaseTest, IsReported) { ExpectReported(); }
TEST_P(VariableCaseTest, TwinIsSilent) { ExpectTwinSilent(); }

const char* const kModuleCapability = "VUID-VkShaderModuleCreateInfo-pCode-08740";
const char* const kObjectCapability = "VUID-VkShaderCreateInfoEXT-pCode-08740";

// A compute shader that loads one number of a buffer, or of push constants.
StageText LoadFrom(const std::string& capabilities, const std::string& type, const std::string& storage,
                   const std::string& binding = "0") {
  const bool has_binding = storage != "PushConstant";
  const std::string decorations = absl::StrReplaceAll(kBufferDecorations, {{"Binding 0", "Binding " + binding}});
  return {.capabilities = capabilities,
          .interface = "%buffer",
          .decorations = has_binding ? decorations : "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\n",
          .globals = absl::StrCat("%number = ", type, "\n", Buffer("%number", storage)),
          .body = "%at = OpAccessChain %member_pointer %buffer %u0\n%value = OpLoad %number %at\n"};
}

std::vector<StageCase> NarrowCases() {
  const std::string bytes = "OpExtension \"SPV_KHR_8bit_storage\"\n";
  const std::string words = "OpExtension \"SPV_KHR_16bit_storage\"\n";
  const std::string byte = "OpTypeInt 8 0", word = "OpTypeInt 16 0", half = "OpTypeFloat 16";
  const StageText output = {.model = "Fragment",
                            .capabilities = "OpCapability StorageInputOutput16\n" + words,
                            .interface = "%out",
                            .decorations = "OpDecorate %out Location 0\n",
                            .globals =
                                "%half = OpTypeFloat 16\n%out_pointer = OpTypePointer Output %half\n"
                                "%out = OpVariable %out_pointer Output\n",
                            .body = "%value = OpLoad %half %out\n"};
  StageText input = output;
  input.globals = absl::StrReplaceAll(input.globals, {{"Output", "Input"}});
  return {
      // Another feature allows what the module declares.
      {.id = "RuntimeSpirv-storageBuffer8BitAccess-06328",
       .shader = LoadFrom("OpCapability UniformAndStorageBuffer8BitAccess\n" + bytes, byte, "StorageBuffer"),
       .disabled = {"storageBuffer8BitAccess"}},
      {.id = "RuntimeSpirv-uniformAndStorageBuffer8BitAccess-06329",
       .shader = LoadFrom("OpCapability UniformAndStorageBuffer8BitAccess\n" + bytes, byte, "Uniform", "5"),
       .disabled = {"uniformAndStorageBuffer8BitAccess"},
       .also = {kModuleCapability}},
      {.id = "RuntimeSpirv-storagePushConstant8-06330",
       .shader = LoadFrom("OpCapability StoragePushConstant8\n" + bytes, byte, "PushConstant"),
       .disabled = {"storagePushConstant8"},
       .also = {kModuleCapability}},
      {.id = "RuntimeSpirv-storageBuffer16BitAccess-06331",
       .shader = LoadFrom("OpCapability UniformAndStorageBuffer16BitAccess\n" + words, half, "StorageBuffer"),
       .disabled = {"storageBuffer16BitAccess"}},
      {.id = "RuntimeSpirv-uniformAndStorageBuffer16BitAccess-06332",
       .shader = LoadFrom("OpCapability UniformAndStorageBuffer16BitAccess\n" + words, word, "Uniform", "5"),
       .disabled = {"uniformAndStorageBuffer16BitAccess"},
       .also = {kModuleCapability}},
      {.id = "RuntimeSpirv-storagePushConstant16-06333",
       .shader = LoadFrom("OpCapability StoragePushConstant16\n" + words, word, "PushConstant"),
       .disabled = {"storagePushConstant16"},
       .also = {kModuleCapability}},
      {.id = "RuntimeSpirv-storageInputOutput16-06334",
       .shader = output,
       .disabled = {"storageInputOutput16"},
       .also = {kObjectCapability}},
      {.id = "RuntimeSpirv-storageInputOutput16-06334",
       .shader = input,
       .disabled = {"storageInputOutput16"},
       .also = {kObjectCapability}},
  };
}

// Input attachments: one at binding 4, an array of two at binding 6.
std::vector<StageCase> AttachmentCases() {
  const StageText text = {.model = "Fragment",
                          .capabilities = "OpCapability InputAttachment\n",
                          .interface = "%one %many",
                          .decorations =
                              "OpDecorate %one DescriptorSet 0\nOpDecorate %one Binding 4\n"
                              "OpDecorate %one InputAttachmentIndex 2\n"
                              "OpDecorate %many DescriptorSet 0\nOpDecorate %many Binding 6\n"
                              "OpDecorate %many InputAttachmentIndex 1\n",
                          .globals = R"(
            %image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
            %images = OpTypeArray %image %u2
            %one_pointer = OpTypePointer UniformConstant %image
            %many_pointer = OpTypePointer UniformConstant %images
            %one = OpVariable %one_pointer UniformConstant
            %many = OpVariable %many_pointer UniformConstant
          )",
                          .body =
                              "%first = OpLoad %image %one\n"
                              "%at = OpAccessChain %one_pointer %many %u1\n%second = OpLoad %image %at\n"};
  StageText without = text;
  without.decorations = absl::StrReplaceAll(text.decorations, {{"OpDecorate %many InputAttachmentIndex 1\n", ""}});
  return {
      {.id = "RuntimeSpirv-OpEntryPoint-08727",
       .shader = text,
       .from = "%many InputAttachmentIndex 1",
       .to = "%many InputAttachmentIndex 0"},
      {.id = "RuntimeSpirv-OpTypeImage-09644",
       .shader = without,
       .from = "OpDecorate %many Binding 6\n",
       .to = "OpDecorate %many Binding 6\nOpDecorate %many InputAttachmentIndex 0\n"},
  };
}

// A shader whose output is written if an input is small, and in its twin in any case.
StageCase BranchCase(const char* id, const StageText& shader, const std::string& store) {
  StageCase row = {.id = id, .shader = shader};
  row.shader.interface += " %in";
  row.shader.decorations += "OpDecorate %in Location 0\n";
  row.shader.globals += "%in_pointer = OpTypePointer Input %float\n%in = OpVariable %in_pointer Input\n";
  row.shader.body = absl::StrCat(
      "%choice = OpLoad %float %in\n%is_small = OpFOrdLessThan %bool %choice %f1\nOpSelectionMerge %after None\n"
      "OpBranchConditional %is_small %then %after\n%then = OpLabel\n",
      store, "OpBranch %after\n%after = OpLabel\n");
  row.from = "%after = OpLabel\n";
  // An id has one definition.
  row.to = absl::StrCat(row.from, absl::StrReplaceAll(store, {{"%to ", "%again "}}));
  return row;
}

const StageText kDepth = {.model = "Fragment",
                          .interface = "%depth",
                          .modes = "OpExecutionMode %main DepthReplacing\n",
                          .decorations = "OpDecorate %depth BuiltIn FragDepth\n",
                          .globals =
                              "%depth_pointer = OpTypePointer Output %float\n"
                              "%depth = OpVariable %depth_pointer Output\n"};
const StageText kPointSize = {.model = "Vertex",
                              .interface = "%size",
                              .decorations = "OpDecorate %size BuiltIn PointSize\n",
                              .globals =
                                  "%size_pointer = OpTypePointer Output %float\n"
                                  "%size = OpVariable %size_pointer Output\n"};
const StageText kPointSizeOfBlock = {.model = "Vertex",
                                     .interface = "%block",
                                     .decorations =
                                         "OpDecorate %Vertex Block\n"
                                         "OpMemberDecorate %Vertex 0 BuiltIn Position\n"
                                         "OpMemberDecorate %Vertex 1 BuiltIn PointSize\n",
                                     .globals =
                                         "%Vertex = OpTypeStruct %v4float %float\n"
                                         "%block_pointer = OpTypePointer Output %Vertex\n"
                                         "%size_pointer = OpTypePointer Output %float\n"
                                         "%block = OpVariable %block_pointer Output\n"};

std::vector<StageCase> PathCases() {
  StageCase killed = BranchCase("VkShaderCreateInfoEXT-pCode-08459", kDepth, "OpStore %depth %f1\n");
  killed.shader.body = absl::StrReplaceAll(killed.shader.body, {{"%is_small %then %after", "%is_small %then %else"},
                                                                {"%after = OpLabel\n",
                                                                 "%else = OpLabel\nOpBranch %after\n"
                                                                 "%after = OpLabel\n"}});
  killed.from = "%else = OpLabel\nOpBranch %after\n";
  killed.to = "%else = OpLabel\nOpKill\n";
  return {
      BranchCase("VkShaderCreateInfoEXT-pCode-08459", kDepth, "OpStore %depth %f1\n"),
      killed,
      BranchCase("RuntimeSpirv-maintenance5-09190", kPointSize, "OpStore %size %f1\n"),
      BranchCase("RuntimeSpirv-maintenance5-09190", kPointSizeOfBlock,
                 "%to = OpAccessChain %size_pointer %block %u1\nOpStore %to %f1\n"),
  };
}

// What a correct shader may do: nothing is reported.
class WrittenOutputs : public StageTest {};

TEST_F(WrittenOutputs, Correct) {
  MakeDevice();
  // Each invocation takes one of two branches, which depend on each other.
  StageCase both = BranchCase("", kDepth, "OpStore %depth %f1\n");
  both.shader.body +=
      "%is_large = OpLogicalNot %bool %is_small\nOpSelectionMerge %end None\n"
      "OpBranchConditional %is_large %last %end\n%last = OpLabel\nOpStore %depth %f0\n"
      "OpBranch %end\n%end = OpLabel\n";
  Make("Fragment", Text(both.shader));
  ExpectNothing();
  // A variable of the shader's own decides.
  StageCase own = BranchCase("", kDepth, "OpStore %depth %f1\n");
  own.shader.globals += "%own_pointer = OpTypePointer Private %float\n%own = OpVariable %own_pointer Private %f0\n";
  own.shader.interface += " %own";
  own.shader.body = absl::StrReplaceAll(own.shader.body, {{"OpLoad %float %in", "OpLoad %float %own"}});
  Make("Fragment", Text(own.shader));
  ExpectNothing();
  // An output with an initializer.
  StageCase initialized = BranchCase("", kPointSize, "OpStore %size %f1\n");
  initialized.shader.globals =
      absl::StrReplaceAll(initialized.shader.globals, {{"%size_pointer Output\n", "%size_pointer Output %f0\n"}});
  Make("Vertex", Text(initialized.shader));
  ExpectNothing();
  // A loop that runs once at least.
  StageText loop = kPointSize;
  loop.interface += " %count";
  loop.globals += "%count_pointer = OpTypePointer Private %uint\n%count = OpVariable %count_pointer Private %u0\n";
  loop.body =
      "OpBranch %head\n%head = OpLabel\n%at = OpLoad %uint %count\n%goes_on = OpULessThan %bool %at %u4\n"
      "OpLoopMerge %done %next None\nOpBranchConditional %goes_on %work %done\n%work = OpLabel\n"
      "OpStore %size %f1\nOpBranch %next\n%next = OpLabel\n%sum = OpIAdd %uint %at %u1\n"
      "OpStore %count %sum\nOpBranch %head\n%done = OpLabel\n";
  Make("Vertex", Text(loop));
  ExpectNothing();
}

TEST_F(WrittenOutputs, WithoutMaintenance5) {
  driver().config().disabled_features.insert("maintenance5");
  MakeDevice();
  Make("Vertex", Text(BranchCase("", kPointSize, "OpStore %size %f1\n").shader));
  ExpectNothing();
}

std::vector<StageCase> ResourceCases() {
  return {{.id = "RuntimeSpirv-Location-06428",
           .shader = {.model = "Fragment",
                      .interface = "%buffer %out %unwritten",
                      .decorations = std::string(kBufferDecorations) +
                                     "OpDecorate %out Location 0\nOpDecorate %unwritten Location 1\n",
                      .globals = Buffer("%uint") +
                                 "%out_pointer = OpTypePointer Output %v4float\n"
                                 "%white = OpConstantComposite %v4float %f1 %f1 %f1 %f1\n"
                                 "%out = OpVariable %out_pointer Output\n%unwritten = OpVariable %out_pointer Output\n",
                      .body = "%at = OpAccessChain %member_pointer %buffer %u0\nOpStore %at %u1\nOpStore %out %white\n"
                              "%none = OpLoad %v4float %unwritten\n"},
           .from = "OpStore %at %u1",
           .to = "%read = OpLoad %uint %at",
           .always = Limit([](auto& limits) { limits.maxFragmentCombinedOutputResources = 1; })}};
}

// Images without a format, on a device that has neither Vulkan 1.3 nor VK_KHR_format_feature_flags2.
class Formats : public StageTest {
 protected:
  void MakeWithout(const char* feature, const std::string& decorations) {
    extensions.clear();
    feature_structs.clear();
    driver().config().api_version = VK_API_VERSION_1_2;
    driver().config().disabled_extensions.insert(VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME);
    if (feature != nullptr) driver().config().disabled_features.insert(feature);
    MakeDevice();
    std::vector<uint32_t> words = test::AssembleSpirv(
        Text({.interface = "%storage",
              .decorations = "OpDecorate %storage DescriptorSet 0\nOpDecorate %storage Binding 1\n" + decorations,
              .globals = "%image = OpTypeImage %float 2D 0 0 0 2 Unknown\n"
                         "%storage_pointer = OpTypePointer UniformConstant %image\n"
                         "%storage = OpVariable %storage_pointer UniformConstant\n",
              .body = "%of = OpLoad %image %storage\n"}));
    // The version of SPIR-V that Vulkan 1.2 has.
    words[1] = 0x00010500;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = Stage("GLCompute", MakeShader(words)),
        .layout = MakePipelineLayout({MakeSetLayout({{1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}})})};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
};

TEST_F(Formats, Written) {
  MakeWithout("shaderStorageImageWriteWithoutFormat", "");
  ExpectMessage("VUID-RuntimeSpirv-apiVersion-07954");
}
TEST_F(Formats, NonWritable) {
  MakeWithout("shaderStorageImageWriteWithoutFormat", "OpDecorate %storage NonWritable\n");
  ExpectNothing();
}
TEST_F(Formats, Read) {
  MakeWithout("shaderStorageImageReadWithoutFormat", "");
  ExpectMessage("VUID-RuntimeSpirv-apiVersion-07955");
}
TEST_F(Formats, NonReadable) {
  MakeWithout("shaderStorageImageReadWithoutFormat", "OpDecorate %storage NonReadable\n");
  ExpectNothing();
}
TEST_F(Formats, WithFeatures) {
  MakeWithout(nullptr, "");
  ExpectNothing();
}

INSTANTIATE_TEST_SUITE_P(Narrow, VariableCaseTest, ::testing::ValuesIn(NarrowCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Attachments, VariableCaseTest, ::testing::ValuesIn(AttachmentCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Paths, VariableCaseTest, ::testing::ValuesIn(PathCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Resources, VariableCaseTest, ::testing::ValuesIn(ResourceCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
