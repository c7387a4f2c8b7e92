// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_HOOKS_H_
#define ASSAY_DISPATCH_HOOKS_HOOKS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "messages/messages.h"
#include "vk/commands.h"

// Hook lists. A validator is a plain class. It overloads these functions for the commands that concern it:
//
//   void PreCallValidate(const vk::CmdCopyBuffer& call, messages::Report& report);
//   void PreCallRecord(const vk::CmdCopyBuffer& call);
//   void PreCallReport(const vk::QueueSubmit& call, messages::Report& report);
//   void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
//   void CallSkipped(const vk::CmdCopyBuffer& call);
//   void Rewrite(const vk::CreateShaderModule& call, vk::CreateShaderModule& down, Rewriter& rewriter);
//
// PostCallRecord has no result when the command returns void.
//
// A validator that looks up the object that the command is dispatched on, such as the command buffer, need not do so:
// dispatch has its slot already. These overloads get it. Where a validator has both, these alone are called:
//
//   void PreCallValidate(const vk::CmdCopyBuffer& call, Slot& slot, messages::Report& report);
//   void PreCallRecord(const vk::CmdCopyBuffer& call, Slot& slot);
//   void PreCallReport(const vk::QueueSubmit& call, Slot& slot, messages::Report& report);
//   void PostCallRecord(const vk::CreateBuffer& call, Slot& slot, VkResult result);
//   void CallSkipped(const vk::CmdCopyBuffer& call, Slot& slot);
//   void Rewrite(const vk::QueueSubmit& call, vk::QueueSubmit& down, Slot& slot, Rewriter& rewriter);
//
// The object is of the type that the command is dispatched on, and exists until the last hook of the call has run.
// vkCreateInstance and the other commands of no instance have no such object, and no such overloads. PostCallRecord of
// a deferred operation gets the slot of the device.
//
// PreCallValidate does not record, except in a way that it takes back: with Report::OnSkip(), or in CallSkipped, which
// runs instead of the record hooks when a callback asked to skip the call. PreCallReport reports what can be found only
// by recording, such as hazards between submissions. The command must return VkResult, since a call that is skipped
// then is concluded by PostCallRecord with an error (see run_hooks.h).
//
// Rewrite replaces what goes down; rewriting/rewriter.h has its rules.
//
// The overloads of every command are found at compile time. A command without an overload has an empty list, which
// costs nothing.
namespace assay::dispatch {

class Rewriter;
struct Slot;

template <class V, class C>
concept HasPreCallValidate = requires(V& v, const C& c, messages::Report& r) { v.PreCallValidate(c, r); } ||
                             requires(V& v, const C& c, Slot& s, messages::Report& r) { v.PreCallValidate(c, s, r); };
template <class V, class C>
concept HasPreCallRecord = requires(V& v, const C& c) { v.PreCallRecord(c); } ||
                           requires(V& v, const C& c, Slot& s) { v.PreCallRecord(c, s); };
template <class V, class C>
concept HasPreCallReport = requires(V& v, const C& c, messages::Report& r) { v.PreCallReport(c, r); } ||
                           requires(V& v, const C& c, Slot& s, messages::Report& r) { v.PreCallReport(c, s, r); };
template <class V, class C>
concept HasCallSkipped =
    requires(V& v, const C& c) { v.CallSkipped(c); } || requires(V& v, const C& c, Slot& s) { v.CallSkipped(c, s); };
template <class V, class C>
concept HasRewrite = requires(V& v, const C& c, C& d, Rewriter& r) { v.Rewrite(c, d, r); } ||
                     requires(V& v, const C& c, C& d, Slot& s, Rewriter& r) { v.Rewrite(c, d, s, r); };
// Whether a command may be rewritten: all but recorded ones, and of these the ones that a validator has to change.
template <class C>
inline constexpr bool kMayBeRewritten =
    C::kDispatch != vk::DispatchLevel::kCommandBuffer || std::is_same_v<C, vk::CmdBuildAccelerationStructuresKHR> ||
    std::is_same_v<C, vk::CmdBuildAccelerationStructuresIndirectKHR>;
template <class V, class C>
concept HasPostCallRecordWithResult = requires(V& v, const C& c, typename C::Result r) {
  v.PostCallRecord(c, r);
} || requires(V& v, const C& c, Slot& s, typename C::Result r) { v.PostCallRecord(c, s, r); };
template <class V, class C>
concept HasPostCallRecord = requires(V& v, const C& c) { v.PostCallRecord(c); } ||
                            requires(V& v, const C& c, Slot& s) { v.PostCallRecord(c, s); };

// Call the overload of the validator v, the one with the slot if there is one. slot is null only for commands that are
// dispatched on no object.
template <class V, class C>
void CallPreCallValidate(V& v, const C& call, Slot* slot, messages::Report& report) {
  if constexpr (requires { v.PreCallValidate(call, *slot, report); }) {
    static_assert(C::kDispatch != vk::DispatchLevel::kGlobal, "The command has no slot.");
    v.PreCallValidate(call, *slot, report);
  } else {
    v.PreCallValidate(call, report);
  }
}
template <class V, class C>
void CallPreCallRecord(V& v, const C& call, Slot* slot) {
  if constexpr (requires { v.PreCallRecord(call, *slot); }) {
    static_assert(C::kDispatch != vk::DispatchLevel::kGlobal, "The command has no slot.");
    v.PreCallRecord(call, *slot);
  } else {
    v.PreCallRecord(call);
  }
}
template <class V, class C>
void CallPreCallReport(V& v, const C& call, Slot* slot, messages::Report& report) {
  if constexpr (requires { v.PreCallReport(call, *slot, report); }) {
    v.PreCallReport(call, *slot, report);
  } else {
    v.PreCallReport(call, report);
  }
}
template <class V, class C>
void CallCallSkipped(V& v, const C& call, Slot* slot) {
  if constexpr (requires { v.CallSkipped(call, *slot); }) {
    static_assert(C::kDispatch != vk::DispatchLevel::kGlobal, "The command has no slot.");
    v.CallSkipped(call, *slot);
  } else {
    v.CallSkipped(call);
  }
}
template <class V, class C>
void CallRewrite(V& v, const C& call, C& down, Slot* slot, Rewriter& rewriter) {
  if constexpr (requires { v.Rewrite(call, down, *slot, rewriter); }) {
    static_assert(C::kDispatch != vk::DispatchLevel::kGlobal, "The command has no slot.");
    v.Rewrite(call, down, *slot, rewriter);
  } else {
    v.Rewrite(call, down, rewriter);
  }
}
// result is the command's result; nothing for a command that returns void.
template <class V, class C, class... R>
void CallPostCallRecord(V& v, const C& call, Slot* slot, R... result) {
  if constexpr (requires { v.PostCallRecord(call, *slot, result...); }) {
    static_assert(C::kDispatch != vk::DispatchLevel::kGlobal, "The command has no slot.");
    v.PostCallRecord(call, *slot, result...);
  } else {
    v.PostCallRecord(call, result...);
  }
}

// When a validator's record hooks run relative to the others'.
enum class RecordOrder : uint8_t {
  // In the order of attachment.
  kInOrder,
  // First, but last for commands that destroy objects. The state tracker has this order: the other validators read the
  // state.
  kFirstButDestroysLast,
};

// One overload of one validator. validator is the object. call points to the command's parameter struct. slot is that
// of the object that the command is dispatched on, null if there is none. result points to the command's result, or is
// null when it returns void.
struct Hook {
  void* validator;
  union {
    void (*validate)(void* validator, const void* call, Slot* slot, messages::Report& report);
    void (*pre_record)(void* validator, const void* call, Slot* slot);
    void (*post_record)(void* validator, const void* call, Slot* slot, const void* result);
    void (*skipped)(void* validator, const void* call, Slot* slot);
    void (*rewrite)(void* validator, const void* call, void* down, Slot* slot, Rewriter& rewriter);
  };
};

// Hooks one behind the other.
struct HookRange {
  const Hook* first;
  const Hook* behind;
  const Hook* begin() const { return first; }
  const Hook* end() const { return behind; }
  size_t size() const { return static_cast<size_t>(behind - first); }
  bool empty() const { return first == behind; }
};

// The hooks of one command, by their phase. The phases lie one behind the other.
class CommandHooks {
 public:
  bool empty() const { return starts_[0] == nullptr; }
  HookRange validate() const { return Of(kValidate); }
  HookRange pre_record() const { return Of(kPreRecord); }
  HookRange report() const { return Of(kReport); }
  HookRange post_record() const { return Of(kPostRecord); }
  HookRange skipped() const { return Of(kSkipped); }
  HookRange rewrite() const { return Of(kRewrite); }

