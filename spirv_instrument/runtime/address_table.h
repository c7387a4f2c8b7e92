// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_ADDRESS_TABLE_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_ADDRESS_TABLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {

// A buffer's addresses: [begin, begin + size).
struct AddressRange {
  uint64_t begin = 0;
  uint64_t size = 0;
};

struct AddressTableOptions {
  // log2 of the size of a page. Smaller pages have shorter lists and make a larger table. It is raised as far as
  // addresses and kMaxPages ask for.
  uint32_t page_shift = 21;
};

// What the table may grow to: 16 bytes for a page, at most half of the buckets used.
inline constexpr uint64_t kMaxPages = uint64_t{1} << 20;

// Makes the words of the table of live device addresses, as layout.h has it: 16 bytes for each page that a range
// reaches into, times two to four, and 8 for each range of a page that has several. Ranges may be in any order,
// overlap, be empty; those that are empty are left out. The same ranges make the same words.
//
// InvalidArgument if a range goes past the last address, or if there is no page size for these addresses.
absl::StatusOr<std::vector<uint32_t>> MakeAddressTable(absl::Span<const AddressRange> ranges,
                                                       AddressTableOptions options = {});

// What the shader would find: how many bytes from `address` on are in one range, at most 0xffffffff; 0 if the address
// is in none. For tests, and for messages.
uint32_t RoomAt(absl::Span<const uint32_t> table, uint64_t address);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_ADDRESS_TABLE_H_
