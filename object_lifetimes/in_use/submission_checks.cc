// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The rules that an object must not be destroyed or reset while a queue has it in use, and that recorded objects must
// exist at submission.

#include "absl/strings/str_cat.h"
#include "object_lifetimes/handles/handle_check.h"
#include "object_lifetimes/in_use/submissions.h"
#include "object_lifetimes/rules/in_use_rules.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::HandleTable;
using dispatch::Slot;
using messages::ObjectRef;

ObjectRef RefOf(const ObjectId& object) { return {object.type, object.handle}; }

// The objects that are destroyed with the object: those of a pool, the images of a swapchain.
void AddChildren(const Slot& slot, std::vector<ObjectId>* objects) {
  for (uint32_t i = slot.first_child; i != HandleTable::kNone; i = HandleTable::Get().AtIndex(i)->next_sibling) {
    objects->push_back(IdOf(*HandleTable::Get().AtIndex(i)));
  }
}

// Whether a queue may have the object in use. Most objects were never recorded when they are destroyed.
bool MayBeInUse(const ObjectId& object) {
  return IsOfBatches(object.type) ||
         HandleTable::Get().AtIndex(object.slot)->is_recorded.load(std::memory_order_relaxed);
}

// Also for an object that was destroyed.
std::string Describe(const messages::Reporter& reporter, const ObjectId& object) {
  dispatch::DestroyedObject destroyed;
  if (IsAlive(object) || !HandleTable::Get().FindDestroyed(object.handle, &destroyed)) {
    return reporter.Describe(RefOf(object));
  }
  return messages::DescribeObject(RefOf(object), destroyed.name);
}

// "has been destroyed by vkDestroyBuffer".
std::string DescribeEnd(const ObjectId& object) {
  dispatch::DestroyedObject destroyed;
  if (!HandleTable::Get().FindDestroyed(object.handle, &destroyed)) return "has been destroyed";
  return absl::StrCat("has been destroyed by ", vk::GetCommandInfo(destroyed.destroyed_by).name);
}

}  // namespace

void Submissions::DescribeBatch(const Queue& queue, std::deque<Batch>::const_iterator batch, Use* use) {
  use->queue = queue.handle;
  use->origin = batch->origin;
  for (; batch != queue.batches.end(); ++batch) {
    use->fence = batch->fence;
    use->timeline = batch->timeline;
    if (use->fence != VK_NULL_HANDLE || use->timeline.semaphore != VK_NULL_HANDLE) return;
  }
}

bool Submissions::FindBatchUse(const ObjectId& object, Use* use) const {
  const auto found = uses_.find(RefOf(object));
  if (found == uses_.end()) return false;
  for (const Point& point : found->second) {
    for (auto batch = point.queue->batches.begin(); batch != point.queue->batches.end(); ++batch) {
      if (batch->number != point.number) continue;
      use->via = object;
      DescribeBatch(*point.queue, batch, use);
      return true;
    }
  }
  return false;
}

bool Submissions::FindRecordedUse(const Queue& queue, const std::vector<ObjectId>& objects, Use* use) const {
  for (auto batch = queue.batches.begin(); batch != queue.batches.end(); ++batch) {
    for (const Executed& executed : batch->executed) {
      for (const ObjectId& object : objects) {
        const RecordedObject* recorded = executed.recording->Find(object);
        if (recorded == nullptr || visible_.IsVerified(object, batch->order)) continue;
        use->via = object;
        use->command_buffer = executed.command_buffer;
        use->command = recorded->command;
        DescribeBatch(queue, batch, use);
        return true;
      }
    }
  }
  return false;
}

bool Submissions::FindUse(const std::vector<ObjectId>& objects, Use* use) const {
  absl::ReaderMutexLock lock(&mutex_);
  if (stopped_tracking_) return false;
  for (const ObjectId& object : objects) {
    if (IsOfBatches(object.type) && FindBatchUse(object, use)) return true;
  }
  for (const auto& [handle, queue] : queues_) {
    if (FindRecordedUse(queue, objects, use)) return true;
  }
  return false;
}

void Submissions::CheckInUse(const void* call, messages::Report& report) {
  const InUseRule& rule = in_use_rules_->Of(report.command());
  if (rule.object == nullptr || IsIdle()) return;
  const messages::Location location = report.location();
  const bool is_array = rule.object->indirection != vk::Indirection::kInline;
  ForEachHandle(report.command(), *rule.object, call, [&](ObjectRef object, uint32_t i) {
    const messages::Location where = is_array ? location.Dot(rule.object->name, i) : location.Dot(rule.object->name);
    CheckObject(object, rule.vuid, where, report);
  });
}

