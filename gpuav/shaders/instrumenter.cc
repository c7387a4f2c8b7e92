// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/instrumenter.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gpuav/shaders/inlining.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/passes/frame/statistics.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::InstrumentConfig;
using spirv_instrument::Instrumented;
using spirv_instrument::Outcome;

void Inform(const Context& context, std::string_view id, std::string text) {
  messages::Report report(context.reporter(), vk::CommandId::kCreateShaderModule);
  report.Deliver({.severity = messages::Severity::kInformation,
                  .id = std::string(id),
                  .text = std::move(text),
                  .objects = {messages::Object(context.device().handle)}});
}

std::string StatisticsText(const Instrumented& instrumented, size_t words_before) {
  std::string text =
      absl::StrCat("A shader of ", words_before, " words has ", instrumented.words.size(), " when it is instrumented.");
  for (const auto& pass : instrumented.statistics.passes) {
    absl::StrAppend(&text, " ", pass.pass, ":");
    for (size_t i = 0; i < spirv_instrument::kOutcomeCount; ++i) {
      if (pass.counts[i] != 0) absl::StrAppend(&text, " ", pass.counts[i], " ", NameOf(static_cast<Outcome>(i)));
    }
    absl::StrAppend(&text, ".");
  }
  return text;
}

void WriteWords(const std::string& path, absl::Span<const uint32_t> words) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
}

// What SPIR-V Tools says of the words; empty if they are valid.
std::string Problem(absl::Span<const uint32_t> words) {
  std::string problem;
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_4);
  spvtools::SpirvTools& mutable_tools = const_cast<spvtools::SpirvTools&>(tools);
  mutable_tools.SetMessageConsumer(
      [&problem](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR && problem.empty()) problem = text;
      });
  spvtools::ValidatorOptions options;
  // The device may allow what the validator does not know of.
  options.SetScalarBlockLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  options.SetAllowLocalSizeId(true);
  if (tools.Validate(words.data(), words.size(), options)) return "";
  return problem.empty() ? "The module is not valid." : problem;
}

}  // namespace

InstrumentConfig ConfigOf(const Context& context, ShaderWay way) {
  const dispatch::Settings& settings = context.settings();
  InstrumentConfig config;
  if (way == ShaderWay::kReservedSet) {
    config.frame.runtime.descriptor_set = context.reserved_set();
  } else {
    config.frame.runtime.reach = spirv_instrument::Reach::kPushConstant;
    config.frame.runtime.push_constant_offset = context.push_constant_offset();
    config.frame.runtime.has_descriptor_buffers = way == ShaderWay::kDescriptorBuffers;
  }
  config.frame.steps.host = spirv_instrument::HostDecides::kNothing;
  config.frame.max_checks = settings.gpuav_debug_max_instrumentations_count;
  spirv_instrument::PassConfigs& passes = config.passes;
  if (settings.gpuav_enable && settings.gpuav_shader_instrumentation) {
    if (settings.gpuav_descriptor_checks) {
      passes.descriptor_index.emplace();
      passes.buffer_bounds.emplace();
      // No rule forbids texels outside of an image; those of a texel buffer are outside of memory.
      passes.image_coordinate = {.images = false, .descriptors = false};
      // What vkGetDescriptorEXT returns has no number.
      if (context.compares_layouts() && way != ShaderWay::kDescriptorBuffers) passes.image_layout.emplace();
    }
    if (settings.gpuav_buffer_address_oob) passes.device_address.emplace();
    if (settings.gpuav_validate_ray_query) passes.ray_query.emplace();
    if (settings.gpuav_vertex_attribute_fetch_oob) passes.vertex_fetch.emplace();
    passes.mesh_output.emplace();
    const auto* mesh = context.device().physical_device->Find<VkPhysicalDeviceMeshShaderPropertiesEXT>();
    if (mesh != nullptr) {
      passes.mesh_output->task_limits = {.x = mesh->maxMeshWorkGroupCount[0],
                                         .y = mesh->maxMeshWorkGroupCount[1],
                                         .z = mesh->maxMeshWorkGroupCount[2],
                                         .total = mesh->maxMeshWorkGroupTotalCount};
    }
  }
  if (settings.printf_enable) passes.debug_printf.emplace();
  return config;
}

Instrumenter::Instrumenter(Context& context) : context_(context) {
  const auto add = [this](ShaderWay way) {
    words_[static_cast<size_t>(way)] = std::make_unique<Words>(ConfigOf(context_, way));
  };
  add(ShaderWay::kReservedSet);
  if (!context.pushes_addresses()) return;
  add(ShaderWay::kPushedAddress);
  add(ShaderWay::kDescriptorBuffers);
}

