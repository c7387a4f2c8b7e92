// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_WAYS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_WAYS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "spirv_instrument/passes/instrument.h"

// Ways to instrument: passes, steps and reach, by name.
namespace assay::spirv_instrument::corpus {

// These passes, or all if there are none, with what is off by default on: null descriptors, offsets, NaN and infinity.
// NotFound for a name that no pass has.
absl::StatusOr<PassConfigs> PassesByName(absl::Span<const std::string> names, const VkPhysicalDeviceLimits& limits);

// The names of the passes whose modules may report at the end (FrameConfig::reports_at_end).
std::vector<std::string> DescriptorPasses();

// The names of the passes that are for faults of these kinds; each once.
std::vector<std::string> PassesFor(absl::Span<const ExpectedFault> faults);

// "none" or "all", or one step alone: "same_values", "dominated", "spans", "hoisted", "host", and "certain" for
// HostDecides::kCertain. NotFound for another name.
absl::StatusOr<StepsConfig> StepsByName(std::string_view name);

// "descriptor_set", "push_constant" or "specialization_constant". NotFound for another name.
absl::StatusOr<Reach> ReachByName(std::string_view name);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_WAYS_H_
