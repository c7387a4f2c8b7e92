// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The corpus as a whole: it is read, it is valid, and it covers what it is for. Its argument is the folder.

#include "spirv_instrument/corpus/corpus.h"

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/description/parse.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument::corpus {
namespace {

std::string* folder = nullptr;

const std::vector<Program>& Programs() {
  static const std::vector<Program>& programs = *new std::vector<Program>([] {
    absl::StatusOr<std::vector<Program>> read = ReadCorpus(*folder);
    EXPECT_TRUE(read.ok()) << read.status().message();
    return read.ok() ? *std::move(read) : std::vector<Program>();
  }());
  return programs;
}

TEST(CorpusTest, HasManyPrograms) {
  EXPECT_GE(Programs().size(), 500u);
  size_t faults = 0;
  for (const Program& program : Programs()) faults += program.inputs.size() - 1;
  EXPECT_GE(faults, 900u);
}

TEST(CorpusTest, ModulesAreValid) {
  for (const Program& program : Programs()) {
    for (const Stage& stage : program.stages) {
      const absl::Status status = ValidateModule(stage.words);
      EXPECT_TRUE(status.ok()) << stage.source << ": " << status.message();
    }
  }
}

// Two programs with the same purpose are two times the same test.
TEST(CorpusTest, EachProgramHasItsPurpose) {
  std::set<std::string> purposes;
  for (const Program& program : Programs()) {
    EXPECT_TRUE(purposes.insert(program.purpose).second) << program.name << ": " << program.purpose;
  }
}

TEST(CorpusTest, FirstInputIsGoodAndExpectsSomething) {
  for (const Program& program : Programs()) {
    EXPECT_TRUE(program.inputs.front().faults.empty()) << program.name;
    for (const Input& input : program.inputs) {
      EXPECT_NE(input.faults.empty(), input.expected.empty()) << program.name << ", " << input.name;
    }
  }
}

TEST(CorpusTest, EveryKindOfFaultOccurs) {
  std::set<FaultKind> found;
  for (const Program& program : Programs()) {
    for (const Input& input : program.inputs) {
      for (const ExpectedFault& fault : input.faults) found.insert(fault.kind);
    }
  }
  for (int kind = 0; kind <= static_cast<int>(FaultKind::kNotANumber); ++kind) {
    EXPECT_TRUE(found.contains(static_cast<FaultKind>(kind))) << NameOf(static_cast<FaultKind>(kind));
  }
}

TEST(CorpusTest, EveryTypeOfDescriptorOccurs) {
  std::set<VkDescriptorType> found;
  for (const Program& program : Programs()) {
    for (const BindingDescription& binding : program.inputs.front().setup.bindings) found.insert(binding.type);
  }
  for (int type = VK_DESCRIPTOR_TYPE_SAMPLER; type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT; ++type) {
    EXPECT_TRUE(found.contains(static_cast<VkDescriptorType>(type))) << type;
  }
  EXPECT_TRUE(found.contains(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK));
  EXPECT_TRUE(found.contains(VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR));
  EXPECT_TRUE(found.contains(VK_DESCRIPTOR_TYPE_MUTABLE_EXT));
}

TEST(CorpusTest, EveryStageOccurs) {
  VkShaderStageFlags found = 0;
  for (const Program& program : Programs()) {
    for (const Stage& stage : program.stages) found |= stage.stage;
  }
  constexpr VkShaderStageFlags kAll = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT |
                                      VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT |
                                      VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                      VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                      VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  EXPECT_EQ(found & kAll, kAll);
}

// 1.0, 1.3, 1.4, 1.5 and 1.6.
TEST(CorpusTest, EveryVersionOfSpirvOccurs) {
  std::set<uint32_t> found;
  for (const Program& program : Programs()) {
    for (const Stage& stage : program.stages) found.insert(stage.words[1]);
  }
  EXPECT_EQ(found, (std::set<uint32_t>{0x00010000, 0x00010300, 0x00010400, 0x00010500, 0x00010600}));
}

TEST(CorpusTest, ReadingAnEmptyFolderFails) {
  const absl::Status status = ReadCorpus("/nonexistent").status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status.message();
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  assay::spirv_instrument::corpus::folder = new std::string(argv[1]);
  return RUN_ALL_TESTS();
}
