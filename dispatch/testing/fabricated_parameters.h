// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_FABRICATED_PARAMETERS_H_
#define ASSAY_DISPATCH_TESTING_FABRICATED_PARAMETERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <utility>
#include <vector>

#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::dispatch {

// Parameters for any command, made from the registry's description:
// - make_handle(type) makes each handle in them, at any depth;
// - each array has two elements;
// - each pNext chain has every structure that reaches a handle, and with kAround also structures of an unknown type
//   around these; chains of structures that are less deep than first_chain_depth are empty (the parameters have depth
//   0);
// - pointers that the specification calls ignored are invalid;
// - outputs of the command have memory.
//
// They are for tests of walkers, and have no meaning for a driver.
class FabricatedCall {
 public:
  using MakeHandle = std::function<uint64_t(const vk::HandleInfo& type)>;

  // Deep enough for a handle behind a structure in the chain of a structure in an array.
  static constexpr int kMaxDepth = 5;

  enum class UnknownStructures : uint8_t { kAround, kNone };

  explicit FabricatedCall(MakeHandle make_handle, int first_chain_depth = 0,
                          UnknownStructures unknown = UnknownStructures::kAround)
      : make_handle_(std::move(make_handle)), first_chain_depth_(first_chain_depth), unknown_(unknown) {}

  // Fills in call, which is the command's parameter struct.
  void Fill(const vk::CommandInfo& command, void* call);

  // Whether the memory that the command only reads is as Fill() made it.
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
  const int first_chain_depth_;
  const UnknownStructures unknown_;
  std::list<Block> blocks_;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_FABRICATED_PARAMETERS_H_
