// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/validator.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "gpuav/completion/image_layouts.h"
#include "gpuav/device/instance_rewrites.h"
#include "gpuav/reports/report_lost.h"
#include "gpuav/reports/report_parameters.h"
#include "gpuav/reports/report_written.h"
#include "spirv_instrument/runtime/action.h"
#include "spirv_instrument/runtime/layout.h"
#include "vk/chain.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

constexpr VkDeviceSize kBlockBytes = VkDeviceSize{spirv_instrument::kActionQuads} * 16;

uint32_t BlockStride(const dispatch::Device& device) {
  const VkDeviceSize alignment =
      std::max<VkDeviceSize>(device.physical_device->limits.minUniformBufferOffsetAlignment, 16);
  return static_cast<uint32_t>((kBlockBytes + alignment - 1) / alignment * alignment);
}

// All commands of a command buffer share the output. 0 if nothing prints.
uint32_t OutputBytes(const dispatch::Settings& settings) {
  constexpr uint64_t kCommands = 64;
  constexpr uint64_t kMost = uint64_t{1} << 28;
  return settings.printf_enable
             ? static_cast<uint32_t>(std::clamp<uint64_t>(kCommands * settings.printf_buffer_size, 4096, kMost))
             : 0;
}

// Whether the parameters of some commands are checked.
bool CopiesParameters(const Context& context, bool dispatch::Settings::* wants) {
  const dispatch::Settings& settings = context.settings();
  return settings.gpuav_enable && settings.gpuav_buffers_validation && settings.*wants;
}

// What may follow a barrier in any stage, as far as accesses say.
template <class C>
VkAccessFlags2 AccessesBehind(const C& barriers, uint32_t count) {
  VkAccessFlags2 accesses = 0;
  for (uint32_t i = 0; i < count; ++i) accesses |= barriers[i].dstAccessMask;
  return accesses;
}

// The command buffers of a submission, with those that they execute.
void AddExecutions(const state::CommandBuffer& buffer, std::vector<Execution>& executions) {
  const auto* recording = buffer.Sub<Recording>();
  const bool is_wanted =
      recording != nullptr && (recording->memory() != nullptr || recording->markers().log() != nullptr);
  const size_t index = executions.size();
  if (is_wanted) executions.push_back({recording->log(), recording->memory(), recording->markers().log()});
  for (const state::ExecutedSecondary& secondary : buffer.executed) {
    const state::CommandBuffer* executed = state::DeviceState::Get(secondary.handle);
    if (executed != nullptr) AddExecutions(*executed, executions);
  }
  if (is_wanted) executions[index].secondaries = executions.size() - index - 1;
}

Completion::Signals SignalsOf(const VkSubmitInfo& info) {
  Completion::Signals signals;
  const auto* values = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(info.pNext);
  for (uint32_t i = 0; values != nullptr && i < std::min(info.signalSemaphoreCount, values->signalSemaphoreValueCount);
       ++i) {
    signals.emplace_back(info.pSignalSemaphores[i], values->pSignalSemaphoreValues[i]);
  }
  return signals;
}

Completion::Signals SignalsOf(const VkSubmitInfo2& info) {
  Completion::Signals signals;
  for (uint32_t i = 0; i < info.signalSemaphoreInfoCount; ++i) {
    signals.emplace_back(info.pSignalSemaphoreInfos[i].semaphore, info.pSignalSemaphoreInfos[i].value);
  }
  return signals;
}

template <class C>
Completion::Signals SignalsOf(const C& call) {
  Completion::Signals signals;
  for (uint32_t i = 0; i < call.submitCount; ++i) {
    const Completion::Signals more = SignalsOf(call.pSubmits[i]);
    signals.insert(signals.end(), more.begin(), more.end());
  }
  return signals;
}

}  // namespace

