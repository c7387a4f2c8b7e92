// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Cooperative matrices and vectors against what the physical device lists.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

// Answers for a command, if it is that one.
template <class C, class P>
void Answer(vk::CommandId id, const void* parameters, const std::vector<P>& rows) {
  if (id != C::kId) return;
  const C& call = *static_cast<const C*>(parameters);
  if (call.pProperties == nullptr) {
    *call.pPropertyCount = static_cast<uint32_t>(rows.size());
  } else {
    *call.pPropertyCount = std::min(*call.pPropertyCount, static_cast<uint32_t>(rows.size()));
    std::copy_n(rows.begin(), *call.pPropertyCount, call.pProperties);
  }
}

using Khr = vk::GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
using Flexible = vk::GetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV;
using Nv = vk::GetPhysicalDeviceCooperativeMatrixPropertiesNV;
using Vector = vk::GetPhysicalDeviceCooperativeVectorPropertiesNV;

// Matrices of 16 by 16 floats of 32 bits, and multiples of that with flexible dimensions; vectors of floats of 16 bits.
void ListAll(test::MockConfig& config) {
  using Properties = VkPhysicalDeviceCooperativeMatrix2PropertiesNV;
  Set(&Properties::cooperativeMatrixWorkgroupScopeMaxWorkgroupSize, 1024)(config);
  Set(&Properties::cooperativeMatrixFlexibleDimensionsMaxDimension, 1024)(config);
  constexpr auto kFloat = VK_COMPONENT_TYPE_FLOAT32_KHR;
  constexpr auto kHalf = VK_COMPONENT_TYPE_FLOAT16_KHR;
  constexpr auto kKhr = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  static const std::vector<VkCooperativeMatrixPropertiesKHR> khr = {
      {kKhr, nullptr, 16, 16, 16, kFloat, kFloat, kFloat, kFloat, VK_FALSE, VK_SCOPE_SUBGROUP_KHR},
      {kKhr, nullptr, 8, 8, 8, kFloat, kFloat, kFloat, kFloat, VK_FALSE, VK_SCOPE_WORKGROUP_KHR}};
  static const std::vector<VkCooperativeMatrixFlexibleDimensionsPropertiesNV> flexible = {
      {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV, nullptr, 16, 16, 16, kFloat, kFloat,
       kFloat, kFloat, VK_FALSE, VK_SCOPE_SUBGROUP_KHR, 0}};
  constexpr auto kInteger = VK_COMPONENT_TYPE_SINT32_KHR;
  constexpr auto kNv = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV;
  static const std::vector<VkCooperativeMatrixPropertiesNV> nv = {
      {kNv, nullptr, 16, 16, 16, kFloat, kFloat, kFloat, kFloat, VK_SCOPE_SUBGROUP_NV},
      {kNv, nullptr, 16, 16, 16, kInteger, kInteger, kInteger, kInteger, VK_SCOPE_SUBGROUP_NV}};
  static const std::vector<VkCooperativeVectorPropertiesNV> vectors = {
      {VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV, nullptr, kHalf, kHalf, kHalf, kHalf, kHalf, VK_FALSE},
      {VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV, nullptr, kHalf, kHalf, VK_COMPONENT_TYPE_FLOAT_E4M3_NV,
       kHalf, kHalf, VK_FALSE},
      {VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV, nullptr, kFloat, kFloat, kFloat, kFloat, kFloat, VK_FALSE}};
  test::MockDriver& driver = test::MockDriver::Get();
  // The driver itself lists nothing.
  constexpr uint32_t kEachCall = 1000;
  driver.FailNext<Khr>(VK_SUCCESS, kEachCall);
  driver.FailNext<Flexible>(VK_SUCCESS, kEachCall);
  driver.FailNext<Nv>(VK_SUCCESS, kEachCall);
  driver.FailNext<Vector>(VK_SUCCESS, kEachCall);
  driver.SetObserver([](vk::CommandId id, const void* parameters) {
    Answer<Khr>(id, parameters, khr);
    Answer<Flexible>(id, parameters, flexible);
    Answer<Nv>(id, parameters, nv);
    Answer<Vector>(id, parameters, vectors);
  });
}

// Rows on devices that list all.
std::vector<StageCase> Listed(const std::vector<const char*>& extensions, std::vector<StageCase> cases) {
  for (StageCase& row : cases) {
    row.always = [first = row.always](test::MockConfig& config) {
      ListAll(config);
      if (first) first(config);
    };
  }
  return Extended(extensions, std::move(cases));
}

