// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_CONFIG_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_CONFIG_H_

#include <cstdint>

namespace assay::spirv_instrument {

// How the shader reaches the memory of runtime.h.
enum class Reach : uint8_t {
  kDescriptorSet,
  // The address of the action block is in push constants.
  kPushConstant,
  // It is in specialization constants.
  kSpecializationConstant,
};

struct RuntimeConfig {
  Reach reach = Reach::kDescriptorSet;
  // For kDescriptorSet: a set that the application does not use.
  uint32_t descriptor_set = 7;
  // For kPushConstant: where the eight bytes are; a multiple of 8, behind all that the application has.
  uint32_t push_constant_offset = 0;
  // For kSpecializationConstant: the SpecId of the low word; the high word has the next one.
  uint32_t specialization_id = 0x61737379;
  // Not for kDescriptorSet: the application's descriptors are in descriptor buffers, so that what the action block has
  // for each set is its place (layout.h). The host decides nothing then.
  bool has_descriptor_buffers = false;
  // The id in the records of this shader. It is one word of the result: Instrumented::shader_id_word.
  uint32_t shader_id = 0;
};

// Which checks are left to the host, as conditions on the descriptors that are bound (HostCondition).
enum class HostDecides : uint8_t {
  kNothing,
  // What the shader executes whenever it runs, so that a condition that does not hold is an error.
  kCertain,
  // All that can be left to it. If a condition does not hold, the host needs the shader with kNothing, which finds out
  // whether the access happens, and does not execute it.
  kAll,
};

// The steps over the wanted checks, each of which saves work in the shader. None changes what a shader computes or
// which causes are found, but for `dominated`.
struct StepsConfig {
  // Different ids that have the same value count as one.
  bool same_values = true;
  // A check that an earlier check of the same thing on all paths decides has no condition of its own. A fault that both
  // would find is reported of the first.
  bool dominated = true;
  // Accesses of one block to the same structure are first checked at once, from the first byte to the last.
  bool spans = true;
  // Conditions of what does not change in a loop are computed before it.
  bool hoisted = true;
  HostDecides host = HostDecides::kAll;
  // Bit i: the host knows the descriptors of set i when it decides.
  uint32_t host_sets = 0xffffffff;

  // Nothing is saved: each access has a check with a condition of its own.
  static constexpr StepsConfig None() {
    return {.same_values = false, .dominated = false, .spans = false, .hoisted = false, .host = HostDecides::kNothing};
  }
};

struct FrameConfig {
  RuntimeConfig runtime;
  StepsConfig steps;
  // A bad access is executed, and only reported.
  bool is_report_only = false;
  // The first fault of an invocation is kept, and reported where the entry point ends; the invocation's other faults
  // are not. The code that reports is there once, and not at each check, which a driver compiles much faster. What ends
  // the device before the invocation ends takes its fault with it. For modules all of whose entry points are GLCompute,
  // and whose checks are all of descriptors; of others, all faults are reported at once, as without.
  //
  // With HostDecides::kAll, and if the host knows a limit for each check (host_limit.h), the shader compares with these
  // and leaves notes instead of records: the fault path is a handful of instructions.
  bool reports_at_end = false;
  // At most so many checks; further ones are counted as kLimit. 0 for any number. What has no condition is not a check,
  // and always there: what is inserted to count or to keep track, and the output of debugPrintf.
  uint32_t max_checks = 0;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_CONFIG_H_
