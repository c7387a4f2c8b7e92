// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/configuration.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "spirv_instrument/passes/arithmetic/float_groups.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument::fuzz {
namespace {

// By bits 18 and 19.
constexpr uint32_t kPushConstantOffsets[] = {120, 16, 64, 4096};

// The bits from the lowest on.
class Bits {
 public:
  explicit Bits(uint32_t word) : word_(word) {}
  bool Has(uint32_t bit) const { return (word_ >> bit & 1) != 0; }

 private:
  uint32_t word_;
};

void ConfigureSteps(Bits bits, StepsConfig& steps) {
  steps.same_values = !bits.Has(10);
  steps.dominated = !bits.Has(11);
  steps.spans = !bits.Has(12);
  steps.hoisted = !bits.Has(13);
  if (bits.Has(14)) steps.host = HostDecides::kCertain;
  if (bits.Has(15)) steps.host = HostDecides::kNothing;
}

void ConfigureRuntime(Bits bits, RuntimeConfig& runtime) {
  if (bits.Has(16)) runtime.reach = Reach::kPushConstant;
  if (bits.Has(17)) runtime.reach = Reach::kSpecializationConstant;
  runtime.push_constant_offset = kPushConstantOffsets[(bits.Has(18) ? 1 : 0) + (bits.Has(19) ? 2 : 0)];
  if (bits.Has(25)) runtime.descriptor_set = 0;
  runtime.has_descriptor_buffers = bits.Has(28);
}

void ConfigurePasses(Bits bits, PassConfigs& passes) {
  if (passes.undefined_arithmetic && bits.Has(22)) {
    passes.undefined_arithmetic->not_a_number = FloatOperations::kAll;
    passes.undefined_arithmetic->infinity = FloatOperations::kAll;
  }
  if (passes.block_counts && bits.Has(23)) {
    passes.block_counts->subgroups = bits.Has(24) ? SubgroupUse::kNever : SubgroupUse::kAlways;
  }
  if (passes.debug_printf && bits.Has(24)) passes.debug_printf->prints_wrong_formats = false;
  if (!bits.Has(26)) return;
  if (passes.descriptor_index) passes.descriptor_index->queries = false;
  if (passes.buffer_bounds) passes.buffer_bounds->uniform = false;
  if (passes.device_address) passes.device_address->alignment = false;
  if (passes.image_coordinate) passes.image_coordinate->texel_buffers = false;
  if (passes.ray_query) passes.ray_query->zero_direction = false;
  if (passes.mesh_output) passes.mesh_output->counts = false;
  if (passes.vertex_fetch) passes.vertex_fetch->draw_parameters = false;
}

}  // namespace

InstrumentConfig ConfigurationOf(uint32_t word) {
  const Bits bits(word);
  InstrumentConfig config;
  uint32_t pass = 0;
  for (std::string_view name : PassNames()) {
    const uint32_t bit = name == "image_layout" ? 29 : pass++;
    if (!bits.Has(bit) && !EnablePass(config.passes, name).ok()) std::abort();
  }
  ConfigureSteps(bits, config.frame.steps);
  ConfigureRuntime(bits, config.frame.runtime);
  config.frame.is_report_only = bits.Has(20);
  if (bits.Has(21)) config.frame.max_checks = 3;
  config.frame.reports_at_end = bits.Has(27);
  ConfigurePasses(bits, config.passes);
  return config;
}

}  // namespace assay::spirv_instrument::fuzz
