// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_ENABLED_API_H_
#define ASSAY_STATELESS_IMPLICIT_ENABLED_API_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dispatch/dispatch.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// The part of the registry that the application may use: what its version and its extensions provide.
class EnabledApi {
 public:
  // All of the registry: for commands of instances and physical devices, which may be about anything that a device
  // supports.
  EnabledApi();
  // The same, and what a newer registry may have: for queries of physical devices, which may be about anything that the
  // driver knows. Wrong are only values that no registry will ever have.
  static EnabledApi BeyondRegistry();
  // The version and extensions of a device or an instance.
  EnabledApi(uint32_t api_version, const dispatch::ExtensionSet& extensions);

  // Whether the version or one of the extensions is enabled. True if neither provides the item.
  bool Has(uint32_t core_version, std::span<const uint16_t> extensions) const;
  bool Has(const vk::StructInfo& structure) const { return Has(structure.core_version, structure.extensions); }
  // By its name or an alias.
  bool Has(const vk::CommandInfo& command) const;

  // Whether value is an enumerant that may be used. True for one of an extension that is newer than the registry.
  bool HasValue(uint16_t enum_id, int32_t value) const {
    const Values& values = values_[enum_id];
    if (static_cast<uint32_t>(value) < 64) return (values.low >> value & 1) != 0;
    return HasOtherValue(values, value);
  }
  // Whether every bit of value may be used.
  bool HasBits(uint16_t enum_id, uint64_t value) const {
    const Values& values = values_[enum_id];
    return (value & ~values.low) == 0 || HasOtherBits(values, value);
  }
  // The bits of a bitmask that may be used, or one bit for each enumerant below 64.
  uint64_t LowValues(uint16_t enum_id) const { return values_[enum_id].low; }
  // Whether a bitmask has names that allow more bits together than each alone.
  bool HasNames(uint16_t enum_id) const;
  // The bits of value that may not be used.
  uint64_t OtherBits(uint16_t enum_id, uint64_t value) const { return value & ~values_[enum_id].low; }

 private:
  struct Values {
    // The bits of a bitmask; the enumerants below 64 of an enumeration, one bit each.
    uint64_t low = 0;
    // The other enumerants, or the names of a bitmask with more than one bit; sorted.
    std::vector<int64_t> others;
  };

  void FillValues();
  bool HasOtherValue(const Values& values, int32_t value) const;
  static bool HasOtherBits(const Values& values, uint64_t value);

  bool all_;
  bool beyond_registry_ = false;
  uint32_t api_version_ = 0;
  dispatch::ExtensionSet extensions_;
  std::vector<Values> values_;
};

// What provides something, as text for messages: "Vulkan 1.3 or VK_KHR_synchronization2".
std::string ProvidedBy(uint32_t core_version, std::span<const uint16_t> extensions);
// By its name or an alias.
std::string ProvidedBy(const vk::CommandInfo& command);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_ENABLED_API_H_
