// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_CASES_IMAGE_COPY_TEST_H_
#define ASSAY_CORE_COPIES_CASES_IMAGE_COPY_TEST_H_

#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/copies/cases/image_copy_cases.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/struct_traits.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {

using test::Of, test::Typed;

inline VkOffset3D Corner(const VkOffset3D& begin, const VkExtent3D& extent) {
  return {begin.x + static_cast<int32_t>(extent.width), begin.y + static_cast<int32_t>(extent.height),
          begin.z + static_cast<int32_t>(extent.depth)};
}
// The region of the copy. One of a buffer or of memory of the host has that side of it.
template <class Region>
Region MakeRegion(const ImageCopy& copy, const CopySide& side) {
  Region region = {};
  if constexpr (requires { region.sType; }) region.sType = vk::kStructureTypeOf<Region>;
  if constexpr (requires { region.imageSubresource; }) {
    region.imageSubresource = side.layers;
    region.imageOffset = side.offset;
    region.imageExtent = copy.extent;
  } else {
    region.srcSubresource = copy.source.layers;
    region.dstSubresource = copy.target.layers;
  }
  if constexpr (requires { region.bufferOffset; }) {
    region.bufferOffset = copy.buffer_offset;
    region.bufferRowLength = copy.row_length;
    region.bufferImageHeight = copy.image_height;
  } else if constexpr (requires { region.memoryRowLength; }) {
    region.memoryRowLength = copy.row_length;
    region.memoryImageHeight = copy.image_height;
  } else if constexpr (requires { region.srcOffsets; }) {
    region.srcOffsets[0] = copy.source.offset;
    region.srcOffsets[1] = Corner(copy.source.offset, copy.extent);
    region.dstOffsets[0] = copy.target.offset;
    region.dstOffsets[1] = Corner(copy.target.offset, copy.extent);
  } else {
    region.srcOffset = copy.source.offset;
    region.dstOffset = copy.target.offset;
    region.extent = copy.extent;
  }
  return region;
}
// The structure of a command with that region, between any of these objects.
template <class Info, class Region>
Info MakeInfo(const ImageCopy& copy, VkImage source, VkImage target, VkBuffer buffer, const Region& region) {
  Info info = {.sType = vk::kStructureTypeOf<Info>, .regionCount = 1, .pRegions = &region};
  if constexpr (requires { info.srcImage; }) {
    info.srcImage = source;
    info.srcImageLayout = copy.source_layout;
  }
  if constexpr (requires { info.dstImage; }) {
    info.dstImage = target;
    info.dstImageLayout = copy.target_layout;
  }
  if constexpr (requires { info.srcBuffer; }) info.srcBuffer = buffer;
  if constexpr (requires { info.dstBuffer; }) info.dstBuffer = buffer;
  if constexpr (requires { info.filter; }) info.filter = copy.filter;
  if constexpr (requires { info.flags; }) info.flags = copy.host_flags;
  return info;
}

// Makes the calls of ImageCopy.
class ImageCopiesTest : public test::ValidationTest {
 protected:
  void SetUp() override;
  test::DeviceOptions Options() override {
    return {.device_extensions = extensions_, .settings = {{"validate_sync", false}}, .features = enabled_features_};
  }
  // For the constructor of a test of more: these extensions with their features.
  void Enable(const std::vector<const char*>& extensions, const std::set<std::string>& without = {}) {
    extensions_.insert(extensions_.end(), extensions.begin(), extensions.end());
    enabled_features_ = features_.Enable(extensions, without);
  }
  // Another device: with these extensions, and without these features.
  void Restart(const std::vector<const char*>& extensions, const std::set<std::string>& without = {}) {
    Destroy();
    driver().config().disabled_features = without;
    Enable(extensions, without);
    Create(Options());
  }

  void Call(vk::CommandId id, const ImageCopy& copy);
  void Expect(vk::CommandId id, const ImageCopy& copy, std::vector<std::string> rules,
              std::source_location where = std::source_location::current()) {
    Call(id, copy);
    ExpectMessages(std::move(rules), where);
  }

  // The call of each of these commands breaks these rules.
  template <class... C>
  void ExpectEach(const ImageCopy& copy, const std::vector<std::string_view>& rules) {
    const auto expect = [&](vk::CommandId id, vk::VuidIndex (*find)(std::string_view)) {
      std::vector<std::string> ids;
      ids.reserve(rules.size());
      for (const std::string_view rule : rules) ids.emplace_back(vk::GetVuid(find(rule)).id);
      Expect(id, copy, ids);
    };
    (expect(C::kId, FindFamilyVuid<C>), ...);
  }

  // Calls call(C::kId, parameters) with what is correct and with each case that the command has a rule for. Adds these
  // rules to `rules`.
  template <class C, class Cases, class Parameters, class F>
  void RunCasesOf(const Cases& cases, const Parameters& correct, std::set<std::string>& rules, const F& call) {
    call(C::kId, correct);
    ExpectNothing();
    for (const FamilyCase<Parameters>& row : cases) {
      const vk::VuidIndex id = FindFamilyVuid<C>(row.rule);
      if (id == vk::kNoVuid) continue;
      rules.insert(RuleOf(id));
      Parameters changed = correct;
      row.change(changed);
      SCOPED_TRACE(std::string(vk::GetVuid(id).id));
      call(C::kId, changed);
      ExpectAlone(vk::GetVuid(id).id);
    }
  }
  // The same with each of these commands.
  template <class... C, class Cases, class Parameters, class F>
  void RunCases(const Cases& cases, const Parameters& correct, std::set<std::string>& rules, const F& call) {
    (RunCasesOf<C>(cases, correct, rules, call), ...);
  }
  // The same. Each rule must have a command.
  template <class... C, class Cases, class Parameters, class F>
  void RunEach(const Cases& cases, const Parameters& correct, const F& call) {
    std::set<std::string> rules;
    RunCases<C...>(cases, correct, rules, call);
    EXPECT_EQ(MissingRules(cases, rules), "");
  }
  // The same for all commands of Call().
  void RunAll(absl::Span<const FamilyCase<ImageCopy>> cases, std::set<std::string>& rules);
  void RunAll(absl::Span<const FamilyCase<ImageCopy>> cases) {
    std::set<std::string> rules;
    RunAll(cases, rules);
    EXPECT_EQ(MissingRules(cases, rules), "");
  }

  VkImage Make(const CopySide& side);
  // Brings the image, if it is bound, into a layout.
  void Transition(VkImage image, const CopySide& side, VkImageLayout layout);
  // For Run functions.
  auto Caller() {
    return [this](vk::CommandId id, const ImageCopy& copy) { Call(id, copy); };
  }
  VkCommandBuffer MakeCommands(const ImageCopy& copy) {
    return MakeCommandBuffer(copy.family, VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                             copy.is_in_protected_commands ? VK_COMMAND_POOL_CREATE_PROTECTED_BIT : 0);
  }

  // VkPhysicalDeviceProtectedMemoryProperties::protectedNoFault.
  VkBool32 no_fault_ = VK_FALSE;

 private:
  void BindSparse(VkImage image);
  VkBuffer MakeCopiedBuffer(const ImageCopy& copy);

  std::vector<const char*> extensions_ = {VK_EXT_FILTER_CUBIC_EXTENSION_NAME,
                                          VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME};
  test::ExtensionFeatures features_;
  void* enabled_features_ = nullptr;
  // That of ImageCopy::is_one_memory, or null.
  VkDeviceMemory shared_memory_ = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_CASES_IMAGE_COPY_TEST_H_
