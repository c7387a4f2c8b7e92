// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/test_cases/sync_test_cases.h"

#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/recording/recording_scope.h"
#include "core/test_cases/test_calls.h"
#include "vk/sync/sync_info.h"
#include "vk/sync/sync_rule_info.h"

namespace assay::core {
namespace {

std::string NameOfId(vk::VuidIndex vuid) { return std::string(vk::GetVuid(vuid).id); }

using Change = std::function<void(TestCalls&)>;

// Collects cases.
class TestCaseList {
 public:
  std::vector<SyncTestCase> all;

  // id is without "VUID-". The call is right until it is changed.
  void Add(std::string_view id, Call call, Change change, SyncTestOptions options = {}) {
    all.push_back({absl::StrCat("VUID-", id), options, [=](SyncTestDevice& device) { Make(device, call, change); },
                   [=](SyncTestDevice& device) { Make(device, call, {}); }, options});
  }
  // What is right with all features is wrong without some.
  void AddDisabled(std::string_view id, Call call, Change change, std::set<std::string, std::less<>> disabled,
                   SyncTestOptions right = {}) {
    SyncTestOptions options = right;
    options.disabled.merge(disabled);
    const auto both = [=](SyncTestDevice& device) { Make(device, call, change); };
    all.push_back({absl::StrCat("VUID-", id), options, both, both, right});
  }

