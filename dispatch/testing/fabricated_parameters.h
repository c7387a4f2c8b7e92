// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_FABRICATED_PARAMETERS_H_
#define ASSAY_DISPATCH_TESTING_FABRICATED_PARAMETERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <vector>

#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::dispatch {

// Parameters for any command, made from the registry's description: each handle in them, however deep, is one that
// make_handle(type) gives; each array has two elements; each pNext chain has every structure that reaches a handle and,
// before, between and after them, structures of a type that nobody knows. Pointers that the specification calls ignored
// lead nowhere. What the command returns has memory.
//
// They mean nothing to a driver; they are there for a walker to walk.
class FabricatedCall {
 public:
  using MakeHandle = std::function<uint64_t(const vk::HandleInfo& type)>;

  explicit FabricatedCall(MakeHandle make_handle) : make_handle_(std::move(make_handle)) {}

  // call is the command's struct.
  void Fill(const vk::CommandInfo& command, void* call);

  // Whether everything that the command only reads is as Fill() made it.
  bool IsUntouched() const;

 private:
  struct Block {
    std::vector<std::byte> bytes;
    std::vector<std::byte> original;
  };

  std::byte* Allocate(size_t bytes, bool output);
  void FillStruct(const vk::StructInfo& info, std::byte* base, bool output, int depth);
  void FillMember(const vk::StructInfo& info, const vk::MemberInfo& member, std::byte* base, bool output, int depth);
  void FillElements(const vk::StructInfo& info, const vk::MemberInfo& member, std::byte* base, std::byte* elements,
                    uint64_t count, bool output, int depth);
  void FillUnion(const vk::StructInfo& parent, const vk::MemberInfo& member, std::byte* parent_base, std::byte* element,
                 int depth);
  std::byte* MakeChain(const vk::StructInfo& info, int depth);

  MakeHandle make_handle_;
  std::list<Block> blocks_;
};

// Every handle that the parameters reach, in the order of the description; dispatchable ones are left out. It follows
// what the driver would follow: not what is ignored, and only the known structures of a pNext chain.
std::vector<uint64_t> CollectHandles(const vk::CommandInfo& command, const void* call);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_FABRICATED_PARAMETERS_H_
