// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/enabled_api.h"

#include <algorithm>
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "vk/extension_info.h"

namespace assay::stateless {
namespace {

// Enumerants of the extension with number n begin at 1000000000 + (n - 1) * 1000.
constexpr int64_t kFirstOfExtensions = 1000000000;
constexpr int64_t kValuesOfAnExtension = 1000;

// The least value of an extension that the registry does not have.
int64_t FirstUnknownValue() {
  static const int64_t first = [] {
    int64_t last = kFirstOfExtensions;
    for (size_t i = 0; i < vk::kEnumCount; ++i) {
      const vk::EnumInfo& info = vk::GetEnumInfo(static_cast<vk::EnumId>(i));
      if (!info.is_bitmask && !info.values.empty()) last = std::max(last, info.values.back().value);
    }
    return last - last % kValuesOfAnExtension + kValuesOfAnExtension;
  }();
  return first;
}

}  // namespace

EnabledApi::EnabledApi() : all_(true) { FillValues(); }

EnabledApi::EnabledApi(uint32_t api_version, const dispatch::ExtensionSet& extensions)
    : all_(false), api_version_(api_version), extensions_(extensions) {
  FillValues();
}

EnabledApi EnabledApi::BeyondRegistry() {
  EnabledApi result;
  result.beyond_registry_ = true;
  for (size_t i = 0; i < vk::kEnumCount; ++i) {
    const vk::EnumInfo& info = vk::GetEnumInfo(static_cast<vk::EnumId>(i));
    // Bit 31 of 32 is never used, so that the constants are valid in C.
    result.values_[i].low = info.is_bitmask && info.bit_width == 32 ? uint64_t{0x7fffffff} : ~uint64_t{0};
  }
  return result;
}

void EnabledApi::FillValues() {
  values_.resize(vk::kEnumCount);
  for (size_t i = 0; i < vk::kEnumCount; ++i) {
    const vk::EnumInfo& info = vk::GetEnumInfo(static_cast<vk::EnumId>(i));
    Values& values = values_[i];
    for (const vk::EnumValue& value : info.values) {
      if (!Has(value.core_version, value.extensions)) continue;
      const bool fits = info.is_bitmask ? std::has_single_bit(static_cast<uint64_t>(value.value))
                                        : value.value >= 0 && value.value < 64;
      if (fits) {
        values.low |= info.is_bitmask ? static_cast<uint64_t>(value.value) : uint64_t{1} << value.value;
      } else {
        values.others.push_back(value.value);
      }
    }
    std::ranges::sort(values.others);
  }
}

bool EnabledApi::Has(uint32_t core_version, std::span<const uint16_t> extensions) const {
  return all_ || dispatch::IsProvided(core_version, extensions, api_version_, extensions_);
}

bool EnabledApi::Has(const vk::CommandInfo& command) const {
  if (Has(command.core_version, command.extensions)) return true;
  return std::ranges::any_of(vk::CommandAliases(), [&](const vk::CommandAlias& alias) {
    return alias.id == command.id && !alias.extensions.empty() && Has(0, alias.extensions);
  });
}

bool EnabledApi::HasOtherValue(const Values& values, int32_t value) const {
  const int64_t first_unknown = beyond_registry_ ? 0 : FirstUnknownValue();
  return std::ranges::binary_search(values.others, value) || (value >= first_unknown && value != 0x7fffffff);
}

bool EnabledApi::HasNames(uint16_t enum_id) const {
  const Values& values = values_[enum_id];
  return std::ranges::any_of(values.others,
                             [&](int64_t other) { return (static_cast<uint64_t>(other) & ~values.low) != 0; });
}

bool EnabledApi::HasOtherBits(const Values& values, uint64_t value) {
  // A name of several bits, such as VK_SHADER_STAGE_ALL, allows them together and not each of them.
  return std::ranges::any_of(values.others, [&](int64_t other) {
    const auto bits = static_cast<uint64_t>(other);
    return (value & bits) == bits && (value & ~(values.low | bits)) == 0;
  });
}

std::string ProvidedBy(uint32_t core_version, std::span<const uint16_t> extensions) {
  std::vector<std::string> names;
  if (core_version != 0) {
    names.push_back(
        absl::StrCat("Vulkan ", VK_API_VERSION_MAJOR(core_version), ".", VK_API_VERSION_MINOR(core_version)));
  }
  for (uint16_t extension : extensions) {
    names.emplace_back(vk::GetExtensionInfo(static_cast<vk::ExtensionId>(extension)).name);
  }
  return absl::StrJoin(names, " or ");
}

std::string ProvidedBy(const vk::CommandInfo& command) {
  std::vector<uint16_t> extensions(command.extensions.begin(), command.extensions.end());
  for (const vk::CommandAlias& alias : vk::CommandAliases()) {
    if (alias.id == command.id) extensions.insert(extensions.end(), alias.extensions.begin(), alias.extensions.end());
  }
  return ProvidedBy(command.core_version, extensions);
}

}  // namespace assay::stateless
