// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Cooperative matrices and vectors against what the physical device lists.

#include <algorithm>

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
  With<Properties>([](Properties& properties) {
    properties.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = 1024;
    properties.cooperativeMatrixFlexibleDimensionsMaxDimension = 1024;
  })(config);
  constexpr auto kFloat = VK_COMPONENT_TYPE_FLOAT32_KHR;
  constexpr auto kHalf = VK_COMPONENT_TYPE_FLOAT16_KHR;
  static const std::vector<VkCooperativeMatrixPropertiesKHR> khr = {
      {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR, nullptr, 16, 16, 16, kFloat, kFloat, kFloat, kFloat,
       VK_FALSE, VK_SCOPE_SUBGROUP_KHR},
      {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR, nullptr, 8, 8, 8, kFloat, kFloat, kFloat, kFloat, VK_FALSE,
       VK_SCOPE_WORKGROUP_KHR}};
  static const std::vector<VkCooperativeMatrixFlexibleDimensionsPropertiesNV> flexible = {
      {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV, nullptr, 16, 16, 16, kFloat, kFloat,
       kFloat, kFloat, VK_FALSE, VK_SCOPE_SUBGROUP_KHR, 0}};
  constexpr auto kInteger = VK_COMPONENT_TYPE_SINT32_KHR;
  static const std::vector<VkCooperativeMatrixPropertiesNV> nv = {
      {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV, nullptr, 16, 16, 16, kFloat, kFloat, kFloat, kFloat,
       VK_SCOPE_SUBGROUP_NV},
      {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV, nullptr, 16, 16, 16, kInteger, kInteger, kInteger, kInteger,
       VK_SCOPE_SUBGROUP_NV}};
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

class MatrixCaseTest : public StageCaseTest {};

TEST_P(MatrixCaseTest, IsReported) { ExpectReported(); }
TEST_P(MatrixCaseTest, TwinIsSilent) { ExpectTwinSilent(); }

const char* const kKhrMatrices =
    "OpCapability CooperativeMatrixKHR\nOpCapability VulkanMemoryModel\n"
    "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpMemoryModel Logical Vulkan\n";

// Matrices A, B and C of these rows and columns, of the scope Subgroup, and what is made of them.
StageText Matrices(const std::string& a, const std::string& b, const std::string& c, const std::string& body,
                   const std::string& scope = "%u3") {
  return {.capabilities = kKhrMatrices,
          .modes = "OpExecutionMode %main LocalSize 32 1 1\n",
          .globals = absl::StrCat("%n7 = OpConstant %uint 7\n%n8 = OpConstant %uint 8\n%n16 = OpConstant %uint 16\n"
                                  "%n32 = OpConstant %uint 32\n%n48 = OpConstant %uint 48\n"
                                  "%A = OpTypeCooperativeMatrixKHR %float ",
                                  scope, " ", a, " %u0\n%B = OpTypeCooperativeMatrixKHR %float ", scope, " ", b,
                                  " %u1\n%C = OpTypeCooperativeMatrixKHR %float ", scope, " ", c,
                                  " %u2\n%a = OpConstantComposite %A %f1\n%b = OpConstantComposite %B %f1\n"
                                  "%c = OpConstantComposite %C %f1\n"),
          .body = body};
}

