// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/minimal_caller.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "vk/commands.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

using stateless::MinimalCall;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;
using vk::StructInfo;

using Invoke = void (*)(const test::Functions& functions, const void* parameters);

// A call of each command, by its id.
const std::array<Invoke, vk::kCommandCount>& Invokes() {
  static const auto* const invokes = [] {
    auto* all = new std::array<Invoke, vk::kCommandCount>();
#define ASSAY_INVOKE(Command)                                                                                    \
  (*all)[static_cast<size_t>(vk::Command::kId)] = [](const test::Functions& functions, const void* parameters) { \
    vk::CallDown(*static_cast<const vk::Command*>(parameters), functions.Command);                               \
  };
    ASSAY_VK_COMMANDS(ASSAY_INVOKE)
#undef ASSAY_INVOKE
    return all;
  }();
  return *invokes;
}

// Numbers that must not be zero, wherever they are, in multiples that fit; a size is no more than what is behind a
// pointer that a fabricated call has.
struct Number {
  std::string_view member;
  uint64_t value;
};
constexpr Number kNumbers[] = {
    {"arrayLayers", 1},
    {"dataSize", 4},
    {"depth", 1},
    {"deviceMask", 1},
    {"dstAccelerationStructureData", 0x10000},
    {"height", 1},
    {"indirectAddress", 0x10000},
    {"indirectAddressSize", 64},
    {"layerCount", 1},
    {"layers", 1},
    {"levelCount", 1},
    {"lineStippleFactor", 1},
    {"maxSequenceCount", 1},
    {"mipLevels", 1},
    {"patchControlPoints", 1},
    {"queryCount", 1},
    {"range", 4},
    {"scratchData", 0x10000},
    {"size", 4},
    {"stride", 64},
    {"vertexStride", 4},
    {"width", 1},
};

// Layouts that copies and clears may name.
constexpr std::string_view kLayouts[] = {"srcImageLayout", "dstImageLayout", "imageLayout"};

void ChooseNumber(const MemberInfo& member, void* base) {
  char* const at = static_cast<char*>(base) + member.offset;
  if (member.kind == MemberKind::kEnum && member.type_name == "VkImageLayout") {
    if (std::ranges::count(kLayouts, member.name) != 0) Store(at, VK_IMAGE_LAYOUT_GENERAL);
    return;
  }
  const auto number = std::ranges::find(kNumbers, member.name, &Number::member);
  const bool is_number = member.kind == MemberKind::kValue || member.kind == MemberKind::kDeviceAddress;
  if (number == std::end(kNumbers) || !is_number) return;
  if (member.type_name == "float") return Store(at, static_cast<float>(number->value));
  if (member.element_size == 4) return Store(at, static_cast<uint32_t>(number->value));
  if (member.element_size == 8) Store(at, number->value);
}

// What else a structure, or a command's parameters, must have.
struct Choice {
  std::string_view structure;
  void (*choose)(void* base);
};

template <class S, auto choose>
constexpr Choice Choose(std::string_view name) {
  return {name, [](void* base) { choose(*static_cast<S*>(base)); }};
}

constexpr uint32_t kEmptyModule[] = {0x07230203, 0x00010000, 0, 1, 0};

