// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_CASES_H_
#define ASSAY_BENCHMARKS_CASES_H_

#include <cstdint>
#include <vector>

#include "testing/test_device.h"
#include "vk/vulkan.h"

// What the layer benchmark measures. Each case is a correct program, of which a layer has nothing to say.
namespace assay::benchmarks {

// Commands in a command buffer, and calls in a batch of those that are not recorded.
inline constexpr uint32_t kCommands = 500;

// What both layers check while they are measured; side_by_side.py has the settings.
enum class Checks : uint8_t {
  // Synchronization validation.
  kSynchronization,
  // What the registry alone decides: parameters, object lifetimes, thread safety.
  kRegistry,
};

// Part of a benchmark that is repeated: prepare, measured work, clean-up. One is used by one thread.
struct Case {
  virtual ~Case() = default;
  // Not measured; before each Run().
  virtual void Prepare() {}
  // Measured: kCommands commands or calls, or one submission.
  virtual void Run() = 0;
  // Not measured; after each Run().
  virtual void CleanUp() {}
  // Does, between Prepare() and CleanUp(), what a layer must report that really does these checks on such commands.
  // False if the case has no such thing. A layer is quick that does not look.
  bool MakeError(Checks checks) { return checks == Checks::kRegistry ? MakeInvalidCall() : MakeHazard(); }

 protected:
  // A hazard; a parameter that the registry forbids.
  virtual bool MakeHazard() { return false; }
  virtual bool MakeInvalidCall() { return false; }
};

struct CaseInfo {
  const char* name;
  // Commands that one Run() counts for.
  uint32_t commands;
  Case* (*make)(test::TestDevice& device);
};

// The cases by group; each group is a file.
std::vector<CaseInfo> RecordingCases();
std::vector<CaseInfo> ObjectCases();
std::vector<CaseInfo> SubmitCases();

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_CASES_H_
