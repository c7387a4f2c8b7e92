// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/random/make_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/model/random/recipe_layout.h"
#include "spirv_instrument/model/random/shader_maker.h"

namespace assay::spirv_instrument::model {
namespace {

uint32_t Hash(uint32_t seed, uint32_t position) {
  uint32_t hash = (seed + 1) * 0x9e3779b1u + position * 0x85ebca6bu;
  hash ^= hash >> 15;
  hash *= 0xc2b2ae35u;
  return hash ^ hash >> 13;
}

// Mostly small, so that it will do as an index.
uint32_t Word(uint32_t seed, uint32_t position) {
  const uint32_t hash = Hash(seed, position);
  if (hash % 16 == 0) return hash;
  return hash / 16 % (hash % 3 == 0 ? 40 : 6);
}

std::vector<uint8_t> Words(uint32_t seed, uint32_t bytes) {
  std::vector<uint8_t> result((bytes + 3) / 4 * 4);
  for (uint32_t i = 0; i < result.size(); i += 4) {
    const uint32_t word = Word(seed, i);
    std::memcpy(result.data() + i, &word, sizeof(word));
  }
  result.resize(bytes);
  return result;
}

void SetAddress(const RecipeTarget& target, size_t number, uint32_t offset, corpus::Contents& contents) {
  constexpr uint64_t kNowhere = 0x0dead000beef0000;
  switch (target.kind) {
    case RecipeTarget::Kind::kNull:
      return;
    case RecipeTarget::Kind::kNowhere:
      std::memcpy(contents.bytes.data() + offset, &kNowhere, sizeof(kNowhere));
      return;
    case RecipeTarget::Kind::kBuffer:
      contents.addresses.push_back({offset, NameOfTarget(number), 0});
      return;
    case RecipeTarget::Kind::kEnd:
      contents.addresses.push_back({offset, NameOfTarget(number), target.bytes});
      return;
    case RecipeTarget::Kind::kMisaligned:
      contents.addresses.push_back({offset, NameOfTarget(number), 1 + target.seed % 3});
      return;
  }
}

corpus::Contents MakeContents(const Recipe& recipe, const RecipeType& block, uint32_t bytes, uint32_t seed,
                              uint32_t begin = 0) {
  corpus::Contents contents;
  contents.bytes.resize(begin);
  const std::vector<uint8_t> words = Words(seed, bytes);
  contents.bytes.insert(contents.bytes.end(), words.begin(), words.end());
  for (const AddressPosition& position : FindAddresses(block, bytes)) {
    const uint32_t offset = begin + position.offset;
    std::fill_n(contents.bytes.begin() + offset, 8, uint8_t{0});
    std::vector<size_t> targets;
    for (size_t i = 0; i < recipe.targets.size(); ++i) {
      if (recipe.targets[i].block == position.block) targets.push_back(i);
    }
    if (targets.empty()) continue;
    const size_t target = targets[Hash(seed, position.offset) % targets.size()];
    SetAddress(recipe.targets[target], target, offset, contents);
  }
  return contents;
}

VkDescriptorType TypeOf(RecipeResource::Kind kind) {
  switch (kind) {
    case RecipeResource::Kind::kUniform:
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case RecipeResource::Kind::kStorageImage:
      return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case RecipeResource::Kind::kSampledImage:
      return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case RecipeResource::Kind::kTexelBuffer:
      return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    default:
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
}

class SetupMaker {
 public:
  explicit SetupMaker(const Recipe& recipe) : recipe_(recipe) {}

  corpus::Setup Make() {
    for (size_t i = 0; i < recipe_.targets.size(); ++i) {
      const RecipeTarget& target = recipe_.targets[i];
      setup_.buffers.push_back({NameOfTarget(i), target.bytes,
                                MakeContents(recipe_, recipe_.blocks[target.block], target.bytes, target.seed)});
    }
    for (size_t i = 0; i < recipe_.resources.size(); ++i) Add(i, recipe_.resources[i]);
    setup_.buffers.push_back({kResultBuffer, uint64_t{4} * recipe_.invocations(), {}});
    setup_.bindings.push_back({.set = kResultSet, .elements = {{.resource = kResultBuffer}}});
    for (corpus::BindingDescription& binding : setup_.bindings) {
      for (corpus::Element& element : binding.elements) element.type = binding.type;
    }
    setup_.work.size = {recipe_.groups, 1, 1};
    return std::move(setup_);
  }

 private:
  void Add(size_t number, const RecipeResource& resource) {
    if (resource.kind == RecipeResource::Kind::kPushConstants) {
      const RecipeType& block = recipe_.blocks[resource.block];
      const uint32_t seed = resource.elements.empty() ? 0 : resource.elements[0].seed;
      setup_.push_constants = MakeContents(recipe_, block, (SizeOf(block) + 3) / 4 * 4, seed);
      return;
    }
    corpus::BindingDescription binding = {
        .set = kResourceSet,
        .binding = static_cast<uint32_t>(number),
        .type = TypeOf(resource.kind),
        .count = std::max(static_cast<uint32_t>(resource.elements.size()) + resource.further_descriptors, 1u)};
    for (size_t i = 0; i < resource.elements.size(); ++i) {
      binding.elements.push_back(AddElement(number, resource, i));
    }
    setup_.bindings.push_back(std::move(binding));
  }

  corpus::Element AddElement(size_t number, const RecipeResource& resource, size_t index) {
    const RecipeElement& element = resource.elements[index];
    corpus::Element result = {.state = element.state};
    using State = corpus::Element::State;
    if (element.state == State::kUnwritten || element.state == State::kNull) return result;
    result.resource = NameOfElement(number, index);
    if (resource.kind == RecipeResource::Kind::kStorageImage || resource.kind == RecipeResource::Kind::kSampledImage) {
      const uint32_t levels = resource.kind == RecipeResource::Kind::kSampledImage ? kLevels : 1;
      setup_.images.push_back({.name = result.resource,
                               .format = VK_FORMAT_R32_UINT,
                               .extent = {kImageSize, kImageSize, 1},
                               .levels = levels,
                               .contents = {Words(element.seed, kImageSize * kImageSize * 4), {}}});
      return result;
    }
    const bool is_texel_buffer = resource.kind == RecipeResource::Kind::kTexelBuffer;
    result.offset = element.offset;
    result.range = element.bytes;
    if (is_texel_buffer) result.format = VK_FORMAT_R32_UINT;
    const RecipeType none = {.kind = RecipeType::Kind::kStruct};
    const RecipeType& block = is_texel_buffer ? none : recipe_.blocks[resource.block];
    setup_.buffers.push_back({result.resource, element.offset + element.bytes,
                              MakeContents(recipe_, block, element.bytes, element.seed, element.offset)});
    return result;
  }

  const Recipe& recipe_;
  corpus::Setup setup_;
};

}  // namespace

std::string NameOfElement(size_t resource, size_t element) { return absl::StrCat("resource", resource, "_", element); }

std::string NameOfTarget(size_t target) { return absl::StrCat("target", target); }

corpus::Setup MakeSetup(const Recipe& recipe) { return SetupMaker(recipe).Make(); }

absl::StatusOr<corpus::Program> MakeProgram(const Recipe& recipe) {
  absl::StatusOr<std::vector<uint32_t>> words = ShaderMaker(recipe).Make();
  if (!words.ok()) return words.status();
  corpus::Program program = {.name = "random.comp", .purpose = "A random program."};
  program.stages.push_back({VK_SHADER_STAGE_COMPUTE_BIT, "random.comp", *std::move(words)});
  program.inputs.push_back({.name = "random", .setup = MakeSetup(recipe)});
  return program;
}

}  // namespace assay::spirv_instrument::model
