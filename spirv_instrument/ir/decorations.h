// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_DECORATIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_DECORATIONS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {

class Module;

// A decoration of an id, or of a member of a structure type.
struct Decoration {
  spv::Decoration decoration;
  // Of OpMemberDecorate.
  std::optional<uint32_t> member;
  // The words after the decoration: literals, ids or a string.
  absl::Span<const uint32_t> parameters;
  // OpDecorate, OpMemberDecorate, OpDecorateId or the same for strings. If `target` has the decoration from a group,
  // this is the instruction of the group.
  Instruction instruction;

  uint32_t parameter(size_t index) const { return index < parameters.size() ? parameters[index] : 0; }
};

// Decorations and names by id; annotate.h changes them. An index over the module's annotation and name sections:
// building it takes time linear in them; looking up is linear in what the id has.
class Decorations {
 public:
  explicit Decorations(const Module& module);

  // The decorations of the id itself, those of groups too.
  bool Has(Id target, spv::Decoration decoration) const { return Find(target, decoration).has_value(); }
  std::optional<Decoration> Find(Id target, spv::Decoration decoration) const;
  bool HasMember(Id type, uint32_t member, spv::Decoration decoration) const {
    return FindMember(type, member, decoration).has_value();
  }
  std::optional<Decoration> FindMember(Id type, uint32_t member, spv::Decoration decoration) const;
  // The decorations of the id and of its members, in the order of the module.
  void ForEach(Id target, absl::FunctionRef<void(const Decoration&)> visit) const;

  bool HasAny(Id target) const { return decorations_.Get(target).first != 0; }
  // Whether some of them are those of a group.
  bool HasGroup(Id target) const;

  // "" without a name.
  std::string_view NameOf(Id target) const;
  std::string_view MemberName(Id type, uint32_t member) const;
  // All instructions that decorate or name the id or its members: OpDecorate and its like, OpGroupDecorate and
  // OpGroupMemberDecorate, OpName and OpMemberName.
  void ForEachInstruction(Id target, absl::FunctionRef<void(Instruction)> visit) const;

  // For Module, which calls these when it has inserted an instruction and before it removes one. Others are ignored.
  void Note(Instruction instruction);
  void Forget(Instruction instruction);

 private:
  // The index of an instruction that names a target; entries of a target are a list.
  struct Entry {
    uint32_t instruction = 0;
    uint32_t next = 0;
  };
  struct List {
    uint32_t first = 0;
    uint32_t last = 0;
  };

  Instruction At(uint32_t entry) const { return {arena_, entries_[entry].instruction}; }
  void Add(List& list, Instruction instruction);
  void Drop(List& list, Instruction instruction);
  // Calls `visit` for each decoration until it returns true.
  bool Search(Id target, absl::FunctionRef<bool(const Decoration&)> visit) const;
  bool SearchGroup(Instruction use, Id target, absl::FunctionRef<bool(const Decoration&)> visit) const;

  // The module's, once there are entries.
  const Arena* arena_ = nullptr;
  std::vector<Entry> entries_;
  IdTable<List> decorations_;
  IdTable<List> names_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_DECORATIONS_H_