std::shared_ptr<const InstrumentedWords> Instrumenter::Instrument(const std::shared_ptr<state::ShaderCode>& code,
                                                                  ShaderWay way, const ShaderTerms& terms) {
  if (words_[static_cast<size_t>(way)] == nullptr) return nullptr;
  Words& of_way = *words_[static_cast<size_t>(way)];
  const Words::Key key(code.get(), terms);
  {
    absl::MutexLock lock(&of_way.mutex);
    const auto found = of_way.entries.find(key);
    if (found != of_way.entries.end() && found->second.code.lock() == code) return found->second.words;
  }
  // Two threads may do the same; the result is equal.
  std::shared_ptr<const InstrumentedWords> words = Find(of_way, *code, terms);
  absl::MutexLock lock(&of_way.mutex);
  if (of_way.entries.size() >= of_way.sweep_at) {
    absl::erase_if(of_way.entries, [](const auto& entry) { return entry.second.code.expired(); });
    of_way.sweep_at = std::max<size_t>(64, 2 * of_way.entries.size());
  }
  of_way.entries[key] = {code, words};
  return words;
}

std::shared_ptr<const InstrumentedWords> Instrumenter::Find(Words& of_way, const state::ShaderCode& code,
                                                            const ShaderTerms& terms) {
  const dispatch::Settings& settings = context_.settings();
  // These want to see each shader.
  if (settings.gpuav_debug_dump_instrumented_shaders || settings.gpuav_debug_print_instrumentation_info ||
      settings.gpuav_debug_validate_instrumented_shaders) {
    return Make(of_way, code, terms);
  }
  std::optional<InstrumentedWords> found = of_way.files.Find(code.words(), terms);
  if (!found) return Make(of_way, code, terms);
  if (found->words.empty() && found->conditions.empty()) return nullptr;
  return std::make_shared<InstrumentedWords>(*std::move(found));
}

std::shared_ptr<const InstrumentedWords> Instrumenter::Make(Words& of_way, const state::ShaderCode& code,
                                                            const ShaderTerms& terms) {
  InstrumentConfig config = of_way.config;
  if (terms.host_sets != 0) {
    config.frame.steps.host = spirv_instrument::HostDecides::kAll;
    config.frame.steps.host_sets = terms.host_sets;
  }
  config.frame.reports_at_end = terms.reports_at_end;
  absl::StatusOr<Instrumented> made = spirv_instrument::Instrument(code.words(), config);
  if (!made.ok()) {
    Inform(context_, "ASSAY-gpuav-not-instrumented",
           absl::StrCat("A shader of ", code.words().size(), " words is not instrumented: ", made.status().message(),
                        "."));
    return nullptr;
  }
  const dispatch::Settings& settings = context_.settings();
  if (settings.gpuav_debug_print_instrumentation_info) {
    Inform(context_, "ASSAY-gpuav-instrumented", StatisticsText(*made, code.words().size()));
  }
  auto words = std::make_shared<InstrumentedWords>();
  words->conditions = std::move(made->host_conditions);
  if (!made->is_changed) {
    of_way.files.Add(code.words(), terms, *words);
    return words->conditions.empty() ? nullptr : words;
  }
  words->words = std::move(made->words);
  words->reports_at_end = made->reports_at_end;
  words->limits = std::move(made->limits);
  words->limited_checks = std::move(made->limited_checks);
  words->shader_id_word = made->shader_id_word;
  // Where faults are reported at the end, no function is kept from being inlined, and drivers do that faster.
  if (!words->reports_at_end) {
    // The id bound is the fourth word of the header.
    if (std::optional<InstrumentedWords> inlined = Inline(*words, code.words()[3])) {
      words->words = std::move(inlined->words);
      words->shader_id_word = inlined->shader_id_word;
    }
  }
  if (settings.gpuav_debug_validate_instrumented_shaders) {
    const std::string problem = Problem(words->words);
    if (!problem.empty() && Problem(code.words()).empty()) {
      Inform(context_, "ASSAY-gpuav-not-instrumented",
             absl::StrCat("A shader of ", code.words().size(),
                          " words is not instrumented, since the result would not be valid: ", problem));
      return nullptr;
    }
  }
  of_way.files.Add(code.words(), terms, *words);
  if (settings.gpuav_debug_dump_instrumented_shaders) Dump(code, *words);
  return words;
}

void Instrumenter::Dump(const state::ShaderCode& code, const InstrumentedWords& instrumented) const {
  const std::string name = absl::StrCat("shader_", absl::Hex(absl::HashOf(code.words()), absl::kZeroPad16));
  WriteWords(name + ".spv", code.words());
  WriteWords(name + "_instrumented.spv", instrumented.words);
}

}  // namespace assay::gpuav