std::vector<StageCase> KhrCases() {
  using Properties = VkPhysicalDeviceCooperativeMatrixPropertiesKHR;
  using Properties2 = VkPhysicalDeviceCooperativeMatrix2PropertiesNV;
  const std::string square = "%n16 %n16";
  const std::string add = "%sum = OpFAdd %A %a %a\n";
  const std::string multiply = "%product = OpCooperativeMatrixMulAddKHR %C %a %b %c\n";
  // The types are listed, but not a multiplication that saturates.
  const StageText saturates =
      Matrices(square, square, square, absl::StrReplaceAll(multiply, {{"%c\n", "%c SaturatingAccumulationKHR\n"}}));
  StageText shared = Matrices("%n8 %n8", "%n8 %n8", "%n8 %n8", add + "%value = OpLoad %words %shared\n", "%u2");
  shared.interface = "%shared";
  shared.globals += "%words = OpTypeArray %uint %n32\n" + Shared("%words");
  StageText load = Matrices(square, square, square,
                            "%element = OpAccessChain %float_pointer %buffer %u0 %u0\n"
                            "%loaded = OpCooperativeMatrixLoadKHR %A %element %u0 %n7\n");
  load.interface = "%buffer";
  load.decorations = absl::StrCat(kBufferDecorations, "OpDecorate %words ArrayStride 4\n");
  load.globals += "%words = OpTypeRuntimeArray %float\n" + Buffer("%words") +
                  "%float_pointer = OpTypePointer StorageBuffer %float\n";
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-OpTypeCooperativeMatrixKHR-10163",
       .shader = Matrices("%n8 %n16", square, square, add),
       .from = "%n8 %n16 %u0",
       .to = "%n16 %n16 %u0",
       .always =
           [](test::MockConfig& config) { config.disabled_features.insert("cooperativeMatrixFlexibleDimensions"); }},
      {.id = "RuntimeSpirv-cooperativeMatrixFlexibleDimensions-10165",
       .shader = Matrices("%n8 %n16", square, square, add),
       .from = "%n8 %n16 %u0",
       .to = "%n32 %n48 %u0"},
      {.id = "RuntimeSpirv-OpCooperativeMatrixMulAddKHR-10060",
       .shader = saturates,
       .from = " SaturatingAccumulationKHR",
       .to = "",
       .always =
           [](test::MockConfig& config) { config.disabled_features.insert("cooperativeMatrixFlexibleDimensions"); }},
      {.id = "RuntimeSpirv-cooperativeMatrixFlexibleDimensions-10166",
       .shader = saturates,
       .from = " SaturatingAccumulationKHR",
       .to = ""},
      {.id = "RuntimeSpirv-cooperativeMatrixWorkgroupScope-10164",
       .shader = Matrices("%n8 %n8", "%n8 %n8", "%n8 %n8", add, "%u2"),
       .disabled = {"cooperativeMatrixWorkgroupScope"}},
      {.id = "RuntimeSpirv-cooperativeMatrixFlexibleDimensionsMaxDimension-10167",
       .shader = Matrices("%n16 %n48", square, square, add),
       .configure = With<Properties2>(
           [](Properties2& properties) { properties.cooperativeMatrixFlexibleDimensionsMaxDimension = 47; })},
      {.id = "RuntimeSpirv-cooperativeMatrixSupportedStages-08985",
       .shader = Matrices(square, square, square, add),
       .configure = With<Properties>(
           [](Properties& properties) { properties.cooperativeMatrixSupportedStages = VK_SHADER_STAGE_VERTEX_BIT; })},
      {.id = "RuntimeSpirv-maxComputeSharedMemorySize-10168",
       .shader = shared,
       .configure =
           [](test::MockConfig& config) {
             config.limits.maxComputeSharedMemorySize = 1024;
             With<Properties2>([](Properties2& properties) {
               properties.cooperativeMatrixWorkgroupScopeReservedSharedMemory = 897;
             })(config);
           }},
      {.id = "RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986", .shader = load, .from = "%u0 %n7", .to = "%u0 %n8"},
      {.id = "VkPipelineShaderStageCreateInfo-module-08987",
       .shader = Matrices(square, square, square, add),
       .from = "LocalSize 32",
       .to = "LocalSize 64",
       .always = With<VkPhysicalDeviceSubgroupProperties>(
           [](VkPhysicalDeviceSubgroupProperties& properties) { properties.subgroupSize = 64; })},
      {.id = "VkPipelineShaderStageCreateInfo-module-10169",
       .shader = Matrices("%n8 %n8", "%n8 %n8", "%n8 %n8", add, "%u2"),
       .from = "LocalSize 32 1 1",
       .to = "LocalSize 64 1 1",
       .always = With<VkPhysicalDeviceSubgroupProperties>(
           [](VkPhysicalDeviceSubgroupProperties& properties) { properties.subgroupSize = 64; })},
      {.id = "VkPipelineShaderStageCreateInfo-module-10169",
       .shader = Matrices("%n8 %n8", "%n8 %n8", "%n8 %n8", add, "%u2"),
       .from = "LocalSize 32 1 1",
       .to = "LocalSize 32 4 1"},
      {.id = "VkPipelineShaderStageCreateInfo-module-10169",
       .shader = Matrices("%n8 %n8", "%n8 %n8", "%n8 %n8", add, "%u2"),
       .configure = With<Properties2>(
           [](Properties2& properties) { properties.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = 31; })},
  };
  // Three subgroups.
  cases[cases.size() - 2].shader.modes = "OpExecutionMode %main LocalSize 32 3 1\n";
  cases[cases.size() - 2].from = "LocalSize 32 3 1";
  for (StageCase& row : cases) {
    row.extensions = {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME};
    row.feature_structs = {"VkPhysicalDeviceCooperativeMatrixFeaturesKHR",
                           "VkPhysicalDeviceCooperativeMatrix2FeaturesNV"};
    row.always = [first = row.always](test::MockConfig& config) {
      ListAll(config);
      if (first) first(config);
    };
  }
  return cases;
}

