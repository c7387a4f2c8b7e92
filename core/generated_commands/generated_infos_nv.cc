// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VK_NV_device_generated_commands and VK_NV_device_generated_commands_compute: what commands and questions for memory
// say of the commands to generate, and compute pipelines that are bound by their addresses.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/generated_commands/generated_ids.h"
#include "core/generated_commands/generated_rules.h"
#include "core/interfaces/resource_accesses.h"
#include "core/resources/creation_check.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using Limits = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV;

constexpr auto kBindable = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;

// Of all structures and commands that name a pipeline.
struct PipelineFacts {
  const dispatch::Device& device;
  VkPipelineBindPoint point;
  VkPipeline handle;
  // Whether the pipeline has a place for its metadata; nothing if it is not known.
  std::optional<bool> is_buffered;
  // Null if it is not known.
  const state::Pipeline* pipeline = DeviceState::Get<state::Pipeline>(handle);

  bool IsCompute() const { return point == VK_PIPELINE_BIND_POINT_COMPUTE; }
  // Without the feature, no pipeline may have the flag.
  bool MayBeBindable() const { return device.HasFeature(vk::FeatureId::kDeviceGeneratedComputePipelines); }
  bool LacksFlag() const { return pipeline != nullptr && (pipeline->flags & kBindable) == 0; }
  bool LacksBuffer() const { return is_buffered == false; }
};

struct InfoFacts : PipelineFacts {
  static constexpr std::string_view kOwner = "VkGeneratedCommandsInfoNV";

  const VkGeneratedCommandsInfoNV& info;
  LayoutNote layout;
  const Limits* limits = device.physical_device->Find<Limits>();
};
using I = const InfoFacts&;
// Whether the pipeline has another mesh shader than one of that model. Without a mesh shader, nothing is known.
bool LacksMesh(I i, spv::ExecutionModel model) {
  const auto* const code =
      i.pipeline != nullptr ? static_cast<const ResourceAccesses*>(i.pipeline->core_resources.get()) : nullptr;
  return code != nullptr && code->mesh_model != spv::ExecutionModel::Max && code->mesh_model != model;
}
constexpr char kLayout[] = "indirectCommandsLayout";
constexpr char kFlags[] = "the flags that it was created with";
constexpr char kNoBuffer[] = "no VkComputePipelineIndirectBufferInfoNV that it was created with";
constexpr CreationRule<InfoFacts> kInfoRules[] = {
    {"indirectCommandsLayout-02914", "pipeline", kFlags,
     [](I i) { return i.layout.Has(kShaderGroup) && i.LacksFlag(); }},
    {"indirectCommandsLayout-07078", "pipeline", kLayout,
     [](I i) { return i.layout.Has(kMeshDrawNv) && LacksMesh(i, spv::ExecutionModel::MeshNV); }},
    {"indirectCommandsLayout-07079", "pipeline", kLayout,
     [](I i) { return i.layout.Has(kMeshDraw) && LacksMesh(i, spv::ExecutionModel::MeshEXT); }},
    {"indirectCommandsLayout-02915", "pipeline", kLayout,
     [](I i) {
       return i.pipeline != nullptr && i.pipeline->layout && i.layout.pipeline_layout &&
              !state::AreAlike(i.pipeline->layout->push_constants, i.layout.pipeline_layout->push_constants);
     }},
    {"pipelineBindPoint-09087", "pipeline", kLayout,
     [](I i) { return i.IsCompute() && i.layout.Has(kPipeline) && i.handle != VK_NULL_HANDLE; }},
    {"pipelineBindPoint-09084", "pipeline", kFlags,
     [](I i) { return i.IsCompute() && i.MayBeBindable() && i.LacksFlag(); }},
    {"pipelineBindPoint-09085", "pipeline", kNoBuffer, [](I i) { return i.IsCompute() && i.LacksBuffer(); }},
    {"streamCount-02916", "streamCount", kLayout, [](I i) { return i.info.streamCount != i.layout.stream_count; }},
    {"sequencesCount-02917", "sequencesCount",
     "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV.maxIndirectSequenceCount",
     [](I i) {
       const uint32_t most = i.limits != nullptr ? i.limits->maxIndirectSequenceCount : 0;
       return most != 0 && i.info.sequencesCount > most;
     }},
    {"sequencesIndexBuffer-02924", "sequencesIndexBuffer", kLayout,
     [](I i) { return (i.info.sequencesIndexBuffer != VK_NULL_HANDLE) != i.layout.is_indexed; }},
};
constexpr vk::VuidIndex kSize = vk::Vuid("VUID-VkGeneratedCommandsInfoNV-preprocessSize-02920");

struct AskedFacts : PipelineFacts {
  static constexpr std::string_view kOwner = "VkGeneratedCommandsMemoryRequirementsInfoNV";

