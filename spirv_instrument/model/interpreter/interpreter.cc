// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/interpreter.h"

#include <array>
#include <deque>
#include <utility>

#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/model/interpreter/declarations.h"
#include "spirv_instrument/model/interpreter/invocation.h"

namespace assay::spirv_instrument::model {
namespace {

using Size = std::array<uint32_t, 3>;

// Calls `visit` with each position within a size, x fastest, until it returns an error.
template <typename Visit>
absl::Status ForEachPosition(const Size& size, Visit visit) {
  for (uint32_t z = 0; z < size[2]; ++z) {
    for (uint32_t y = 0; y < size[1]; ++y) {
      for (uint32_t x = 0; x < size[0]; ++x) {
        if (absl::Status status = visit(Size{x, y, z}); !status.ok()) return status;
      }
    }
  }
  return absl::OkStatus();
}

// SPIR-V, "Execution Mode" and "BuiltIn": WorkgroupSize comes before LocalSizeId and LocalSize.
Size LocalSize(const Declarations& declarations, Id function) {
  const Module& module = declarations.module();
  for (Instruction constant : module.section(Section::kGlobals)) {
    const Cells* cells = declarations.Constant(constant.result_id());
    if (cells == nullptr || cells->size() != 3) continue;
    if (!declarations.HasDecoration(constant.result_id(), spv::Decoration::BuiltIn)) continue;
    return {static_cast<uint32_t>((*cells)[0]), static_cast<uint32_t>((*cells)[1]), static_cast<uint32_t>((*cells)[2])};
  }
  Size size = {1, 1, 1};
  if (const Instruction mode = FindExecutionMode(module, function, spv::ExecutionMode::LocalSize)) {
    for (size_t i = 0; i < 3; ++i) size[i] = mode.literal(2 + i);
  }
  if (const Instruction mode = FindExecutionMode(module, function, spv::ExecutionMode::LocalSizeId)) {
    for (size_t i = 0; i < 3; ++i) {
      const Cells* cells = declarations.Constant(mode.id(2 + i));
      if (cells != nullptr && !cells->empty()) size[i] = static_cast<uint32_t>(cells->front());
    }
  }
  return size;
}

// What all invocations of a dispatch have in common.
struct Dispatch {
  const Declarations& declarations;
  Function entry_point;
  Memory& memory;
  AccessLog& log;
  Size groups;
  Size local_size;
  uint64_t steps;
};

absl::Status RunWorkgroup(Dispatch& dispatch, const Size& workgroup) {
  Variables shared;
  std::deque<Invocation> invocations;
  std::vector<bool> has_ended;
  absl::Status status = ForEachPosition(dispatch.local_size, [&](const Size& local) {
    const InvocationIds ids = {dispatch.groups, workgroup, dispatch.local_size, local};
    invocations.emplace_back(dispatch.declarations, dispatch.memory, dispatch.log, shared, ids);
    invocations.back().Begin(dispatch.entry_point);
    has_ended.push_back(false);
    return absl::OkStatus();
  });
  for (bool is_running = status.ok(); is_running;) {
    is_running = false;
    for (size_t i = 0; i < invocations.size(); ++i) {
      if (has_ended[i]) continue;
      const absl::StatusOr<Invocation::Stop> stop = invocations[i].Run(dispatch.steps);
      if (!stop.ok()) return stop.status();
      has_ended[i] = *stop == Invocation::Stop::kEnd;
      is_running |= !has_ended[i];
    }
  }
  return status;
}

}  // namespace

absl::StatusOr<Interpretation> Interpret(absl::Span<const uint32_t> words, const corpus::Setup& setup,
                                         const InterpretOptions& options) {
  absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return module.status();
  if (setup.work.kind != corpus::Work::Kind::kDispatch) return absl::UnimplementedError("work that is no dispatch");
  const std::vector<EntryPoint> entry_points = EntryPoints(*module);
  if (entry_points.size() != 1 || entry_points[0].model() != spv::ExecutionModel::GLCompute) {
    return absl::UnimplementedError("a module that is not one compute shader");
  }
  absl::StatusOr<Declarations> declarations = Declarations::Make(*module, setup.specialization);
  if (!declarations.ok()) return declarations.status();
  absl::StatusOr<Memory> memory = Memory::Make(setup, options.addresses);
  if (!memory.ok()) return memory.status();
  AccessLog log(options.checked);
  Dispatch dispatch = {*declarations,   module->FindFunction(entry_points[0].function()),     *memory,          log,
                       setup.work.size, LocalSize(*declarations, entry_points[0].function()), options.max_steps};
  absl::Status status =
      ForEachPosition(setup.work.size, [&](const Size& workgroup) { return RunWorkgroup(dispatch, workgroup); });
  if (!status.ok()) return status;
  Interpretation result = {.faults = log.faults(), .earlier = log.Earlier()};
  for (const ModelBuffer& buffer : memory->buffers()) {
    if (buffer.is_live) result.buffers.push_back({buffer.name, buffer.bytes});
  }
  for (const ModelImage& image : memory->images()) {
    if (image.is_live && image.description.samples == VK_SAMPLE_COUNT_1_BIT) {
      result.images.push_back({image.description.name, image.bytes});
    }
  }
  return result;
}

}  // namespace assay::spirv_instrument::model
