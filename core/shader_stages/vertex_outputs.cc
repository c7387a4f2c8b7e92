// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The vertices that leave an entry point: what transform feedback captures, and the streams, against limits; and what
// all vertices of a primitive must have the same.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Decoration;
using spv::Op;
using vk::Vuid;

namespace {

using Limits = VkPhysicalDeviceTransformFeedbackPropertiesEXT;

// An output, or a member of one, that is captured.
struct Capture {
  Instruction variable;
  uint32_t buffer;
  uint32_t stream;
  uint64_t end;
};

class Reader {
 public:
  explicit Reader(StageReader& reader) : reader_(reader) {}

  std::vector<Capture> Captures() {
    for (uint32_t word : reader_.entry_point.interface()) {
      const Instruction variable = reader_.module.Find(Id{word});
      if (variable.op() != Op::OpVariable) continue;
      if (variable.enumerant<spv::StorageClass>(0) == spv::StorageClass::Output) AddVariable(variable);
    }
    return std::move(captures_);
  }

 private:
  void AddVariable(Instruction variable) {
    const Id id = variable.result_id();
    const auto buffer = reader_.module.DecorationOf(id, Decoration::XfbBuffer);
    const uint32_t stream = reader_.module.DecorationOf(id, Decoration::Stream).value_or(0);
    const Instruction type = PointeeOf(reader_, variable);
    if (type.op() != Op::OpTypeStruct) {
      const auto offset = reader_.module.DecorationOf(id, Decoration::Offset);
      if (buffer && offset) Add(variable, *buffer, stream, *offset, type.result_id());
      return;
    }
    for (uint32_t i = 0; i < type.operand_count(); ++i) {
      const auto member_buffer = OfMember(type, i, Decoration::XfbBuffer);
      const auto offset = OfMember(type, i, Decoration::Offset);
      const auto chosen = member_buffer ? member_buffer : buffer;
      if (!chosen || !offset) continue;
      Add(variable, *chosen, OfMember(type, i, Decoration::Stream).value_or(stream), *offset, type.id(i));
    }
  }
  std::optional<uint32_t> OfMember(Instruction type, uint32_t member, Decoration decoration) const {
    const auto found = reader_.module.decorations().FindMember(type.result_id(), member, decoration);
    return found ? std::optional<uint32_t>(found->parameter(0)) : std::nullopt;
  }
  void Add(Instruction variable, uint32_t buffer, uint32_t stream, uint64_t offset, Id type) {
    const uint64_t size = reader_.SizeOf(type);
    if (size != 0) captures_.push_back({variable, buffer, stream, offset + size});
  }

  StageReader& reader_;
  std::vector<Capture> captures_;
};

void CheckSizes(StageReader& reader, const Limits& limits) {
  const std::vector<Capture> captures = Reader(reader).Captures();
  bool is_within = true;
  // Bytes of each buffer, by stream.
  std::map<uint32_t, std::map<uint32_t, uint64_t>> sizes;
  for (const Capture& capture : captures) {
    is_within &= reader.CheckLimit(Vuid("VUID-RuntimeSpirv-Offset-06308"), capture.end,
                                   limits.maxTransformFeedbackBufferDataSize,
                                   absl::StrCat(reader.Name(capture.variable), " that is captured, with an end"),
                                   "maxTransformFeedbackBufferDataSize");
    uint64_t& size = sizes[capture.stream][capture.buffer];
    size = std::max(size, capture.end);
  }
  // A sum that is too large may follow from one end.
  if (!is_within) return;
  for (const auto& [stream, buffers] : sizes) {
    uint64_t sum = 0;
    for (const auto& [buffer, size] : buffers) sum += size;
    reader.CheckLimit(Vuid("VUID-RuntimeSpirv-XfbBuffer-06309"), sum, limits.maxTransformFeedbackStreamDataSize,
                      absl::StrCat("a sum of the data sizes of the buffers of stream ", stream),
                      "maxTransformFeedbackStreamDataSize");
  }
}

// The values of a decoration of the outputs, and of their members.
template <class F>
void ForEachValue(const StageReader& reader, Decoration which, const F& visit) {
  for (uint32_t word : reader.entry_point.interface()) {
    const Instruction variable = reader.module.Find(Id{word});
    if (variable.op() != Op::OpVariable) continue;
    if (variable.enumerant<spv::StorageClass>(0) != spv::StorageClass::Output) continue;
    const auto check = [&](const spirv_instrument::Decoration& decoration) {
      if (decoration.decoration == which) visit(variable, decoration.parameter(0));
    };
    reader.module.decorations().ForEach(Id{word}, check);
    const Instruction type = PointeeOf(reader, variable);
    if (type.op() == Op::OpTypeStruct) reader.module.decorations().ForEach(type.result_id(), check);
  }
}

void CheckStream(StageReader& reader, vk::VuidIndex vuid, uint64_t stream, Instruction at, const Limits& limits) {
  if (limits.maxTransformFeedbackStreams == 0 || stream < limits.maxTransformFeedbackStreams) return;
  reader.Add(vuid, absl::StrCat("has ", reader.Name(at), " of stream ", stream,
                                ", which is not below maxTransformFeedbackStreams (",
                                limits.maxTransformFeedbackStreams, ")."));
}

void CheckStreams(StageReader& reader, const Limits& limits) {
  ForEachValue(reader, Decoration::Stream, [&](Instruction variable, uint32_t stream) {
    CheckStream(reader, Vuid("VUID-RuntimeSpirv-Stream-06312"), stream, variable, limits);
  });
  std::set<uint64_t> emitted;
  ForEachInstruction(reader, [&](Instruction instruction) {
    const Op op = instruction.op();
    if (op == Op::OpEmitVertex) emitted.insert(0);
    if (op != Op::OpEmitStreamVertex && op != Op::OpEndStreamPrimitive) return;
    const auto stream = reader.Evaluate(instruction.id(0));
    if (!stream) return;
    if (op == Op::OpEmitStreamVertex) emitted.insert(*stream);
    CheckStream(reader, Vuid("VUID-RuntimeSpirv-OpEmitStreamVertex-06310"), *stream, instruction, limits);
  });
  if (emitted.size() < 2 || limits.transformFeedbackStreamsLinesTriangles == VK_TRUE) return;
  if (reader.Mode(spv::ExecutionMode::OutputPoints)) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311"),
             absl::StrCat("emits vertices to ", emitted.size(),
                          " streams and does not have the execution mode OutputPoints, and "
                          "transformFeedbackStreamsLinesTriangles is VK_FALSE."));
}