  const VkGeneratedCommandsMemoryRequirementsInfoNV& info;
  LayoutNote layout;
};
using A = const AskedFacts&;
constexpr CreationRule<AskedFacts> kAskedRules[] = {
    {vk::Vuid("VUID-vkGetGeneratedCommandsMemoryRequirementsNV-pInfo-09074"), "pipelineBindPoint",
     "no feature deviceGeneratedCompute",
     [](A a) { return a.IsCompute() && !a.device.HasFeature(vk::FeatureId::kDeviceGeneratedCompute); }},
    {"pipelineBindPoint-09075", "pipeline", "VK_PIPELINE_BIND_POINT_GRAPHICS",
     [](A a) { return a.point == VK_PIPELINE_BIND_POINT_GRAPHICS && a.handle == VK_NULL_HANDLE; }},
    {"pipelineBindPoint-09076", "pipeline", kLayout,
     [](A a) { return a.IsCompute() && !a.layout.Has(kPipeline) && a.handle == VK_NULL_HANDLE; }},
    {"pipelineBindPoint-09077", "pipeline", kLayout,
     [](A a) { return a.IsCompute() && a.layout.Has(kPipeline) && a.handle != VK_NULL_HANDLE; }},
};

struct AddressFacts : PipelineFacts {
  static constexpr std::string_view kOwner = "VkPipelineIndirectDeviceAddressInfoNV";

  const VkPipelineIndirectDeviceAddressInfoNV& info;
};
constexpr CreationRule<AddressFacts> kAddressRules[] = {
    {"pipelineBindPoint-09079", "pipelineBindPoint", "VK_PIPELINE_BIND_POINT_COMPUTE",
     [](const AddressFacts& a) { return !a.IsCompute(); }},
    {"pipeline-09080", "pipeline", kFlags, [](const AddressFacts& a) { return a.LacksFlag(); }},
    {"pipeline-09081", "pipeline", kNoBuffer, [](const AddressFacts& a) { return a.LacksBuffer(); }},
};
struct UpdateFacts : PipelineFacts {
  static constexpr std::string_view kOwner = "vkCmdUpdatePipelineIndirectBufferNV";
};
constexpr CreationRule<UpdateFacts> kUpdateRules[] = {
    {"pipeline-09019", "pipeline", kFlags, [](const UpdateFacts& u) { return u.LacksFlag(); }},
    {"pipeline-09020", "pipeline", kNoBuffer, [](const UpdateFacts& u) { return u.LacksBuffer(); }},
};
struct PlaceFacts {
  static constexpr std::string_view kOwner = "VkComputePipelineIndirectBufferInfoNV";

  const DeviceState& state;
  const VkComputePipelineIndirectBufferInfoNV& info;
};
constexpr CreationRule<PlaceFacts> kPlaceRules[] = {
    {"deviceAddress-09012", "deviceAddress", "the usage of the buffer",
     [](const PlaceFacts& p) {
       constexpr VkBufferUsageFlags kBoth = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
       const auto buffers = p.state.buffer_addresses().Find(p.info.deviceAddress);
       return p.info.deviceAddress != 0 && !buffers.empty() &&
              std::ranges::none_of(buffers, [](const auto& buffer) { return (buffer->usage & kBoth) == kBoth; });
     }},
};
struct PreprocessFacts {
  static constexpr std::string_view kOwner = "vkCmdPreprocessGeneratedCommandsNV";

  const state::CommandBuffer& buffer;
  const std::optional<LayoutNote>& layout;
};
constexpr CreationRule<PreprocessFacts> kPreprocessRules[] = {
    {"commandBuffer-02974", "commandBuffer", "its pool, which is protected",
     [](const PreprocessFacts& p) { return (p.buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0; }},
    {"pGeneratedCommandsInfo-02927", "pGeneratedCommandsInfo", "a layout without explicit preprocessing",
     [](const PreprocessFacts& p) { return p.layout && !p.layout->is_preprocessed; }},
};

VkDeviceSize SizeToPreprocess(const dispatch::Device& device, const VkGeneratedCommandsInfoNV& info) {
  const VkGeneratedCommandsMemoryRequirementsInfoNV asked = {
      VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_NV,
      nullptr,
      info.pipelineBindPoint,
      dispatch::DriverHandle(info.pipeline),
      dispatch::DriverHandle(info.indirectCommandsLayout),
      info.sequencesCount};
  VkMemoryRequirements2 found = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  dispatch::CallNext(device, vk::GetGeneratedCommandsMemoryRequirementsNV{device.handle, &asked, &found});
  return found.memoryRequirements.size;
}

}  // namespace

void AddNvInfoIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kInfoRules, ids);
  AddIds(kAskedRules, ids);
  AddIds(kAddressRules, ids);
  AddIds(kUpdateRules, ids);
  AddIds(kPlaceRules, ids);
  AddIds(kPreprocessRules, ids);
}

