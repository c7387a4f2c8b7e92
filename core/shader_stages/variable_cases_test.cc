// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Variables: what they hold, images without a format, input attachments, and outputs that must be written.

#include "absl/strings/match.h"
#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

std::vector<StageCase> NarrowCases() {
  // A shader loads one number of a buffer, or of push constants. Where the capability is not that of the feature,
  // another feature allows what the module declares.
  const auto row = [](const char* feature, const char* number, const std::string& capability, const char* type,
                      const std::string& storage) {
    const std::string bound = storage == "Uniform" ? "DescriptorSet 0, Binding 5" : "DescriptorSet 0, Binding 0";
    const StageText shader =
        WithBuffer("%number",
                   {.capabilities = Capabilities(capability, "SPV_KHR_8bit_storage, SPV_KHR_16bit_storage"),
                    .globals = absl::StrCat("%number = ", type, "\n"),
                    .body = "%at = OpAccessChain %member_pointer %buffer %u0\n%value = OpLoad %number %at\n"},
                   storage, storage == "PushConstant" ? "" : bound);
    std::vector<std::string> also;
    if (absl::EqualsIgnoreCase(capability, feature)) also = {kModuleCapability};
    return Without(absl::StrCat(feature, "-", number), shader, {feature}, also);
  };
  const auto interface = [](const char* storage) {
    return StageText{.model = "Fragment",
                     .capabilities = Capabilities("StorageInputOutput16", "SPV_KHR_16bit_storage"),
                     .variables = {{"%number", storage, "%half", "Location 0"}},
                     .globals = "%half = OpTypeFloat 16\n",
                     .body = "%value = OpLoad %half %number\n"};
  };
  const char* const int8 = "OpTypeInt 8 0";
  const char* const int16 = "OpTypeInt 16 0";
  return {
      row("storageBuffer8BitAccess", "06328", "UniformAndStorageBuffer8BitAccess", int8, "StorageBuffer"),
      row("uniformAndStorageBuffer8BitAccess", "06329", "UniformAndStorageBuffer8BitAccess", int8, "Uniform"),
      row("storagePushConstant8", "06330", "StoragePushConstant8", int8, "PushConstant"),
      row("storageBuffer16BitAccess", "06331", "UniformAndStorageBuffer16BitAccess", "OpTypeFloat 16", "StorageBuffer"),
      row("uniformAndStorageBuffer16BitAccess", "06332", "UniformAndStorageBuffer16BitAccess", int16, "Uniform"),
      row("storagePushConstant16", "06333", "StoragePushConstant16", int16, "PushConstant"),
      Without("storageInputOutput16-06334", interface("Output"), {"storageInputOutput16"}, {kObjectCapability}),
      Without("storageInputOutput16-06334", interface("Input"), {"storageInputOutput16"}, {kObjectCapability}),
  };
}

std::vector<StageCase> AttachmentCases() {
  const auto text = [](const std::string& index) {
    return StageText{
        .model = "Fragment",
        .capabilities = Capabilities("InputAttachment"),
        .variables = {{"%one", "UniformConstant", "%image", "DescriptorSet 0, Binding 4, InputAttachmentIndex 2"},
                      {"%many", "UniformConstant", "%images", "DescriptorSet 0, Binding 6" + index}},
        .globals = "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n%images = OpTypeArray %image %u2\n",
        .body =
            "%first = OpLoad %image %one\n%at = OpAccessChain %one_pointer %many %u1\n%second = OpLoad %image %at\n"};
  };
  return {
      {"OpEntryPoint-08727", text(", InputAttachmentIndex 1"), "%many InputAttachmentIndex 1",
       "%many InputAttachmentIndex 0"},
      {"OpTypeImage-09644", text(""), "OpDecorate %many Binding 6\n",
       "OpDecorate %many Binding 6\nOpDecorate %many InputAttachmentIndex 0\n"},
  };
}

// A shader whose output is written if an input is small, and in its twin in any case.
StageCase BranchCase(const char* id, const StageText& shader, const std::string& store) {
  const std::string end = "%after = OpLabel\n";
  // An id has one definition.
  return {id, Branching(shader, store), end, end + absl::StrReplaceAll(store, {{"%to ", "%again "}})};
}

const StageText kPointSize = {.model = "Vertex", .variables = {{"%size", "Output", "%float", "BuiltIn PointSize"}}};
const StageText kPointSizeOfBlock = {
    .model = "Vertex",
    .variables = {{"%block", "Output", "%Vertex"}},
    .decorations = Decorate("%Vertex", "Block") + DecorateMember("%Vertex 0", "BuiltIn Position") +
                   DecorateMember("%Vertex 1", "BuiltIn PointSize"),
    .globals = "%Vertex = OpTypeStruct %v4float %float\n%size_pointer = OpTypePointer Output %float\n"};

std::vector<StageCase> PathCases() {
  StageCase killed = BranchCase("VkShaderCreateInfoEXT-pCode-08459", WithDepth(), "OpStore %depth %f1\n");
  killed.from = "%else = OpLabel\nOpBranch %after\n";
  const std::string after = "%after = OpLabel\n";
  killed.shader.body = absl::StrReplaceAll(
      killed.shader.body, {{"%is_small %then %after", "%is_small %then %else"}, {after, killed.from + after}});
  killed.to = "%else = OpLabel\nOpKill\n";
  return {
      BranchCase("VkShaderCreateInfoEXT-pCode-08459", WithDepth(), "OpStore %depth %f1\n"),
      killed,
      BranchCase("maintenance5-09190", kPointSize, "OpStore %size %f1\n"),
      BranchCase("maintenance5-09190", kPointSizeOfBlock,
                 "%to = OpAccessChain %size_pointer %block %u1\nOpStore %to %f1\n"),
  };
}

