// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The rules that an object must not be destroyed or reset while a queue has it in use.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/lifetime/idle_objects.h"
#include "core/lifetime/lifetime_rules.h"
#include "dispatch/translation/call_handles.h"

namespace assay::core {
namespace {

using dispatch::HandleTable;
using dispatch::IdOf;
using dispatch::ObjectId;
using dispatch::Slot;
using messages::ObjectRef;
using state::DeviceState;
using state::HostVisibleState;
using state::PendingBatch;
using state::PendingBatches;

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

// A pending batch that itself uses the object, and its queue; null for none. The queues must be held.
struct BatchUse {
  const state::Queue* queue = nullptr;
  const PendingBatch* batch = nullptr;
};
BatchUse FindBatchUse(const PendingBatches& pending, absl::Span<const state::QueuePoint> uses) {
  for (const state::QueuePoint& use : uses) {
    if (const PendingBatch* batch = pending.Find(use)) return {use.queue, batch};
  }
  return {};
}
BatchUse FindBatchUse(const PendingBatches& pending, const ObjectId& object) {
  switch (object.type) {
    case VK_OBJECT_TYPE_FENCE: {
      const auto* fence = DeviceState::Get<state::Fence>(object.handle);
      if (fence == nullptr) return {};
      return FindBatchUse(pending, {&fence->progress.signaled_by, 1});
    }
    case VK_OBJECT_TYPE_SEMAPHORE: {
      const auto* semaphore = DeviceState::Get<state::Semaphore>(object.handle);
      return semaphore != nullptr ? FindBatchUse(pending, semaphore->progress.uses) : BatchUse();
    }
    default: {
      const auto* buffer = DeviceState::Get(reinterpret_cast<VkCommandBuffer>(object.handle));
      return buffer != nullptr ? FindBatchUse(pending, buffer->uses) : BatchUse();
    }
  }
}

}  // namespace

LifetimeRules::LifetimeRules(DeviceState& state, const LifetimeChecks& checks, const InUseRules& rules)
    : state_(state), checks_(checks), rules_(rules) {
  state.TrackQueues();
}

bool LifetimeRules::FindUse(const std::vector<ObjectId>& objects, Use* use) const {
  bool is_found = false;
  state_.InspectPendingBatches([&](const PendingBatches& pending, const HostVisibleState& visible) {
    // Fills in the members about the batch. It or a later one may signal something.
    const auto describe = [&](const state::Queue& queue, const PendingBatch& batch) {
      is_found = true;
      use->queue = reinterpret_cast<VkQueue>(queue.handle());
      use->submitted_by = batch.command;
      use->submission = batch.submission;
      use->index = batch.index;
      for (const PendingBatch& later : pending.Of(queue)) {
        if (later.serial < batch.serial) continue;
        use->fence = later.fence;
        use->timeline = later.timeline;
        use->value = later.value;
        if (use->fence != VK_NULL_HANDLE || use->timeline != VK_NULL_HANDLE) return;
      }
    };
    for (const ObjectId& object : objects) {
      const BatchUse found = IsOfBatches(object.type) ? FindBatchUse(pending, object) : BatchUse();
      if (found.batch == nullptr) continue;
      use->via = object;
      return describe(*found.queue, *found.batch);
    }
    pending.ForEach([&](const state::Queue& queue, const PendingBatch& batch) {
      for (const PendingBatch::Executed& executed : batch.executed) {
        for (const ObjectId& object : objects) {
          const dispatch::RecordedObject* recorded = executed.recording->Find(object);
          if (recorded == nullptr || visible.IsVerified(object, batch.order)) continue;
          use->via = object;
          use->command_buffer = executed.command_buffer;
          use->command = recorded->command;
          describe(queue, batch);
          return false;
        }
      }
      return true;
    });
  });
  return is_found;
}

void LifetimeRules::CheckInUse(const void* call, messages::Report& report) const {
  const InUseRule& rule = rules_.Of(report.command());
  if (rule.object == nullptr || !state_.HasPendingBatches()) return;
  const messages::Location location = report.location();
  const bool is_array = rule.object->indirection != vk::Indirection::kInline;
  dispatch::ForEachHandle(report.command(), *rule.object, call, [&](ObjectRef object, uint32_t i) {
    const messages::Location where = is_array ? location.Dot(rule.object->name, i) : location.Dot(rule.object->name);
    CheckObject(object, rule.vuid, where, report);
  });
}

void LifetimeRules::CheckObject(ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                                messages::Report& report) const {
  const Slot* slot = dispatch::FindSlot(object.type, object.handle);
  if (slot == nullptr || IsSurelyIdle(*slot)) return;
  std::vector<ObjectId> objects = {IdOf(*slot)};
  AddChildren(*slot, &objects);
  users_.AddUsers(&objects);
  std::erase_if(objects, [](const ObjectId& each) { return !MayBeInUse(each); });
  Use use;
  if (!objects.empty() && FindUse(objects, &use)) ReportInUse(use, object, rule, where, report);
}

void LifetimeRules::ReportInUse(const Use& use, ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                                messages::Report& report) {
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
  absl::StrAppend(&text, ". Nothing has told the application that submission ", use.submission, " to ",
                  reporter.Describe(messages::Object(use.queue)), " (", vk::GetCommandInfo(use.submitted_by).name);
  absl::StrAppend(&text, ", batch ", use.index, ") is complete.");

  std::string fix;
  if (use.fence != VK_NULL_HANDLE) {
    fix = absl::StrCat("Wait for ", reporter.Describe(messages::Object(use.fence)), " before this call.");
  } else if (use.timeline != VK_NULL_HANDLE) {
    fix = absl::StrCat("Wait for ", reporter.Describe(messages::Object(use.timeline)), " to reach ", use.value,
                       " before this call.");
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

}  // namespace assay::core
