// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_RESOURCE_TEST_H_
#define ASSAY_CORE_RESOURCES_RESOURCE_TEST_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

// Test-only: creations that break one rule or none, through the whole layer.
namespace assay::core {

// An image that is right as it stands.
inline VkImageCreateInfo PlainImage(VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL) {
  VkImageCreateInfo info = test::ImageInfo(VK_FORMAT_R8G8B8A8_UNORM, 16, VK_IMAGE_USAGE_SAMPLED_BIT);
  info.tiling = tiling;
  return info;
}

// A change of what is right. It breaks no rule if `rule` is empty; a rule of the structure has no owner.
template <class Info>
struct Case {
  std::string_view rule;
  std::function<void(Info&)> set;
};

// Base is a fixture.
template <class Base>
class CaseTest : public Base, protected test::Links {
 protected:
  // Calls create(info), which creates and destroys, with what is right and with each change of it.
  template <class Info, class F>
  void Run(std::string_view owner, const Info& correct, const std::vector<Case<Info>>& cases, const F& create) {
    create(correct);
    this->ExpectNothing();
    for (const Case<Info>& row : cases) {
      SCOPED_TRACE(row.rule);
      Info info = correct;
      row.set(info);
      typename Base::SkipCalls skip(*this);
      create(info);
      const bool has_owner = row.rule.starts_with("Vk") || row.rule.starts_with("vk");
      has_owner ? this->ExpectAlone(absl::StrCat("VUID-", row.rule)) : this->ExpectAlone(owner, row.rule);
    }
  }
  // The same of a pair of commands.
  template <class Info>
  void Run(std::string_view owner, const Info& correct, const std::vector<Case<Info>>& cases, auto create,
           auto destroy) {
    Run(owner, correct, cases, [=, this](const Info& info) { this->CreateOnce(create, destroy, info); });
  }
};

class ResourceTest : public CaseTest<test::ValidationTest> {
 protected:
  // A device with all extensions and features but for these. Extensions that devices rarely have are to be named.
  void Start(const std::set<std::string>& without_extensions = {}, const std::set<std::string>& without = {},
             const std::vector<const char*>& more = {}) {
    Destroy();
    driver().config().disabled_features = without;
    driver().config().disabled_extensions.clear();
    test::DeviceOptions options = features_.EnableAll(without);
    std::erase_if(options.device_extensions, [&](const char* name) { return without_extensions.contains(name); });
    options.device_extensions.insert(options.device_extensions.end(), more.begin(), more.end());
    options.features = features_.Enable(options.device_extensions, without);
    Create(options);
    messages.Take();
  }
  void SetUp() override {}

  static void SetFeatures(VkFormat format, VkFormatFeatureFlags2 optimal, VkFormatFeatureFlags2 buffers = 0) {
    driver().config().formats[format] = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, nullptr, 0, optimal, buffers};
  }

  void ExportMetal(auto& info) {
    Chain<VkExportMetalObjectCreateInfoEXT>(info).exportObjectType = VK_EXPORT_METAL_OBJECT_TYPE_METAL_DEVICE_BIT_EXT;
  }
  // Of a buffer or an image: two, of which the second is 1.
  void SetFamilies(auto& info, uint32_t first, const uint32_t* families) {
    families_[0] = first;
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
  }
  // One video profile of an image or a buffer: Codec is VkVideoEncodeH264ProfileInfoKHR or its like.
  template <class Codec, class Info>
  void SetProfile(Info& info, VkVideoCodecOperationFlagBitsKHR operation) {
    constexpr auto kDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
    auto profile = test::Of<VkVideoProfileInfoKHR>(operation, VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR, kDepth, kDepth);
    Chain<Codec>(profile);
    Chain<VkVideoProfileListInfoKHR>(info, {.profileCount = 1, .pProfiles = Keep(profile)});
  }
  void SetEncoder(auto& info) {
    SetProfile<VkVideoEncodeH264ProfileInfoKHR>(info, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
  }
  void SetAv1Encoder(auto& info) {
    SetProfile<VkVideoEncodeAV1ProfileInfoKHR>(info, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR);
  }
  // The formats of views of an image or a swapchain.
  void SetViewFormats(auto& info, const std::vector<VkFormat>& formats) {
    const auto count = static_cast<uint32_t>(formats.size());
    Chain<VkImageFormatListCreateInfo>(info, {.viewFormatCount = count, .pViewFormats = Keep(formats)->data()});
  }
  // A conversion that fits the format, or an external one.
  VkSamplerYcbcrConversion MakeConversion(const VkSamplerYcbcrConversionCreateInfo& info) {
    return MakeFrom(info, vk.CreateSamplerYcbcrConversion, vk.DestroySamplerYcbcrConversion);
  }
  VkSurfaceKHR MakeWindowSurface() {
    const auto window =
        test::Of<VkWin32SurfaceCreateInfoKHR>(0u, reinterpret_cast<HINSTANCE>(this), reinterpret_cast<HWND>(this));
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    vk.CreateWin32SurfaceKHR(instance, &window, nullptr, &surface);
    Defer(surface, [=, this] { vk.DestroySurfaceKHR(instance, surface, nullptr); });
    return surface;
  }

  uint32_t families_[2] = {0, 1};

 private:
  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_RESOURCE_TEST_H_
