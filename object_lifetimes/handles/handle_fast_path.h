// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_FAST_PATH_H_
#define ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_FAST_PATH_H_

#include <cstdint>
#include <vector>

#include "dispatch/dispatch.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/command_id.h"
#include "vk/walk/load_store.h"

// The fast path of the handle check. Nearly every handle is null or stands for a live object of the right type and
// device, and most commands have no other rule. One pass over short lists of offsets, through structures and arrays,
// finds that out. HandleCheck checks the calls that it does not accept, with all the rules, and words the report.
//
// A part that is not simple (unions, physical devices, objects that must be from a pool) is a step that accepts
// nothing. The structures that may be in a pNext chain have a list each.
namespace assay::object_lifetimes {

class HandleFastPath {
 public:
  // Built at the first call.
  static const HandleFastPath& Get();

  // Whether the call has only empty arrays of what may hold handles, as a command with a global barrier. Such a call
  // needs no other check.
  bool HasNoHandles(vk::CommandId command, const void* call) const {
    const Op* op = StepsOf(command);
    while (op->code == Code::kStructs && IsEmpty(*op, static_cast<const char*>(call))) op += op->body + 1;
    return op->code == Code::kAccept;
  }
  // Whether HandleCheck would certainly report nothing for a call on the device, which may be null. Notes the checked
  // objects in the recording, if there is one.
  bool Accepts(vk::CommandId command, const void* call, const dispatch::Device* device,
               dispatch::Recording* recording) const {
    return Run(StepsOf(command), static_cast<const char*>(call), {device, recording, command});
  }

 private:
  enum class Code : uint8_t {
    kHandle,
    // Must not be null either.
    kNonNullHandle,
    // Of a dispatchable object.
    kDispatchableHandle,
    // A pointer to handles; to handles of dispatchable objects; to structures.
    kHandles,
    kDispatchableHandles,
    kStructs,
    // Skips the steps of the pointer that follows, `body` of them, if the implementation ignores it. `length` is its
    // index in ignorable_.
    kUnlessIgnored,
    // A pointer to VkWriteDescriptorSet, whose type decides which of its pointers are ignored; with dstSet, or with
    // dstSet ignored.
    kDescriptorWrites,
    kPushDescriptorWrites,
    // A pNext chain; a pointer that must be null.
    kChain,
    kNull,
    // Ends the steps of a structure, which follow kStructs.
    kNextElement,
    kAccept,
    kReject,
  };
  static constexpr uint32_t kSingleElement = ~0u;

  struct Op {
    Code code = Code::kReject;
    // kStructs: the steps of an element.
    uint16_t body = 0;
    VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
    // Bytes from the beginning of the structure: the offset of the member, and that of the uint32_t with the array's
    // length, or kSingleElement.
    uint32_t offset = 0;
    uint32_t length = kSingleElement;
    // The size of an element in bytes.
    uint32_t stride = 0;
  };
  static constexpr size_t kMaxDepth = 6;

  // The parts that are the same for all handles of a call.
  struct Call {
    const dispatch::Device* device;
    dispatch::Recording* recording;
    vk::CommandId command;
  };

  // A pointer that dispatch::IsIgnored knows.
  struct Ignorable {
    const vk::StructInfo* info;
    const vk::MemberInfo* member;
  };

  HandleFastPath();
  const Op* StepsOf(vk::CommandId command) const { return ops_.data() + commands_[static_cast<size_t>(command)]; }
  void CompileLinks();
  // Appends the steps of a structure or command; depth counts the arrays around it.
  void Compile(const StructRules& rules, size_t depth);
  void Add(const StructRules& rules, const Step& step, uint32_t base, size_t depth);
  static Op Translate(const StructRules& rules, const Step& step, uint32_t base);
  static bool SetLength(const vk::StructInfo& info, const vk::MemberInfo& member, uint32_t base, Op& op);

  static uint32_t LengthOf(const Op& op, const char* base) {
    return op.length == kSingleElement ? 1 : vk::Load<uint32_t>(base, op.length);
  }
  static bool IsEmpty(const Op& array, const char* base) {
    return vk::Load<const void*>(base, array.offset) == nullptr || LengthOf(array, base) == 0;
  }
  bool Run(const Op* op, const char* base, const Call& call) const;
  bool AcceptsChain(const VkBaseInStructure* link, const Call& call) const;
  static bool AcceptsHandles(const Op& op, const char* base, const Call& call);
  static bool IsNullOrLiveDispatchable(const void* handle, VkObjectType type, const Call& call);
  static bool AcceptsDispatchableHandles(const Op& op, const char* base, const Call& call);
  static bool AcceptsDescriptors(const VkWriteDescriptorSet& write, const Call& call);
  static bool IsLive(uint64_t handle, VkObjectType type, const Call& call);
  static bool IsNullOrLive(uint64_t handle, VkObjectType type, const Call& call);
  template <class H>
  static bool IsNullOrLive(H handle, VkObjectType type, const Call& call) {
    return IsNullOrLive(reinterpret_cast<uint64_t>(handle), type, call);
  }
  static bool AcceptsWrites(const Op& op, const char* base, const Call& call);

  std::vector<Op> ops_;
  // Where each command's steps begin; those of each structure, by its index in Structs(), when it is in a chain.
  std::vector<uint32_t> commands_;
  std::vector<uint32_t> links_;
  std::vector<Ignorable> ignorable_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_FAST_PATH_H_
