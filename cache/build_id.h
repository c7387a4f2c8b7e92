// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_BUILD_ID_H_
#define ASSAY_CACHE_BUILD_ID_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cache {

// The build of the library that this function is in, in hexadecimal; "" if the linker did not note it.
std::string BuildOfThisLibrary();

using Uuid = std::array<uint8_t, 16>;

// A build as a UUID. "" gives another one each time, since such builds cannot be told from each other.
Uuid UuidOf(std::string_view build);

// That of BuildOfThisLibrary(), the same for the life of the process.
const Uuid& UuidOfThisLibrary();

}  // namespace assay::cache

#endif  // ASSAY_CACHE_BUILD_ID_H_
