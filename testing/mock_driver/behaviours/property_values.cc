// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/behaviours/property_values.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "vk/struct_info.h"

namespace assay::test {
namespace {

using vk::MemberInfo;
using vk::MemberKind;

// Values that do not follow from a member's name by rule.
struct NamedValue {
  std::string_view name;
  uint64_t value;
};
constexpr NamedValue kNamedValues[] = {
    {"driverID", VK_DRIVER_ID_MESA_LLVMPIPE},
    {"maxDiscardRectangles", 8},
    {"maxFragmentDensityTexelSize", 32},
    {"maxFragmentShadingRateAttachmentTexelSize", 32},
    {"maxFragmentSize", 4},
    {"maxGeometryCount", 1u << 24},
    {"maxInlineUniformBlockSize", 256},
    {"maxMultiviewViewCount", 32},
    {"maxPushDescriptors", 32},
    {"maxRayRecursionDepth", 31},
    {"maxSubgroupSize", 64},
    {"maxTimelineSemaphoreValueDifference", 0x7fffffffffffffff},
    {"maxTransformFeedbackBuffers", 4},
    {"maxTransformFeedbackStreams", 4},
    {"maxVertexAttribDivisor", 0xffffffff},
    {"minSubgroupSize", 4},
    {"nullColorAttachmentWithExternalFormatResolve", VK_FALSE},
    {"shaderGroupBaseAlignment", 64},
    {"shaderGroupHandleAlignment", 32},
    {"shaderGroupHandleCaptureReplaySize", 32},
    {"shaderGroupHandleSize", 32},
    {"subgroupSize", 32},
};

std::optional<uint64_t> FindNamedValue(std::string_view name) {
  for (const NamedValue& entry : kNamedValues) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

uint64_t NumberFor(std::string_view name, uint32_t size) {
  if (auto value = FindNamedValue(name)) return *value;
  if (Contains(name, "lignment") || Contains(name, "ranularity")) return 16;
  if (name.starts_with("max")) return size == 8 ? 1ull << 30 : 1u << 20;
  if (name.starts_with("min")) return 1;
  if (name.ends_with("AddressSpaceSize")) return 1ull << 27;
  if (name.ends_with("Size")) return 64;
  return 1;
}

// An array of the application is not filled, so its count is zero.
bool CountsPointer(const vk::StructInfo& info, const MemberInfo& member) {
  for (const MemberInfo& other : info.members) {
    if (other.indirection != vk::Indirection::kInline && other.length_kind == vk::LengthKind::kMember &&
        &info.members[other.length_member] == &member) {
      return true;
    }
  }
  return false;
}

uint64_t ValueFor(const vk::StructInfo& info, const MemberInfo& member, std::string_view name) {
  switch (member.kind) {
    case MemberKind::kBool32:
      return FindNamedValue(name).value_or(VK_TRUE);
    case MemberKind::kFlags:
      return 0x7fffffff;
    case MemberKind::kValue:
      return CountsPointer(info, member) ? 0 : NumberFor(name, member.element_size);
    case MemberKind::kEnum:
      return FindNamedValue(name).value_or(0);
    default:
      return 0;
  }
}

void FillMembers(const vk::StructInfo& info, void* base, std::string_view outer_name);

void FillMember(const vk::StructInfo& info, const MemberInfo& member, std::byte* target, std::string_view outer_name) {
  // The width of maxFragmentSize is a maximum.
  std::string_view name = outer_name.empty() ? member.name : outer_name;
  for (uint32_t i = 0; i < member.fixed_count; ++i, target += member.element_size) {
    if (member.kind == MemberKind::kStruct) {
      FillMembers(vk::Structs()[member.type], target, name);
    } else if (member.type_name == "float") {
      float value = name.starts_with("max") && !outer_name.starts_with("min") ? 16 : 1;
      std::memcpy(target, &value, sizeof(value));
    } else {
      uint64_t value = ValueFor(info, member, name);
      std::memcpy(target, &value, member.element_size);
    }
  }
}

void FillMembers(const vk::StructInfo& info, void* base, std::string_view outer_name) {
  for (const MemberInfo& member : info.members) {
    bool keeps = member.kind == MemberKind::kStructureType || member.kind == MemberKind::kNext ||
                 member.indirection != vk::Indirection::kInline || (member.flags & vk::kMemberBitField) != 0;
    if (keeps) continue;
    std::byte* target = static_cast<std::byte*>(base) + member.offset;
    if (member.kind == MemberKind::kString) {
      constexpr std::string_view kText = "Assay mock";
      std::memset(target, 0, member.fixed_count);
      std::memcpy(target, kText.data(), kText.size());
    } else {
      FillMember(info, member, target, outer_name);
    }
  }
}

}  // namespace

void FillPropertyStruct(VkBaseOutStructure* properties) {
  const vk::StructInfo* info = vk::FindStruct(properties->sType);
  if (info != nullptr) FillMembers(*info, properties, "");
}

}  // namespace assay::test
