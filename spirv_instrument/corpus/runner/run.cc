// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/run.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/runner/descriptors.h"
#include "spirv_instrument/corpus/runner/images.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/pipeline.h"
#include "spirv_instrument/corpus/runner/work.h"

namespace assay::spirv_instrument::corpus {
namespace {

absl::Status AddSets(std::vector<DescriptorSet>& sets, const Additions& additions) {
  for (const Additions::Set& added : additions.sets) {
    if (std::ranges::find(sets, added.number, &DescriptorSet::number) != sets.end()) {
      return absl::InvalidArgumentError(absl::StrCat("the program uses descriptor set ", added.number, " itself"));
    }
    sets.push_back({added.number, added.layout, added.set, {}});
  }
  return absl::OkStatus();
}

// A layout for all of these sets. Where there is none between, it has an empty set.
absl::StatusOr<VkPipelineLayout> MakeLayout(Objects& objects, const std::vector<DescriptorSet>& sets,
                                            uint32_t push_constant_size) {
  const VkDevice device = objects.device().handle();
  VkDescriptorSetLayoutCreateInfo empty_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  VkDescriptorSetLayout empty = VK_NULL_HANDLE;
  absl::Status status = Check(objects.vk().CreateDescriptorSetLayout(device, &empty_info, nullptr, &empty),
                              "vkCreateDescriptorSetLayout");
  if (!status.ok()) return status;
  objects.Defer(
      [&objects, empty] { objects.vk().DestroyDescriptorSetLayout(objects.device().handle(), empty, nullptr); });
  std::vector<VkDescriptorSetLayout> layouts;
  for (const DescriptorSet& set : sets) {
    if (layouts.size() <= set.number) layouts.resize(set.number + 1, empty);
    layouts[set.number] = set.layout;
  }
  // A multiple of 4.
  const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, push_constant_size};
  VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = static_cast<uint32_t>(layouts.size()),
      .pSetLayouts = layouts.data(),
      .pushConstantRangeCount = push_constant_size == 0 ? 0u : 1u,
      .pPushConstantRanges = &range,
  };
  VkPipelineLayout layout = VK_NULL_HANDLE;
  status = Check(objects.vk().CreatePipelineLayout(device, &info, nullptr, &layout), "vkCreatePipelineLayout");
  if (!status.ok()) return status;
  objects.Defer([&objects, layout] { objects.vk().DestroyPipelineLayout(objects.device().handle(), layout, nullptr); });
  return layout;
}

absl::StatusOr<std::vector<uint8_t>> PushConstants(const Resources& resources, const Setup& setup,
                                                   const Additions& additions) {
  absl::StatusOr<std::vector<uint8_t>> bytes = resources.Resolve(setup.push_constants);
  if (!bytes.ok()) return bytes.status();
  if (!additions.push_constants.empty()) {
    if (additions.push_constant_offset < bytes->size()) {
      return absl::InvalidArgumentError("the program uses these push constants itself");
    }
    bytes->resize(additions.push_constant_offset);
    bytes->insert(bytes->end(), additions.push_constants.begin(), additions.push_constants.end());
  }
  bytes->resize((bytes->size() + 3) / 4 * 4);
  return bytes;
}

PipelineDescription Describe(const Program& program, const Setup& setup, const Additions& additions) {
  PipelineDescription description = {.setup = &setup, .specialization = setup.specialization};
  for (size_t i = 0; i < program.stages.size(); ++i) {
    const bool is_replaced = i < additions.words.size() && !additions.words[i].empty();
    description.stages.push_back({program.stages[i].stage, is_replaced ? additions.words[i] : program.stages[i].words});
  }
  description.specialization.insert(description.specialization.end(), additions.specialization.begin(),
                                    additions.specialization.end());
  return description;
}

// What a buffer holds. Addresses that were put there at first and are there still are zero: they differ between runs.
std::vector<uint8_t> ReadBuffer(const Buffer& buffer, const Resources& resources, const Setup& setup) {
  std::vector<uint8_t> bytes(buffer.memory, buffer.memory + buffer.size);
  auto description = std::ranges::find(setup.buffers, buffer.name, &BufferDescription::name);
  for (const AddressInContents& address : description->contents.addresses) {
    const Buffer* target = resources.FindBuffer(address.buffer);
    if (target == nullptr) continue;
    const VkDeviceAddress before = target->address + static_cast<uint64_t>(address.addend);
    VkDeviceAddress now = 0;
    std::memcpy(&now, bytes.data() + address.offset, sizeof(now));
    if (now == before) std::memset(bytes.data() + address.offset, 0, sizeof(now));
  }
  return bytes;
}

absl::StatusOr<Outputs> ReadOutputs(Objects& objects, const Resources& resources, const Setup& setup) {
  Outputs outputs;
  for (const Buffer& buffer : resources.buffers()) {
    outputs.buffers.push_back({buffer.name, ReadBuffer(buffer, resources, setup)});
  }
  for (const Image& image : resources.images()) {
    if (image.description->samples != VK_SAMPLE_COUNT_1_BIT) continue;
    absl::StatusOr<std::vector<uint8_t>> bytes = ReadImage(objects, *image.description, image.handle);
    if (!bytes.ok()) return bytes.status();
    outputs.images.push_back({image.description->name, *std::move(bytes)});
  }
  return outputs;
}

}  // namespace

absl::StatusOr<Outputs> Run(const Device& device, const Program& program, const Input& input,
                            Instrumentation* instrumentation) {
  Objects objects(device);
  std::optional<Objects> doomed(std::in_place, device);
  absl::StatusOr<Resources> resources = Resources::Make(objects, *doomed, input.setup);
  if (!resources.ok()) return resources.status();
  BoundWork work = {.setup = &input.setup, .resources = &*resources};
  absl::StatusOr<std::vector<DescriptorSet>> sets = MakeDescriptorSets(objects, *doomed, input.setup, *resources);
  if (!sets.ok()) return sets.status();
  work.sets = *std::move(sets);
  doomed.reset();
  resources->ForgetDoomed();
  Additions additions;
  if (instrumentation != nullptr) {
    absl::StatusOr<Additions> prepared = instrumentation->Prepare(device, program, input, *resources);
    if (!prepared.ok()) return prepared.status();
    additions = *std::move(prepared);
  }
  if (absl::Status status = AddSets(work.sets, additions); !status.ok()) return status;
  absl::StatusOr<std::vector<uint8_t>> push_constants = PushConstants(*resources, input.setup, additions);
  if (!push_constants.ok()) return push_constants.status();
  work.push_constants = *std::move(push_constants);
  absl::StatusOr<VkPipelineLayout> layout =
      MakeLayout(objects, work.sets, static_cast<uint32_t>(work.push_constants.size()));
  if (!layout.ok()) return layout.status();
  work.layout = *layout;
  PipelineDescription description = Describe(program, input.setup, additions);
  description.layout = *layout;
  description.resources = &*resources;
  for (const ShaderStage& stage : description.stages) work.stages.push_back(stage.stage);
  absl::StatusOr<Pipeline> pipeline = MakePipeline(objects, description);
  if (!pipeline.ok()) return pipeline.status();
  work.pipeline = *pipeline;
  absl::Status done = Execute(objects, work);
  if (instrumentation != nullptr) {
    const VkResult result = absl::IsUnavailable(done) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
    if (absl::Status status = instrumentation->Finish(device, result); !status.ok()) return status;
  }
  if (!done.ok()) return done;
  return ReadOutputs(objects, *resources, input.setup);
}

}  // namespace assay::spirv_instrument::corpus