const char* const kNumbers =
    "%n7 = OpConstant %uint 7\n%n8 = OpConstant %uint 8\n%n16 = OpConstant %uint 16\n%n32 = OpConstant %uint 32\n"
    "%n48 = OpConstant %uint 48\n%n64 = OpConstant %uint 64\n%false = OpConstantFalse %bool\n";

// The shader with a buffer of words of the type.
StageText WithWords(const std::string& type, StageText text) {
  text.decorations += Decorate("%words", "ArrayStride 4");
  absl::StrAppend(&text.globals, "%words = OpTypeRuntimeArray ", type, "\n%word_pointer = OpTypePointer StorageBuffer ",
                  type, "\n");
  return WithBuffer("%words", text);
}

// Matrices A, B and C of these rows and columns, of the scope Subgroup, and what is made of them.
StageText Matrices(const std::string& a, const std::string& b, const std::string& c, const std::string& body,
                   const std::string& scope = "%u3") {
  const auto type = [&](const char* name, const std::string& size, const char* use) {
    return absl::StrCat(name, " = OpTypeCooperativeMatrixKHR %float ", scope, " ", size, " ", use, "\n");
  };
  return {.capabilities =
              Capabilities("CooperativeMatrixKHR, VulkanMemoryModel", "SPV_KHR_cooperative_matrix") + kVulkanModel,
          .modes = Modes("LocalSize 32 1 1"),
          .globals = absl::StrCat(kNumbers, type("%A", a, "%u0"), type("%B", b, "%u1"), type("%C", c, "%u2"),
                                  "%a = OpConstantComposite %A %f1\n%b = OpConstantComposite %B %f1\n"
                                  "%c = OpConstantComposite %C %f1\n"),
          .body = body};
}

std::vector<StageCase> KhrCases() {
  using Properties = VkPhysicalDeviceCooperativeMatrixPropertiesKHR;
  using Properties2 = VkPhysicalDeviceCooperativeMatrix2PropertiesNV;
  const std::string square = "%n16 %n16";
  const std::string add = "%sum = OpFAdd %A %a %a\n";
  const StageText sum = Matrices(square, square, square, add);
  const StageText other_sum = Matrices("%n8 %n16", square, square, add);
  const StageText sum_of_workgroup = Matrices("%n8 %n8", "%n8 %n8", "%n8 %n8", add, "%u2");
  // The types are listed, but not a multiplication that saturates.
  const StageText saturates = Matrices(
      square, square, square, "%product = OpCooperativeMatrixMulAddKHR %C %a %b %c SaturatingAccumulationKHR\n");
  StageText shared = sum_of_workgroup;
  shared.variables = {{"%shared", "Workgroup", "%words"}};
  shared.globals += "%words = OpTypeArray %uint %n32\n";
  shared.body += "%value = OpLoad %words %shared\n";
  const StageText load = WithWords("%float", Matrices(square, square, square,
                                                      "%element = OpAccessChain %word_pointer %buffer %u0 %u0\n"
                                                      "%loaded = OpCooperativeMatrixLoadKHR %A %element %u0 %n7\n"));
  // Three subgroups.
  StageText three = sum_of_workgroup;
  three.modes = Modes("LocalSize 32 3 1");
  const Change inflexible = Disable("cooperativeMatrixFlexibleDimensions");
  const Change of_64 = Set(&VkPhysicalDeviceSubgroupProperties::subgroupSize, 64);
  const Change reserved = [](test::MockConfig& config) {
    config.limits.maxComputeSharedMemorySize = 1024;
    Set(&Properties2::cooperativeMatrixWorkgroupScopeReservedSharedMemory, 897)(config);
  };
  return Listed(
      {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME},
      {Always(inflexible, {"OpTypeCooperativeMatrixKHR-10163", other_sum, "%n8 %n16 %u0", "%n16 %n16 %u0"}),
       {"cooperativeMatrixFlexibleDimensions-10165", other_sum, "%n8 %n16 %u0", "%n32 %n48 %u0"},
       Always(inflexible, {"OpCooperativeMatrixMulAddKHR-10060", saturates, " SaturatingAccumulationKHR", ""}),
       {"cooperativeMatrixFlexibleDimensions-10166", saturates, " SaturatingAccumulationKHR", ""},
       Without("cooperativeMatrixWorkgroupScope-10164", sum_of_workgroup, {"cooperativeMatrixWorkgroupScope"}),
       OnDevice("cooperativeMatrixFlexibleDimensionsMaxDimension-10167", Matrices("%n16 %n48", square, square, add),
                Set(&Properties2::cooperativeMatrixFlexibleDimensionsMaxDimension, 47)),
       OnDevice("cooperativeMatrixSupportedStages-08985", sum,
                Set(&Properties::cooperativeMatrixSupportedStages, VK_SHADER_STAGE_VERTEX_BIT)),
       OnDevice("maxComputeSharedMemorySize-10168", shared, reserved),
       {"OpCooperativeMatrixLoadKHR-08986", load, "%u0 %n7", "%u0 %n8"},
       Always(of_64, {"VkPipelineShaderStageCreateInfo-module-08987", sum, "LocalSize 32", "LocalSize 64"}),
       Always(of_64, {"VkPipelineShaderStageCreateInfo-module-10169", sum_of_workgroup, "LocalSize 32 1 1",
                      "LocalSize 64 1 1"}),
       {"VkPipelineShaderStageCreateInfo-module-10169", three, "LocalSize 32 3 1", "LocalSize 32 4 1"},
       OnDevice("VkPipelineShaderStageCreateInfo-module-10169", sum_of_workgroup,
                Set(&Properties2::cooperativeMatrixWorkgroupScopeMaxWorkgroupSize, 31))});
}

