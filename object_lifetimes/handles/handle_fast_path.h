// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_FAST_PATH_H_
#define ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_FAST_PATH_H_

#include <cstdint>
#include <vector>

#include "dispatch/dispatch.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/command_id.h"

// The fast path of the handle check. Nearly every handle is null or stands for a live object of the right type and
// device, and most commands have no other rule. One pass over short lists of offsets, through structures and arrays,
// finds that out. HandleCheck checks the calls that it does not accept, with all the rules, and words the report.
//
// A part that is not simple (pNext chains, unions, dispatchable handles, objects that must be from a pool) is a step
// that accepts nothing.
namespace assay::object_lifetimes {

class HandleFastPath {
 public:
  // Built at the first call.
  static const HandleFastPath& Get();

  // Whether HandleCheck would certainly report nothing for a call on the device, which may be null. Notes the checked
  // objects in the recording, if there is one.
  bool Accepts(vk::CommandId command, const void* call, const dispatch::Device* device,
               dispatch::Recording* recording) const {
    const Op* const ops = ops_.data() + commands_[static_cast<size_t>(command)];
    return Run(ops, static_cast<const char*>(call), {device, recording, command});
  }

 private:
  enum class Code : uint8_t {
    kHandle,
    // Must not be null either.
    kNonNullHandle,
    // A pointer to handles; to structures.
    kHandles,
    kStructs,
    // A pointer to VkWriteDescriptorSet, whose type decides which of its pointers are ignored; with dstSet, or with
    // dstSet ignored.
    kDescriptorWrites,
    kPushDescriptorWrites,
    // A pointer that must be null.
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

  HandleFastPath();
  // Appends the steps of a structure or command; depth counts the arrays around it.
  void Compile(const StructRules& rules, size_t depth);
  void Add(const StructRules& rules, const Step& step, uint32_t base, size_t depth);
  static Op Translate(const StructRules& rules, const Step& step, uint32_t base);
  static bool SetLength(const vk::StructInfo& info, const vk::MemberInfo& member, uint32_t base, Op& op);

  static bool Run(const Op* op, const char* base, const Call& call);
  static uint32_t LengthOf(const Op& op, const char* base);
  static bool AcceptsHandles(const Op& op, const char* base, const Call& call);
  static bool AcceptsDescriptors(const VkWriteDescriptorSet& write, const Call& call);
  static bool IsLive(uint64_t handle, VkObjectType type, const Call& call);
  static bool IsNullOrLive(uint64_t handle, VkObjectType type, const Call& call);
  template <class H>
  static bool IsNullOrLive(H handle, VkObjectType type, const Call& call) {
    return IsNullOrLive(reinterpret_cast<uint64_t>(handle), type, call);
  }
  static bool AcceptsWrites(const Op& op, const char* base, const Call& call);

  std::vector<Op> ops_;
  // Where each command's steps begin.
  std::vector<uint32_t> commands_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_FAST_PATH_H_