#define ASSAY_CHOOSE(Structure, ...) Choose<::Structure, [](::Structure& it) { __VA_ARGS__; }>(#Structure)
#define ASSAY_CHOOSE_CALL(Command, ...) Choose<vk::Command, [](vk::Command& it) { __VA_ARGS__; }>("vk" #Command)
constexpr Choice kChoices[] = {
    ASSAY_CHOOSE(VkAccelerationStructureBuildGeometryInfoKHR,
                 it.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR),
    ASSAY_CHOOSE(VkBufferCreateInfo, it.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
    ASSAY_CHOOSE(VkComputePipelineCreateInfo, it.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT),
    ASSAY_CHOOSE(VkCopyAccelerationStructureToMemoryInfoKHR,
                 it.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR),
    ASSAY_CHOOSE(VkCopyMemoryToAccelerationStructureInfoKHR,
                 it.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR),
    ASSAY_CHOOSE(VkCopyMemoryToMicromapInfoEXT, it.mode = VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT),
    ASSAY_CHOOSE(VkCopyMicromapToMemoryInfoEXT, it.mode = VK_COPY_MICROMAP_MODE_SERIALIZE_EXT),
    ASSAY_CHOOSE(VkCuModuleCreateInfoNVX, it.dataSize = sizeof(kEmptyModule), it.pData = kEmptyModule),
    ASSAY_CHOOSE(VkDescriptorBufferBindingInfoEXT, it.usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT),
    ASSAY_CHOOSE(VkImageViewHandleInfoNVX, it.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE),
    ASSAY_CHOOSE(VkMemoryGetMetalHandleInfoEXT, it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLBUFFER_BIT_EXT),
    ASSAY_CHOOSE(VkMemoryGetZirconHandleInfoFUCHSIA,
                 it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA),
    ASSAY_CHOOSE(VkSemaphoreSignalInfo, it.value = 1),
    ASSAY_CHOOSE(VkShaderModuleCreateInfo, it.codeSize = sizeof(kEmptyModule), it.pCode = kEmptyModule),
    ASSAY_CHOOSE_CALL(CmdUpdatePipelineIndirectBufferNV, it.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE),
    ASSAY_CHOOSE_CALL(CmdWriteAccelerationStructuresPropertiesKHR,
                      it.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR),
    ASSAY_CHOOSE_CALL(CmdWriteAccelerationStructuresPropertiesNV,
                      it.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV),
    ASSAY_CHOOSE_CALL(CmdWriteMicromapsPropertiesEXT, it.queryType = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryFdPropertiesKHR, it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryHostPointerPropertiesEXT,
                      it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryMetalHandlePropertiesEXT,
                      it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLBUFFER_BIT_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryZirconHandlePropertiesFUCHSIA,
                      it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA),
    ASSAY_CHOOSE_CALL(WriteAccelerationStructuresPropertiesKHR,
                      it.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR, it.dataSize = 8, it.stride = 8),
    ASSAY_CHOOSE_CALL(WriteMicromapsPropertiesEXT, it.queryType = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT,
                      it.dataSize = 8, it.stride = 8),
};
#undef ASSAY_CHOOSE_CALL
#undef ASSAY_CHOOSE

// The parameter in which a command returns what it creates.
const MemberInfo* CreatedParameter(const vk::CommandInfo& command) {
  const MemberInfo& last = command.parameters->members.back();
  const bool is_created = last.kind == MemberKind::kHandle && (last.flags & vk::kMemberOutput) != 0;
  return is_created && command.lifetime != vk::LifetimeEffect::kDestroy ? &last : nullptr;
}

// Of several commands that give objects of the type, one of those that need the least.
bool IsSimplestCreator(const vk::CommandInfo& command, VkObjectType type) {
  switch (type) {
    case VK_OBJECT_TYPE_DISPLAY_KHR:
      return command.id == vk::CommandId::kGetDrmDisplayEXT;
    case VK_OBJECT_TYPE_PERFORMANCE_CONFIGURATION_INTEL:
      return command.id == vk::CommandId::kAcquirePerformanceConfigurationINTEL;
    case VK_OBJECT_TYPE_PIPELINE:
      return command.id == vk::CommandId::kCreateComputePipelines;
    case VK_OBJECT_TYPE_SURFACE_KHR:
      return command.id == vk::CommandId::kCreateHeadlessSurfaceEXT;
    case VK_OBJECT_TYPE_SWAPCHAIN_KHR:
      return command.id == vk::CommandId::kCreateSwapchainKHR;
    default:
      return command.lifetime == vk::LifetimeEffect::kCreate;
  }
}

const vk::CommandInfo* CreatorOf(VkObjectType type) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    const MemberInfo* created = CreatedParameter(command);
    if (created != nullptr && vk::Handles()[created->type].object_type == type && IsSimplestCreator(command, type))
      return &command;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<MinimalCall> MinimalCaller::Prepare(const vk::CommandInfo& command) {
  auto call = std::make_unique<MinimalCall>(stateless::Route{&command, {}});
  // A pool that is reset ends what is from it.
  const bool ends_objects =
      command.lifetime == vk::LifetimeEffect::kDestroy || command.id == vk::CommandId::kResetDescriptorPool;
  Fill(*command.parameters, call->parameters(), ends_objects, *call);
  return call;
}

void MinimalCaller::Run(const MinimalCall& call) {
  Invokes()[static_cast<size_t>(call.command().id)](functions_, call.parameters());
}

uint64_t MinimalCaller::Handle(VkObjectType type) {
  const auto found = handles_.find(type);
  if (found != handles_.end()) return found->second;
  return handles_[type] = NewHandle(type);
}

uint64_t MinimalCaller::NewHandle(VkObjectType type) {
  const vk::CommandInfo* const creator = CreatorOf(type);
  if (creator == nullptr) return 0;
  calls_.push_back(Prepare(*creator));
  const MinimalCall& call = *calls_.back();
  Run(call);
  const MemberInfo& created = *CreatedParameter(*creator);
  return Load<uint64_t>(Load<void*>(static_cast<char*>(call.parameters()) + created.offset));
}

// is_destroyed: the last handle ceases to exist, so nothing else may use it.
void MinimalCaller::Fill(const StructInfo& info, void* base, bool is_destroyed, MinimalCall& call) {
  if ((info.flags & vk::kStructUnion) != 0) return;
  const MemberInfo* last_handle = nullptr;
  for (const MemberInfo& member : info.members) {
    if (member.kind == MemberKind::kHandle) last_handle = &member;
  }
  for (const MemberInfo& member : info.members) {
    FillMember(info, member, base, is_destroyed && &member == last_handle, call);
    if (member.indirection == Indirection::kInline && member.fixed_count == 1) ChooseNumber(member, base);
  }
  const auto choice = std::ranges::find(kChoices, info.name, &Choice::structure);
  if (choice != std::end(kChoices)) choice->choose(base);
}

void MinimalCaller::FillMember(const StructInfo& info, const MemberInfo& member, void* base, bool is_destroyed,
                               MinimalCall& call) {
  if ((member.flags & (vk::kMemberOutput | vk::kMemberBitField)) != 0) return;
  if (member.kind == MemberKind::kTypedHandle) return FillTyped(info, member, base);
  if (member.kind != MemberKind::kHandle && member.kind != MemberKind::kStruct) return;
  char* at = static_cast<char*>(base) + member.offset;
  if (member.selector >= 0) return FillSelected(info, member, base, call);
  const uint64_t count = vk::ElementCount(info, member, base);
  if (is_destroyed && member.indirection == Indirection::kPointer && Load<void*>(at) == nullptr) {
    // None at all is allowed there, but would not be much of a test.
    Store(at, call.Allocate(count * member.element_size));
  }
  if (member.indirection != Indirection::kInline) at = Load<char*>(at);
  if (at == nullptr) return;
  const bool to_pointers = member.indirection == Indirection::kPointerToPointer;
  for (uint64_t i = 0; i < count; ++i) {
    if (to_pointers) {
      FillElement(member, Load<char*>(at + i * sizeof(void*)), is_destroyed, call);
    } else {
      FillElement(member, at + i * member.element_size, is_destroyed, call);
    }
  }
}

// An object of any type, and the type.
void MinimalCaller::FillTyped(const StructInfo& info, const MemberInfo& member, void* base) {
  if (member.selector < 0) return;
  const MemberInfo& selector = info.members[static_cast<size_t>(member.selector)];
  const bool is_report = selector.type_name == "VkDebugReportObjectTypeEXT";
  Store(static_cast<char*>(base) + selector.offset,
        is_report ? int32_t{VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT} : int32_t{VK_OBJECT_TYPE_BUFFER});
  Store(static_cast<char*>(base) + member.offset, Handle(VK_OBJECT_TYPE_BUFFER));
}

// What of a union is meant.
void MinimalCaller::FillSelected(const StructInfo& info, const MemberInfo& member, void* base, MinimalCall& call) {
  const auto selected =
      Load<int32_t>(static_cast<char*>(base) + info.members[static_cast<size_t>(member.selector)].offset);
  const StructInfo& alternatives = vk::Structs()[member.type];
  for (const MemberInfo& alternative : alternatives.members) {
    if (std::ranges::count(vk::Selections(alternative), int64_t{selected}) == 0) continue;
    FillMember(alternatives, alternative, static_cast<char*>(base) + member.offset, false, call);
  }
}

void MinimalCaller::FillElement(const MemberInfo& member, void* at, bool is_destroyed, MinimalCall& call) {
  if (member.kind == MemberKind::kStruct) return Fill(vk::Structs()[member.type], at, false, call);
  if (Load<uint64_t>(at) == 0 && !is_destroyed) return;
  const VkObjectType type = vk::Handles()[member.type].object_type;
  Store(at, is_destroyed ? NewHandle(type) : Handle(type));
}

}  // namespace assay::layer
