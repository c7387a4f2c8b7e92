// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/parameter_copies.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "vk/command_info.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

constexpr VkDeviceSize kWordBytes = sizeof(uint32_t);
// What is copied at most, in bytes: for a command, and for all commands of a recording. Parameters behind that are not
// checked.
constexpr VkDeviceSize kMostOfCommand = VkDeviceSize{1} << 20;
constexpr VkDeviceSize kMostOfRecording = VkDeviceSize{1} << 23;
constexpr VkDeviceSize kFirstRange = VkDeviceSize{1} << 12;

uint64_t BytesOfIndex(VkIndexType type) {
  switch (type) {
    case VK_INDEX_TYPE_UINT8:
      return 1;
    case VK_INDEX_TYPE_UINT16:
      return 2;
    default:
      return 4;
  }
}

bool HasTaskShader(const state::CommandBuffer& buffer, VkPipeline handle) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  return pipeline != nullptr ? pipeline->Find(VK_SHADER_STAGE_TASK_BIT_EXT) != nullptr
                             : buffer.draw.shader(VK_SHADER_STAGE_TASK_BIT_EXT) != VK_NULL_HANDLE;
}

bool IsOfInstances(ParameterKind kind) {
  return kind == ParameterKind::kInstances || kind == ParameterKind::kInstancePointers;
}

// What is read to know how many structures there are. Of instances, it is where they begin, too.
VkDeviceSize CountBytes(ParameterKind kind) { return (IsOfInstances(kind) ? 2 : 1) * kWordBytes; }

// Commands of protected command buffers may not write to memory that is not protected.
bool MayCopyIn(const state::CommandBuffer& buffer) {
  return (buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) == 0;
}

template <class T>
std::array<uint64_t, 3> ToSize(const T& counts) {
  return {counts[0], counts[1], counts[2]};
}

}  // namespace

std::vector<ParameterFault> CopiedParameters::Find(std::function<bool(uint64_t)> has_structure) const {
  if (from.kind == ParameterKind::kDepths) return FindDepthFaults(from.command, regions, words);
  const auto stride = static_cast<uint32_t>(from.stride / kWordBytes);
  if (from.kind == ParameterKind::kBuildRanges) return FindBuildRangeFaults(geometries, words, stride);
  const uint32_t offset = count != nullptr && IsOfInstances(from.kind) ? count[1] : 0;
  if (offset % kWordBytes != 0) return {};
  const size_t skipped = offset / kWordBytes;
  std::vector<ParameterFault> faults =
      FindParameterFaults({.kind = from.kind,
                           .command = vk::GetCommandInfo(from.command).name,
                           .limits = limits,
                           .words = words.subspan(std::min(skipped, words.size())),
                           .stride = stride,
                           .most = from.most,
                           .count = count != nullptr ? std::optional<uint32_t>(*count) : std::nullopt,
                           .is_replaced = is_replaced,
                           .has_structure = std::move(has_structure)});
  for (ParameterFault& fault : faults) fault.byte += offset;
  return faults;
}

void ParameterCopies::Begin(bool is_conditional) {
  waiting_.clear();
  is_conditional_ = is_conditional;
  bytes_ = used_ = 0;
  range_ = {};
}

ParameterLimits ParameterCopies::LimitsOf(ParameterKind kind, const state::CommandBuffer& buffer) const {
  const dispatch::Device& device = context_.device();
  const dispatch::PhysicalDevice& physical_device = *device.physical_device;
  ParameterLimits limits = {
      .allows_first_instance = device.HasFeature(vk::FeatureId::kDrawIndirectFirstInstance),
      .draws = physical_device.limits.maxDrawIndirectCount,
  };
  const auto* mesh = physical_device.Find<VkPhysicalDeviceMeshShaderPropertiesEXT>();
  const auto* rays = physical_device.Find<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>();
  switch (kind) {
    case ParameterKind::kDraw:
      break;
    case ParameterKind::kDrawIndexed: {
      const state::BoundBuffer& indices = buffer.draw.index_buffer();
      if (!context_.settings().gpuav_index_buffers || device.HasFeature(vk::FeatureId::kRobustBufferAccess2)) break;
      if (indices.buffer != VK_NULL_HANDLE) limits.indices = indices.size / BytesOfIndex(buffer.draw.index_type());
      break;
    }
    case ParameterKind::kDrawTasks:
      if (mesh == nullptr) break;
      limits.size = ToSize(mesh->maxTaskWorkGroupCount);
      limits.total_size = mesh->maxTaskWorkGroupTotalCount;
      break;
    case ParameterKind::kDrawMeshes:
      if (mesh == nullptr) break;
      limits.size = ToSize(mesh->maxMeshWorkGroupCount);
      limits.total_size = mesh->maxMeshWorkGroupTotalCount;
      break;
    case ParameterKind::kDispatch:
      limits.size = ToSize(physical_device.limits.maxComputeWorkGroupCount);
      break;
    case ParameterKind::kTraceRays:
    case ParameterKind::kTraceRays2:
      for (size_t i = 0; i < 3; ++i) {
        limits.size[i] = uint64_t{physical_device.limits.maxComputeWorkGroupCount[i]} *
                         physical_device.limits.maxComputeWorkGroupSize[i];
      }
      if (rays != nullptr) limits.total_size = rays->maxRayDispatchInvocationCount;
      break;
    case ParameterKind::kInstances:
    case ParameterKind::kInstancePointers:
    case ParameterKind::kBuildRanges:
    case ParameterKind::kDepths:
      break;
  }
  return limits;
}

