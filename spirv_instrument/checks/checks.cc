// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/checks/checks.h"

#include <cstdint>
#include <utility>

#include "absl/base/no_destructor.h"
#include "absl/log/absl_check.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/checks/checks_by_address.h"
#include "spirv_instrument/checks/checks_by_set.h"
#include "spirv_instrument/checks/checks_in_buffers.h"
#include "spirv_instrument/link/library.h"

namespace assay::spirv_instrument {
namespace {

// The words are part of the program, and a test reads them.
Library ReadChecks(ChecksMemory memory) {
  absl::StatusOr<Library> library = Library::Read(ChecksWords(memory));
  ABSL_CHECK(library.ok());
  return *std::move(library);
}

}  // namespace

absl::Span<const uint32_t> ChecksWords(ChecksMemory memory) {
  if (memory == ChecksMemory::kDeviceAddress) return kChecksByAddress;
  if (memory == ChecksMemory::kDeviceAddressAndDescriptorBuffers) return kChecksInBuffers;
  return kChecksBySet;
}

const Library& Checks(ChecksMemory memory) {
  if (memory == ChecksMemory::kDeviceAddress) {
    static const absl::NoDestructor<Library> by_address(ReadChecks(ChecksMemory::kDeviceAddress));
    return *by_address;
  }
  if (memory == ChecksMemory::kDeviceAddressAndDescriptorBuffers) {
    static const absl::NoDestructor<Library> in_buffers(ReadChecks(memory));
    return *in_buffers;
  }
  static const absl::NoDestructor<Library> by_set(ReadChecks(ChecksMemory::kDescriptorSet));
  return *by_set;
}

}  // namespace assay::spirv_instrument
