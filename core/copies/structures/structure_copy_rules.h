// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_COPY_RULES_H_
#define ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_COPY_RULES_H_

// Copies of acceleration structures and micromaps, to each other and to and from memory, by the device and by the host;
// and what reads their properties.
//
// Whether a structure was constructed, and by a build that allows compaction, is known for certain only when the
// command is executed, so recorded commands leave that to core/contents.
//
// A device address is compared with the buffers whose address the application got. One that is in none of them is
// reported only if the application got the address of every buffer that has one. Data in device memory is not known;
// serialized data that the host copies is read, as far as its header.

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class StructureCopyRules {
 public:
  // state must outlive it.
  explicit StructureCopyRules(const state::DeviceState& state);

  void PreCallValidate(const vk::CmdCopyAccelerationStructureKHR& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyAccelerationStructureNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyAccelerationStructureToMemoryKHR& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyMemoryToAccelerationStructureKHR& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyMicromapEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyMicromapToMemoryEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyMemoryToMicromapEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CopyAccelerationStructureKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyAccelerationStructureToMemoryKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMemoryToAccelerationStructureKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMicromapEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMicromapToMemoryEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMemoryToMicromapEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::WriteAccelerationStructuresPropertiesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::WriteMicromapsPropertiesEXT& call, messages::Report& report) const;

  void PreCallRecord(const vk::CmdCopyAccelerationStructureKHR& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdCopyAccelerationStructureNV& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdCopyAccelerationStructureToMemoryKHR& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdCopyMicromapEXT& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdCopyMicromapToMemoryEXT& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot) const;

 private:
  const state::DeviceState& state_;
  // Whether structures are constructed only by commands that name them.
  const bool knows_constructions_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_COPY_RULES_H_