 private:
  friend class HookBuilder;
  enum Phase : uint8_t { kValidate, kPreRecord, kReport, kPostRecord, kSkipped, kRewrite, kPhaseCount };
  HookRange Of(Phase phase) const { return {starts_[phase], starts_[phase + 1]}; }

  // The first hook of each phase, and what is behind the last one. All are null if there are no hooks.
  std::array<const Hook*, kPhaseCount + 1> starts_{};
};

// The hooks of every command, of one instance or device.
class HookTable {
 public:
  const CommandHooks& operator[](vk::CommandId id) const { return commands_[static_cast<size_t>(id)]; }

 private:
  friend class HookBuilder;
  std::array<CommandHooks, vk::kCommandCount> commands_{};
  std::unique_ptr<Hook[]> storage_;
};

// Collects hooks while validators are attached, then lays them out.
class HookBuilder {
 public:
  // Attaches every overload of the validator, which must live as long as the table that is built.
  template <class V>
  void Attach(V& validator, RecordOrder order = RecordOrder::kInOrder) {
    vk::ForEachCommand([&](auto tag) { AttachCommand<V, typename decltype(tag)::Command>(validator, order); });
  }

  // Attaches one function to a command that is chosen at run time, for a validator that walks tables instead of
  // overloading.
  void AttachValidate(vk::CommandId id, void* validator,
                      void (*validate)(void* validator, const void* call, Slot* slot, messages::Report& report)) {
    Hook hook{};
    hook.validator = validator;
    hook.validate = validate;
    Add(id, CommandHooks::kValidate, hook, 0);
  }

