// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/validity.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "spirv-tools/libspirv.hpp"

namespace assay::spirv_instrument::corpus {
namespace {

// The version is the second word of a module: 0x00010600.
constexpr uint32_t kSpirv10 = 0x00010000;
constexpr uint32_t kSpirv13 = 0x00010300;
constexpr uint32_t kSpirv14 = 0x00010400;
constexpr uint32_t kSpirv15 = 0x00010500;

}  // namespace

spv_target_env EnvironmentOf(absl::Span<const uint32_t> words) {
  const uint32_t version = words.size() < 2 ? kSpirv10 : words[1];
  if (version <= kSpirv10) return SPV_ENV_VULKAN_1_0;
  if (version <= kSpirv13) return SPV_ENV_VULKAN_1_1;
  if (version <= kSpirv14) return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
  if (version <= kSpirv15) return SPV_ENV_VULKAN_1_2;
  return SPV_ENV_VULKAN_1_4;
}

absl::Status Validate(absl::Span<const uint32_t> words) {
  std::string messages;
  spvtools::SpirvTools tools(EnvironmentOf(words));
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
    absl::StrAppend(&messages, messages.empty() ? "" : "\n", "instruction ", position.index, ": ", message);
  });
  spvtools::ValidatorOptions options;
  options.SetAllowLocalSizeId(true);
  options.SetRelaxBlockLayout(true);
  options.SetScalarBlockLayout(true);
  options.SetUniformBufferStandardLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  if (tools.Validate(words.data(), words.size(), options)) return absl::OkStatus();
  return absl::InvalidArgumentError(messages);
}

}  // namespace assay::spirv_instrument::corpus
