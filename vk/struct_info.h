// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_STRUCT_INFO_H_
#define ASSAY_VK_STRUCT_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "vk/vulkan.h"

// Structures and commands' parameters, described member by member. Code that walks any of them (handle translation,
// deep copies, parameter checks) is so written once.
namespace assay::vk {

// An index into the table that a member's kind selects (StructInfo, EnumInfo, HandleInfo).
using TypeIndex = uint16_t;
inline constexpr TypeIndex kNoType = 0xffff;

// The kind of one element of a member.
enum class MemberKind : uint8_t {
  // A number or anything else with no meaning to a walker.
  kValue,
  kBool32,
  kEnum,
  kFlags,
  // type is a HandleInfo.
  kHandle,
  // A uint64_t that holds a handle. The member at selector holds its VkObjectType (or VkDebugReportObjectTypeEXT).
  kTypedHandle,
  // A structure or union known to the registry; type is a StructInfo.
  kStruct,
  kStructureType,
  // The head of a pNext chain, const or not.
  kNext,
  // char.
  kString,
  // A pointer whose target has no description: void*, PFN_*, platform types.
  kOpaquePointer,
  kDeviceAddress,
};

// How many pointers stand between the member and its elements.
enum class Indirection : uint8_t {
  // The element itself, or fixed_count inline elements.
  kInline,
  // A pointer to length elements.
  kPointer,
  // A pointer to length pointers, each to one element (ppGeometries) or one string (ppEnabledLayerNames). With
  // kMemberOuterLengthOnly (ppBuildRangeInfos), each points to elements whose number other members define.
  kPointerToPointer,
};

// The source of the number of elements behind a pointer.
enum class LengthKind : uint8_t {
  // Exactly one.
  kOne,
  kNullTerminated,
  // The unsigned integer member at index length_member; if that member is itself a pointer, what it points to.
  kMember,
  // The member at index length_member points to a structure; the count is its uint32_t at byte length_offset.
  kMemberOfPointee,
  // A constant, length_offset elements.
  kConstant,
  // ceil(member at length_member / length_offset), e.g. (rasterizationSamples + 31) / 32.
  kMemberDividedUp,
  // member at length_member / length_offset, e.g. codeSize / 4.
  kMemberDivided,
  // Not known to the registry (void* without len).
  kUnknown,
};

enum MemberFlag : uint16_t {
  kMemberConst = 1,
  // The value (or pointer) may be zero or null.
  kMemberOptional = 2,
  // What the pointer points to may be zero (optional="..,true" or counts that may be 0).
  kMemberPointeeOptional = 4,
  kMemberNoAutoValidity = 8,
  kMemberExternSync = 16,
  // This pointer's element count is a member that the command writes back (pCount of vkEnumerate*).
  kMemberIsLengthOf = 32,
  // The command or driver writes through this pointer.
  kMemberOutput = 64,
  // A union member chosen by the member at selector of the structure that holds the union.
  kMemberHasSelector = 128,
  // A C bit-field: offset and size are those of the whole structure and must not be used.
  kMemberBitField = 256,
  // The type is a FlagBits type: one bit, not a combination.
  kMemberSingleBit = 512,
  // kPointerToPointer: the length counts the pointers only; other members hold the number of elements behind each.
  kMemberOuterLengthOnly = 1024,
};

struct MemberInfo {
  std::string_view name;
  // The registry's name of the element type, e.g. "VkBufferCopy".
  std::string_view type_name;
  // Bytes from the beginning of the structure.
  uint32_t offset;
  // Bytes of one element; 0 for void.
  uint32_t element_size;
  // Inline elements: 1, or the product of the dimensions of a fixed array.
  uint32_t fixed_count;
  uint32_t length_offset;
  MemberKind kind;
  Indirection indirection;
  LengthKind length_kind;
  // Index of the member that holds the length; -1 if there is none.
  int8_t length_member;
  // Index of the member that selects the union member or object type; -1 if there is none.
  int8_t selector;
  // For kEnum and kFlags an EnumId (vk/enum_info.h); kNoType when the flags have no bits yet, so that only 0 is valid.
  TypeIndex type;
  uint16_t flags;
  // The range in the table of Selections(): the enumerants that select this member of a union.
  uint16_t first_selection;
  uint8_t selection_count;
};

enum StructFlag : uint16_t {
  kStructUnion = 1,
  kStructReturnedOnly = 2,
  kStructAllowDuplicate = 4,
  // A handle can be reached by value: in this structure, a structure in it, an array it points to, or its pNext chain.
  kStructReachesHandle = 8,
  // The same, without following pNext.
  kStructReachesHandleDirectly = 16,
};

struct StructInfo {
  // "VkBufferCreateInfo", or the command's name for a parameter struct.
  std::string_view name;
  // VK_STRUCTURE_TYPE_MAX_ENUM when the structure has none.
  VkStructureType structure_type;
  // Bytes.
  uint32_t size;
  uint16_t flags;
  std::span<const MemberInfo> members;
  // The structures whose pNext chain may hold this one, and those that this one's may hold.
  std::span<const TypeIndex> extends;
  std::span<const TypeIndex> extended_by;
  // The version and extensions that provide the structure: ExtensionId values, and 0 or VK_API_VERSION_1_1 and so on.
  std::span<const uint16_t> extensions;
  uint32_t core_version;
};

// The values of the selecting member (MemberInfo::selector of the structure that holds the union) that select this
// member of a union; empty for other members.
std::span<const int64_t> Selections(const MemberInfo& member);

// All structures and unions of the registry, sorted by name.
std::span<const StructInfo> Structs();

// The structure with that sType; null when the registry has none. Constant time.
const StructInfo* FindStruct(VkStructureType type);
const StructInfo* FindStruct(std::string_view name);

struct HandleInfo {
  std::string_view name;
  VkObjectType object_type;
  // VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT when that older enumeration has no such type.
  VkDebugReportObjectTypeEXT debug_report_type;
  bool dispatchable;
  // kNoType for VkInstance.
  TypeIndex parent;
};
std::span<const HandleInfo> Handles();
// Null for VK_OBJECT_TYPE_UNKNOWN and types that the registry does not have.
const HandleInfo* FindHandle(VkObjectType type);
const HandleInfo* FindHandle(VkDebugReportObjectTypeEXT type);

}  // namespace assay::vk

#endif  // ASSAY_VK_STRUCT_INFO_H_
