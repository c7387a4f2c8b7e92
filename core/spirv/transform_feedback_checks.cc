// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What entry points with the execution mode Xfb write to transform feedback buffers.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/sections.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;

namespace {

// What a type is made of.
struct TypeFacts {
  // Without padding; 0 if it is not known.
  uint64_t bytes = 0;
  bool has_32 = false;
  bool has_64 = false;
  bool has_other = false;
};

class TypeTable {
 public:
  explicit TypeTable(const ModuleReader& reader) : reader_(reader) {
    for (Instruction type : reader.module().section(spirv_instrument::Section::kGlobals)) {
      const TypeFacts facts = Read(type);
      if (facts.has_32 || facts.has_64 || facts.has_other) facts_[type.result_id()] = facts;
    }
  }
  TypeFacts Of(Id type) const {
    const auto found = facts_.find(type);
    return found == facts_.end() ? TypeFacts() : found->second;
  }

 private:
  // Of so many elements. Sizes above those of any buffer are all the same.
  static TypeFacts Times(TypeFacts facts, uint32_t count) {
    facts.bytes = std::min<uint64_t>(facts.bytes, UINT32_MAX) * count;
    return facts;
  }

  TypeFacts Read(Instruction type) const {
    switch (type.op()) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat: {
        const uint32_t width = type.literal(0);
        return {width / 8, width == 32, width == 64, width != 32 && width != 64};
      }
      case Op::OpTypeVector:
      case Op::OpTypeMatrix:
        return Times(Of(type.id(0)), type.literal(1));
      case Op::OpTypeArray:
        return Times(Of(type.id(0)), reader_.LengthOf(type).value_or(0));
      case Op::OpTypeStruct: {
        TypeFacts sum;
        for (size_t i = 0; i < type.operand_count(); ++i) {
          const TypeFacts member = Of(type.id(i));
          sum.bytes = std::min<uint64_t>(sum.bytes + member.bytes, UINT32_MAX);
          sum.has_32 |= member.has_32;
          sum.has_64 |= member.has_64;
          sum.has_other |= member.has_other;
        }
        return sum;
      }
      default:
        return {};
    }
  }

  const ModuleReader& reader_;
  absl::flat_hash_map<Id, TypeFacts> facts_;
};

// An output variable, or a member of an output block.
struct Capture {
  Instruction variable;
  std::optional<uint32_t> member;
  TypeFacts type;
  std::optional<uint32_t> buffer;
  std::optional<uint32_t> stride;
  std::optional<uint32_t> offset;
  std::optional<uint32_t> stream;
};

class Captures {
 public:
  Captures(ModuleReader& reader, const TypeTable& types, const EntryPointUse& use) : reader_(reader) {
    reader.ForEachInInterface(use, StorageClass::Output, [&](Instruction variable) { Add(variable, types); });
  }

  void Check() {
    CheckBuffers();
    for (const Capture& capture : captures_) CheckOffset(capture);
    CheckBlocks();
    CheckRanges();
  }

 private:
  void Add(Instruction variable, const TypeTable& types) {
    const Instruction type = reader_.PointeeOf(variable);
    if (!reader_.IsBlock(type)) {
      captures_.push_back(Read(variable, type, std::nullopt, types.Of(type.result_id())));
      return;
    }
    for (uint32_t i = 0; i < type.operand_count(); ++i) {
      captures_.push_back(Read(variable, type, i, types.Of(type.id(i))));
    }
  }

  Capture Read(Instruction variable, Instruction type, std::optional<uint32_t> member, const TypeFacts& facts) const {
    const auto value = [&](Decoration decoration, bool is_inherited) -> std::optional<uint32_t> {
      if (member) {
        const auto own = reader_.decorations().FindMember(type.result_id(), *member, decoration);
        if (own) return own->parameter(0);
        if (!is_inherited) return std::nullopt;
      }
      const auto found = reader_.decorations().Find(variable.result_id(), decoration);
      return found ? std::optional(found->parameter(0)) : std::nullopt;
    };
    return {variable,
            member,
            facts,
            value(Decoration::XfbBuffer, true),
            value(Decoration::XfbStride, true),
            value(Decoration::Offset, false),
            value(Decoration::Stream, true)};
  }

  static std::string NameOf(const Capture& capture) {
    return capture.member ? absl::StrCat("Member ", *capture.member, " of an output block") : "An output variable";
  }
  void Report(vk::VuidIndex vuid, const Capture& capture, const std::string& text) {
    reader_.findings().Add(vuid, absl::StrCat(NameOf(capture), text), capture.variable);
  }