// Goes through the block of a geometry shader that always runs, and looks for a primitive whose vertices get different
// values of a built-in.
class PrimitiveSearch {
 public:
  // A strip has a primitive for so many vertices in a row.
  PrimitiveSearch(StageReader& reader, const BuiltInOutput& output, size_t primitive_size)
      : reader_(reader), output_(output), primitive_size_(primitive_size) {}

  // The instruction that emits the last vertex of the primitive; null if there is none.
  Instruction Find() {
    const auto main = reader_.module.module().FindFunction(reader_.entry_point.function());
    for (Instruction at : main.entry().instructions()) {
      switch (at.op()) {
        case Op::OpAccessChain:
        case Op::OpInBoundsAccessChain:
          AddChain(at);
          break;
        case Op::OpStore:
          AddStore(at);
          break;
        case Op::OpEmitVertex:
          strip_.push_back(value_);
          // What outputs have after that is undefined.
          value_.reset();
          if (IsMixed()) return at;
          break;
        case Op::OpEndPrimitive:
          strip_.clear();
          break;
        // Vertices may be of another stream, and functions may do anything.
        case Op::OpEmitStreamVertex:
        case Op::OpEndStreamPrimitive:
        case Op::OpFunctionCall:
        case Op::OpCopyMemory:
          return {};
        default:
          break;
      }
    }
    return {};
  }

 private:
  void AddChain(Instruction at) {
    if (at.id(0) != output_.variable.result_id() || at.operand_count() != 2) return;
    if (output_.member && reader_.Evaluate(at.id(1)) == *output_.member) pointers_.insert(ToNumber(at.result_id()));
  }
  void AddStore(Instruction at) {
    const bool is_variable = at.id(0) == output_.variable.result_id();
    if (!is_variable && !pointers_.contains(at.literal(0))) return;
    // A whole block is not looked into.
    value_ = is_variable && output_.member ? std::nullopt : reader_.Evaluate(at.id(1));
  }
  bool IsMixed() const {
    if (strip_.size() < primitive_size_) return false;
    std::set<uint64_t> values;
    for (size_t i = strip_.size() - primitive_size_; i < strip_.size(); ++i) {
      if (strip_[i]) values.insert(*strip_[i]);
    }
    return values.size() > 1;
  }

  StageReader& reader_;
  const BuiltInOutput output_;
  const size_t primitive_size_;
  std::set<uint32_t> pointers_;
  // What was written since the last vertex; nothing if it is not known.
  std::optional<uint64_t> value_;
  // The vertices since the last end of a strip.
  std::vector<std::optional<uint64_t>> strip_;
};

void CheckPrimitives(StageReader& reader) {
  if (reader.Mode(spv::ExecutionMode::OutputPoints)) return;
  const size_t size = reader.Mode(spv::ExecutionMode::OutputLineStrip) ? 2 : 3;
  const bool is_pipeline = reader.owner == StageOwner::kPipeline;
  const auto check = [&](spv::BuiltIn built_in, const char* name, vk::VuidIndex pipeline, vk::VuidIndex object) {
    const auto output = FindOutput(reader, built_in);
    const Instruction last = output ? PrimitiveSearch(reader, *output, size).Find() : Instruction();
    if (!last) return;
    reader.Add(is_pipeline ? pipeline : object,
               absl::StrCat("writes different values to ", name, " for vertices of one primitive, which ends with ",
                            reader.Name(last), "."));
  };
  check(spv::BuiltIn::Layer, "Layer", Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-02596"),
        Vuid("VUID-VkShaderCreateInfoEXT-pCode-08456"));
  check(spv::BuiltIn::ViewportIndex, "ViewportIndex", Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-02597"),
        Vuid("VUID-VkShaderCreateInfoEXT-pCode-08457"));
}

void CheckTransformFeedback(StageReader& reader) {
  const auto* limits = reader.Properties<Limits>();
  if (limits == nullptr) return;
  if (reader.IsModel(spv::ExecutionModel::Geometry)) CheckStreams(reader, *limits);
  if (!reader.Mode(spv::ExecutionMode::Xfb)) return;
  CheckSizes(reader, *limits);
  ForEachValue(reader, Decoration::XfbStride, [&](Instruction variable, uint32_t stride) {
    reader.CheckLimit(Vuid("VUID-RuntimeSpirv-XfbStride-06313"), stride, limits->maxTransformFeedbackBufferDataStride,
                      absl::StrCat(reader.Name(variable), " with an XfbStride"),
                      "maxTransformFeedbackBufferDataStride");
  });
}

}  // namespace

void CheckVertexOutputs(StageReader& reader) {
  CheckTransformFeedback(reader);
  if (reader.IsModel(spv::ExecutionModel::Geometry)) CheckPrimitives(reader);
}

}  // namespace assay::core