// A driver that lists nothing.
class UnlistedMatrices : public StageTest {};

TEST_F(UnlistedMatrices, AreNotReported) {
  MakeDeviceWith({VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME});
  Expect("", Matrices("%n8 %n16", "%n16 %n16", "%n16 %n16", "%sum = OpFAdd %A %a %a\n"));
}

std::vector<StageCase> NvCases() {
  using Properties = VkPhysicalDeviceCooperativeMatrixPropertiesNV;
  const auto text = [](const std::string& type, const std::string& value, const std::string& body) {
    return WithWords(
        "%float", {.capabilities = Capabilities("CooperativeMatrixNV, VulkanMemoryModel", "SPV_NV_cooperative_matrix") +
                                   kVulkanModel,
                   .modes = Modes("LocalSize 32 1 1"),
                   .globals = absl::StrCat(kNumbers, "%M = OpTypeCooperativeMatrixNV ", type, "\n%m = ", value, "\n"),
                   .body = body});
  };
  const std::string add = "%sum = OpFAdd %M %m %m\n";
  const std::string ones = "OpConstantComposite %M %f1";
  return Listed({VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME},
                {{"OpTypeCooperativeMatrixNV-06316", text("%float %u3 %n8 %n16", ones, add), "%n8 %n16", "%n16 %n16"},
                 OnDevice("OpTypeCooperativeMatrixNV-06322", text("%float %u3 %n16 %n16", ones, add),
                          Set(&Properties::cooperativeMatrixSupportedStages, VK_SHADER_STAGE_VERTEX_BIT)),
                 // Signed integers are listed.
                 {"OpTypeCooperativeMatrixMulAddNV-10059",
                  text("%uint %u3 %n16 %n16", "OpUndef %M", "%product = OpCooperativeMatrixMulAddNV %M %m %m %m\n"),
                  "%uint %u3 %n16", "%int %u3 %n16"},
                 {"OpCooperativeMatrixLoadNV-06324",
                  text("%float %u3 %n16 %n16", ones,
                       "%element = OpAccessChain %word_pointer %buffer %u0 %u0\n"
                       "%loaded = OpCooperativeMatrixLoadNV %M %element %n7 %false\n"),
                  "%n7 %false", "%n8 %false"}});
}

// Vectors of four halves, and an instruction on a buffer of words.
StageText Vectors(const std::string& body, const std::string& more_capabilities = "") {
  return WithWords(
      "%uint",
      {.capabilities = Capabilities("Float16, CooperativeVectorNV" + more_capabilities, "SPV_NV_cooperative_vector"),
       .globals = absl::StrCat("%half = OpTypeFloat 16\n%h1 = OpConstant %half 1\n", kNumbers,
                               "%e4m3 = OpConstant %uint 1000491002\n%V = OpTypeCooperativeVectorNV %half %u4\n"
                               "%v = OpConstantComposite %V %h1 %h1 %h1 %h1\n"),
       .body = "%at = OpAccessChain %member_pointer %buffer %u0\n" + body + "\n"});
}