void Submissions::CheckObject(ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                              messages::Report& report) {
  const Slot* slot = FindSlot(object.type, object.handle);
  if (slot == nullptr || IsSurelyIdle(*slot)) return;
  std::vector<ObjectId> objects = {IdOf(*slot)};
  AddChildren(*slot, &objects);
  references_.AddUsers(&objects);
  std::erase_if(objects, [](const ObjectId& each) { return !MayBeInUse(each); });
  Use use;
  if (objects.empty() || !FindUse(objects, &use)) return;

  const messages::Reporter& reporter = report.reporter();
  const std::string via = reporter.Describe(RefOf(use.via));
  const bool direct = RefOf(use.via) == object;
  std::string text = absl::StrCat("(", reporter.Describe(object), ") is in use");
  if (use.command_buffer != VK_NULL_HANDLE) {
    absl::StrAppend(&text, ": ", vk::GetCommandInfo(use.command).name, " in ",
                    reporter.Describe(messages::Object(use.command_buffer)), " was given ",
                    direct ? "it" : absl::StrCat(via, ", which depends on it"));
  } else if (!direct) {
    absl::StrAppend(&text, ", since ", via, ", which depends on it, is");
  }
  absl::StrAppend(&text, ". Nothing has told the application that submission ", use.origin.submission, " to ",
                  reporter.Describe(messages::Object(use.queue)), " (", vk::GetCommandInfo(use.origin.command).name);
  absl::StrAppend(&text, ", batch ", use.origin.index, ") is complete.");

  std::string fix;
  if (use.fence != VK_NULL_HANDLE) {
    fix = absl::StrCat("Wait for ", reporter.Describe(messages::Object(use.fence)), " before this call.");
  } else if (use.timeline.semaphore != VK_NULL_HANDLE) {
    fix = absl::StrCat("Wait for ", reporter.Describe(messages::Object(use.timeline.semaphore)), " to reach ",
                       use.timeline.value, " before this call.");
  } else {
    fix = "Give the submission a fence and wait for it, or wait for the queue to be idle.";
  }
  if (use.command_buffer != VK_NULL_HANDLE) {
    report.Error(rule, {object, messages::Object(use.command_buffer), messages::Object(use.queue)}, where,
                 std::move(text), std::move(fix));
  } else {
    report.Error(rule, {object, messages::Object(use.queue)}, where, std::move(text), std::move(fix));
  }
}

void Submissions::CheckValid(VkCommandBuffer command_buffer, vk::VuidIndex rule, vk::VuidIndex secondary_rule,
                             const messages::Location& where, messages::Report& report) {
  const auto* data = CommandBufferData::Of(command_buffer);
  Recording::InvalidObject invalid;
  if (data == nullptr || !data->recording()->FindInvalidObject(changes_.load(std::memory_order_relaxed), &invalid))
    return;
  const messages::Reporter& reporter = report.reporter();
  const ObjectId& object = invalid.object.id;
  const bool in_secondary = invalid.secondary.handle != 0;
  report.Error(
      in_secondary ? secondary_rule : rule, {messages::Object(command_buffer), RefOf(object)}, where,
      absl::StrCat("(", reporter.Describe(messages::Object(command_buffer)), ") is invalid: ",
                   Describe(reporter, object), ", which ", vk::GetCommandInfo(invalid.object.command).name,
                   in_secondary ? absl::StrCat(" in ", Describe(reporter, invalid.secondary)) : "", " was given, ",
                   invalid.is_rerecorded ? "has been reset or recorded anew since" : DescribeEnd(object), "."),
      "Record the command buffer again without it, or keep it for as long as the command buffer is needed.");
}

void Submissions::Check(const vk::EndCommandBuffer& call, messages::Report& report) {
  constexpr vk::VuidIndex kRule = vk::Vuid("VUID-vkEndCommandBuffer-commandBuffer-00059");
  CheckValid(call.commandBuffer, kRule, kRule, report.location().Dot("commandBuffer"), report);
}

void Submissions::Check(const vk::CmdExecuteCommands& call, messages::Report& report) {
  constexpr vk::VuidIndex kRule = vk::Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00089");
  for (uint32_t i = 0; i < Elements(call.pCommandBuffers, call.commandBufferCount).size(); ++i) {
    CheckValid(call.pCommandBuffers[i], kRule, kRule, report.location().Dot("pCommandBuffers", i), report);
  }
}

void Submissions::Check(const vk::QueueSubmit& call, messages::Report& report) {
  const messages::Location location = report.location();
  uint32_t i = 0;
  for (const VkSubmitInfo& info : Elements(call.pSubmits, call.submitCount)) {
    const messages::Location submit = location.Dot("pSubmits", i++);
    uint32_t j = 0;
    for (VkCommandBuffer command_buffer : Elements(info.pCommandBuffers, info.commandBufferCount)) {
      CheckValid(command_buffer, vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00070"),
                 vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00072"), submit.Dot("pCommandBuffers", j++), report);
    }
  }
}

void Submissions::Check(const vk::QueueSubmit2& call, messages::Report& report) {
  const messages::Location location = report.location();
  uint32_t i = 0;
  for (const VkSubmitInfo2& info : Elements(call.pSubmits, call.submitCount)) {
    const messages::Location submit = location.Dot("pSubmits", i++);
    uint32_t j = 0;
    for (const auto& executed : Elements(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
      const messages::Location at = submit.Dot("pCommandBufferInfos", j++);
      CheckValid(executed.commandBuffer, vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03874"),
                 vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03876"), at.Dot("commandBuffer"), report);
    }
  }
}

}  // namespace assay::object_lifetimes