Validator::Validator(state::DeviceState& state)
    : context_(state),
      commands_(context_),
      choice_hooks_(commands_),
      read_memory_(context_, Memory::Use::kRead),
      written_memory_(context_, Memory::Use::kWritten),
      instance_memory_(context_, Memory::Use::kInstances),
      reserved_(context_, ReservedSet::Kind::kDynamic),
      fixed_(context_, ReservedSet::Kind::kFixed),
      tables_(read_memory_),
      instrumenter_(context_),
      completion_(
          context_,
          [this](VkDeviceAddress address, uint64_t submission) { return structures_.Existed(address, submission); },
          [this](const ActionLog& log, absl::Span<const uint32_t> causes, const state::ExecutionLayouts& layouts) {
            return FindLayoutFaults(log, causes, *image_numbers_, layouts);
          }),
      image_numbers_(context_.compares_layouts() ? std::make_unique<ImageNumbers>(completion_.submissions()) : nullptr),
      layouts_of_executions_(completion_),
      sets_(context_, tables_, image_numbers_.get()),
      structures_(context_, completion_.submissions(), read_memory_),
      replacement_pipeline_(context_),
      replacer_{replacement_pipeline_, structures_},
      build_hooks_(context_),
      addresses_(context_, tables_),
      known_(context_, read_memory_, addresses_, completion_.submissions()),
      layouts_(context_, reserved_, fixed_, tables_),
      pipelines_(context_, instrumenter_, shaders_, commands_, completion_.submissions()),
      shader_objects_(context_, instrumenter_, shaders_, layouts_, completion_.submissions()),
      copies_builds_(CopiesParameters(context_, &dispatch::Settings::gpuav_enable)),
      copies_draws_(CopiesParameters(context_, &dispatch::Settings::gpuav_indirect_draws_buffers)),
      copies_dispatches_(CopiesParameters(context_, &dispatch::Settings::gpuav_indirect_dispatches_buffers)),
      copies_traces_(CopiesParameters(context_, &dispatch::Settings::gpuav_indirect_trace_rays_buffers)),
      copies_depths_(CopiesParameters(context_, &dispatch::Settings::gpuav_buffer_copies) &&
                     !context_.device().IsEnabled(vk::ExtensionId::kExtDepthRangeUnrestricted)),
      sources_{.read = read_memory_,
               .written = written_memory_,
               .instances = instance_memory_,
               .reserved = reserved_,
               .fixed = fixed_,
               .tables = tables_,
               .block_stride = BlockStride(context_.device()),
               .output_bytes = OutputBytes(context_.settings()),
               .image_numbers = image_numbers_.get()} {
  if (Prepare()) {
    if (image_numbers_ != nullptr) state.AttachToQueues(layouts_of_executions_);
    state.AttachToCommandBuffers(Recording::kSlot, [this](state::CommandBuffer& buffer) {
      return std::make_unique<Recording>(context_, sets_, known_, sources_, sink_, buffers_, replacer_, commands_,
                                         buffer);
    });
  }
  context_.DeliverFailure();
}

void Validator::Attach(dispatch::HookBuilder& builder) {
  builder.Attach(*this);
  if (known_.is_used()) builder.Attach(known_);
  if (KeepsOriginals(context_, commands_)) builder.Attach(choice_hooks_);
  if (context_.replaces_references()) builder.Attach(build_hooks_);
}

bool Validator::Prepare() {
  if (!HasStorageClass(context_.device())) {
    context_.Disable(vk::CommandId::kCreateDevice,
                     "it has neither Vulkan 1.1 nor VK_KHR_storage_buffer_storage_class, which instrumented shaders "
                     "need.");
    return false;
  }
  const bool has_fixed =
      context_.device().HasFeature(vk::FeatureId::kDeviceGeneratedCommands) && !HasBinaries(context_);
  if (!reserved_.Create() || (has_fixed && !fixed_.Create())) return false;
  sink_.memory = ExecutionMemory::Make(sources_);
  if (sink_.memory == nullptr) return false;
  sink_.block = sink_.memory->AddBlock();
  if (has_fixed && !sink_.memory->AddFixedSet(sink_.block)) return false;
  const auto words = absl::MakeSpan(sink_.block.words, kBlockBytes / sizeof(uint32_t));
  spirv_instrument::InitializeUncheckedAction(words);
  sink_.memory->SetAddresses(words);
  return true;
}

Validator::~Validator() = default;

void Validator::PreCallRecord(const vk::CmdExecuteCommands& call, dispatch::Slot& slot) {
  Recording* const recording = RecordingIn(slot);
  if (recording == nullptr) return;
  recording->BeforeOrdering();
  recording->BeforeLayouts();
  if (call.commandBufferCount == 0) return;
  const state::CommandBuffer* last = state::DeviceState::Get(call.pCommandBuffers[call.commandBufferCount - 1]);
  const auto* executed = last != nullptr ? last->Sub<Recording>() : nullptr;
  if (executed != nullptr) recording->markers().Execute(executed->markers());
}

void Validator::PreCallRecord(const vk::EndCommandBuffer&, dispatch::Slot& slot) {
  Recording* const recording = RecordingIn(slot);
  if (recording == nullptr) return;
  recording->BeforeOrdering();
  recording->markers().End();
}

void Validator::PreCallRecord(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot) {
  Recording* const recording = RecordingIn(slot);
  if (recording == nullptr) return;
  if (call.imageMemoryBarrierCount != 0) recording->BeforeLayouts();
  recording->BeforeBarrier(AccessesBehind(call.pMemoryBarriers, call.memoryBarrierCount) |
                           AccessesBehind(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount));
}

void Validator::PreCallRecord(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot) {
  Recording* const recording = RecordingIn(slot);
  if (recording == nullptr) return;
  const VkDependencyInfo& info = *call.pDependencyInfo;
  if (info.imageMemoryBarrierCount != 0) recording->BeforeLayouts();
  recording->BeforeBarrier(AccessesBehind(info.pMemoryBarriers, info.memoryBarrierCount) |
                           AccessesBehind(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount));
}

void Validator::BeforeSubmit(absl::Span<const VkCommandBuffer> command_buffers) {
  std::vector<Execution> executions;
  for (VkCommandBuffer handle : command_buffers) {
    const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
    if (buffer != nullptr) AddExecutions(*buffer, executions);
  }
  if (executions.empty()) return;
  completion_.Begin();
  const AddressTables::Place addresses = addresses_.Follow(completion_.submissions(), completion_.read_submissions());
  known_.ForgetUpTo(completion_.read_submissions());
  completion_.BeforeSubmit(std::move(executions), [&](const Execution& execution) {
    execution.memory->SetAddressTable(addresses.offset, addresses.quads);
    for (VkDescriptorSet set : execution.log->changing_sets) sets_.Follow(set);
  });
}

