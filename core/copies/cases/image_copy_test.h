// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_CASES_IMAGE_COPY_TEST_H_
#define ASSAY_CORE_COPIES_CASES_IMAGE_COPY_TEST_H_

#include <set>
#include <string>

#include "core/copies/cases/image_copy_cases.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {

// Makes the calls of ImageCopy.
class ImageCopiesTest : public test::ValidationTest {
 protected:
  void SetUp() override;
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_EXT_FILTER_CUBIC_EXTENSION_NAME, VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME},
            .settings = {{"validate_sync", false}}};
  }

  void Call(vk::CommandId id, const ImageCopy& copy);

  // Adds the rules that the command has to `rules`.
  template <class C>
  void Run(absl::Span<const FamilyCase<ImageCopy>> cases, const ImageCopy& correct, std::set<std::string>& rules) {
    Call(C::kId, correct);
    ExpectNothing();
    for (const FamilyCase<ImageCopy>& row : cases) {
      const vk::VuidIndex id = FindFamilyVuid<C>(row.rule);
      if (id == vk::kNoVuid) continue;
      rules.emplace(row.rule);
      ImageCopy copy = correct;
      row.change(copy);
      SCOPED_TRACE(std::string(vk::GetVuid(id).id));
      Call(C::kId, copy);
      ExpectMessage(vk::GetVuid(id).id);
      ExpectNothing();
    }
  }
  // The same for all commands. Each case must have one.
  void RunAll(absl::Span<const FamilyCase<ImageCopy>> cases);

  VkImage Make(const CopySide& side);
  // Brings the image, if it is bound, into a layout.
  void Transition(VkImage image, const CopySide& side, VkImageLayout layout);
  VkCommandBuffer MakeCommands(const ImageCopy& copy);

 private:
  void BindSparse(VkImage image);
  VkBuffer MakeCopiedBuffer(const ImageCopy& copy);

  // That of ImageCopy::is_one_memory, or null.
  VkDeviceMemory shared_memory_ = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_CASES_IMAGE_COPY_TEST_H_
