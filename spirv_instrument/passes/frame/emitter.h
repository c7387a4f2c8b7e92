// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_EMITTER_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_EMITTER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/link/linker.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/wanted_check.h"

namespace assay::spirv_instrument {

// What a pass emits code with. The frame says where: builder() is at the place.
class Emitter {
 public:
  // All must outlive this.
  Emitter(ModuleFacts& facts, Linker& linker, const WantedChecks& checks)
      : facts_(facts), module_(facts.module()), linker_(linker), checks_(checks) {}

  Module& module() { return module_; }
  Globals globals() { return module_.globals(); }
  Builder& builder() { return *builder_; }

  // Of the check that is emitted.
  absl::Span<const Id> Ids(const WantedCheck& check) const { return checks_.Ids(check); }
  absl::Span<const uint32_t> Literals(const WantedCheck& check) const { return checks_.Literals(check); }

  // See WantedChecks.
  bool LimitHasCondition(const WantedCheck& check) const { return checks_.LimitHasCondition(check); }
  HostLimit LimitOf(const WantedCheck& check, AccessSpan span) const { return checks_.LimitOf(check, span); }

  Id Uint(uint32_t value) { return globals().Uint(value); }
  // The instruction of the access as records name it: the first argument of each function that reports.
  Id InstructionOf(const WantedCheck& check) { return Uint(check.access.index()); }

  // Calls a function of checks/, by its name in GLSL. Returns its result; kNoId if it returns nothing. If there is no
  // such function, status() says so.
  Id Call(std::string_view function, absl::Span<const Id> arguments);

  // An integer of any width as a 32-bit unsigned one. Narrow ones are extended by their sign if they are signed; wide
  // ones saturate, so that a large index stays one. A negative one is large.
  Id AsUint(Id integer);
  // An index of an access chain as two words, low word first. Extended by its sign even if its type has none: SPIR-V,
  // "OpAccessChain" and "OpPtrAccessChain", says that indices are signed.
  Id AsWordPair(Id index);
  // An index as a word, extended in the same way. Wide ones saturate: a negative one is large.
  Id AsSignedWord(Id index);
  // A pointer into PhysicalStorageBuffer as two words. If it points to integers of 8 or 16 bits that the module may not
  // compute with, the module gets Int64: SPIRV-Tools' validator refuses OpBitcast of such a pointer.
  Id AddressOf(Id pointer);
  // `constant` + the sum of each index times its factor; 0xffffffff if that has more than 32 bits. Indices are those of
  // AsSignedWord(), as unsigned: a negative one is large.
  Id SaturatedSum(uint32_t constant, absl::Span<const Id> indices, absl::Span<const uint32_t> factors);
  // A built-in input of integers or floats as unsigned integers (stage_words.h). kNoId in functions of several
  // execution models, and where entry points differ.
  Id BuiltIn(spv::BuiltIn built_in, Id type);

  // ---- For the frame.
  // The first error.
  const absl::Status& status() const { return status_; }
  void SetPlace(Builder& builder, Linker::Variant variant) {
    builder_ = &builder;
    variant_ = variant;
  }

 private:
  Id Bitcast(Id type, Id value) { return builder_->Add(spv::Op::OpBitcast, type, {value}); }
  bool HasStorageOnlyType(Id type, int depth = 0);
  Id WordPairType() { return globals().Vector(globals().Uint32(), 2); }

  ModuleFacts& facts_;
  Module& module_;
  Linker& linker_;
  const WantedChecks& checks_;
  absl::Status status_;
  struct IsStorageOnly {
    bool is_known = false;
    bool value = false;
  };
  IdTable<IsStorageOnly> storage_only_types_;
  Builder* builder_ = nullptr;
  Linker::Variant variant_ = 0;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_EMITTER_H_