// A driver that lists nothing.
class UnlistedMatrices : public StageTest {};

TEST_F(UnlistedMatrices, AreNotReported) {
  extensions.push_back(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
  feature_structs.emplace_back("VkPhysicalDeviceCooperativeMatrixFeaturesKHR");
  MakeDevice();
  Make("GLCompute", Text(Matrices("%n8 %n16", "%n16 %n16", "%n16 %n16", "%sum = OpFAdd %A %a %a\n")));
  ExpectNothing();
}

std::vector<StageCase> NvCases() {
  using Properties = VkPhysicalDeviceCooperativeMatrixPropertiesNV;
  const auto text = [](const std::string& type, const std::string& body) {
    return StageText{
        .capabilities =
            "OpCapability CooperativeMatrixNV\nOpCapability VulkanMemoryModel\n"
            "OpExtension \"SPV_NV_cooperative_matrix\"\nOpMemoryModel Logical Vulkan\n",
        .interface = "%buffer",
        .modes = "OpExecutionMode %main LocalSize 32 1 1\n",
        .decorations = absl::StrCat(kBufferDecorations, "OpDecorate %words ArrayStride 4\n"),
        .globals = absl::StrCat("%n7 = OpConstant %uint 7\n%n8 = OpConstant %uint 8\n%n16 = OpConstant %uint 16\n"
                                "%false = OpConstantFalse %bool\n%M = OpTypeCooperativeMatrixNV ",
                                type, "\n%m = OpConstantComposite %M %f1\n%words = OpTypeRuntimeArray %float\n",
                                Buffer("%words"), "%float_pointer = OpTypePointer StorageBuffer %float\n"),
        .body = body};
  };
  const std::string add = "%sum = OpFAdd %M %m %m\n";
  // Signed integers are listed.
  StageText multiply = text("%uint %u3 %n16 %n16", "%product = OpCooperativeMatrixMulAddNV %M %m %m %m\n");
  multiply.globals = absl::StrReplaceAll(multiply.globals, {{"OpConstantComposite %M %f1", "OpUndef %M"}});
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-OpTypeCooperativeMatrixNV-06316",
       .shader = text("%float %u3 %n8 %n16", add),
       .from = "%n8 %n16",
       .to = "%n16 %n16"},
      {.id = "RuntimeSpirv-OpTypeCooperativeMatrixNV-06322",
       .shader = text("%float %u3 %n16 %n16", add),
       .configure = With<Properties>(
           [](Properties& properties) { properties.cooperativeMatrixSupportedStages = VK_SHADER_STAGE_VERTEX_BIT; })},
      {.id = "RuntimeSpirv-OpTypeCooperativeMatrixMulAddNV-10059",
       .shader = multiply,
       .from = "%uint %u3 %n16",
       .to = "%int %u3 %n16"},
      {.id = "RuntimeSpirv-OpCooperativeMatrixLoadNV-06324",
       .shader = text("%float %u3 %n16 %n16",
                      "%element = OpAccessChain %float_pointer %buffer %u0 %u0\n"
                      "%loaded = OpCooperativeMatrixLoadNV %M %element %n7 %false\n"),
       .from = "%n7 %false",
       .to = "%n8 %false"},
  };
  for (StageCase& row : cases) {
    row.extensions = {VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME};
    row.feature_structs = {"VkPhysicalDeviceCooperativeMatrixFeaturesNV"};
    row.always = ListAll;
  }
  return cases;
}