 private:
  static void Make(SyncTestDevice& device, Call call, const Change& change) {
    TestCalls calls(device);
    if (change) change(calls);
    calls.Run(call);
  }
};

// ---- From the registry's tables.

void AddStageFeatures(TestCaseList& cases) {
  for (const vk::StageFeatureRule& rule : vk::StageFeatureRules()) {
    std::set<std::string, std::less<>> disabled;
    for (std::string_view feature : rule.features) {
      if (!feature.empty()) disabled.emplace(feature);
    }
    const VkPipelineStageFlags2 stage = rule.stages & (~rule.stages + 1);
    cases.AddDisabled(
        NameOfId(rule.vuid).substr(5), CallOf(rule.owner), [=](TestCalls& c) { c.SetStages(rule.member, stage); },
        disabled);
  }
}

// A stage that certainly does not do the access.
VkPipelineStageFlags2 OtherStage(VkAccessFlags2 access) {
  return access == VK_ACCESS_2_TRANSFER_WRITE_BIT ? VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT : VK_PIPELINE_STAGE_2_CLEAR_BIT;
}

void AddAccessStages(TestCaseList& cases) {
  for (const vk::AccessStageRule& rule : vk::AccessStageRules()) {
    const bool src = rule.member == "srcAccessMask";
    const SyncScope wrong{OtherStage(rule.access), rule.access};
    cases.Add(NameOfId(rule.vuid).substr(5), CallOf(rule.owner),
              [=](TestCalls& c) { c.SetScope(rule.owner, src, wrong); });
    // The positive twin: with every stage of the sentence.
    const SyncScope right{rule.stages & (~rule.stages + 1), rule.access};
    cases.all.back().right = [=](SyncTestDevice& device) {
      TestCalls calls(device);
      calls.SetScope(rule.owner, src, right);
      calls.Run(CallOf(rule.owner));
    };
  }
}

void AddLayouts(TestCaseList& cases) {
  for (const vk::LayoutUsageRule& rule : vk::LayoutUsageRules()) {
    const auto with = [=](VkImageUsageFlags usage) {
      return [=](SyncTestDevice& device) {
        TestCalls calls(device);
        calls.image_info.usage = usage;
        calls.SetLayouts(VK_IMAGE_LAYOUT_GENERAL, rule.layout);
        calls.Run(CallOf(rule.owner));
      };
    };
    cases.Add(NameOfId(rule.vuid).substr(5), CallOf(rule.owner), {});
    VkImageUsageFlags all = 0;
    for (VkImageUsageFlags one_of : rule.usages) all |= one_of;
    cases.all.back().wrong = with(rule.usages[0] & VK_IMAGE_USAGE_TRANSFER_DST_BIT ? VK_IMAGE_USAGE_STORAGE_BIT
                                                                                   : VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    cases.all.back().right = with(all);
  }
  for (const vk::LayoutFeatureRule& rule : vk::LayoutFeatureRules()) {
    cases.AddDisabled(NameOfId(rule.vuid).substr(5), CallOf(rule.owner),
                      [=](TestCalls& c) {
                        c.image_info.usage = ~VkImageUsageFlags{0};
                        if (rule.member == "oldLayout") c.SetLayouts(rule.layout, VK_IMAGE_LAYOUT_GENERAL);
                        if (rule.member == "newLayout") c.SetLayouts(VK_IMAGE_LAYOUT_GENERAL, rule.layout);
                      },
                      {std::string(rule.feature)});
    // The command that the structure is for needs the same feature.
    if (rule.owner == "VkImageMemoryBarrier2" && rule.feature == "synchronization2")
      cases.all.back().also = "VUID-vkCmdPipelineBarrier2-synchronization2-03848";
  }
}

// ---- Barriers.

constexpr VkPipelineStageFlags2 kHost = VK_PIPELINE_STAGE_2_HOST_BIT;
constexpr VkPipelineStageFlags2 kVertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;

void AddQueueFamilies(TestCaseList& cases, std::string_view owner, Call call, bool image) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(owner, "-", rule); };
  const auto families = [=](uint32_t src, uint32_t dst) { return [=](TestCalls& c) { c.SetFamilies(src, dst); }; };
  const SyncTestOptions old = {.instance_version = VK_API_VERSION_1_0};
  const uint32_t foreign = VK_QUEUE_FAMILY_FOREIGN_EXT, external = VK_QUEUE_FAMILY_EXTERNAL;
  cases.AddDisabled(id(image ? "srcQueueFamilyIndex-09121" : "srcQueueFamilyIndex-09099"), call, families(foreign, 0),
                    {"VK_EXT_queue_family_foreign"});
  cases.AddDisabled(id(image ? "dstQueueFamilyIndex-09122" : "dstQueueFamilyIndex-09100"), call, families(0, foreign),
                    {"VK_EXT_queue_family_foreign"});
  cases.AddDisabled(id(image ? "None-09119" : "None-09097"), call, families(external, 0), {"VK_KHR_external_memory"},
                    old);
  cases.AddDisabled(id(image ? "None-09120" : "None-09098"), call, families(0, external), {"VK_KHR_external_memory"},
                    old);
  cases.Add(id(image ? "image-09117" : "buffer-09095"), call, families(VK_QUEUE_FAMILY_IGNORED, 0));
  cases.Add(id(image ? "image-09118" : "buffer-09096"), call, families(0, VK_QUEUE_FAMILY_IGNORED));
}

void AddConcurrent(TestCaseList& cases, std::string_view owner, std::array<std::string_view, 3> rules) {
  const auto add = [&](std::string_view rule, uint32_t src, uint32_t dst) {
    cases.AddDisabled(absl::StrCat(owner, "-", rule), CallOf(owner),
                      [=](TestCalls& c) {
                        c.image_info.sharingMode = c.buffer_info.sharingMode = VK_SHARING_MODE_CONCURRENT;
                        c.SetFamilies(src, dst);
                      },
                      {"synchronization2"});
  };
  add(rules[0], VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_EXTERNAL);
  add(rules[1], 0, VK_QUEUE_FAMILY_IGNORED);
  add(rules[2], VK_QUEUE_FAMILY_IGNORED, 0);
}

void AddBuffers(TestCaseList& cases, std::string_view owner) {
  const Call call = CallOf(owner);
  const auto id = [&](std::string_view rule) { return absl::StrCat(owner, "-", rule); };
  cases.Add(id("offset-01187"), call, [](TestCalls& c) { c.SetBytes(1024, VK_WHOLE_SIZE); });
  cases.Add(id("size-01188"), call, [](TestCalls& c) { c.SetBytes(0, 0); });
  cases.Add(id("size-01189"), call, [](TestCalls& c) { c.SetBytes(1, 1024); });
  cases.Add(id("buffer-01931"), call, [](TestCalls& c) { c.is_bound = false; });
  AddQueueFamilies(cases, owner, call, false);
}

void AddImages(TestCaseList& cases, std::string_view owner) {
  const Call call = CallOf(owner);
  const auto id = [&](std::string_view rule) { return absl::StrCat(owner, "-", rule); };
  const auto range = [](VkImageSubresourceRange r) { return [r](TestCalls& c) { c.SetRange(r); }; };
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT, kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  cases.Add(id("subresourceRange-01486"), call, range({kColor, 4, VK_REMAINING_MIP_LEVELS, 0, 1}));
  cases.Add(id("subresourceRange-01724"), call, range({kColor, 3, 2, 0, 1}));
  cases.Add(id("subresourceRange-01488"), call, range({kColor, 0, 1, 6, VK_REMAINING_ARRAY_LAYERS}));
  cases.Add(id("subresourceRange-01725"), call, range({kColor, 0, 1, 1, 6}));
  const auto format = [](VkFormat f, VkImageAspectFlags aspects, VkImageCreateFlags flags = 0) {
    return [=](TestCalls& c) {
      c.image_info.format = f;
      c.image_info.flags = flags;
      c.SetRange({aspects, 0, 1, 0, 1});
    };
  };
  constexpr VkFormat kYcbcr = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  cases.Add(id("subresourceRange-09601"), call, format(VK_FORMAT_D16_UNORM, kColor));
  cases.Add(id("image-09241"), call, format(VK_FORMAT_R8_UNORM, kDepth));
  cases.Add(id("image-09242"), call, format(kYcbcr, VK_IMAGE_ASPECT_PLANE_0_BIT));
  cases.Add(id("image-01672"), call, format(kYcbcr, VK_IMAGE_ASPECT_METADATA_BIT, VK_IMAGE_CREATE_DISJOINT_BIT));
  cases.Add(id("image-03319"), call, format(VK_FORMAT_D24_UNORM_S8_UINT, kColor));
  cases.AddDisabled(id("image-03320"), call, format(VK_FORMAT_D24_UNORM_S8_UINT, kDepth),
                    {"separateDepthStencilLayouts"});
  const auto layouts = [=](VkImageAspectFlags aspects, VkImageLayout layout) {
    return [=](TestCalls& c) {
      format(VK_FORMAT_D24_UNORM_S8_UINT, aspects)(c);
      c.image_info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
      c.SetLayouts(VK_IMAGE_LAYOUT_UNDEFINED, layout);
    };
  };
  cases.Add(id("aspectMask-08702"), call, layouts(kDepth, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL));
  cases.Add(id("aspectMask-08703"), call, layouts(kStencil, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL));
  cases.Add(id("newLayout-01198"), call,
            [](TestCalls& c) { c.SetLayouts(VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_UNDEFINED); });
  cases.Add(id("image-01932"), call, [](TestCalls& c) { c.is_bound = false; });
  AddQueueFamilies(cases, owner, call, true);
}

void AddBarriers(TestCaseList& cases) {
  AddBuffers(cases, "VkBufferMemoryBarrier");
  AddBuffers(cases, "VkBufferMemoryBarrier2");
  AddImages(cases, "VkImageMemoryBarrier");
  AddImages(cases, "VkImageMemoryBarrier2");
  AddConcurrent(cases, "VkBufferMemoryBarrier", {"None-09049", "None-09050", "None-09051"});
  AddConcurrent(cases, "VkImageMemoryBarrier", {"None-09052", "None-09053", "None-09054"});
  for (auto [owner, id] : {std::pair("VkBufferMemoryBarrier2", "03851"), {"VkImageMemoryBarrier2", "03854"}}) {
    cases.Add(absl::StrCat(owner, "-srcStageMask-", id), CallOf(owner), [=](TestCalls& c) {
      c.SetFamilies(0, 1);
      c.SetScope(owner, false, {kHost, VK_ACCESS_2_HOST_READ_BIT});
    });
  }
  cases.Add("VkImageMemoryBarrier2-srcStageMask-03855", Call::kImage2, [](TestCalls& c) {
    c.SetScope("VkImageMemoryBarrier2", true, {kHost, VK_ACCESS_2_HOST_WRITE_BIT});
    c.SetLayouts(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
  });
  for (std::string_view owner : {"VkMemoryBarrier2", "VkBufferMemoryBarrier2", "VkImageMemoryBarrier2"}) {
    for (bool src : {true, false}) {
      cases.AddDisabled(absl::StrCat(owner, src ? "-srcAccessMask-06256" : "-dstAccessMask-06256"), CallOf(owner),
                        [=](TestCalls& c) {
                          c.SetScope(owner, src, {kVertex, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR});
                        },
                        {"rayQuery"});
    }
  }
}

// ---- Commands with barriers.

void AddSync1Command(TestCaseList& cases, std::string_view command, Call call) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(command, "-", rule); };
  const bool waits = call == Call::kWaitEvents;
  cases.Add(id(waits ? "srcStageMask-06459" : "srcStageMask-06461"), call, [](TestCalls& c) {
    c.family = SyncTestDevice::kTransfer;
    c.src.stages = kVertex;
  });
  cases.Add(id(waits ? "dstStageMask-06460" : "dstStageMask-06462"), call, [](TestCalls& c) {
    c.family = SyncTestDevice::kTransfer;
    c.dst.stages = kVertex;
  });
  const auto access = [](int kind, bool src) {
    return [=](TestCalls& c) {
      c.kinds = kind;
      (src ? c.src : c.dst) = {kVertex, VK_ACCESS_2_HOST_READ_BIT};
    };
  };
  cases.Add(id("srcAccessMask-02815"), call, access(TestCalls::kMemory, true));
  cases.Add(id("dstAccessMask-02816"), call, access(TestCalls::kMemory, false));
  cases.Add(id("pBufferMemoryBarriers-02817"), call, access(TestCalls::kBuffer, true));
  cases.Add(id("pBufferMemoryBarriers-02818"), call, access(TestCalls::kBuffer, false));
  cases.Add(id("pImageMemoryBarriers-02819"), call, access(TestCalls::kImage, true));
  cases.Add(id("pImageMemoryBarriers-02820"), call, access(TestCalls::kImage, false));
  for (bool src : {true, false}) {
    cases.AddDisabled(id(src ? "srcAccessMask-06257" : "dstAccessMask-06257"), call,
                      [=](TestCalls& c) {
                        (src ? c.src : c.dst) = {kVertex, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR};
                      },
                      {"rayQuery"});
  }
}