std::vector<StageCase> VectorCases() {
  using Properties = VkPhysicalDeviceCooperativeVectorPropertiesNV;
  const std::string add = "%sum = OpFAdd %V %v %v";
  // Matrix, its offset and interpretation; sizes; layout; no transposition.
  const auto multiplied = [](const char* offset, const char* type, const char* layout, const char* stride) {
    return Vectors(absl::StrCat("%p = OpCooperativeVectorMatrixMulNV %V %v %u0 %at ", offset, " ", type, " %u4 %u4 ",
                                layout, " %false ", stride));
  };
  const std::string multiply_add =
      "%p = OpCooperativeVectorMatrixMulAddNV %V %v %u0 %at %u0 %u0 %at %n8 %u0 %u4 %u4 %u2 %false";
  const auto trained = [](const std::string& operation) { return Vectors(operation, ", CooperativeVectorTrainingNV"); };
  const std::string product = "OpCooperativeVectorOuterProductAccumulateNV %at ";
  const std::string reduce = "OpCooperativeVectorReduceSumAccumulateNV %at ";
  const Change without16 = Set(&Properties::cooperativeVectorTrainingFloat16Accumulation, VK_FALSE);
  // Integers are not listed.
  StageText integers = Vectors("%sum = OpIAdd %V %v %v");
  integers.globals = absl::StrReplaceAll(integers.globals, {{"CooperativeVectorNV %half", "CooperativeVectorNV %uint"},
                                                            {"%h1 %h1 %h1 %h1", "%u1 %u1 %u1 %u1"}});
  std::vector<StageCase> cases = Listed(
      {VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME},
      {OnDevice("maxCooperativeVectorComponents-10094", Vectors(add),
                Set(&Properties::maxCooperativeVectorComponents, 3)),
       OnDevice("cooperativeVectorSupportedStages-10091", Vectors(add),
                Set(&Properties::cooperativeVectorSupportedStages, VK_SHADER_STAGE_VERTEX_BIT)),
       {"OpCooperativeVectorMatrixMulNV-10089", multiplied("%u0", "%u1", "%u2", ""), "%at %u0 %u1", "%at %u0 %u0"},
       {"OpCooperativeVectorMatrixMulNV-10090", multiplied("%u0", "%e4m3", "%u0", "%n16"), "%u4 %u4 %u0 %false",
        "%u4 %u4 %u2 %false"},
       {"OpCooperativeVectorMatrixMulNV-10096", multiplied("%u0", "%u0", "%u0", "%n8"), "%false %n8", "%false %n16"},
       {"OpCooperativeVectorMatrixMulNV-10097", multiplied("%n32", "%u0", "%u2", ""), "%at %n32", "%at %n64"},
       {"OpCooperativeVectorMatrixMulAddNV-10098", Vectors(multiply_add), "%at %n8", "%at %n16"},
       {"OpCooperativeVectorLoadNV-10099", Vectors("%loaded = OpCooperativeVectorLoadNV %V %at %n8"), "%at %n8",
        "%at %n16"},
       {"OpCooperativeVectorReduceSumAccumulateNV-10100", trained(reduce + "%n8 %v"), "%at %n8", "%at %n16"},
       {"OpCooperativeVectorOuterProductAccumulateNV-10101", trained(product + "%n32 %v %v %u3 %u0"), "%at %n32",
        "%at %n64"},
       OnDevice("OpCooperativeVectorReduceSumAccumulateNV-10092", trained(reduce + "%u0 %v"), without16),
       OnDevice("OpCooperativeVectorOuterProductAccumulateNV-10093", trained(product + "%u0 %v %v %u3 %u0"), without16),
       {"OpCooperativeVectorOuterProductAccumulateNV-10093", trained(product + "%u0 %v %v %u2 %u0"), "%v %u2",
        "%v %u3"},
       OnDevice("OpTypeCooperativeVector-10095", integers, ListAll)});
  // The driver of the twin lists nothing.
  cases.back().always = nullptr;
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest, CasesOf({KhrCases(), NvCases(), VectorCases()}), kNameOfCase);

}  // namespace
}  // namespace assay::core
