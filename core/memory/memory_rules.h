// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MEMORY_MEMORY_RULES_H_
#define ASSAY_CORE_MEMORY_MEMORY_RULES_H_

// Memory: how it is allocated (memory_allocations.cc), what it is bound to (memory_binds.cc), and where it is mapped
// (memory_mappings.cc). The driver says what a resource requires of its memory: size, alignment, types, an allocation
// of its own; see memory_requirements.h. Imports, exports and dedicated allocations stand in chains (memory_facts.h).
//
// Not here: which resources commands need bound (created_objects), and bytes that several resources share. What stands
// behind external handles is not known, and memory of device groups is not tracked.

#include <atomic>
#include <cstdint>

#include "core/memory/memory_facts.h"
#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// What a validator notes of memory and resources.
struct NotedMemory {
  // Of objects whose create info had a chain.
  HandleMap<MemoryFacts> memories;
  HandleMap<ResourceFacts> resources;

  MemoryFacts Of(VkDeviceMemory memory) const { return memories.Find(memory).value_or(MemoryFacts()); }
  template <class H>
  ResourceFacts Of(H resource) const {
    return resources.Find(resource).value_or(ResourceFacts());
  }
};

// The validator.
class MemoryRules {
 public:
  // `device` must outlive this.
  explicit MemoryRules(const dispatch::Device& device) : device_(device) {}

  void PreCallValidate(const vk::AllocateMemory& call, messages::Report& report) const;
  void PostCallRecord(const vk::AllocateMemory& call, VkResult result);
  void PreCallRecord(const vk::FreeMemory& call);
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call) { noted_.resources.Erase(call.buffer); }
  void PostCallRecord(const vk::CreateImage& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call) { noted_.resources.Erase(call.image); }

  void PreCallValidate(const vk::BindBufferMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::BindBufferMemory2& call, messages::Report& report) const;
  void PreCallValidate(const vk::BindImageMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::BindImageMemory2& call, messages::Report& report) const;
  void PostCallRecord(const vk::BindImageMemory2& call, VkResult result);
  void PreCallValidate(const vk::BindAccelerationStructureMemoryNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::BindVideoSessionMemoryKHR& call, messages::Report& report) const;

  // Sparse binding (sparse_binds.cc).
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report) const;

  void PreCallValidate(const vk::MapMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::MapMemory2& call, messages::Report& report) const;
  void PreCallValidate(const vk::UnmapMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::UnmapMemory2& call, messages::Report& report) const;
  void PreCallValidate(const vk::FlushMappedMemoryRanges& call, messages::Report& report) const;
  void PreCallValidate(const vk::InvalidateMappedMemoryRanges& call, messages::Report& report) const;

  // Queries (memory_queries.cc).
  void PreCallValidate(const vk::GetImageMemoryRequirements& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetImageMemoryRequirements2& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceImageMemoryRequirements& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceImageSparseMemoryRequirements& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceMemoryOpaqueCaptureAddress& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryHostPointerPropertiesEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryFdKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryRemoteAddressNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryWin32HandleKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryWin32HandleNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryMetalHandleEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryZirconHandleFUCHSIA& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMemoryAndroidHardwareBufferANDROID& call, messages::Report& report) const;

  // Queries of objects (object_queries.cc).
  void PreCallValidate(const vk::GetBufferDeviceAddress& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetBufferOpaqueCaptureAddress& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetAccelerationStructureDeviceAddressKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetAccelerationStructureHandleNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetImageViewOpaqueCaptureDescriptorDataEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetAccelerationStructureOpaqueCaptureDescriptorDataEXT& call,
                       messages::Report& report) const;
  void PreCallValidate(const vk::GetImageViewHandleNVX& call, messages::Report& report) const {
    CheckViewHandle(call.pInfo, report);
  }
  void PreCallValidate(const vk::GetImageViewHandle64NVX& call, messages::Report& report) const {
    CheckViewHandle(call.pInfo, report);
  }

 private:
  static void CheckViewHandle(const VkImageViewHandleInfoNVX* info, messages::Report& report);
  void CheckSparse(const VkBindSparseInfo& info, const messages::Location& where, messages::Report& report) const;

  const dispatch::Device& device_;
  NotedMemory noted_;
  std::atomic<uint32_t> allocation_count_ = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_MEMORY_MEMORY_RULES_H_