void Validator::PreCallRecord(const vk::QueueSubmit& call) {
  std::vector<VkCommandBuffer> command_buffers;
  for (uint32_t i = 0; i < call.submitCount; ++i) {
    const VkSubmitInfo& submit = call.pSubmits[i];
    command_buffers.insert(command_buffers.end(), submit.pCommandBuffers,
                           submit.pCommandBuffers + submit.commandBufferCount);
  }
  BeforeSubmit(command_buffers);
}

void Validator::PreCallRecord(const vk::QueueSubmit2& call) {
  std::vector<VkCommandBuffer> command_buffers;
  for (uint32_t i = 0; i < call.submitCount; ++i) {
    const VkSubmitInfo2& submit = call.pSubmits[i];
    for (uint32_t j = 0; j < submit.commandBufferInfoCount; ++j) {
      command_buffers.push_back(submit.pCommandBufferInfos[j].commandBuffer);
    }
  }
  BeforeSubmit(command_buffers);
}

void Validator::AfterSubmit(vk::CommandId command, VkQueue queue, VkResult result, VkFence fence,
                            Completion::Signals signals) {
  completion_.AfterSubmit(queue, result, fence, std::move(signals));
  Report(Collect(result), command);
}

void Validator::PostCallRecord(const vk::QueueSubmit& call, VkResult result) {
  AfterSubmit(call.kId, call.queue, result, call.fence, SignalsOf(call));
}
void Validator::PostCallRecord(const vk::QueueSubmit2& call, VkResult result) {
  AfterSubmit(call.kId, call.queue, result, call.fence, SignalsOf(call));
}

Collected Validator::Collect(VkResult result) {
  return result == VK_ERROR_DEVICE_LOST ? completion_.CollectLost() : completion_.Collect();
}

void Validator::PostCallRecord(const vk::WaitForFences& call, VkResult result) {
  const bool knows_all = result == VK_SUCCESS && (call.waitAll == VK_TRUE || call.fenceCount == 1);
  Report(knows_all ? completion_.CollectAfterFences(absl::MakeSpan(call.pFences, call.fenceCount)) : Collect(result),
         call.kId);
}
void Validator::PostCallRecord(const vk::GetFenceStatus& call, VkResult result) {
  Report(result == VK_SUCCESS ? completion_.CollectAfterFences({call.fence}) : Collect(result), call.kId);
}
void Validator::PostCallRecord(const vk::WaitSemaphores& call, VkResult result) {
  const VkSemaphoreWaitInfo& info = *call.pWaitInfo;
  const bool knows_all =
      result == VK_SUCCESS && ((info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) == 0 || info.semaphoreCount == 1);
  Report(knows_all ? completion_.CollectAfterSemaphores(absl::MakeSpan(info.pSemaphores, info.semaphoreCount),
                                                        absl::MakeSpan(info.pValues, info.semaphoreCount))
                   : Collect(result),
         call.kId);
}
void Validator::PostCallRecord(const vk::GetSemaphoreCounterValue& call, VkResult result) {
  Report(result == VK_SUCCESS ? completion_.CollectAfterSemaphores({call.semaphore}, {*call.pValue}) : Collect(result),
         call.kId);
}
void Validator::PostCallRecord(const vk::QueueWaitIdle& call, VkResult result) { Report(Collect(result), call.kId); }
void Validator::PostCallRecord(const vk::DeviceWaitIdle& call, VkResult result) { Report(Collect(result), call.kId); }
void Validator::PostCallRecord(const vk::QueuePresentKHR& call, VkResult result) { Report(Collect(result), call.kId); }

void Validator::PreCallRecord(const vk::DestroyDevice& call) {
  Report(completion_.CollectAll(), call.kId);
  completion_.Clear();
  sink_ = {};
  pipelines_.Clear();
  replacement_pipeline_.Clear();
  reserved_.Clear();
  fixed_.Clear();
  tables_.Clear();
  known_.Clear();
  read_memory_.Clear();
  written_memory_.Clear();
  instance_memory_.Clear();
  context_.ForgetDevice();
}

void Validator::Report(const Collected& collected, vk::CommandId command) {
  context_.DeliverFailure();
  for (const Written& written : collected.written) {
    ReportWritten(context_, shaders_, limits_, written);
    ReportParameters(context_, written);
  }
  if (collected.lost) ReportLost(context_, command, *collected.lost);
  if (shaders_.has_removed()) shaders_.ForgetUpTo(completion_.read_submissions());
  if (structures_.has_destroyed()) structures_.ForgetUpTo(completion_.read_submissions());
  if (image_numbers_ != nullptr && image_numbers_->has_destroyed()) {
    image_numbers_->ForgetUpTo(completion_.read_submissions());
  }
}

}  // namespace assay::gpuav
