// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pools of descriptors and the sets from them, through the whole layer. A test changes one thing of what is right.

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/set_layouts/set_layout_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr auto kLater = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
constexpr auto kHostOnly = VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT;
constexpr auto kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

class DescriptorPoolTest : public SetLayoutTest {
 protected:
  struct Pool {
    VkDescriptorPoolCreateFlags flags = 0;
    uint32_t sets = 1;
    std::vector<VkDescriptorPoolSize> sizes = {{kStorage, 8}};
    std::vector<VkMutableDescriptorTypeListEXT> lists = {};
    uint32_t blocks = 0;
  };
  VkDescriptorPool Make(std::string_view rule, const Pool& pool) {
    SCOPED_TRACE(rule);
    const auto blocks = test::Of<VkDescriptorPoolInlineUniformBlockCreateInfo>(pool.blocks);
    const VkMutableDescriptorTypeCreateInfoEXT lists = {VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
                                                        &blocks, static_cast<uint32_t>(pool.lists.size()),
                                                        pool.lists.data()};
    const VkDescriptorPoolCreateInfo info = {.pNext = &lists,
                                             .flags = pool.flags,
                                             .maxSets = pool.sets,
                                             .poolSizeCount = static_cast<uint32_t>(pool.sizes.size()),
                                             .pPoolSizes = pool.sizes.data()};
    const VkDescriptorPool made = MakeFrom(info, vk.CreateDescriptorPool, vk.DestroyDescriptorPool);
    ExpectAlone("VkDescriptorPoolCreateInfo", rule);
    return made;
  }
  // `rule` is what follows "VUID-VkDescriptorSet" in the id; `counts` are variable counts.
  void Allocate(std::string_view rule, VkDescriptorPool pool, const SetLayoutParts& parts,
                const std::vector<uint32_t>& counts = {0}) {
    SCOPED_TRACE(rule);
    const VkDescriptorSetLayout layout = MakeLayout(parts);
    const auto variable = test::Of<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
        static_cast<uint32_t>(counts.size()), counts.data());
    const VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, &variable, pool, 1,
                                              &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    vk.AllocateDescriptorSets(device, &info, &set);
    ExpectAlone(rule.empty() ? "" : absl::StrCat("VUID-VkDescriptorSet", rule));
  }
};

TEST_F(DescriptorPoolTest, Pools) {
  MakeDevice();
  const VkDescriptorType types[] = {kStorage, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
  const VkMutableDescriptorTypeListEXT both = {2, types}, one = {1, types}, other = {1, types + 1};
  const std::vector<VkDescriptorPoolSize> mutables = {{kMutable, 1}, {kMutable, 1}};
  const std::vector<VkDescriptorPoolSize> blocks = {{VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 8}};
  Make("descriptorPoolOverallocation-09227", {.sets = 0});
  Make("flags-04607", {.flags = kLater | kHostOnly});
  Make("", {.sizes = mutables, .lists = {both, both}});
  Make("", {.sizes = mutables, .lists = {one, other}});
  Make("pPoolSizes-04787", {.sizes = mutables, .lists = {both, other}});
  Make("", {.sizes = blocks, .blocks = 1});
  Make("pPoolSizes-09424", {.sizes = blocks});
  Destroy();
  MakeDevice("mutableDescriptorType");
  Make("mutableDescriptorType-04608", {.sizes = mutables, .lists = {both, both}});
}

TEST_F(DescriptorPoolTest, Sets) {
  MakeDevice();
  const VkDescriptorPool pool = Make("", {}), later = Make("", {.flags = kLater});
  const SetLayoutParts after = {.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT};
  const SetLayoutParts host_only = {.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT};
  const SetLayoutParts variable = {.binding_flags = {VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT}};
  for (const VkDescriptorPool any : {pool, later}) Allocate("", any, {});
  Allocate("", later, after);
  Allocate("AllocateInfo-pSetLayouts-03044", pool, after);
  Allocate("", Make("", {.flags = kHostOnly}), host_only);
  Allocate("AllocateInfo-pSetLayouts-04610", pool, host_only);
  Allocate("", pool, variable, {1});
  Allocate("AllocateInfo-pSetLayouts-09380", pool, variable, {2});
  Allocate("VariableDescriptorCountAllocateInfo-descriptorSetCount-03045", pool, variable, {1, 1});
}

}  // namespace
}  // namespace assay::core
