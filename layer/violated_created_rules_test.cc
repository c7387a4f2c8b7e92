// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of each rule about how an object was created (vk/object_rules.h), through the whole layer: a call
// with an object that breaks the rule is reported under its id, and the same call with a right object is not.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/object_rules.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

using vk::ObjectBits;
using vk::ObjectRule;
using vk::ObjectTest;

constexpr VkDeviceSize kSize = 65536;

stateless::Route RouteOf(const ObjectRule& rule) {
  const vk::CommandInfo& command = vk::GetCommandInfo(rule.command);
  stateless::Route route = {&command, {}};
  const vk::StructInfo* info = command.parameters;
  for (const uint8_t step : std::span(rule.path).first(rule.path_length)) {
    route.steps.push_back({info, &info->members[step]});
    info = &vk::Structs()[info->members[step].type];
  }
  if (rule.chained != VkStructureType{})
    route.steps.push_back({info, &info->members[1], nullptr, vk::FindStruct(rule.chained)});
  return route;
}

class ViolatedCreatedRules : public MinimalCallsFixture {
 protected:
  ViolatedCreatedRules() : MinimalCallsFixture(true) {}

  // The only type of memory that has the properties.
  uint32_t MemoryType(VkMemoryPropertyFlags properties, bool has) {
    VkPhysicalDeviceMemoryProperties all;
    vk.GetPhysicalDeviceMemoryProperties(physical_device, &all);
    for (uint32_t i = 0; i < all.memoryTypeCount; ++i) {
      if (((all.memoryTypes[i].propertyFlags & properties) != 0) == has) return i;
    }
    ADD_FAILURE() << "no type of memory with " << properties;
    return 0;
  }

  VkDeviceMemory Allocate(uint32_t type) {
    const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, kSize, type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    vk.AllocateMemory(device, &info, nullptr, &memory);
    return memory;
  }

