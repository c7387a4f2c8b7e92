// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/image_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/passes/frame/memory_access.h"
#include "spirv_instrument/passes/operands/image_access.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

enum Literal : size_t { kSet, kBinding, kIndex, kTypes, kFactors };

constexpr uint32_t Bit(DescriptorType type) { return 1u << static_cast<uint32_t>(type); }
// What has a layout.
constexpr uint32_t kImageTypes = Bit(DescriptorType::kCombinedImageSampler) | Bit(DescriptorType::kSampledImage) |
                                 Bit(DescriptorType::kStorageImage) | Bit(DescriptorType::kInputAttachment);

class ImageLayout : public Pass {
 public:
  ImageLayout() {
    const auto add = [this](absl::Span<const spv::Op> opcodes) {
      opcodes_.insert(opcodes_.end(), opcodes.begin(), opcodes.end());
    };
    add(ImageAccessOpcodes());
    // Atomic instructions go to texels too.
    add(AtomicOpcodes());
  }

  std::string_view name() const override { return "image_layout"; }
  absl::Span<const spv::Op> opcodes() const override { return opcodes_; }
  bool FollowsDescriptors() const override { return true; }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }

  void Process(Instruction instruction, WantedChecks& wanted) override {
    if (const Instruction texel = TexelPointerOf(facts_->module(), instruction)) {
      const AccessPath path = facts_->paths().Find(texel.id(0));
      DescriptorPath unknown;
      unknown.why_unknown = path.why_unknown;
      Want(instruction, path.root == AccessPath::Root::kDescriptor ? path.descriptor : unknown, wanted);
    } else if (!IsAtomic(instruction.op())) {
      Want(instruction, facts_->paths().FindDescriptor(instruction.id(0)), wanted);
    }
  }

  Id EmitCondition(const WantedCheck&, AccessSpan, Emitter&) override { return kNoId; }

  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    const absl::Span<const uint32_t> literals = emitter.Literals(check);
    emitter.Call("NoteImage",
                 {emitter.InstructionOf(check), emitter.Uint(literals[kSet]), emitter.Uint(literals[kBinding]),
                  emitter.SaturatedSum(literals[kIndex], emitter.Ids(check), literals.subspan(kFactors)),
                  emitter.Uint(literals[kTypes])});
  }

 private:
  // What was noted in a block need not be noted there again.
  struct Noted {
    absl::InlinedVector<Id, 2> ids;
    absl::InlinedVector<uint32_t, 8> literals;
    friend bool operator==(const Noted&, const Noted&) = default;
  };

  void Want(Instruction instruction, const DescriptorPath& path, WantedChecks& wanted) {
    const uint32_t types = path ? DescriptorTypesOf(facts_->module(), path.variable) : 0;
    if (types == 0 || path.set >= kMaxSets) return wanted.CountUnchecked(*this, path.why_unknown);
    if ((types & kImageTypes) == 0) return;
    Noted one = {.ids = {}, .literals = {path.set, path.binding, path.index, types & kImageTypes}};
    for (const PathTerm& term : path.terms) {
      one.ids.push_back(term.index);
      one.literals.push_back(term.stride);
    }
    if (instruction.block() != block_) {
      block_ = instruction.block();
      noted_.clear();
    }
    if (std::ranges::find(noted_, one) != noted_.end()) return;
    wanted.Add(*this, instruction, {.form = Form::kInsert, .ids = one.ids, .literals = one.literals});
    noted_.push_back(std::move(one));
  }

  std::vector<spv::Op> opcodes_;
  ModuleFacts* facts_ = nullptr;
  // The block that is walked over, and what is noted in it so far.
  Block block_;
  std::vector<Noted> noted_;
};

}  // namespace

std::unique_ptr<Pass> MakeImageLayout(const ImageLayoutConfig&) { return std::make_unique<ImageLayout>(); }

}  // namespace assay::spirv_instrument