// Vectors of four numbers of a type, and an instruction on a buffer of words.
StageText Vectors(const std::string& type, const std::string& body, bool has_training = false) {
  return {.capabilities = absl::StrCat("OpCapability Float16\nOpCapability CooperativeVectorNV\n",
                                       has_training ? "OpCapability CooperativeVectorTrainingNV\n" : "",
                                       "OpExtension \"SPV_NV_cooperative_vector\"\n"),
          .interface = "%buffer",
          .decorations = absl::StrCat(kBufferDecorations, "OpDecorate %words ArrayStride 4\n"),
          .globals = absl::StrCat("%half = OpTypeFloat 16\n%h1 = OpConstant %half 1\n%false = OpConstantFalse %bool\n"
                                  "%n8 = OpConstant %uint 8\n%n16 = OpConstant %uint 16\n%n32 = OpConstant %uint 32\n"
                                  "%n64 = OpConstant %uint 64\n%e4m3 = OpConstant %uint 1000491002\n",
                                  "%V = OpTypeCooperativeVectorNV ", type, " %u4\n%v = OpConstantComposite %V ",
                                  absl::StrReplaceAll("X X X X", {{"X", type == "%half" ? "%h1" : "%f1"}}),
                                  "\n%words = OpTypeRuntimeArray %uint\n", Buffer("%words")),
          .body = "%at = OpAccessChain %member_pointer %buffer %u0\n" + body};
}