void GeneratedCommandRules::CheckInfo(const VkGeneratedCommandsInfoNV& info, const state::CommandBuffer& buffer,
                                      messages::Report& report) const {
  const std::optional<LayoutNote> layout = layouts_.Find(info.indirectCommandsLayout);
  if (!layout) return;
  const Location command = report.location();
  const Location where = command.Dot("pGeneratedCommandsInfo");
  CreationCheck check(device_, {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}, InfoFacts::kOwner, &info, where,
                      report);
  check.Run(kInfoRules,
            InfoFacts{{device_, info.pipelineBindPoint, info.pipeline, buffered_.Find(info.pipeline)}, info, *layout});
  const bool is_known = DeviceState::Get<state::Pipeline>(info.pipeline) != nullptr;
  if (!check.has_reported() && is_known && info.preprocessSize < SizeToPreprocess(device_, info))
    check.Report(kSize, "preprocessSize", "vkGetGeneratedCommandsMemoryRequirementsNV");
}

void GeneratedCommandRules::PreCallValidate(const vk::CmdExecuteGeneratedCommandsNV& call, dispatch::Slot& slot,
                                            messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer != nullptr && call.pGeneratedCommandsInfo != nullptr)
    CheckInfo(*call.pGeneratedCommandsInfo, *buffer, report);
}

void GeneratedCommandRules::PreCallValidate(const vk::CmdPreprocessGeneratedCommandsNV& call, dispatch::Slot& slot,
                                            messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pGeneratedCommandsInfo == nullptr) return;
  CheckRows(device_, {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer->handle()}, report.location(), report, kPreprocessRules,
            PreprocessFacts{*buffer, layouts_.Find(call.pGeneratedCommandsInfo->indirectCommandsLayout)});
  CheckInfo(*call.pGeneratedCommandsInfo, *buffer, report);
}

void GeneratedCommandRules::PreCallValidate(const vk::GetGeneratedCommandsMemoryRequirementsNV& call,
                                            messages::Report& report) const {
  if (call.pInfo == nullptr) return;
  const VkGeneratedCommandsMemoryRequirementsInfoNV& info = *call.pInfo;
  const std::optional<LayoutNote> layout = layouts_.Find(info.indirectCommandsLayout);
  if (!layout) return;
  CheckRows(device_, messages::Object(call.device), report.location().Dot("pInfo"), report, kAskedRules,
            AskedFacts{{device_, info.pipelineBindPoint, info.pipeline}, info, *layout});
}

void GeneratedCommandRules::PreCallValidate(const vk::GetPipelineIndirectDeviceAddressNV& call,
                                            messages::Report& report) const {
  if (call.pInfo == nullptr) return;
  const VkPipelineIndirectDeviceAddressInfoNV& info = *call.pInfo;
  CheckRows(device_, messages::Object(info.pipeline), report.location().Dot("pInfo"), report, kAddressRules,
            AddressFacts{{device_, info.pipelineBindPoint, info.pipeline, buffered_.Find(info.pipeline)}, info});
}

void GeneratedCommandRules::PreCallValidate(const vk::CmdUpdatePipelineIndirectBufferNV& call, dispatch::Slot& slot,
                                            messages::Report& report) const {
  if (DeviceState::CommandBufferIn(slot) == nullptr) return;
  CheckRows(device_, messages::Object(call.pipeline), report.location(), report, kUpdateRules,
            UpdateFacts{{device_, call.pipelineBindPoint, call.pipeline, buffered_.Find(call.pipeline)}});
}

void GeneratedCommandRules::PreCallValidate(const vk::CreateComputePipelines& call, messages::Report& report) const {
  for (const VkComputePipelineCreateInfo& info : state::Items(call.pCreateInfos, call.createInfoCount)) {
    const auto* const place = vk::FindInChain<VkComputePipelineIndirectBufferInfoNV>(info.pNext);
    if (place == nullptr) continue;
    const Location command = report.location();
    const Location where = command.Dot("pCreateInfos", static_cast<uint32_t>(&info - call.pCreateInfos));
    CheckRows(device_, messages::Object(call.device), where.Next(PlaceFacts::kOwner), report, kPlaceRules,
              PlaceFacts{state_, *place});
  }
}

void GeneratedCommandRules::PostCallRecord(const vk::CreateComputePipelines& call, VkResult) {
  for (uint32_t i = 0; call.pPipelines != nullptr && i < call.createInfoCount; ++i) {
    const auto* const pipeline = DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    if (pipeline == nullptr || (pipeline->flags & kBindable) == 0) continue;
    const auto* const place = vk::FindInChain<VkComputePipelineIndirectBufferInfoNV>(call.pCreateInfos[i].pNext);
    buffered_.Set(call.pPipelines[i], place != nullptr && place->deviceAddress != 0);
  }
}

}  // namespace assay::core