// What both generations say of barriers inside render pass instances.
void AddPipelineBarrier(TestCaseList& cases, std::string_view command, Call call) {
  const auto add = [&](std::string_view rule, Change change, SyncTestOptions options = {}) {
    cases.Add(absl::StrCat(command, "-", rule), call, std::move(change), std::move(options));
  };
  constexpr VkDependencyFlags kByRegion = VK_DEPENDENCY_BY_REGION_BIT;
  const auto inside = [](bool rendering, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst, VkDependencyFlags flags,
                         int kinds = TestCalls::kMemory) {
    return [=](TestCalls& c) {
      c.in_render_pass = !rendering;
      c.in_rendering = rendering;
      c.kinds = kinds;
      c.src = {src, 0};
      c.dst = {dst, 0};
      c.flags = flags;
    };
  };
  add("None-07890", inside(false, kFragment, kVertex, kByRegion));
  add("dependencyFlags-07891", inside(false, kFragment, kFragment, 0));
  add("None-07892", inside(false, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kFragment, kByRegion));
  add("bufferMemoryBarrierCount-01178", inside(false, kFragment, kFragment, kByRegion, TestCalls::kBuffer));
  add("srcStageMask-09556", inside(true, kVertex, kFragment, kByRegion));
  add("dependencyFlags-01186", [](TestCalls& c) { c.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT; });
  add("oldLayout-01181", [=](TestCalls& c) {
    inside(false, kFragment, kFragment, kByRegion, TestCalls::kImage)(c);
    c.SetLayouts(VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  });
  add("srcQueueFamilyIndex-01182", [=](TestCalls& c) {
    inside(false, kFragment, kFragment, kByRegion, TestCalls::kImage)(c);
    c.SetFamilies(0, 1);
  });
  cases.AddDisabled(absl::StrCat(command, "-None-09553"), call, inside(true, kFragment, kFragment, kByRegion),
                    {"dynamicRenderingLocalRead", "shaderTileImageColorReadAccess", "shaderTileImageDepthReadAccess",
                     "shaderTileImageStencilReadAccess"});
  cases.AddDisabled(absl::StrCat(command, "-None-09554"), call,
                    inside(true, kFragment, kFragment, kByRegion, TestCalls::kImage), {"dynamicRenderingLocalRead"});
  cases.AddDisabled(absl::StrCat(command, "-None-09586"), call,
                    [=](TestCalls& c) {
                      inside(true, kFragment, kFragment, kByRegion)(c);
                      c.src.accesses = VK_ACCESS_2_SHADER_READ_BIT;
                    },
                    {"dynamicRenderingLocalRead"});
  add(call == Call::kPipelineBarrier ? "srcQueueFamilyIndex-10388" : "srcQueueFamilyIndex-10387",
      [](TestCalls& c) { c.SetFamilies(1, 2); });
}

void AddSync2Command(TestCaseList& cases, std::string_view command, Call call, std::string_view src_id,
                     std::string_view dst_id, int kinds) {
  const auto stages = [=](bool src) {
    return [=](TestCalls& c) {
      c.family = SyncTestDevice::kTransfer;
      c.kinds = kinds;
      (src ? c.src : c.dst).stages = kVertex;
    };
  };
  cases.Add(absl::StrCat(command, "-srcStageMask-", src_id), call, stages(true));
  cases.Add(absl::StrCat(command, "-dstStageMask-", dst_id), call, stages(false));
}

void AddDependencyCommands(TestCaseList& cases) {
  AddSync1Command(cases, "vkCmdPipelineBarrier", Call::kPipelineBarrier);
  AddSync1Command(cases, "vkCmdWaitEvents", Call::kWaitEvents);
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier", Call::kPipelineBarrier);
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier2", Call::kPipelineBarrier2);
  AddSync2Command(cases, "vkCmdPipelineBarrier2", Call::kPipelineBarrier2, "09673", "09674", TestCalls::kMemory);
  AddSync2Command(cases, "vkCmdPipelineBarrier2", Call::kPipelineBarrier2, "09675", "09676", TestCalls::kImage);
  AddSync2Command(cases, "vkCmdWaitEvents2", Call::kWaitEvents2, "03842", "03843", TestCalls::kBuffer);
  AddSync2Command(cases, "vkCmdSetEvent2", Call::kSetEvent2, "03827", "03828", TestCalls::kMemory);
  for (auto [id, kind] : {std::pair("09634", TestCalls::kBuffer), {"09633", TestCalls::kImage}}) {
    cases.Add(absl::StrCat("vkCmdPipelineBarrier-srcStageMask-", id), Call::kPipelineBarrier, [=](TestCalls& c) {
      c.kinds = kind;
      c.src = {kHost, VK_ACCESS_2_HOST_READ_BIT};
      c.SetFamilies(0, 1);
    });
  }
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  cases.AddDisabled("vkCmdPipelineBarrier-maintenance8-10206", Call::kPipelineBarrier,
                    [=](TestCalls& c) { c.flags = kUseAll; }, {"maintenance8"});
  cases.Add("vkCmdWaitEvents2-maintenance8-10205", Call::kWaitEvents2, [=](TestCalls& c) { c.flags = kUseAll; },
            {.disabled = {"maintenance8"}});
  cases.Add("vkCmdWaitEvents2-dependencyFlags-10394", Call::kWaitEvents2,
            [](TestCalls& c) { c.flags = VK_DEPENDENCY_BY_REGION_BIT; });
  cases.Add("vkCmdSetEvent2-dependencyFlags-03825", Call::kSetEvent2,
            [](TestCalls& c) { c.flags = VK_DEPENDENCY_BY_REGION_BIT; });
  cases.Add("vkCmdSetEvent2-srcStageMask-09391", Call::kSetEvent2, [](TestCalls& c) { c.src = {kHost, 0}; });
  cases.Add("vkCmdSetEvent2-dstStageMask-09392", Call::kSetEvent2, [](TestCalls& c) { c.dst = {kHost, 0}; });
  const auto host_inside = [](TestCalls& c) {
    c.in_render_pass = true;
    c.src = {kHost, 0};
  };
  cases.Add("vkCmdWaitEvents-srcStageMask-07308", Call::kWaitEvents, host_inside);
  cases.Add("vkCmdWaitEvents2-dependencyFlags-03844", Call::kWaitEvents2, host_inside);
  cases.Add("vkCmdWaitEvents-srcQueueFamilyIndex-02803", Call::kWaitEvents, [](TestCalls& c) {
    c.kinds = TestCalls::kImage;
    c.SetFamilies(0, 1);
  });
  for (auto [id, call] : {std::pair("vkCmdPipelineBarrier2-synchronization2-03848", Call::kPipelineBarrier2),
                          {"vkCmdWaitEvents2-synchronization2-03836", Call::kWaitEvents2},
                          {"vkCmdSetEvent2-synchronization2-03824", Call::kSetEvent2},
                          {"vkCmdResetEvent2-synchronization2-03829", Call::kResetEvent2},
                          {"vkCmdWriteTimestamp2-synchronization2-03858", Call::kWriteTimestamp2},
                          {"vkCmdWriteBufferMarker2AMD-synchronization2-03893", Call::kWriteBufferMarker2},
                          {"vkQueueSubmit2-synchronization2-03866", Call::kQueueSubmit2}}) {
    cases.AddDisabled(id, call, {}, {"synchronization2"});
  }
}

// ---- Commands with a stage, queues, the host, subpasses.

void AddStageCommands(TestCaseList& cases) {
  for (auto [id, call] : {std::pair("vkCmdSetEvent-stageMask-06457", Call::kSetEvent),
                          {"vkCmdResetEvent-stageMask-06458", Call::kResetEvent},
                          {"vkCmdWriteTimestamp-pipelineStage-04074", Call::kWriteTimestamp},
                          {"vkCmdWriteTimestamp2-stage-03860", Call::kWriteTimestamp2},
                          {"vkCmdWriteBufferMarkerAMD-pipelineStage-04074", Call::kWriteBufferMarker},
                          {"vkCmdWriteBufferMarker2AMD-stage-03895", Call::kWriteBufferMarker2}}) {
    cases.Add(id, call, [](TestCalls& c) {
      c.family = SyncTestDevice::kTransfer;
      c.stages = kVertex;
    });
  }
  for (auto [id, call] : {std::pair("vkCmdSetEvent-stageMask-01149", Call::kSetEvent),
                          {"vkCmdResetEvent-stageMask-01153", Call::kResetEvent},
                          {"vkCmdResetEvent2-stageMask-03830", Call::kResetEvent2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.stages = kHost; });
  }
  for (auto [id, call] : {std::pair("vkCmdWriteTimestamp2-stage-03859", Call::kWriteTimestamp2),
                          {"vkCmdWriteBufferMarker2AMD-stage-03894", Call::kWriteBufferMarker2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.stages = kVertex | kFragment; });
  }
  for (auto [id, call] : {std::pair("vkCmdWriteTimestamp-timestampValidBits-00829", Call::kWriteTimestamp),
                          {"vkCmdWriteTimestamp2-timestampValidBits-03863", Call::kWriteTimestamp2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.family = SyncTestDevice::kNoTimestamps; });
  }
}

void AddSubmissions(TestCaseList& cases) {
  cases.Add("VkSubmitInfo-pWaitDstStageMask-00078", Call::kQueueSubmit, [](TestCalls& c) { c.stages = kHost; });
  const auto transfer_queue = [](TestCalls& c) {
    c.family = SyncTestDevice::kTransfer;
    c.stages = kVertex;
  };
  cases.Add("vkQueueSubmit-pWaitDstStageMask-00066", Call::kQueueSubmit, transfer_queue);
  cases.Add("vkQueueSubmit2-stageMask-03870", Call::kQueueSubmit2, transfer_queue);
  cases.Add("vkQueueSubmit2-stageMask-03869", Call::kQueueSubmit2, [=](TestCalls& c) {
    transfer_queue(c);
    c.stages_are_signaled = true;
  });
  for (auto [second, call] : {std::pair(false, Call::kQueueSubmit), {true, Call::kQueueSubmit2}}) {
    cases.Add(second ? "VkCommandBufferSubmitInfo-commandBuffer-03890" : "VkSubmitInfo-pCommandBuffers-00075", call,
              [](TestCalls& c) { c.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY; });
    cases.Add(second ? "vkQueueSubmit2-commandBuffer-03878" : "vkQueueSubmit-pCommandBuffers-00074", call,
              [](TestCalls& c) { c.queue_family = SyncTestDevice::kCompute; });
    cases.Add(second ? "vkQueueSubmit2-commandBuffer-03874" : "vkQueueSubmit-pCommandBuffers-00070", call,
              [](TestCalls& c) { c.recording_state = state::RecordingState::kRecording; });
    cases.Add(second ? "VkSubmitInfo2-flags-03887" : "VkSubmitInfo-pNext-04120", call,
              [](TestCalls& c) { c.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT; });
    cases.Add(second ? "VkSubmitInfo2-flags-03886" : "VkSubmitInfo-pNext-04148", call,
              [](TestCalls& c) { c.is_protected = true; });
    cases.Add(second ? "vkQueueSubmit2-queue-06447" : "vkQueueSubmit-queue-06448", call, [](TestCalls& c) {
      c.is_protected = true;
      c.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
      c.queue_flags = 0;
    });
  }
  cases.Add("VkSubmitInfo-pWaitSemaphores-03239", Call::kQueueSubmit,
            [](TestCalls& c) { c.has_timeline_info = false; });
  cases.Add("VkSubmitInfo-pNext-03240", Call::kQueueSubmit, [](TestCalls& c) { c.wait_value_count = 0; });
  cases.Add("VkSubmitInfo-pNext-03241", Call::kQueueSubmit, [](TestCalls& c) { c.signal_value_count = 0; });
  cases.Add("VkBindSparseInfo-pWaitSemaphores-03246", Call::kQueueBindSparse,
            [](TestCalls& c) { c.has_timeline_info = false; });
  cases.Add("VkBindSparseInfo-pNext-03247", Call::kQueueBindSparse, [](TestCalls& c) { c.wait_value_count = 0; });
  cases.Add("VkBindSparseInfo-pNext-03248", Call::kQueueBindSparse, [](TestCalls& c) { c.signal_value_count = 0; });
  cases.Add("VkSubmitInfo2-semaphore-03881", Call::kQueueSubmit2, [](TestCalls& c) { c.signal_value = c.wait_value; });
}

void AddHostCommands(TestCaseList& cases) {
  const auto device_only = [](TestCalls& c) { c.event_flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT; };
  cases.AddDisabled("vkCreateEvent-events-04468", Call::kCreateEvent, {}, {"events"});
  cases.Add("vkCreateEvent-device-09672", Call::kCreateEvent, {});
  cases.all.back().options.unsupported =
      VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR;
  cases.Add("vkSetEvent-event-03941", Call::kHostSetEvent, device_only);
  cases.Add("vkResetEvent-event-03823", Call::kHostResetEvent, device_only);
  cases.Add("vkGetEventStatus-event-03940", Call::kGetEventStatus, device_only);
  const auto binary = [](TestCalls& c) { c.semaphore_type = VK_SEMAPHORE_TYPE_BINARY; };
  cases.Add("VkSemaphoreWaitInfo-pSemaphores-03256", Call::kWaitSemaphores, binary);
  cases.Add("VkSemaphoreSignalInfo-semaphore-03257", Call::kSignalSemaphore, binary);
  cases.Add("vkGetSemaphoreCounterValue-semaphore-03255", Call::kGetSemaphoreCounterValue, binary);
  cases.Add("VkSemaphoreSignalInfo-value-03258", Call::kSignalSemaphore, [](TestCalls& c) { c.signal_value = 5; });
}

void AddSubpasses(TestCaseList& cases) {
  const auto self = [](VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst, VkDependencyFlags flags) {
    return [=](TestCalls& c) {
      c.src_subpass = c.dst_subpass = 0;
      c.src = {src, 0};
      c.dst = {dst, 0};
      c.flags = flags;
    };
  };
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  for (bool second : {false, true}) {
    const Call call = second ? Call::kCreateRenderPass2 : Call::kCreateRenderPass;
    const auto add = [&](std::string_view first_id, std::string_view second_id, Change change) {
      cases.Add(
          second ? absl::StrCat("VkSubpassDependency2-", second_id) : absl::StrCat("VkSubpassDependency-", first_id),
          call, std::move(change));
    };
    const SyncScope host{kVertex, VK_ACCESS_2_HOST_READ_BIT};
    add("srcAccessMask-00868", "srcAccessMask-03088", [=](TestCalls& c) { c.src = host; });
    add("dstAccessMask-00869", "dstAccessMask-03089", [=](TestCalls& c) { c.dst = host; });
    add("srcSubpass-00864", "srcSubpass-03084", [](TestCalls& c) { std::swap(c.src_subpass, c.dst_subpass); });
    add("srcSubpass-00865", "srcSubpass-03085",
        [](TestCalls& c) { c.src_subpass = c.dst_subpass = VK_SUBPASS_EXTERNAL; });
    add("srcSubpass-02243", "srcSubpass-02245", self(kFragment, kFragment, 0));
    add("srcSubpass-06809", "srcSubpass-06810", self(kFragment, kVertex, VK_DEPENDENCY_BY_REGION_BIT));
    add("dependencyFlags-10203", "dependencyFlags-10204", [=](TestCalls& c) { c.flags = kUseAll; });
    add("dependencyFlags-02520", "dependencyFlags-03090", [](TestCalls& c) {
      c.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT;
      c.src_subpass = VK_SUBPASS_EXTERNAL;
    });
    add("dependencyFlags-02521", "dependencyFlags-03091", [](TestCalls& c) {
      c.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT;
      c.dst_subpass = VK_SUBPASS_EXTERNAL;
    });
  }
  cases.Add("VkSubpassDependency-srcSubpass-00872", Call::kCreateRenderPass, [=](TestCalls& c) {
    self(kFragment, kFragment, VK_DEPENDENCY_BY_REGION_BIT)(c);
    c.view_mask = 3;
  });
  cases.Add("VkSubpassDependency2-dependencyFlags-03092", Call::kCreateRenderPass2,
            [](TestCalls& c) { c.view_offset = 1; });
  cases.Add("VkSubpassDependency2-viewOffset-02530", Call::kCreateRenderPass2, [=](TestCalls& c) {
    self(kFragment, kFragment, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT)(c);
    c.view_offset = 1;
  });
}

std::string Ids(const SyncTestOptions& options, const std::function<void(SyncTestDevice&)>& run) {
  SyncTestDevice device(options);
  run(device);
  return absl::StrJoin(device.ids(), ", ");
}

}  // namespace

const std::vector<SyncTestCase>& SyncTestCases() {
  static const std::vector<SyncTestCase>* const all = [] {
    TestCaseList cases;
    AddStageFeatures(cases);
    AddAccessStages(cases);
    AddLayouts(cases);
    AddBarriers(cases);
    AddDependencyCommands(cases);
    AddStageCommands(cases);
    AddSubmissions(cases);
    AddHostCommands(cases);
    AddSubpasses(cases);
    return new std::vector<SyncTestCase>(std::move(cases.all));
  }();
  return *all;
}

std::string RunTestCase(const SyncTestCase& test_case, const std::function<bool(vk::VuidIndex)>& leave_out) {
  SyncTestOptions right = test_case.right_options, wrong = test_case.options;
  wrong.leave_out = leave_out;
  if (const std::string ids = Ids(right, test_case.right); !ids.empty()) return absl::StrCat("right, but gives ", ids);
  const std::string ids = Ids(wrong, test_case.wrong);
  const std::string wanted = test_case.also.empty() ? test_case.id : absl::StrCat(test_case.also, ", ", test_case.id);
  return ids == wanted ? std::string() : absl::StrCat("wrong, but gives ", ids);
}

}  // namespace assay::core
