// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/test_cases/test_calls.h"
#include "core/test_cases/test_case_list.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

void AddQueueFamilies(TestCaseList& cases, std::string_view owner, bool image) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(owner, "-", rule); };
  const auto families = [](uint32_t src, uint32_t dst) { return CallMembers{.families = {src, dst}}; };
  const SyncTestOptions old = {.instance_version = VK_API_VERSION_1_0};
  const uint32_t foreign = VK_QUEUE_FAMILY_FOREIGN_EXT, external = VK_QUEUE_FAMILY_EXTERNAL;
  cases.AddDisabled(id(image ? "srcQueueFamilyIndex-09121" : "srcQueueFamilyIndex-09099"), families(foreign, 0),
                    {"VK_EXT_queue_family_foreign"});
  cases.AddDisabled(id(image ? "dstQueueFamilyIndex-09122" : "dstQueueFamilyIndex-09100"), families(0, foreign),
                    {"VK_EXT_queue_family_foreign"});
  cases.AddDisabled(id(image ? "None-09119" : "None-09097"), families(external, 0), {"VK_KHR_external_memory"}, old);
  cases.AddDisabled(id(image ? "None-09120" : "None-09098"), families(0, external), {"VK_KHR_external_memory"}, old);
  cases.Add(id(image ? "image-09117" : "buffer-09095"), families(VK_QUEUE_FAMILY_IGNORED, 0));
  cases.Add(id(image ? "image-09118" : "buffer-09096"), families(0, VK_QUEUE_FAMILY_IGNORED));
}

void AddConcurrent(TestCaseList& cases, std::string_view owner, std::array<std::string_view, 3> rules) {
  const auto add = [&](std::string_view rule, uint32_t src, uint32_t dst) {
    CallMembers with = {.families = {src, dst}};
    with.image_info.sharingMode = with.buffer_info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    cases.AddDisabled(absl::StrCat(owner, "-", rule), with, {"synchronization2"});
  };
  add(rules[0], VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_EXTERNAL);
  add(rules[1], 0, VK_QUEUE_FAMILY_IGNORED);
  add(rules[2], VK_QUEUE_FAMILY_IGNORED, 0);
}

void AddBuffers(TestCaseList& cases, std::string_view owner) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(owner, "-", rule); };
  cases.Add(id("offset-01187"), {.bytes = {1024, VK_WHOLE_SIZE}});
  cases.Add(id("size-01188"), {.bytes = {0, 0}});
  cases.Add(id("size-01189"), {.bytes = {1, 1024}});
  cases.Add(id("buffer-01931"), {.is_bound = false});
  AddQueueFamilies(cases, owner, false);
}

void AddImages(TestCaseList& cases, std::string_view owner) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(owner, "-", rule); };
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT, kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  cases.Add(id("subresourceRange-01486"), {.range = {kColor, 4, VK_REMAINING_MIP_LEVELS, 0, 1}});
  cases.Add(id("subresourceRange-01724"), {.range = {kColor, 3, 2, 0, 1}});
  cases.Add(id("subresourceRange-01488"), {.range = {kColor, 0, 1, 6, VK_REMAINING_ARRAY_LAYERS}});
  cases.Add(id("subresourceRange-01725"), {.range = {kColor, 0, 1, 1, 6}});
  const auto format = [](VkFormat f, VkImageAspectFlags aspects, VkImageCreateFlags flags = 0) {
    CallMembers with = {.range = {aspects, 0, 1, 0, 1}};
    with.image_info.format = f;
    with.image_info.flags = flags;
    return with;
  };
  constexpr VkFormat kYcbcr = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  cases.Add(id("subresourceRange-09601"), format(VK_FORMAT_D16_UNORM, kColor));
  cases.Add(id("image-09241"), format(VK_FORMAT_R8_UNORM, kDepth));
  cases.Add(id("image-09242"), format(kYcbcr, VK_IMAGE_ASPECT_PLANE_0_BIT));
  cases.Add(id("image-01672"), format(kYcbcr, VK_IMAGE_ASPECT_METADATA_BIT, VK_IMAGE_CREATE_DISJOINT_BIT));
  cases.Add(id("image-03319"), format(VK_FORMAT_D24_UNORM_S8_UINT, kColor));
  cases.AddDisabled(id("image-03320"), format(VK_FORMAT_D24_UNORM_S8_UINT, kDepth), {"separateDepthStencilLayouts"});
  const auto layouts = [&](VkImageAspectFlags aspects, VkImageLayout layout) {
    CallMembers with = format(VK_FORMAT_D24_UNORM_S8_UINT, aspects);
    with.image_info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    with.layouts = {VK_IMAGE_LAYOUT_UNDEFINED, layout};
    return with;
  };
  cases.Add(id("aspectMask-08702"), layouts(kDepth, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL));
  cases.Add(id("aspectMask-08703"), layouts(kStencil, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL));
  cases.Add(id("newLayout-01198"), {.layouts = {VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_UNDEFINED}});
  cases.Add(id("image-01932"), {.is_bound = false});
  AddQueueFamilies(cases, owner, true);
}

}  // namespace

void AddBarriers(TestCaseList& cases) {
  AddBuffers(cases, "VkBufferMemoryBarrier");
  AddBuffers(cases, "VkBufferMemoryBarrier2");
  AddImages(cases, "VkImageMemoryBarrier");
  AddImages(cases, "VkImageMemoryBarrier2");
  AddConcurrent(cases, "VkBufferMemoryBarrier", {"None-09049", "None-09050", "None-09051"});
  AddConcurrent(cases, "VkImageMemoryBarrier", {"None-09052", "None-09053", "None-09054"});
  for (auto [owner, id] : {std::pair("VkBufferMemoryBarrier2", "03851"), {"VkImageMemoryBarrier2", "03854"}}) {
    cases.Add(absl::StrCat(owner, "-srcStageMask-", id),
              {.dst = {kHost, VK_ACCESS_2_HOST_READ_BIT}, .families = {0, 1}});
  }
  cases.Add("VkImageMemoryBarrier2-srcStageMask-03855",
            {.src = {kHost, VK_ACCESS_2_HOST_WRITE_BIT},
             .layouts = {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL}});
  for (std::string_view owner : {"VkMemoryBarrier2", "VkBufferMemoryBarrier2", "VkImageMemoryBarrier2"}) {
    for (bool src : {true, false}) {
      cases.AddDisabled(absl::StrCat(owner, src ? "-srcAccessMask-06256" : "-dstAccessMask-06256"),
                        WithScope(src, {kVertex, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR}), {"rayQuery"});
    }
  }
}

}  // namespace assay::core
