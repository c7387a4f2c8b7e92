// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPY_RULES_H_
#define ASSAY_CORE_COPIES_COPY_RULES_H_

// Copies, blits, resolves and clears of buffers and images: what these were created with, and where the regions are.
// Copies by the host and clears of attachments, too; copies of acceleration structures are in structure_copy_rules.h.
//
// A rule is one check. It has another number in each command ("the usage", srcBuffer-00118 of copies between buffers,
// srcBuffer-00174 of copies to images), and another owner in the first and the second form of a command. The tables of
// ids here name all numbers of a rule in one line, and vk::AnyFamilyVuid finds the one that the command has. Where it
// has none, the check does nothing.
//
// A rule that only restates others is not reported: a region past the end of an image is reported for the axis on which
// it is, not once more as a region that is not contained. That rule is left with layers that begin past the end where
// layerCount is VK_REMAINING_ARRAY_LAYERS, since the rule of layers leaves them out.
//
// Layouts are not here but in core/layouts; rules of parameters alone are in stateless.

#include "core/copies/copy_facts.h"
#include "core/copies/host_memory/host_mappings.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class CopyRules {
 public:
  explicit CopyRules(const dispatch::Device& device) : facts_(device) {}

  void PreCallValidate(const vk::CmdCopyBuffer& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyBuffer2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdFillBuffer& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdUpdateBuffer& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyImage& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyImage2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyBufferToImage& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyBufferToImage2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyImageToBuffer& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyImageToBuffer2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBlitImage& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBlitImage2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdResolveImage& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdResolveImage2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdClearColorImage& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdClearDepthStencilImage& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdClearAttachments& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyMemoryIndirectNV& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyMemoryToImageIndirectNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CopyMemoryToImage& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyImageToMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyImageToImage& call, messages::Report& report) const;
  void PreCallValidate(const vk::TransitionImageLayout& call, messages::Report& report) const;

  void PostCallRecord(const vk::MapMemory& call, VkResult result);
  void PostCallRecord(const vk::MapMemory2& call, VkResult result);
  void PreCallRecord(const vk::UnmapMemory& call);
  void PreCallRecord(const vk::UnmapMemory2& call);
  void PreCallRecord(const vk::FreeMemory& call);

 private:
  void AddMapping(const VkMemoryMapInfo& info, const void* data);

  const CopyFacts facts_;
  // Empty on devices whose host cannot copy images.
  HostMappings mappings_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPY_RULES_H_
