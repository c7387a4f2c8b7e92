// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_BUILD_RULES_H_
#define ASSAY_CORE_BUILDS_BUILD_RULES_H_

// Builds of acceleration structures and micromaps, by the device and by the host.
//
// A *build* is one element of a call's pInfos. It writes a *target*, its dst; an *update* reads a *source*, its src;
// both use scratch memory, and the geometries lead to *inputs*. What is checked:
//
//   targets and sources    what they were created as, where they are bound, whether they are large enough
//   geometries             their types, numbers, formats and strides; where the inputs are (geometries.cc)
//   memory                 that no two builds of a call use the same bytes, one of them to write (build_memory.cc)
//   updates                that an update says the same as the build before it (updates.h)
//   VK_NV_ray_tracing      its geometries and structures (vendor_builds.cc)
//   clusters               the addresses of what is read and written (cluster_builds.cc)
//   micromaps              their usage counts, and the triangles that the host reads (micromap_builds.cc)
//
// All commands have these rules under the same names, and micromaps have some of those of acceleration structures under
// others. A check is written once and names each (build_ids.h).
//
// How many bytes a build accesses only the driver knows. It is asked once for each build, unless a chain of structures
// has handles that are not the driver's; then the first bytes count. What an update needs of its target is not asked,
// since it may have been compacted.
//
// A device address is compared with the buffers whose address the application got. One that is in none of them is
// reported only if the application got the address of every buffer that has one. Inputs of geometries without
// primitives are not looked at. Nothing is known of data in device memory: ranges of indirect builds, instances,
// triangles of micromaps.

#include <concepts>

#include "core/builds/build_check.h"
#include "core/builds/updates.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// A command that gives an acceleration structure contents which the layer does not see.
template <class C>
concept CopiesToStructure = requires(const C& call) {
  { call.pInfo->dst } -> std::convertible_to<VkAccelerationStructureKHR>;
};

// The validator. Needs the sub-states that CommandRules attaches.
class BuildRules {
 public:
  // state must outlive it.
  explicit BuildRules(const state::DeviceState& state);

  void PreCallValidate(const vk::CmdBuildAccelerationStructuresKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::BuildAccelerationStructuresKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetAccelerationStructureBuildSizesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateAccelerationStructureNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBuildAccelerationStructureNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetClusterAccelerationStructureBuildSizesNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBuildClusterAccelerationStructureIndirectNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBuildMicromapsEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::BuildMicromapsEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetMicromapBuildSizesEXT& call, messages::Report& report) const;

  void PreCallRecord(const vk::CmdBuildAccelerationStructuresKHR& call, dispatch::Slot& slot);
  void PreCallRecord(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, dispatch::Slot& slot);
  void PreCallRecord(const vk::BuildAccelerationStructuresKHR& call);
  void PreCallRecord(const vk::DestroyAccelerationStructureKHR& call) { history_.Erase(call.accelerationStructure); }
  template <CopiesToStructure C>
  void PreCallRecord(const C& call) {
    if (call.pInfo != nullptr) history_.Forget(call.pInfo->dst);
  }

 private:
  void CheckClusterInput(const VkClusterAccelerationStructureInputInfoNV& input, const messages::Location& where,
                         messages::Report& report) const;

  const BuildFacts facts_;
  BuildHistory history_;
  // Whether structures are constructed only by commands that name them.
  const bool knows_constructions_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_BUILD_RULES_H_
