// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/binding/bind_check.h"
#include "core/binding/binding_rules.h"
#include "vk/enum_info.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::FamilyVuid;

// Bytes and stages.
struct Pushed {
  uint32_t offset;
  uint32_t size;
  VkShaderStageFlags stages;
};

struct PushIds {
  vk::VuidIndex has_stages;
  vk::VuidIndex names_stages;
};

// For each byte, the stages must be those of the layout's ranges with the byte. These change only where a range begins
// or ends.
void CheckRanges(const Pushed& pushed, const state::PipelineLayout& layout, VkPipelineLayout handle, const PushIds& ids,
                 const BindCheck& check, const messages::Location& where) {
  const uint64_t end = uint64_t{pushed.offset} + pushed.size;
  for (uint64_t byte = pushed.offset; byte < end;) {
    uint64_t next = end;
    VkShaderStageFlags stages = 0;
    for (const VkPushConstantRange& range : layout.push_constants) {
      const uint64_t range_end = uint64_t{range.offset} + range.size;
      const bool has_byte = range.offset <= byte && byte < range_end;
      if (has_byte) stages |= range.stageFlags;
      if (has_byte || range.offset > byte) next = std::min(next, has_byte ? range_end : range.offset);
    }
    const auto bytes = [&] { return absl::StrCat("bytes ", byte, " to ", next - 1); };
    const auto names = [](VkShaderStageFlags some) {
      return vk::FlagsToString(vk::EnumId::kShaderStageFlagBits, some);
    };
    if (!check.Require((pushed.stages & ~stages) == 0, ids.has_stages, Object(handle), where.Dot("stageFlags"), [&] {
          return absl::StrCat("has ", names(pushed.stages & ~stages),
                              ", for which no push constant range of the layout ", "includes ", bytes(), ".");
        })) {
      return;
    }
    if (!check.Require((stages & ~pushed.stages) == 0, ids.names_stages, Object(handle), where.Dot("stageFlags"), [&] {
          return absl::StrCat("does not have ", names(stages & ~pushed.stages),
                              ", but push constant ranges of the layout ", "with that stage include ", bytes(), ".");
        })) {
      return;
    }
    byte = next;
  }
}

template <class C>
constexpr PushIds kIds = {FamilyVuid<C>("offset-01795"), FamilyVuid<C>("offset-01796")};

}  // namespace

void BindingRules::PreCallValidate(const vk::CmdPushConstants& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(call.layout);
  if (buffer == nullptr || layout == nullptr) return;
  CheckRanges({call.offset, call.size, call.stageFlags}, *layout, call.layout, kIds<vk::CmdPushConstants>,
              BindCheck(*buffer, report), report.location());
}

void BindingRules::PreCallValidate(const vk::CmdPushConstants2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pPushConstantsInfo == nullptr) return;
  const VkPushConstantsInfo& info = *call.pPushConstantsInfo;
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(info.layout);
  if (layout == nullptr) return;
  const messages::Location command = report.location();
  CheckRanges({info.offset, info.size, info.stageFlags}, *layout, info.layout, kIds<vk::CmdPushConstants2>,
              BindCheck(*buffer, report), command.Dot("pPushConstantsInfo"));
}

}  // namespace assay::core
