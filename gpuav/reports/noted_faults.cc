// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/noted_faults.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"

namespace assay::gpuav {
namespace {

using spirv_instrument::LimitedCheck;
using spirv_instrument::LimitFacts;
using spirv_instrument::NotedFault;

}  // namespace

NotedFaults::NotedFaults(const ShaderRegistry& shaders, const Written& written) {
  for (const auto& [index, note] : written.notes) {
    const LimitedAction& limited = written.log->limited[index];
    const InstrumentedShader shader = shaders.Find(limited.shader);
    if (shader.limited_checks == nullptr || note.check >= shader.limited_checks->size()) continue;
    const LimitedCheck& check = (*shader.limited_checks)[note.check];
    const LimitFacts& facts = written.log->knowledge[limited.knowledge][check.limit_number];
    const std::optional<NotedFault> found = FaultOf(check.limit, facts, note.value);
    if (!found) continue;
    const NotedFault& fault = kept_.emplace_back(*found);
    WrittenFault& noted = faults_.emplace_back();
    noted.record = {.code = fault.code,
                    .shader_id = limited.shader,
                    .instruction = check.instruction,
                    .action = limited.action,
                    .cause = 0,
                    .stage = static_cast<uint32_t>(spv::ExecutionModel::GLCompute),
                    .stage_words = {},
                    .data = fault.data};
    std::ranges::copy(note.stage_words, noted.record.stage_words.begin());
    noted.count = note.count;
  }
  if (written.lost_notes == 0) return;
  // One of these has a fault, and nobody knows which. What is recorded from now on tells.
  for (const uint32_t id : written.log->without_notes) {
    const InstrumentedShader shader = shaders.Find(id);
    if (shader.has_faults != nullptr) shader.has_faults->store(true, std::memory_order_relaxed);
  }
}

}  // namespace assay::gpuav
