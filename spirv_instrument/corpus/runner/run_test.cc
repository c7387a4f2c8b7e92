// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The runner itself, with modules assembled here: outputs, and what instrumentation can add.

#include "spirv_instrument/corpus/runner/run.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/resources.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "testing/shaders.h"

namespace assay::spirv_instrument::corpus {
namespace {

// A compute shader that stores a number to the buffer at binding 0 of a set, at each of `sets`.
std::vector<uint32_t> StoreTo(const std::vector<uint32_t>& sets, uint32_t number) {
  std::string interface_ids;
  std::string decorations;
  std::string variables;
  std::string stores;
  for (uint32_t set : sets) {
    absl::StrAppend(&interface_ids, " %v", set);
    absl::StrAppend(&decorations, "OpDecorate %v", set, " DescriptorSet ", set, "\nOpDecorate %v", set, " Binding 0\n");
    absl::StrAppend(&variables, "%v", set, " = OpVariable %block_pointer StorageBuffer\n");
    absl::StrAppend(&stores, "%p", set, " = OpAccessChain %uint_pointer %v", set, " %zero\nOpStore %p", set,
                    " %number\n");
  }
  return test::AssembleSpirv(absl::StrCat(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"", interface_ids,
      "\nOpExecutionMode %main LocalSize 1 1 1\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n",
      decorations,
      "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%block = OpTypeStruct %uint\n"
      "%block_pointer = OpTypePointer StorageBuffer %block\n%uint_pointer = OpTypePointer StorageBuffer %uint\n"
      "%zero = OpConstant %uint 0\n%number = OpConstant %uint ",
      number, "\n", variables, "%main = OpFunction %void None %type\n%entry = OpLabel\n", stores,
      "OpReturn\nOpFunctionEnd\n"));
}

// Stores 5 to `out`.
Program StoreFive() {
  Program program = {.name = "store.comp"};
  program.stages.push_back({VK_SHADER_STAGE_COMPUTE_BIT, "store.comp", StoreTo({0}, 5)});
  Input input = {.name = "valid"};
  input.setup.buffers.push_back({.name = "out", .size = 8, .contents = {.bytes = {1, 1, 1, 1, 2}}});
  input.setup.bindings.push_back({.elements = {{.resource = "out", .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}}});
  program.inputs.push_back(std::move(input));
  return program;
}

const Device& TheDevice() {
  static const absl::StatusOr<std::unique_ptr<Device>>& device =
      *new absl::StatusOr<std::unique_ptr<Device>>(Device::Create());
  EXPECT_TRUE(device.ok()) << device.status().message();
  return **device;
}

TEST(RunTest, OutputsAreWholeBuffers) {
  const Program program = StoreFive();
  absl::StatusOr<Outputs> outputs = corpus::Run(TheDevice(), program, program.inputs[0]);
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  ASSERT_NE(outputs->Find("out"), nullptr);
  EXPECT_EQ(outputs->Find("out")->bytes, (std::vector<uint8_t>{5, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(outputs->Find("in"), nullptr);
}

TEST(RunTest, AddressesAreZeroUnlessTheyChange) {
  Program program = StoreFive();
  std::vector<BufferDescription>& buffers = program.inputs[0].setup.buffers;
  // The low half of the address in `out` is overwritten.
  buffers[0].contents = {.bytes = std::vector<uint8_t>(8), .addresses = {{0, "kept", 4}}};
  buffers.push_back(
      {.name = "kept", .size = 8, .contents = {.bytes = std::vector<uint8_t>(8), .addresses = {{0, "out", 0}}}});
  absl::StatusOr<Outputs> outputs = corpus::Run(TheDevice(), program, program.inputs[0]);
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_EQ(outputs->Find("out")->bytes[0], 5);
  EXPECT_EQ(outputs->Find("kept")->bytes, std::vector<uint8_t>(8));
}

TEST(RunTest, MissingResourceIsAnError) {
  Program program = StoreFive();
  program.inputs[0].setup.bindings[0].elements[0].resource = "gone";
  EXPECT_TRUE(absl::IsNotFound(corpus::Run(TheDevice(), program, program.inputs[0]).status()));
}

// Replaces the shader by one that stores to a set of its own, too.
class ExtraSet : public Instrumentation {
 public:
  explicit ExtraSet(uint32_t number) : number_(number) {}

  absl::StatusOr<Additions> Prepare(const Device& device, const Program&, const Input&,
                                    const Resources& resources) override {
    EXPECT_NE(resources.FindBuffer("out"), nullptr);
    EXPECT_NE(resources.FindBuffer("out")->address, 0u);
    objects_.emplace(device);
    absl::StatusOr<MappedBuffer> buffer = objects_->MakeBuffer(4);
    if (!buffer.ok()) return buffer.status();
    memory_ = buffer->memory;
    Additions additions;
    additions.words.push_back(number_ == 0 ? StoreTo({0}, 42) : StoreTo({0, number_}, 42));
    additions.sets.push_back({number_, MakeLayout(device), VK_NULL_HANDLE});
    additions.sets[0].set = MakeSet(device, additions.sets[0].layout, buffer->handle);
    return additions;
  }

  absl::Status Finish(const Device&, VkResult work) override {
    EXPECT_EQ(work, VK_SUCCESS);
    std::memcpy(&stored_, memory_, sizeof(stored_));
    objects_.reset();
    return absl::OkStatus();
  }

  uint32_t stored() const { return stored_; }

 private:
  VkDescriptorSetLayout MakeLayout(const Device& device) {
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL,
                                                  nullptr};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(device.vk().CreateDescriptorSetLayout(device.handle(), &info, nullptr, &layout), VK_SUCCESS);
    objects_->Defer([&device, layout] { device.vk().DestroyDescriptorSetLayout(device.handle(), layout, nullptr); });
    return layout;
  }

  VkDescriptorSet MakeSet(const Device& device, VkDescriptorSetLayout layout, VkBuffer buffer) {
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(device.vk().CreateDescriptorPool(device.handle(), &pool_info, nullptr, &pool), VK_SUCCESS);
    objects_->Defer([&device, pool] { device.vk().DestroyDescriptorPool(device.handle(), pool, nullptr); });
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    EXPECT_EQ(device.vk().AllocateDescriptorSets(device.handle(), &info, &set), VK_SUCCESS);
    const VkDescriptorBufferInfo buffer_info = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer_info};
    device.vk().UpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
    return set;
  }

  const uint32_t number_;
  std::optional<Objects> objects_;
  const uint8_t* memory_ = nullptr;
  uint32_t stored_ = 0;
};

TEST(RunTest, InstrumentationReplacesWordsAndAddsASet) {
  const Program program = StoreFive();
  ExtraSet extra(3);
  absl::StatusOr<Outputs> outputs = corpus::Run(TheDevice(), program, program.inputs[0], &extra);
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_EQ(outputs->Find("out")->bytes[0], 42);
  EXPECT_EQ(extra.stored(), 42u);
}

TEST(RunTest, SetThatTheProgramUsesIsAnError) {
  const Program program = StoreFive();
  ExtraSet extra(0);
  EXPECT_TRUE(absl::IsInvalidArgument(corpus::Run(TheDevice(), program, program.inputs[0], &extra).status()));
}

TEST(OutputsTest, FirstDifference) {
  const Outputs expected = {.buffers = {{"a", {1, 2}}}, .images = {{"b", {3}}}};
  Outputs actual = expected;
  EXPECT_EQ(FirstDifference(expected, actual), "");
  EXPECT_EQ(expected, actual);
  actual.images[0].bytes[0] = 0xff;
  EXPECT_EQ(FirstDifference(expected, actual), "b differs at byte 0: ff instead of 03");
  actual.buffers[0].bytes[1] = 0;
  EXPECT_EQ(FirstDifference(expected, actual), "a differs at byte 1: 00 instead of 02");
  actual.buffers[0].bytes.push_back(0);
  EXPECT_EQ(FirstDifference(expected, actual), "a has another size");
  actual.buffers.clear();
  EXPECT_EQ(FirstDifference(expected, actual), "there are not as many outputs");
}

TEST(OutputsTest, Unexpected) {
  const Outputs outputs = {.buffers = {{"a", {1, 2, 3, 4}}}, .images = {}};
  Input input;
  input.expected.push_back({"a", 2, {.bytes = {3, 4}, .addresses = {}}});
  EXPECT_TRUE(Unexpected(input, outputs).empty());
  input.expected.push_back({"a", 3, {.bytes = {4, 5}, .addresses = {}}});
  input.expected.push_back({"a", 0, {.bytes = {1, 3}, .addresses = {}}});
  input.expected.push_back({"b", 0, {.bytes = {1}, .addresses = {}}});
  EXPECT_EQ(Unexpected(input, outputs),
            (std::vector<std::string>{"a has 4 bytes, not 5", "a differs at byte 1: 02 instead of 03",
                                      "there is no output b"}));
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
