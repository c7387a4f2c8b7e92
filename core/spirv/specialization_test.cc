// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What specialization makes of modules, through the whole layer.

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A compute shader with an array of a specialized length; it reads the element of that index of a copy.
std::string Specialized(const std::string& length, const std::string& index) {
  return Text({.variables = {{"%array", "Private", "%type"}},
               .decorations = Decorate("%length", "SpecId 0"),
               .globals = "%length = OpSpecConstant %uint " + length + "\n%type = OpTypeArray %uint %length\n",
               .body = "%copy = OpLoad %type %array\n%element = OpCompositeExtract %uint %copy " + index});
}

class Specializations : public StageTest {
 protected:
  static std::vector<uint32_t> WordsOf(const char* length, const char* index) {
    return test::AssembleSpirv(Specialized(length, index));
  }
  // The id comes without "VUID-", and is empty if nothing is reported.
  void ExpectPipeline(std::string_view id, VkShaderModule module, uint32_t length, const void* chain = nullptr,
                      std::source_location where = std::source_location::current()) {
    VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", module);
    stage.pNext = chain;
    MakeSpecialized(stage, length);
    ExpectStage(id, where);
  }
  void ExpectObject(std::string_view id, const std::vector<uint32_t>& words, uint32_t length,
                    std::source_location where = std::source_location::current()) {
    const Specialization of(length);
    VkShaderCreateInfoEXT object = Object("GLCompute", words);
    object.pSpecializationInfo = &of.info;
    MakeObjects({object});
    ExpectStage(id, where);
  }
};

TEST_F(Specializations, OfStages) {
  const VkShaderModule module = MakeShader(WordsOf("4", "0"));
  ExpectPipeline("", module, 4);
  ExpectPipeline("", module, 2);
  // An array without elements; it is no better the second time.
  for (int i = 0; i < 2; ++i) ExpectPipeline("pSpecializationInfo-06849", module, 0);
}

TEST_F(Specializations, OfInlineModules) {
  const std::vector<uint32_t> words = WordsOf("4", "0");
  const VkShaderModuleCreateInfo module = ModuleInfo(words);
  ExpectPipeline("", VK_NULL_HANDLE, 2, &module);
  ExpectPipeline("pSpecializationInfo-06849", VK_NULL_HANDLE, 0, &module);
}

TEST_F(Specializations, OfShaderObjects) {
  ExpectObject("", WordsOf("4", "0"), 2);
  ExpectObject("VkShaderCreateInfoEXT-pCode-08460", WordsOf("4", "0"), 0);
}

TEST_F(Specializations, MayLeaveABranchOut) { ExpectPipeline("", MakeShader(WordsOf("4", "3")), 2); }

TEST_F(Specializations, OfInvalidModulesAreNotJudged) {
  const std::string text =
      absl::StrReplaceAll(Specialized("4", "0"), {{"CompositeExtract %uint", "CompositeExtract %void"}});
  ExpectObject("VkShaderCreateInfoEXT-pCode-08737", test::AssembleSpirv(text), 0);
}

}  // namespace
}  // namespace assay::core
