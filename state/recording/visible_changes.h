// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RECORDING_VISIBLE_CHANGES_H_
#define ASSAY_STATE_RECORDING_VISIBLE_CHANGES_H_

#include <cstdint>

#include "dispatch/dispatch.h"
#include "vk/chain.h"
#include "vk/commands.h"

// The recorded commands that change queries or events, in ways that the host can see. Private to the package.
namespace assay::state {

inline void NoteQueries(dispatch::VisibleChange::Kind kind, VkQueryPool pool, uint32_t first, uint32_t count,
                        dispatch::Recording& to) {
  to.AddChange({kind, first, count, reinterpret_cast<uint64_t>(pool)});
}
inline void NoteWrite(VkQueryPool pool, uint32_t first, uint32_t count, dispatch::Recording& to) {
  NoteQueries(dispatch::VisibleChange::Kind::kWriteQueries, pool, first, count, to);
}

inline void NoteChange(const vk::CmdResetQueryPool& call, dispatch::Recording& to) {
  NoteQueries(dispatch::VisibleChange::Kind::kResetQueries, call.queryPool, call.firstQuery, call.queryCount, to);
}
inline void NoteChange(const vk::CmdEndQuery& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdEndQueryIndexedEXT& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdWriteTimestamp& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdWriteTimestamp2& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.firstQuery, call.accelerationStructureCount, to);
}
inline void NoteChange(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.firstQuery, call.accelerationStructureCount, to);
}
inline void NoteChange(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Recording& to) {
  NoteWrite(call.queryPool, call.firstQuery, call.micromapCount, to);
}
inline void NoteInlineQueries(const void* next, dispatch::Recording& to) {
  const auto* info = vk::FindInChain<VkVideoInlineQueryInfoKHR>(next);
  if (info != nullptr) NoteWrite(info->queryPool, info->firstQuery, info->queryCount, to);
}
inline void NoteChange(const vk::CmdDecodeVideoKHR& call, dispatch::Recording& to) {
  if (call.pDecodeInfo != nullptr) NoteInlineQueries(call.pDecodeInfo->pNext, to);
}
inline void NoteChange(const vk::CmdEncodeVideoKHR& call, dispatch::Recording& to) {
  if (call.pEncodeInfo != nullptr) NoteInlineQueries(call.pEncodeInfo->pNext, to);
}

inline void NoteEvent(dispatch::VisibleChange::Kind kind, VkEvent event, dispatch::Recording& to) {
  to.AddChange({.kind = kind, .handle = reinterpret_cast<uint64_t>(event)});
}
inline void NoteChange(const vk::CmdSetEvent& call, dispatch::Recording& to) {
  NoteEvent(dispatch::VisibleChange::Kind::kSetEvent, call.event, to);
}
inline void NoteChange(const vk::CmdSetEvent2& call, dispatch::Recording& to) {
  NoteEvent(dispatch::VisibleChange::Kind::kSetEvent, call.event, to);
}
inline void NoteChange(const vk::CmdResetEvent& call, dispatch::Recording& to) {
  NoteEvent(dispatch::VisibleChange::Kind::kResetEvent, call.event, to);
}
inline void NoteChange(const vk::CmdResetEvent2& call, dispatch::Recording& to) {
  NoteEvent(dispatch::VisibleChange::Kind::kResetEvent, call.event, to);
}

template <class C>
concept ChangesVisibly = requires(dispatch::Recording& to, const C& call) { NoteChange(call, to); };

}  // namespace assay::state

#endif  // ASSAY_STATE_RECORDING_VISIBLE_CHANGES_H_
