// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_RECORDING_VISIBLE_CHANGES_H_
#define ASSAY_OBJECT_LIFETIMES_RECORDING_VISIBLE_CHANGES_H_

#include <cstdint>

#include "object_lifetimes/recording/recording.h"
#include "vk/chain.h"
#include "vk/commands.h"

// The recorded commands that change queries or events. Call NoteChange() before the call goes down.
namespace assay::object_lifetimes {

inline void NoteQueries(VisibleChange::Kind kind, VkQueryPool pool, uint32_t first, uint32_t count, Recording& to) {
  to.AddChange({kind, first, count, reinterpret_cast<uint64_t>(pool)});
}
inline void NoteWrite(VkQueryPool pool, uint32_t first, uint32_t count, Recording& to) {
  NoteQueries(VisibleChange::Kind::kWriteQueries, pool, first, count, to);
}

inline void NoteChange(const vk::CmdResetQueryPool& call, Recording& to) {
  NoteQueries(VisibleChange::Kind::kResetQueries, call.queryPool, call.firstQuery, call.queryCount, to);
}
inline void NoteChange(const vk::CmdEndQuery& call, Recording& to) { NoteWrite(call.queryPool, call.query, 1, to); }
inline void NoteChange(const vk::CmdEndQueryIndexedEXT& call, Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdWriteTimestamp& call, Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdWriteTimestamp2& call, Recording& to) {
  NoteWrite(call.queryPool, call.query, 1, to);
}
inline void NoteChange(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, Recording& to) {
  NoteWrite(call.queryPool, call.firstQuery, call.accelerationStructureCount, to);
}
inline void NoteChange(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, Recording& to) {
  NoteWrite(call.queryPool, call.firstQuery, call.accelerationStructureCount, to);
}
inline void NoteChange(const vk::CmdWriteMicromapsPropertiesEXT& call, Recording& to) {
  NoteWrite(call.queryPool, call.firstQuery, call.micromapCount, to);
}
inline void NoteInlineQueries(const void* next, Recording& to) {
  const auto* info = vk::FindInChain<VkVideoInlineQueryInfoKHR>(next);
  if (info != nullptr) NoteWrite(info->queryPool, info->firstQuery, info->queryCount, to);
}
inline void NoteChange(const vk::CmdDecodeVideoKHR& call, Recording& to) {
  if (call.pDecodeInfo != nullptr) NoteInlineQueries(call.pDecodeInfo->pNext, to);
}
inline void NoteChange(const vk::CmdEncodeVideoKHR& call, Recording& to) {
  if (call.pEncodeInfo != nullptr) NoteInlineQueries(call.pEncodeInfo->pNext, to);
}

inline void NoteEvent(VisibleChange::Kind kind, VkEvent event, Recording& to) {
  to.AddChange({.kind = kind, .handle = reinterpret_cast<uint64_t>(event)});
}
inline void NoteChange(const vk::CmdSetEvent& call, Recording& to) {
  NoteEvent(VisibleChange::Kind::kSetEvent, call.event, to);
}
inline void NoteChange(const vk::CmdSetEvent2& call, Recording& to) {
  NoteEvent(VisibleChange::Kind::kSetEvent, call.event, to);
}
inline void NoteChange(const vk::CmdResetEvent& call, Recording& to) {
  NoteEvent(VisibleChange::Kind::kResetEvent, call.event, to);
}
inline void NoteChange(const vk::CmdResetEvent2& call, Recording& to) {
  NoteEvent(VisibleChange::Kind::kResetEvent, call.event, to);
}

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_RECORDING_VISIBLE_CHANGES_H_