  // What captures into one buffer have in common.
  void CheckBuffers() {
    const bool has_streams =
        std::any_of(captures_.begin(), captures_.end(), [](const Capture& capture) { return capture.stream; });
    absl::flat_hash_map<uint32_t, const Capture*> with_stride;
    absl::flat_hash_map<uint32_t, const Capture*> first;
    for (const Capture& capture : captures_) {
      if (!capture.buffer) continue;
      if (capture.stride) {
        const uint32_t stride = *with_stride.try_emplace(*capture.buffer, &capture).first->second->stride;
        if (*capture.stride != stride) {
          Report(vk::Vuid("VUID-StandaloneSpirv-XfbBuffer-04693"), capture,
                 absl::StrCat(" has XfbStride ", *capture.stride, ", but another one with XfbBuffer ", *capture.buffer,
                              " has ", stride, "."));
        }
      }
      if (!has_streams) continue;
      // Without Stream, it is stream 0.
      const uint32_t stream = first.try_emplace(*capture.buffer, &capture).first->second->stream.value_or(0);
      if (capture.stream.value_or(0) == stream) continue;
      Report(vk::Vuid("VUID-StandaloneSpirv-Stream-04694"), capture,
             absl::StrCat(" is of stream ", capture.stream.value_or(0), ", but another one with XfbBuffer ",
                          *capture.buffer, " is of stream ", stream, "."));
    }
  }

  void CheckOffset(const Capture& capture) {
    if (!capture.offset) return;
    const std::string offset = absl::StrCat(" has Offset ", *capture.offset);
    if (capture.type.has_other) {
      Report(vk::Vuid("VUID-StandaloneSpirv-Offset-04692"), capture,
             absl::StrCat(offset, ", but components of neither 32 nor 64 bits."));
    } else if (capture.type.has_64 && *capture.offset % 8 != 0) {
      Report(vk::Vuid("VUID-StandaloneSpirv-Offset-04687"), capture,
             absl::StrCat(offset, ", which is not a multiple of 8, and components of 64 bits."));
    } else if (capture.type.has_32 && *capture.offset % 4 != 0) {
      Report(vk::Vuid("VUID-StandaloneSpirv-Offset-04691"), capture,
             absl::StrCat(offset, ", which is not a multiple of 4, and components of 32 bits."));
    }
    if (!capture.buffer || !capture.stride) {
      Report(vk::Vuid("VUID-StandaloneSpirv-Offset-04716"), capture,
             absl::StrCat(offset, ", but no ", capture.buffer ? "XfbStride" : "XfbBuffer", "."));
    }
  }

  // Members of the same block.
  void CheckBlocks() {
    for (size_t begin = 0; begin < captures_.size();) {
      size_t end = begin + 1;
      while (end < captures_.size() && captures_[end].variable == captures_[begin].variable) ++end;
      CheckBlock(begin, end);
      begin = end;
    }
  }
  void CheckBlock(size_t begin, size_t end) {
    const Capture* first = nullptr;
    const Capture* first_with_buffer = nullptr;
    bool has_64 = false;
    for (size_t i = begin; i < end; ++i) {
      const Capture& capture = captures_[i];
      if (capture.offset) {
        if (first == nullptr) first = &capture;
        has_64 |= capture.type.has_64;
      }
      if (!capture.buffer) continue;
      if (first_with_buffer == nullptr) first_with_buffer = &capture;
      if (*capture.buffer == *first_with_buffer->buffer) continue;
      Report(vk::Vuid("VUID-StandaloneSpirv-XfbBuffer-04697"), capture,
             absl::StrCat(" has XfbBuffer ", *capture.buffer, ", but another one of the block has ",
                          *first_with_buffer->buffer, "."));
    }
    // Where the first one has 64 bits itself, another rule says so.
    if (first == nullptr || !first->member || !has_64 || first->type.has_64 || *first->offset % 8 == 0) return;
    Report(vk::Vuid("VUID-StandaloneSpirv-Offset-04690"), *first,
           absl::StrCat(" is the first with Offset (", *first->offset,
                        "), which is not a multiple of 8, but the block has components of 64 bits."));
  }

  // The bytes that captures are written to.
  void CheckRanges() {
    std::vector<const Capture*> sorted;
    for (const Capture& capture : captures_) {
      if (capture.buffer && capture.offset && capture.type.bytes != 0) sorted.push_back(&capture);
    }
    const auto place = [](const Capture* capture) { return std::pair(*capture->buffer, *capture->offset); };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Capture* a, const Capture* b) { return place(a) < place(b); });
    // The end of those before in the same buffer.
    uint64_t end = 0;
    const Capture* before = nullptr;
    for (const Capture* capture : sorted) {
      if (before == nullptr || *before->buffer != *capture->buffer) end = 0;
      if (*capture->offset < end) {
        Report(vk::Vuid("VUID-StandaloneSpirv-XfbBuffer-04696"), *capture,
               absl::StrCat(" has XfbBuffer ", *capture->buffer, " and Offset ", *capture->offset,
                            ", but another one there ends at ", end, "."));
      }
      end = std::max(end, *capture->offset + capture->type.bytes);
      before = capture;
    }
  }

  ModuleReader& reader_;
  std::vector<Capture> captures_;
};

}  // namespace

void CheckTransformFeedback(ModuleReader& reader) {
  if (!reader.HasCapability(spv::Capability::TransformFeedback)) return;
  const TypeTable types(reader);
  for (const EntryPointUse& use : reader.entry_points()) {
    if (reader.HasMode(use, spv::ExecutionMode::Xfb)) Captures(reader, types, use).Check();
  }
}

}  // namespace assay::core