ParameterCopies::Place ParameterCopies::Find(VkDeviceAddress address, VkDeviceSize bytes) const {
  for (const state::Ref<state::Buffer>& buffer : context_.state().buffer_addresses().Find(address, bytes)) {
    if (address < buffer->device_address || !buffers_.MayCopy(*buffer)) continue;
    const VkDeviceSize offset = address - buffer->device_address;
    if (buffer->Clamp(offset, bytes) == bytes) return {reinterpret_cast<VkBuffer>(buffer->handle()), offset};
  }
  return {};
}

const state::Buffer* ParameterCopies::SourceOf(VkBuffer handle) const {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(handle);
  return buffer != nullptr && buffers_.MayCopy(*buffer) ? buffer : nullptr;
}

VkDeviceSize ParameterCopies::Room() const { return std::min(kMostOfCommand, kMostOfRecording - bytes_); }

bool ParameterCopies::Add(const IndirectCommand& command, const state::CommandBuffer& buffer, VkPipeline pipeline) {
  // A command that is not executed may leave anything in its buffer.
  if (is_conditional_ || buffer.draw.predicate().buffer != VK_NULL_HANDLE) return false;
  CopiedParameters parameters = {.from = command, .pipeline = pipeline};
  if (command.kind == ParameterKind::kDrawMeshes && HasTaskShader(buffer, pipeline)) {
    parameters.from.kind = ParameterKind::kDrawTasks;
  }
  return Add(std::move(parameters), buffer);
}

bool ParameterCopies::Add(CopiedParameters parameters, const state::CommandBuffer& buffer) {
  IndirectCommand& from = parameters.from;
  if (from.most == 0 || !MayCopyIn(buffer)) return false;
  const VkDeviceSize bytes = ParameterWords(from.kind) * kWordBytes;
  if (from.buffer == VK_NULL_HANDLE) {
    const Place place = Find(from.address, bytes);
    from.buffer = place.buffer;
    from.offset = place.offset;
  }
  const state::Buffer* const source = SourceOf(from.buffer);
  if (source == nullptr) return false;
  // The stride of a single structure may be anything.
  if (from.most == 1) from.stride = static_cast<uint32_t>(bytes);
  if (from.stride % kWordBytes != 0 || from.stride < bytes || from.offset + bytes > source->size) return false;
  const VkDeviceSize room = std::min(source->size - from.offset, Room());
  if (room < bytes) return false;
  const VkDeviceSize size =
      std::min((from.most - 1) * VkDeviceSize{from.stride}, (room - bytes) / from.stride * from.stride) + bytes;
  if (from.count_buffer != VK_NULL_HANDLE) {
    const state::Buffer* const count = SourceOf(from.count_buffer);
    if (count == nullptr || from.count_offset + CountBytes(from.kind) > count->size) return false;
  }
  parameters.limits = LimitsOf(from.kind, buffer);
  Wait(std::move(parameters), size, buffer);
  return true;
}

bool ParameterCopies::AddDepths(vk::CommandId command, VkBuffer source, VkImage image, std::vector<DepthRegion> regions,
                                const state::CommandBuffer& buffer) {
  if (SourceOf(source) == nullptr || !MayCopyIn(buffer)) return false;
  const VkDeviceSize room = Room();
  VkDeviceSize size = 0;
  for (DepthRegion& region : regions) {
    region.bytes = std::min(region.bytes, (room - size) / kWordBytes * kWordBytes);
    size += region.bytes;
  }
  std::erase_if(regions, [](const DepthRegion& region) { return region.bytes == 0; });
  if (regions.empty()) return false;
  Wait({.from = {.command = command, .kind = ParameterKind::kDepths, .buffer = source},
        .regions = std::move(regions),
        .image = image},
       size, buffer);
  return true;
}

