// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_ADDRESS_H_
#define ASSAY_STATELESS_ADDRESS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace assay::stateless {

// Whether anything can be at the address: not in the first page, which is never mapped, and not in the kernel's half.
// What is false here would crash when followed.
inline bool IsAddress(const void* pointer) {
  constexpr uint64_t kFirst = 4096;
  constexpr uint64_t kLast = uint64_t{1} << 56;
  return reinterpret_cast<uint64_t>(pointer) - kFirst < kLast - kFirst;
}

template <class T>
T Load(const void* base, size_t offset = 0) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof(T));
  return value;
}

// An unsigned integer of that many bytes.
inline uint64_t LoadUnsigned(const void* at, size_t size) {
  switch (size) {
    case 1:
      return Load<uint8_t>(at);
    case 2:
      return Load<uint16_t>(at);
    case 4:
      return Load<uint32_t>(at);
    default:
      return Load<uint64_t>(at);
  }
}

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_ADDRESS_H_