std::vector<StageCase> VectorCases() {
  using Properties = VkPhysicalDeviceCooperativeVectorPropertiesNV;
  const std::string add = "%sum = OpFAdd %V %v %v\n";
  // Interpretation of the input; matrix, its offset and interpretation; sizes; layout; no transposition.
  const std::string multiply =
      "%p = OpCooperativeVectorMatrixMulNV %V %v %u0 %at OFFSET TYPE %u4 %u4 LAYOUT %false STRIDE\n";
  const auto multiplied = [&](const char* offset, const char* type, const char* layout, const char* stride) {
    return absl::StrReplaceAll(multiply, {{"OFFSET", offset}, {"TYPE", type}, {"LAYOUT", layout}, {"STRIDE", stride}});
  };
  const std::string multiply_add =
      "%p = OpCooperativeVectorMatrixMulAddNV %V %v %u0 %at %u0 %u0 %at %n8 %u0 %u4 %u4 %u2 %false\n";
  const auto without16 = With<Properties>(
      [](Properties& properties) { properties.cooperativeVectorTrainingFloat16Accumulation = VK_FALSE; });
  const std::string product = "OpCooperativeVectorOuterProductAccumulateNV %at %u0 %v %v %u3 %u0\n";
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-maxCooperativeVectorComponents-10094",
       .shader = Vectors("%half", add),
       .configure = With<Properties>([](Properties& properties) { properties.maxCooperativeVectorComponents = 3; })},
      {.id = "RuntimeSpirv-cooperativeVectorSupportedStages-10091",
       .shader = Vectors("%half", add),
       .configure = With<Properties>(
           [](Properties& properties) { properties.cooperativeVectorSupportedStages = VK_SHADER_STAGE_VERTEX_BIT; })},
      {.id = "RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10089",
       .shader = Vectors("%half", multiplied("%u0", "%u1", "%u2", "")),
       .from = "%at %u0 %u1",
       .to = "%at %u0 %u0"},
      {.id = "RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10090",
       .shader = Vectors("%half", multiplied("%u0", "%e4m3", "%u0", "%n16")),
       .from = "%u4 %u4 %u0 %false",
       .to = "%u4 %u4 %u2 %false"},
      {.id = "RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10096",
       .shader = Vectors("%half", multiplied("%u0", "%u0", "%u0", "%n8")),
       .from = "%false %n8",
       .to = "%false %n16"},
      {.id = "RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10097",
       .shader = Vectors("%half", multiplied("%n32", "%u0", "%u2", "")),
       .from = "%at %n32",
       .to = "%at %n64"},
      {.id = "RuntimeSpirv-OpCooperativeVectorMatrixMulAddNV-10098",
       .shader = Vectors("%half", multiply_add),
       .from = "%at %n8",
       .to = "%at %n16"},
      {.id = "RuntimeSpirv-OpCooperativeVectorLoadNV-10099",
       .shader = Vectors("%half", "%loaded = OpCooperativeVectorLoadNV %V %at %n8\n"),
       .from = "%at %n8",
       .to = "%at %n16"},
      {.id = "RuntimeSpirv-OpCooperativeVectorReduceSumAccumulateNV-10100",
       .shader = Vectors("%half", "OpCooperativeVectorReduceSumAccumulateNV %at %n8 %v\n", true),
       .from = "%at %n8",
       .to = "%at %n16"},
      {.id = "RuntimeSpirv-OpCooperativeVectorOuterProductAccumulateNV-10101",
       .shader = Vectors("%half", absl::StrReplaceAll(product, {{"%at %u0", "%at %n32"}}), true),
       .from = "%at %n32",
       .to = "%at %n64"},
      {.id = "RuntimeSpirv-OpCooperativeVectorReduceSumAccumulateNV-10092",
       .shader = Vectors("%half", "OpCooperativeVectorReduceSumAccumulateNV %at %u0 %v\n", true),
       .configure = without16},
      {.id = "RuntimeSpirv-OpCooperativeVectorOuterProductAccumulateNV-10093",
       .shader = Vectors("%half", product, true),
       .configure = without16},
      {.id = "RuntimeSpirv-OpCooperativeVectorOuterProductAccumulateNV-10093",
       .shader = Vectors("%half", absl::StrReplaceAll(product, {{"%v %u3", "%v %u2"}}), true),
       .from = "%v %u2",
       .to = "%v %u3"},
  };
  // Integers are not listed.
  StageText integers = Vectors("%half", add);
  integers.globals = absl::StrReplaceAll(integers.globals, {{"CooperativeVectorNV %half", "CooperativeVectorNV %uint"},
                                                            {"%h1 %h1 %h1 %h1", "%u1 %u1 %u1 %u1"}});
  integers.body = absl::StrReplaceAll(integers.body, {{"OpFAdd", "OpIAdd"}});
  StageCase type = {.id = "RuntimeSpirv-OpTypeCooperativeVector-10095", .shader = integers};
  cases.push_back(type);
  for (StageCase& row : cases) {
    row.extensions = {VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME};
    row.feature_structs = {"VkPhysicalDeviceCooperativeVectorFeaturesNV"};
    row.always = ListAll;
  }
  // The driver of the twin lists nothing.
  cases.back().configure = ListAll;
  cases.back().always = nullptr;
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Khr, MatrixCaseTest, ::testing::ValuesIn(KhrCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Nv, MatrixCaseTest, ::testing::ValuesIn(NvCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Vectors, MatrixCaseTest, ::testing::ValuesIn(VectorCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
