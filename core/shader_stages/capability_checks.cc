// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/shader_stages/capability_checks.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "vk/spirv/spirv_info.h"

namespace assay::core {
namespace {

constexpr size_t kWordsOfHeader = 5;

// "VK_VERSION_1_2" or "VK_KHR_shader_float_controls".
bool IsProvidedBy(const dispatch::Device& device, std::string_view name) {
  constexpr std::string_view kVersion = "VK_VERSION_1_";
  if (name.substr(0, kVersion.size()) == kVersion) {
    const uint32_t minor = static_cast<uint32_t>(name.back() - '0');
    return device.api_version >= VK_MAKE_API_VERSION(0, 1, minor, 0);
  }
  const std::optional<vk::ExtensionId> extension = vk::FindExtension(name);
  return extension && device.Includes(*extension);
}

bool HasProperty(const dispatch::Device& device, const vk::SpirvAlternative& of) {
  bool is_provided = false;
  for (std::string_view name : absl::StrSplit(of.requires_one_of, ',')) is_provided |= IsProvidedBy(device, name);
  if (!is_provided) return false;
  const void* const structure = device.physical_device->Find(of.structure_type);
  // What the device cannot be asked may be there.
  if (structure == nullptr || of.size > sizeof(uint64_t)) return true;
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char*>(structure) + of.offset, of.size);
  return (value & of.value) == of.value;
}

bool HasAlternative(const dispatch::Device& device, const vk::SpirvAlternative& alternative) {
  if (alternative.version != 0) return device.api_version >= alternative.version;
  if (alternative.extension) return device.IsEnabled(*alternative.extension);
  if (alternative.feature) return device.HasFeature(*alternative.feature);
  return HasProperty(device, alternative);
}

bool IsSatisfied(const dispatch::Device& device, const vk::SpirvRequirement& requirement) {
  for (const vk::SpirvAlternative& alternative : requirement.alternatives) {
    if (HasAlternative(device, alternative)) return true;
  }
  return false;
}

std::string AlternativesText(const vk::SpirvRequirement& requirement) {
  std::string text;
  for (const vk::SpirvAlternative& alternative : requirement.alternatives) {
    absl::StrAppend(&text, text.empty() ? "" : " or ", alternative.text);
  }
  return text;
}

std::string_view StringAt(absl::Span<const uint32_t> words) {
  const char* const text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size() * sizeof(uint32_t))};
}

// Whether SPIR-V had the capability or the extension when the layer was built. What is newer may be Vulkan's by now.
const spirv_instrument::EnumerantInfo* FindInGrammar(uint32_t capability) {
  return spirv_instrument::FindEnumerant(spirv_instrument::OperandKind::kCapability, capability);
}
bool IsInGrammar(std::string_view extension) {
  const auto has = [&](const spirv_instrument::EnumerantInfo& of) {
    return std::ranges::find(of.extensions, extension) != of.extensions.end();
  };
  return std::ranges::any_of(spirv_instrument::InfoOf(spirv_instrument::OperandKind::kCapability).enumerants, has);
}

class CapabilityCheck {
 public:
  CapabilityCheck(const dispatch::Device& device, const CapabilityIds& ids, const messages::Location& where,
                  messages::Report& report)
      : device_(device), ids_(ids), where_(where), report_(report) {}

  void CheckCapability(uint32_t capability) {
    const vk::SpirvRequirement* const requirement = vk::FindSpirvCapability(capability);
    if (requirement == nullptr) {
      const auto* const known = FindInGrammar(capability);
      // An extension that this layer does not know may bring it to Vulkan.
      if (known == nullptr || device_.has_unknown_extensions) return;
      Report(ids_.unknown_capability,
             absl::StrCat("declares capability ", known->name, ", which Vulkan does not have."), "");
    } else if (!IsSatisfied(device_, *requirement)) {
      const std::string missing = AlternativesText(*requirement);
      Report(ids_.capability,
             absl::StrCat("declares capability ", requirement->name, ", and the device does not have ", missing, "."),
             absl::StrCat("Enable ", missing, "."));
    }
  }
  void CheckExtension(std::string_view name) {
    const vk::SpirvRequirement* const requirement = vk::FindSpirvExtension(name);
    if (requirement == nullptr) {
      if (!IsInGrammar(name) || device_.has_unknown_extensions) return;
      Report(ids_.unknown_extension, absl::StrCat("declares extension ", name, ", which Vulkan does not have."), "");
    } else if (!IsSatisfied(device_, *requirement)) {
      const std::string missing = AlternativesText(*requirement);
      Report(ids_.extension, absl::StrCat("declares extension ", name, ", and the device does not have ", missing, "."),
             absl::StrCat("Enable ", missing, "."));
    }
  }
  void Report(vk::VuidIndex vuid, std::string text, std::string fix) {
    report_.Error(vuid, {messages::Object(device_.handle)}, where_, std::move(text), std::move(fix));
  }

 private:
  const dispatch::Device& device_;
  const CapabilityIds& ids_;
  const messages::Location& where_;
  messages::Report& report_;
};

// Whether a capability implies Shader.
bool ImpliesShader(uint32_t capability) {
  switch (static_cast<spv::Capability>(capability)) {
    case spv::Capability::Matrix:
    case spv::Capability::Linkage:
      return false;
    default:
      // Nearly all others imply it, in some steps.
      return true;
  }
}

}  // namespace

void CheckCapabilities(const dispatch::Device& device, absl::Span<const uint32_t> words, const CapabilityIds& ids,
                       const messages::Location& where, messages::Report& report) {
  if (words.size() < kWordsOfHeader || words[0] != spv::MagicNumber) return;
  CapabilityCheck check(device, ids, where, report);
  bool has_shader = false;
  size_t at = kWordsOfHeader;
  while (at < words.size()) {
    const size_t size = words[at] >> spv::WordCountShift;
    if (size == 0 || size > words.size() - at) return;
    const auto op = static_cast<spv::Op>(words[at] & spv::OpCodeMask);
    if (op == spv::Op::OpCapability && size == 2) {
      has_shader |= ImpliesShader(words[at + 1]);
      check.CheckCapability(words[at + 1]);
    } else if (op == spv::Op::OpExtension && size > 1) {
      check.CheckExtension(StringAt(words.subspan(at + 1, size - 1)));
    } else {
      break;
    }
    at += size;
  }
  if (!has_shader) check.Report(ids.shader, "does not declare the capability Shader.", "");
}

}  // namespace assay::core
