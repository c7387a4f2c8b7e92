// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/inlining.h"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv-tools/libspirv.h"
#include "spirv-tools/optimizer.hpp"
#include "spirv/unified1/spirv.hpp11"

namespace assay::gpuav {
namespace {

constexpr size_t kHeaderWords = 5;
// More words are left as they are, and no more are made: a driver would take longer for them than for the calls.
constexpr size_t kMostWords = size_t{1} << 15;
constexpr size_t kMostInlinedWords = size_t{1} << 16;
// Stands for the shader id while words move; of a shader that has this number itself, nothing is inlined.
constexpr uint32_t kShaderId = 0xa55a1d5eu;
constexpr auto kDontInline = static_cast<uint32_t>(spv::FunctionControlMask::DontInline);

// Calls visit(op, index of its first word) for each instruction.
void ForEachInstruction(absl::Span<const uint32_t> words, absl::FunctionRef<void(spv::Op, size_t)> visit) {
  for (size_t i = kHeaderWords; i < words.size();) {
    const size_t count = words[i] >> spv::WordCountShift;
    if (count == 0 || count > words.size() - i) return;
    visit(static_cast<spv::Op>(words[i] & spv::OpCodeMask), i);
    i += count;
  }
}

// Says which functions are to be inlined: none of the application's, and those of ours that report only if `reports`
// says so. Returns what was said of the application's, by id.
std::map<uint32_t, uint32_t> ChooseFunctions(std::vector<uint32_t>& words, uint32_t bound, bool reports) {
  std::map<uint32_t, uint32_t> controls;
  ForEachInstruction(words, [&](spv::Op op, size_t at) {
    if (op != spv::Op::OpFunction) return;
    uint32_t& control = words[at + 3];
    if (words[at + 2] < bound) {
      controls[words[at + 2]] = std::exchange(control, kDontInline);
    } else if (reports) {
      control &= ~kDontInline;
    }
  });
  return controls;
}

void RestoreFunctions(std::vector<uint32_t>& words, const std::map<uint32_t, uint32_t>& controls) {
  ForEachInstruction(words, [&](spv::Op op, size_t at) {
    if (op != spv::Op::OpFunction) return;
    const auto found = controls.find(words[at + 2]);
    if (found != controls.end()) words[at + 3] = found->second;
  });
}

// The index of the one constant with the shader id.
std::optional<size_t> FindShaderId(absl::Span<const uint32_t> words) {
  std::optional<size_t> found;
  bool is_only_one = true;
  ForEachInstruction(words, [&](spv::Op op, size_t at) {
    constexpr size_t kValue = 3;
    if (op != spv::Op::OpConstant || words[at + kValue] != kShaderId) return;
    is_only_one = !found.has_value();
    found = at + kValue;
  });
  return is_only_one ? found : std::nullopt;
}

std::optional<InstrumentedWords> InlineChosen(const InstrumentedWords& instrumented, uint32_t bound, bool reports) {
  std::vector<uint32_t> words = instrumented.WithId(kShaderId);
  if (!FindShaderId(words)) return std::nullopt;
  const std::map<uint32_t, uint32_t> controls = ChooseFunctions(words, bound, reports);
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      // Each function that was inlined leaves variables for its parameters.
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  InstrumentedWords result;
  if (!optimizer.Run(words.data(), words.size(), &result.words, options)) return std::nullopt;
  RestoreFunctions(result.words, controls);
  const std::optional<size_t> shader_id = FindShaderId(result.words);
  if (!shader_id) return std::nullopt;
  result.shader_id_word = *shader_id;
  return result;
}

}  // namespace

std::optional<InstrumentedWords> Inline(const InstrumentedWords& instrumented, uint32_t bound) {
  if (instrumented.words.size() > kMostWords) return std::nullopt;
  for (const bool reports : {true, false}) {
    std::optional<InstrumentedWords> inlined = InlineChosen(instrumented, bound, reports);
    if (!inlined || inlined->words.size() <= kMostInlinedWords) return inlined;
  }
  return std::nullopt;
}

}  // namespace assay::gpuav