void ParameterCopies::Wait(CopiedParameters parameters, VkDeviceSize size, const state::CommandBuffer& buffer) {
  bytes_ += size;
  parameters.command_buffer = reinterpret_cast<VkCommandBuffer>(buffer.handle());
  parameters.position = buffer.command_count;
  if (buffer.label_path() != 0) parameters.labels = buffer.LabelsOf(buffer.label_path());
  waiting_.push_back({std::move(parameters), size});
}

void ParameterCopies::Add(const ParameterCopies& secondary) {
  for (const Waiting& waiting : secondary.waiting_) {
    if (waiting.size > kMostOfRecording - bytes_) return;
    bytes_ += waiting.size;
    waiting_.push_back(waiting);
  }
}

uint32_t* ParameterCopies::Allocate(VkDeviceSize bytes, ExecutionMemory& memory, MemoryRange& range,
                                    VkDeviceSize& offset) {
  if (bytes > range_.size - used_) {
    range_ = memory.AddParameters(std::max({bytes, kFirstRange, 2 * range_.size}));
    used_ = 0;
    if (!range_) return nullptr;
  }
  range = range_;
  offset = range_.offset + used_;
  uint32_t* const words = range_.mapped + used_ / kWordBytes;
  used_ += bytes;
  return words;
}

const uint32_t* ParameterCopies::Copy(VkCommandBuffer command_buffer, VkBuffer source, absl::Span<VkBufferCopy> pieces,
                                      ExecutionMemory& memory) {
  VkDeviceSize bytes = 0;
  for (const VkBufferCopy& piece : pieces) bytes += piece.size;
  MemoryRange range;
  VkDeviceSize offset = 0;
  const uint32_t* const words = Allocate(bytes, memory, range, offset);
  if (words == nullptr) return nullptr;
  for (VkBufferCopy& piece : pieces) {
    piece.dstOffset = offset;
    offset += piece.size;
  }
  CallNext(context_.device(), vk::CmdCopyBuffer{command_buffer, dispatch::DriverHandle(source), range.buffer,
                                                static_cast<uint32_t>(pieces.size()), pieces.data()});
  return words;
}

bool ParameterCopies::CopyWaiting(VkCommandBuffer command_buffer, Waiting& waiting, ExecutionMemory& memory) {
  CopiedParameters& parameters = waiting.parameters;
  const IndirectCommand& from = parameters.from;
  absl::InlinedVector<VkBufferCopy, 1> pieces;
  for (const DepthRegion& region : parameters.regions) {
    pieces.push_back({.srcOffset = region.offset, .size = region.bytes});
  }
  if (pieces.empty()) pieces.push_back({.srcOffset = from.offset, .size = waiting.size});
  const uint32_t* const words = Copy(command_buffer, from.buffer, absl::MakeSpan(pieces), memory);
  if (words == nullptr) return false;
  parameters.words = {words, static_cast<size_t>(waiting.size / kWordBytes)};
  if (from.count_buffer == VK_NULL_HANDLE) return true;
  VkBufferCopy piece = {.srcOffset = from.count_offset, .size = CountBytes(from.kind)};
  parameters.count = Copy(command_buffer, from.count_buffer, absl::MakeSpan(&piece, 1), memory);
  return parameters.count != nullptr;
}

void ParameterCopies::Record(VkCommandBuffer command_buffer, VkPipelineStageFlags after, VkPipelineStageFlags before,
                             ExecutionMemory& memory, std::vector<CopiedParameters>& copied) {
  const dispatch::Device& device = context_.device();
  // The commands see what was written to the buffers; so do copies that wait for the stage in which they read it.
  // An execution before this one may have copied to the same memory.
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
  CallNext(device, vk::CmdPipelineBarrier{command_buffer, after | VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr});
  for (Waiting& waiting : waiting_) {
    if (!CopyWaiting(command_buffer, waiting, memory)) break;
    copied.push_back(std::move(waiting.parameters));
  }
  waiting_.clear();
  if (before == 0) return;
  CallNext(device, vk::CmdPipelineBarrier{command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, before, 0, 0, nullptr, 0,
                                          nullptr, 0, nullptr});
}

}  // namespace assay::gpuav