  // An object of the type that keeps the rule, or breaks it. Nothing else matters of it.
  uint64_t MakeObject(VkObjectType type, const ObjectRule& rule, bool is_right) {
    const bool has = is_right == (rule.test == ObjectTest::kHas);
    const auto bits = static_cast<VkFlags>(has ? rule.bits : 0);
    const auto flags_of = [&](ObjectBits kind) { return rule.kind == kind ? bits : 0; };
    const bool is_bound = is_right || rule.test != ObjectTest::kBound;
    uint64_t made = 0;
    const auto result = [&]<class T>() { return reinterpret_cast<T*>(&made); };
    switch (type) {
      case VK_OBJECT_TYPE_BUFFER: {
        const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                         .flags = flags_of(ObjectBits::kBufferCreateFlagBits),
                                         .size = kSize,
                                         .usage = flags_of(ObjectBits::kBufferUsageFlagBits)};
        auto* const buffer = result.operator()<VkBuffer>();
        vk.CreateBuffer(device, &info, nullptr, buffer);
        if (is_bound) vk.BindBufferMemory(device, *buffer, Allocate(0), 0);
        break;
      }
      case VK_OBJECT_TYPE_IMAGE:
      case VK_OBJECT_TYPE_IMAGE_VIEW: {
        const bool is_rate = rule.command == vk::CommandId::kCmdBindShadingRateImageNV ||
                             rule.command == vk::CommandId::kCmdBindInvocationMaskHUAWEI;
        const VkFormat format = is_rate ? VK_FORMAT_R8_UINT : VK_FORMAT_R8G8B8A8_UNORM;
        const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                        .flags = flags_of(ObjectBits::kImageCreateFlagBits),
                                        .imageType = VK_IMAGE_TYPE_2D,
                                        .format = format,
                                        .extent = {8, 8, 1},
                                        .mipLevels = 1,
                                        .arrayLayers = 1,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .usage = flags_of(ObjectBits::kImageUsageFlagBits)};
        auto* const image = result.operator()<VkImage>();
        vk.CreateImage(device, &info, nullptr, image);
        if (is_bound) vk.BindImageMemory(device, *image, Allocate(0), 0);
        if (type == VK_OBJECT_TYPE_IMAGE) break;
        const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .image = *image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = info.format,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        vk.CreateImageView(device, &view, nullptr, result.operator()<VkImageView>());
        break;
      }
      case VK_OBJECT_TYPE_DEVICE_MEMORY:
        made = reinterpret_cast<uint64_t>(
            Allocate(rule.bits != 0 ? MemoryType(static_cast<VkMemoryPropertyFlags>(rule.bits), has) : 0));
        break;
      case VK_OBJECT_TYPE_DESCRIPTOR_POOL: {
        const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
        const VkDescriptorPoolCreateInfo info = {
            VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, bits, 1, 1, &size};
        vk.CreateDescriptorPool(device, &info, nullptr, result.operator()<VkDescriptorPool>());
        break;
      }
      case VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT: {
        const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                                      bits};
        vk.CreateDescriptorSetLayout(device, &info, nullptr, result.operator()<VkDescriptorSetLayout>());
        break;
      }
      case VK_OBJECT_TYPE_SAMPLER: {
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .flags = bits};
        vk.CreateSampler(device, &info, nullptr, result.operator()<VkSampler>());
        break;
      }
      case VK_OBJECT_TYPE_COMMAND_BUFFER: {
        const VkCommandPool pool = MakeCommandPool(0, is_right ? 0 : VK_COMMAND_POOL_CREATE_PROTECTED_BIT);
        const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                                  VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
        auto* const commands = result.operator()<VkCommandBuffer>();
        vk.AllocateCommandBuffers(device, &info, commands);
        Begin(*commands);
        SetHandle(VK_OBJECT_TYPE_COMMAND_BUFFER, *commands);
        if (vk::GetCommandInfo(rule.command).render_pass == vk::CommandScope::kInside)
          Call(vk::CommandId::kCmdBeginRendering);
        break;
      }
      default:
        ADD_FAILURE() << "an object of type " << type;
    }
    messages.Take();
    return made;
  }

  // The rule's call, with an object and a range that keep the rule or break it.
  std::unique_ptr<stateless::MinimalCall> Make(const ObjectRule& rule, bool is_right) {
    auto call = PrepareAnywhere(RouteOf(rule));
    const vk::StructInfo& info = call->target_info();
    const vk::MemberInfo& member = info.members[rule.handle];
    const auto at = [&](uint32_t offset) { return static_cast<char*>(call->target()) + offset; };
    char* handle = at(member.offset);
    if (member.indirection == vk::Indirection::kPointer) {
      // Fills all parameters, too.
      const auto dispatched_on = vk::Load<uint64_t>(call->parameters());
      handle = static_cast<char*>(call->Make({&info, &member}, call->target()));
      vk::Store(call->parameters(), dispatched_on);
    }
    // Another pool has those that there are.
    if (rule.command == vk::CommandId::kFreeDescriptorSets)
      const_cast<VkDescriptorSet&>(*static_cast<vk::FreeDescriptorSets*>(call->target())->pDescriptorSets) = nullptr;
    if (member.kind == vk::MemberKind::kDeviceAddress) {
      const uint64_t buffer = MakeObject(VK_OBJECT_TYPE_BUFFER, rule, is_right);
      const VkBufferDeviceAddressInfo address = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr,
                                                 reinterpret_cast<VkBuffer>(buffer)};
      vk::Store(handle, vk.GetBufferDeviceAddress(device, &address));
      messages.Take();
    } else {
      vk::Store(handle, MakeObject(vk::Handles()[member.type].object_type, rule, is_right));
    }
    const auto set = [&](uint8_t index, uint64_t value) {
      if (index == ObjectRule::kNoMember) return;
      const vk::MemberInfo& number = info.members[index];
      number.element_size == 4 ? vk::Store(at(number.offset), static_cast<uint32_t>(value))
                               : vk::Store(at(number.offset), value);
    };
    set(rule.flags, rule.flag_bits);
    set(rule.offset, is_right ? 0 : kSize);
    set(rule.more, 4);
    set(rule.stride, 64);
    set(rule.count, rule.counts == vk::ObjectCount::kMore ? 2 : 1);
    return call;
  }
};

TEST_F(ViolatedCreatedRules, AreReported) {
  for (const ObjectRule& rule : vk::kObjectRules) {
    const std::string_view id = vk::GetVuid(rule.vuid).id;
    SCOPED_TRACE(id);
    ExpectReport(*Make(rule, false), id);
    const auto right = Make(rule, true);
    SkipCalls skip(*this);
    caller_.Run(*right);
    for (const test::Message& message : messages.Take()) EXPECT_NE(message.id, id) << message.text;
  }
}

}  // namespace
}  // namespace assay::layer
