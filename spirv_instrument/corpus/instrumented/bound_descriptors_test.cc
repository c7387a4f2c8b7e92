// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/bound_descriptors.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {
namespace {

using State = Element::State;

// A buffer of 64 bytes, an image with 3 levels and 5 layers, and a binding with these elements.
corpus::Setup WithBinding(VkDescriptorType type, std::vector<Element> elements, uint32_t count = 4) {
  corpus::Setup setup;
  setup.buffers.push_back({.name = "data", .size = 64});
  setup.images.push_back({.name = "image",
                          .type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                          .format = VK_FORMAT_R32_UINT,
                          .extent = {8, 4, 1},
                          .levels = 3,
                          .layers = 5});
  setup.bindings.push_back({.binding = 1, .type = type, .count = count, .elements = std::move(elements)});
  return setup;
}

DescriptorState First(const corpus::Setup& setup) { return StateOf(setup, setup.bindings[0], 0); }

TEST(StateOf, BufferRanges) {
  EXPECT_EQ(First(WithBinding(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{.resource = "data"}})).size, 64u);
  EXPECT_EQ(First(WithBinding(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{.resource = "data", .offset = 48}})).size, 16u);
  EXPECT_EQ(
      First(WithBinding(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{.resource = "data", .offset = 48, .range = 4}})).size, 4u);
  const Element texels = {.resource = "data", .offset = 32, .format = VK_FORMAT_R32G32_UINT};
  EXPECT_EQ(First(WithBinding(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, {texels})).size, 4u);
}

TEST(StateOf, ViewsOfLevelsAndLayers) {
  const DescriptorState sampled = First(WithBinding(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, {{.resource = "image"}}));
  EXPECT_EQ(sampled.width, 8u);
  EXPECT_EQ(sampled.height, 4u);
  EXPECT_EQ(sampled.depth_or_layers, 5u);
  EXPECT_EQ(sampled.levels, 3u);
  const DescriptorState storage =
      First(WithBinding(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, {{.resource = "image", .level = 1}}));
  EXPECT_EQ(storage.width, 4u);
  EXPECT_EQ(storage.height, 2u);
  EXPECT_EQ(storage.levels, 1u);
  const Element flat = {.resource = "image", .view_type = VK_IMAGE_VIEW_TYPE_2D};
  EXPECT_EQ(First(WithBinding(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, {flat})).depth_or_layers, 1u);
}

TEST(StateOf, ElementsThatMustNotBeAccessed) {
  const corpus::Setup setup = WithBinding(
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      {{.state = State::kUnwritten}, {.state = State::kNull}, {.state = State::kDestroyed, .resource = "data"}});
  const BindingDescription& binding = setup.bindings[0];
  EXPECT_FALSE(StateOf(setup, binding, 0).is_written);
  EXPECT_TRUE(StateOf(setup, binding, 1).is_null);
  EXPECT_TRUE(StateOf(setup, binding, 2).is_destroyed);
  // The layout has one more descriptor than is written.
  EXPECT_FALSE(StateOf(setup, binding, 3).is_written);
}

TEST(DescriptorCount, OfVariableAndInlineBindings) {
  EXPECT_EQ(DescriptorCount({.count = 4, .elements = {{}, {}}}), 4u);
  EXPECT_EQ(DescriptorCount({.count = 4, .is_variable = true, .elements = {{}, {}}}), 2u);
  EXPECT_EQ(DescriptorCount({.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, .count = 16}), 1u);
}

TEST(Holds, ConditionsOnBuffers) {
  using Kind = HostCondition::Kind;
  const corpus::Setup setup =
      WithBinding(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{.resource = "data", .range = 32}, {.state = State::kNull}});
  const HostCondition fits = {.kind = Kind::kBufferHolds, .binding = 1, .bytes = 32};
  EXPECT_TRUE(Holds(setup, fits));
  HostCondition changed = fits;
  changed.bytes = 33;
  EXPECT_FALSE(Holds(setup, changed));
  // Null holds everything; what was not written, does not exist, or is past the array, holds nothing.
  changed.index = 1;
  EXPECT_TRUE(Holds(setup, changed));
  for (const uint32_t index : {2u, 4u}) {
    EXPECT_FALSE(Holds(setup, {.kind = Kind::kDescriptorIsValid, .binding = 1, .index = index})) << index;
  }
  EXPECT_FALSE(Holds(setup, {.kind = Kind::kDescriptorIsValid, .binding = 0}));
}

TEST(Holds, NothingOfADestroyedResource) {
  const corpus::Setup setup = WithBinding(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                          {{.resource = "data"}, {.state = State::kDestroyed, .resource = "data"}});
  // Both descriptors are of the buffer that is destroyed.
  EXPECT_FALSE(Holds(setup, {.binding = 1, .index = 0}));
  EXPECT_FALSE(Holds(setup, {.binding = 1, .index = 1}));
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
