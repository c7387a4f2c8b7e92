// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: for every synchronization rule, and every rule about objects in use, whether its
// negative test passes, one line each.

#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/binding/binding_ids.h"
#include "core/builds/build_ids.h"
#include "core/copies/cases/buffer_copy_cases.h"
#include "core/copies/cases/image_clear_cases.h"
#include "core/copies/cases/image_copy_cases.h"
#include "core/copies/structures/structure_ids.h"
#include "core/deferred_operations/deferred_operation_rules.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "core/devices/device_ids.h"
#include "core/draw/action_rules.h"
#include "core/generated_commands/generated_ids.h"
#include "core/layouts/layout_rules.h"
#include "core/lifetime/in_use_test_cases.h"
#include "core/queries/query_ids.h"
#include "core/resources/resource_ids.h"
#include "core/swapchains/surface_ids.h"
#include "core/test_cases/sync_test_cases.h"
#include "core/video/video_ids.h"
#include "vk/object_rules.h"
#include "vk/sync/sync_rule_info.h"

namespace {

void Print(const std::string& id, const std::string& wrong) {
  std::printf("%s\t%s\t%s\n", wrong.empty() ? "tested" : "failed", id.c_str(), wrong.c_str());
}

void PrintInUseRules() {
  assay::dispatch::TestObjects objects;
  for (const assay::vk::CommandId command : assay::core::CommandsWithInUseRule()) {
    const assay::vk::VuidIndex rule = assay::core::InUseRules::All().Of(command).vuid;
    Print(std::string(assay::vk::GetVuid(rule).id), assay::core::TestInUse(objects, command));
  }
}

// Their test is one of the whole layer.
void PrintInTable(assay::vk::VuidIndex id) {
  std::printf("in-table\t%s\t\n", std::string(assay::vk::GetVuid(id).id).c_str());
}

// Rules that several owners share, and that a check finds by name (core/memory, core/builds).
void PrintSharedRules(std::string_view owner, std::initializer_list<std::string_view> rules) {
  for (const std::string_view rule : rules) {
    const assay::vk::VuidIndex id = assay::vk::FindVuidOf(owner, rule);
    if (id != assay::vk::kNoVuid) PrintInTable(id);
  }
}

void PrintFamilies() {
  for (const std::string_view owner :
       {"vkBindBufferMemory", "VkBindBufferMemoryInfo", "vkBindImageMemory", "VkBindImageMemoryInfo",
        "vkGetImageMemoryRequirements", "VkImageMemoryRequirementsInfo2", "VkMemoryGetFdInfoKHR",
        "VkMemoryGetMetalHandleInfoEXT", "VkMemoryGetRemoteAddressInfoNV", "VkMemoryGetWin32HandleInfoKHR",
        "VkMemoryGetZirconHandleInfoFUCHSIA", "vkCmdBuildAccelerationStructuresIndirectKHR",
        "vkCmdBuildAccelerationStructuresKHR", "vkCmdBuildMicromapsEXT"}) {
    PrintSharedRules(
        owner, {"memory-01035",     "memory-01047",     "pNext-01615",      "memoryOffset-01036", "memoryOffset-01048",
                "pNext-01616",      "size-01037",       "size-01049",       "pNext-01617",        "None-01898",
                "None-01901",       "None-01899",       "None-01902",       "memory-02726",       "memory-02728",
                "memory-02985",     "memory-02989",     "memory-02986",     "memory-02990",       "buffer-06408",
                "image-06392",      "buffer-09201",     "image-09202",      "memory-02629",       "memory-01508",
                "memory-02628",     "buffer-01444",     "image-01445",      "buffer-01038",       "image-01050",
                "apiVersion-07920", "apiVersion-07921", "image-07460",      "image-04004",        "image-01897",
                "image-08960",      "image-08961",      "handleType-00671", "handleType-10414",   "handleType-04966",
                "handleType-00662", "handleType-04776"});
    PrintSharedRules(owner, {"descriptorBufferCaptureReplay-08112", "descriptorBufferCaptureReplay-08113",
                             "bufferDeviceAddress-03339", "bufferDeviceAddressCaptureReplay-09200",
                             "dstAccelerationStructure-03800", "srcAccelerationStructure-04629", "dstMicromap-07463"});
  }
  for (const auto& ids :
       {assay::core::BufferCopyIds(), assay::core::ImageCopyIds(), assay::core::ImageClearIds(),
        assay::core::StructureIds(), assay::core::GeneratedIds(), assay::core::DrawIds(), assay::core::DescriptorIds(),
        assay::core::DescriptorLayoutIds(), assay::core::QueryIds(), assay::core::BindingIds(),
        assay::core::DeferredOperationIds(), assay::core::ResourceIds(), assay::core::BuildIds(),
        assay::core::SurfaceIds(), assay::core::DeviceIds(), assay::core::VideoIds()}) {
    for (const assay::vk::VuidIndex id : ids) PrintInTable(id);
  }
  // Of core/created_objects.
  for (const assay::vk::ObjectRule& rule : assay::vk::kObjectRules) PrintInTable(rule.vuid);
  // Of core/render_passes.
  for (const assay::vk::LayoutUsageRule& rule : assay::vk::LayoutUsageRules()) {
    if (rule.owner.starts_with("vkCmdBeginRenderPass")) PrintInTable(rule.vuid);
  }
}

}  // namespace

int main() {
  PrintFamilies();
  PrintInUseRules();
  for (const assay::core::SyncTestCase& test_case : assay::core::SyncTestCases()) {
    Print(test_case.id, RunTestCase(test_case));
  }
}
