// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_WALK_LOAD_STORE_H_
#define ASSAY_VK_WALK_LOAD_STORE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

// Loads and stores members of structures by their offsets, for code that walks structures by their descriptions
// (vk/struct_info.h). An application may pass anything, so a member is read as bytes, whatever its type and alignment,
// and a pointer can be tested before it is dereferenced.
namespace assay::vk {

// Whether the address can be valid: not in the first page, which is never mapped, and not in the kernel's half.
// Dereferencing any other pointer would crash.
inline bool IsAddress(const void* pointer) {
  constexpr uint64_t kFirst = 4096;
  constexpr uint64_t kLast = uint64_t{1} << 56;
  return reinterpret_cast<uint64_t>(pointer) - kFirst < kLast - kFirst;
}

// The T that is offset bytes behind base.
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

template <class T>
void Store(void* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

template <class T>
void Store(void* base, size_t offset, T value) {
  Store(static_cast<char*>(base) + offset, value);
}

}  // namespace assay::vk

#endif  // ASSAY_VK_WALK_LOAD_STORE_H_
