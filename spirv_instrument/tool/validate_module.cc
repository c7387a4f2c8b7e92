// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/validate_module.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {
namespace {

// The version is the second word of a module: 0x00010600.
constexpr uint32_t kSpirv10 = 0x00010000;
constexpr uint32_t kSpirv13 = 0x00010300;
constexpr uint32_t kSpirv14 = 0x00010400;
constexpr uint32_t kSpirv15 = 0x00010500;

spv_target_env EnvironmentOf(absl::Span<const uint32_t> words) {
  if (words.size() < 2) return SPV_ENV_VULKAN_1_0;
  const uint32_t version = words[0] == spv::MagicNumber ? words[1] : __builtin_bswap32(words[1]);
  if (version <= kSpirv10) return SPV_ENV_VULKAN_1_0;
  if (version <= kSpirv13) return SPV_ENV_VULKAN_1_1;
  if (version <= kSpirv14) return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
  if (version <= kSpirv15) return SPV_ENV_VULKAN_1_2;
  return SPV_ENV_VULKAN_1_4;
}

}  // namespace

absl::Status ValidateModule(absl::Span<const uint32_t> words) {
  std::string messages;
  spvtools::SpirvTools tools(EnvironmentOf(words));
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t& position, const char* message) {
        if (level > SPV_MSG_ERROR) return;
        absl::StrAppend(&messages, messages.empty() ? "" : "\n", "instruction ", position.index, ": ", message);
      });
  spvtools::ValidatorOptions options;
  options.SetAllowLocalSizeId(true);
  options.SetRelaxBlockLayout(true);
  options.SetScalarBlockLayout(true);
  options.SetUniformBufferStandardLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  if (tools.Validate(words.data(), words.size(), options)) return absl::OkStatus();
  return absl::FailedPreconditionError(messages);
}

}  // namespace assay::spirv_instrument