  // Lays the hooks out into table, which must outlive the validators' calls. The builder is empty afterwards.
  void Build(HookTable& table);

 private:
  using Phase = CommandHooks::Phase;
  static constexpr size_t kPhaseCount = CommandHooks::kPhaseCount;
  // The positions are -1, 0 and 1: before, among and after the others of the same phase.
  static constexpr size_t kPositionCount = 3;
  struct Pending {
    Hook hook;
    // By command, phase and position.
    uint32_t rank;
  };

  template <class V, class C>
  void AttachCommand(V& validator, RecordOrder order) {
    const int position = order == RecordOrder::kInOrder ? 0 : C::kLifetime == vk::LifetimeEffect::kDestroy ? 1 : -1;
    Hook hook{};
    hook.validator = &validator;
    if constexpr (HasPreCallValidate<V, C>) {
      hook.validate = [](void* v, const void* call, Slot* slot, messages::Report& report) {
        CallPreCallValidate(*static_cast<V*>(v), *static_cast<const C*>(call), slot, report);
      };
      Add(C::kId, CommandHooks::kValidate, hook, 0);
    }
    if constexpr (HasPreCallRecord<V, C>) {
      hook.pre_record = [](void* v, const void* call, Slot* slot) {
        CallPreCallRecord(*static_cast<V*>(v), *static_cast<const C*>(call), slot);
      };
      Add(C::kId, CommandHooks::kPreRecord, hook, position);
    }
    if constexpr (HasPreCallReport<V, C>) {
      static_assert(std::is_same_v<typename C::Result, VkResult>, "A skipped call is concluded with an error.");
      hook.validate = [](void* v, const void* call, Slot* slot, messages::Report& report) {
        CallPreCallReport(*static_cast<V*>(v), *static_cast<const C*>(call), slot, report);
      };
      Add(C::kId, CommandHooks::kReport, hook, 0);
    }
    if constexpr (HasCallSkipped<V, C>) {
      hook.skipped = [](void* v, const void* call, Slot* slot) {
        CallCallSkipped(*static_cast<V*>(v), *static_cast<const C*>(call), slot);
      };
      Add(C::kId, CommandHooks::kSkipped, hook, 0);
    }
    if constexpr (HasRewrite<V, C>) {
      static_assert(kMayBeRewritten<C>, "Record commands of your own around it.");
      hook.rewrite = [](void* v, const void* call, void* down, Slot* slot, Rewriter& rewriter) {
        CallRewrite(*static_cast<V*>(v), *static_cast<const C*>(call), *static_cast<C*>(down), slot, rewriter);
      };
      Add(C::kId, CommandHooks::kRewrite, hook, 0);
    }
    if constexpr (!std::is_void_v<typename C::Result>) {
      if constexpr (HasPostCallRecordWithResult<V, C>) {
        hook.post_record = [](void* v, const void* call, Slot* slot, const void* result) {
          CallPostCallRecord(*static_cast<V*>(v), *static_cast<const C*>(call), slot,
                             *static_cast<const typename C::Result*>(result));
        };
        Add(C::kId, CommandHooks::kPostRecord, hook, position);
      }
    } else if constexpr (HasPostCallRecord<V, C>) {
      hook.post_record = [](void* v, const void* call, Slot* slot, const void*) {
        CallPostCallRecord(*static_cast<V*>(v), *static_cast<const C*>(call), slot);
      };
      Add(C::kId, CommandHooks::kPostRecord, hook, position);
    }
  }

  void Add(vk::CommandId id, Phase phase, const Hook& hook, int position);

  std::vector<Pending> pending_;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_HOOKS_H_
