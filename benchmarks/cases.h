// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_CASES_H_
#define ASSAY_BENCHMARKS_CASES_H_

#include <cstdint>
#include <vector>

#include "testing/test_device.h"
#include "vk/vulkan.h"

// The cases of the layer benchmark. Each is a correct program, about which a layer reports nothing.
namespace assay::benchmarks {

// The number of commands in a command buffer, and of calls in a batch of commands that are not recorded.
inline constexpr uint32_t kCommands = 500;

// The checks of both layers during the measurement; side_by_side.py has the settings.
enum class Checks : uint8_t {
  // Synchronization validation.
  kSynchronization,
  // Checks from the registry alone: parameters, object lifetimes, thread safety.
  kRegistry,
  // What is on by default.
  kDefault,
};

// The repeated part of a benchmark: prepare, measured work, clean-up. One thread runs a case.
struct Case {
  virtual ~Case() = default;
  // Not measured; before each Run().
  virtual void Prepare() {}
  // Measured: kCommands commands or calls, or one submission.
  virtual void Run() = 0;
  // Not measured; after each Run().
  virtual void CleanUp() {}
  // Makes a mistake, between Prepare() and CleanUp(), that a layer must report if it does these checks on such
  // commands: a layer that does not check is fast. False if the case has no such mistake.
  bool MakeError(Checks checks) {
    switch (checks) {
      case Checks::kSynchronization:
        return MakeHazard();
      case Checks::kRegistry:
        return MakeInvalidCall();
      case Checks::kDefault:
        return MakeInvalidUse();
    }
    return false;
  }

 protected:
  // A hazard; a parameter that the registry forbids; a use of objects that what they are forbids.
  virtual bool MakeHazard() { return false; }
  virtual bool MakeInvalidCall() { return false; }
  virtual bool MakeInvalidUse() { return false; }
};

struct CaseInfo {
  const char* name;
  // The number of commands in one Run().
  uint32_t commands;
  Case* (*make)(test::TestDevice& device);
};

// The cases by group; each group is a file.
std::vector<CaseInfo> RecordingCases();
std::vector<CaseInfo> ObjectCases();
std::vector<CaseInfo> ShaderCases();
std::vector<CaseInfo> SubmitCases();
// Cases among many objects. The first of them that is made needs a while (Crowd).
std::vector<CaseInfo> CrowdedCases();

// The case create_destroy_buffer.
Case* MakeCreateDestroyBuffer(test::TestDevice& device);

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_CASES_H_