// What a correct shader may do: nothing is reported.
class WrittenOutputs : public StageTest {};

TEST_F(WrittenOutputs, Correct) {
  // Each invocation takes one of two branches, which depend on each other.
  StageText both = Branching(WithDepth(), "OpStore %depth %f1\n");
  both.body +=
      "%is_large = OpLogicalNot %bool %is_small\nOpSelectionMerge %end None\n"
      "OpBranchConditional %is_large %last %end\n%last = OpLabel\nOpStore %depth %f0\nOpBranch %end\n%end = OpLabel\n";
  Expect("", both);
  // A variable of the shader's own decides.
  StageText own = Branching(WithDepth(), "OpStore %depth %f1\n");
  own.variables.push_back({"%own", "Private", "%float", "", "%f0"});
  own.body = absl::StrReplaceAll(own.body, {{"OpCompositeExtract %float %place 0", "OpLoad %float %own"}});
  Expect("", own);
  // An output with an initializer.
  StageText initialized = Branching(kPointSize, "OpStore %size %f1\n");
  initialized.variables[0].initializer = "%f0";
  Expect("", initialized);
  // A loop that runs once at least.
  StageText loop = kPointSize;
  loop.variables.push_back({"%count", "Private", "%uint", "", "%u0"});
  loop.body =
      "OpBranch %head\n%head = OpLabel\n%at = OpLoad %uint %count\n%goes_on = OpULessThan %bool %at %u4\n"
      "OpLoopMerge %done %next None\nOpBranchConditional %goes_on %work %done\n%work = OpLabel\n"
      "OpStore %size %f1\nOpBranch %next\n%next = OpLabel\n%sum = OpIAdd %uint %at %u1\n"
      "OpStore %count %sum\nOpBranch %head\n%done = OpLabel\n";
  Expect("", loop);
}

TEST_F(WrittenOutputs, WithoutMaintenance5) {
  MakeDeviceWithout("maintenance5");
  Expect("", Branching(kPointSize, "OpStore %size %f1\n"));
}

std::vector<StageCase> ResourceCases() {
  const StageText shader = WithBuffer(
      "%uint",
      {.model = "Fragment",
       .variables = {{"%out", "Output", "%v4float", "Location 0"}, {"%unwritten", "Output", "%v4float", "Location 1"}},
       .globals = "%white = OpConstantComposite %v4float %f1 %f1 %f1 %f1\n",
       .body = "%at = OpAccessChain %member_pointer %buffer %u0\nOpStore %at %u1\nOpStore %out %white\n"
               "%none = OpLoad %v4float %unwritten\n"});
  return {Always(Set(&VkPhysicalDeviceLimits::maxFragmentCombinedOutputResources, 1),
                 {"Location-06428", shader, "OpStore %at %u1", "%read = OpLoad %uint %at"})};
}

// Images without a format, on a device that has neither Vulkan 1.3 nor VK_KHR_format_feature_flags2.
class Formats : public StageTest {
 protected:
  // The id is empty if nothing is reported.
  void ExpectWithout(std::string_view id, const char* feature, const std::string& decoration,
                     std::source_location where = std::source_location::current()) {
    extensions.clear();
    driver().config().api_version = VK_API_VERSION_1_2;
    driver().config().disabled_extensions.insert(VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME);
    if (feature != nullptr) driver().config().disabled_features.insert(feature);
    MakeDevice();
    const std::string decorations = "DescriptorSet 0, Binding 1" + decoration;
    std::vector<uint32_t> words =
        test::AssembleSpirv(Text({.variables = {{"%storage", "UniformConstant", "%image", decorations}},
                                  .globals = "%image = OpTypeImage %float 2D 0 0 0 2 Unknown\n",
                                  .body = "%of = OpLoad %image %storage\n"}));
    // The version of SPIR-V that Vulkan 1.2 has.
    words[1] = 0x00010500;
    const VkPipelineLayout layout = MakePipelineLayout({MakeSetLayout({{1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}})});
    MakeComputePipeline(layout, MakeShader(words));
    ExpectAlone(VuidOf("RuntimeSpirv", id), where);
  }
};

TEST_F(Formats, Written) { ExpectWithout("apiVersion-07954", "shaderStorageImageWriteWithoutFormat", ""); }
TEST_F(Formats, NonWritable) { ExpectWithout("", "shaderStorageImageWriteWithoutFormat", ", NonWritable"); }
TEST_F(Formats, Read) { ExpectWithout("apiVersion-07955", "shaderStorageImageReadWithoutFormat", ""); }
TEST_F(Formats, NonReadable) { ExpectWithout("", "shaderStorageImageReadWithoutFormat", ", NonReadable"); }
TEST_F(Formats, WithFeatures) { ExpectWithout("", nullptr, ""); }

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest, CasesOf({NarrowCases(), AttachmentCases(), PathCases(), ResourceCases()}),
                         kNameOfCase);

}  // namespace
}  // namespace assay::core
