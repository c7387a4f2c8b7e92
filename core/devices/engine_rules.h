// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_ENGINE_RULES_H_
#define ASSAY_CORE_DEVICES_ENGINE_RULES_H_

// Optical flow (VK_NV_optical_flow) and decompression (VK_NV_memory_decompression).

#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class EngineRules {
 public:
  // `state` must outlive this.
  explicit EngineRules(const state::DeviceState& state) : state_(state) {}

  void PreCallValidate(const vk::CreateOpticalFlowSessionNV& call, messages::Report& report) const;
  void PostCallRecord(const vk::CreateOpticalFlowSessionNV& call, VkResult result);
  void PreCallRecord(const vk::DestroyOpticalFlowSessionNV& call) { sessions_.Erase(call.session); }
  void PreCallValidate(const vk::CmdOpticalFlowExecuteNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdDecompressMemoryNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdDecompressMemoryIndirectCountNV& call, messages::Report& report) const;

 private:
  const state::DeviceState& state_;
  HandleMap<VkOpticalFlowSessionCreateFlagsNV> sessions_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_ENGINE_RULES_H_
