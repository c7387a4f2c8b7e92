// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/recording.h"

#include <algorithm>
#include <cstring>

#include "gpuav/recording/actions.h"
#include "gpuav/recording/bound_shaders.h"
#include "spirv_instrument/runtime/action.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::kFirstSetQuad;
using spirv_instrument::kMaxSets;

constexpr size_t kQuadWords = 4;

}  // namespace

void Recording::OnBegin(const VkCommandBufferBeginInfo& info) {
  const auto* conditional =
      info.pInheritanceInfo == nullptr || buffer_.level == VK_COMMAND_BUFFER_LEVEL_PRIMARY
          ? nullptr
          : vk::FindInChain<VkCommandBufferInheritanceConditionalRenderingInfoEXT>(info.pInheritanceInfo->pNext);
  const bool is_conditional = conditional != nullptr && conditional->conditionalRenderingEnable == VK_TRUE;
  copies_.Begin(is_conditional);
  replacements_.Begin(info, is_conditional);
  suspends_ = is_suspended_ = false;
  if (switch_) switch_->Begin();
  markers_.Begin();
}

void Recording::OnReset() {
  memory_.reset();
  log_.reset();
  markers_.Reset();
  pushes_.Reset();
  copies_.Begin(false);
  for (Point& point : points_) point.is_known = false;
  decision_ = {};
  is_self_checking_bound_ = false;
  has_image_notes_ = false;
}

void Recording::OnEnd() {
  if (log_ == nullptr) return;
  for (const Action& action : log_->actions) {
    if (action.label_path != 0 && !log_->labels.contains(action.label_path)) {
      log_->labels[action.label_path] = buffer_.LabelsOf(action.label_path);
    }
  }
}

void Recording::OnExecute(absl::Span<const state::ExecutedSecondary> executed) {
  for (const state::ExecutedSecondary& secondary : executed) {
    const state::CommandBuffer* const buffer = state::DeviceState::Get(secondary.handle);
    const auto* recording = buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
    if (recording == nullptr) continue;
    if (buffer_.rendering.is_active()) {
      copies_.Add(recording->copies_);
    } else {
      // It has recorded its copies itself, but may end in a render pass instance that is suspended.
      is_suspended_ = recording->is_suspended_;
    }
  }
}

bool Recording::AddParameters(const IndirectCommand& command, VkPipelineBindPoint point) {
  if (switch_ && !switch_->Chooses(point)) return false;
  return copies_.Add(command, buffer_, buffer_.At(point).pipeline);
}

void Recording::CopyParameters(VkPipelineStageFlags after, VkPipelineStageFlags before) {
  if (!copies_.has_waiting() || is_suspended_ || buffer_.rendering.is_active()) return;
  if (!Begin()) return copies_.Drop();
  copies_.Record(reinterpret_cast<VkCommandBuffer>(buffer_.handle()), after, before, *memory_, log_->parameters);
}

void Recording::ReplaceReferences() {
  if (!Begin()) return replacements_.Clear();
  if (replacements_.Record(*memory_, pushes_)) BindComputeAgain();
}

void Recording::BindComputeAgain() {
  const auto command_buffer = reinterpret_cast<VkCommandBuffer>(buffer_.handle());
  is_self_checking_bound_ = false;
  if (switch_) switch_->OnBindAgain(VK_PIPELINE_BIND_POINT_COMPUTE);
  const VkPipeline pipeline = buffer_.At(VK_PIPELINE_BIND_POINT_COMPUTE).pipeline;
  if (state::DeviceState::Get<state::Pipeline>(pipeline) != nullptr) {
    dispatch::CallNext(context_.device(), vk::CmdBindPipeline{command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                              dispatch::DriverHandle(pipeline)});
  }
  constexpr VkShaderStageFlagBits kStage = VK_SHADER_STAGE_COMPUTE_BIT;
  const VkShaderEXT shader = buffer_.draw.shader(kStage);
  if (state::DeviceState::Get<state::Shader>(shader) != nullptr) {
    const VkShaderEXT down = dispatch::DriverHandle(shader);
    dispatch::CallNext(context_.device(), vk::CmdBindShadersEXT{command_buffer, 1, &kStage, &down});
  }
}

// What the application lets wait for its commands, waits for the stage in which they read parameters, too: it is
// logically earlier than all others. So it waits for copies that this stage waits for.
void Recording::BeforeOrdering() {
  CopyParameters(VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT);
}

bool Recording::BeforeOwnCopies() {
  if (switch_ && !switch_->ChoosesPlace()) return false;
  BeforeOrdering();
  return !is_suspended_ && !buffer_.rendering.is_active();
}

void Recording::BeforeBarrier(VkAccessFlags2 access) {
  constexpr VkAccessFlags2 kWrites =
      VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  if (!copies_.has_waiting()) return;
  if (buffer_.rendering.is_active() && (access & kWrites) != 0) return copies_.Drop();
  BeforeOrdering();
}

void Recording::OnBeginRendering(VkRenderingFlags flags) {
  suspends_ = (flags & VK_RENDERING_SUSPENDING_BIT) != 0;
  markers_.BeginRenderPass(flags);
}

void Recording::OnEndRendering() {
  is_suspended_ = suspends_;
  suspends_ = false;
  // A dependency of the render pass, which stands before the copies, may be all that other commands wait for.
  CopyParameters(VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

bool Recording::Begin() {
  if (memory_ != nullptr) return true;
  memory_ = ExecutionMemory::Make(sources_);
  if (memory_ == nullptr) return false;
  log_ = std::make_shared<ActionLog>();
  log_->command_buffer = reinterpret_cast<VkCommandBuffer>(buffer_.handle());
  return true;
}

Recording::Point& Recording::PointOf(VkPipelineBindPoint point) {
  return points_[point == VK_PIPELINE_BIND_POINT_GRAPHICS ? 0 : point == VK_PIPELINE_BIND_POINT_COMPUTE ? 1 : 2];
}

void Recording::ReadPlaces(const state::BindPointState& bindings, Point& point) {
  if (log_->places == nullptr) log_->places = std::make_unique<SetPlaces>(context_.state(), sources_.tables);
  point.set_count = 0;
  log_->places->Add(bindings, absl::MakeSpan(point.offsets));
}

void Recording::SetKnownDescriptors(ActionWords& words) {
  constexpr size_t kWord = spirv_instrument::kCountsQuad * kQuadWords + spirv_instrument::kKnownDescriptorsWord;
  const VkDeviceAddress address = known_.Place();
  words[kWord] = static_cast<uint32_t>(address);
  words[kWord + 1] = static_cast<uint32_t>(address >> 32);
}

void Recording::ReadSets(const state::BindPointState& bindings, bool has_descriptor_buffers, Point& point) {
  const bool is_same = point.sets_key == bindings.sets_key && point.has_places == has_descriptor_buffers;
  if (point.is_known && is_same) return;
  point.is_known = true;
  point.has_places = has_descriptor_buffers;
  point.sets_key = bindings.sets_key;
  point.offsets = {};
  point.lacks_table = false;
  point.first_set = static_cast<uint32_t>(log_->sets.size());
  if (has_descriptor_buffers) return ReadPlaces(bindings, point);
  point.set_count = static_cast<uint32_t>(std::min<size_t>(bindings.sets.size(), kMaxSets));
  for (size_t i = 0; i < point.set_count; ++i) {
    const state::BoundSet& bound = bindings.sets[i];
    log_->sets.push_back(bound.set);
    if (bound.pushed != nullptr) {
      log_->pushed.push_back(sets_.MakeTable(*bound.pushed));
      point.offsets[i] = log_->pushed.back()->offset();
    } else if (bound.set != VK_NULL_HANDLE) {
      point.offsets[i] = sets_.Follow(bound.set);
      const auto* set = state::DeviceState::Get<state::DescriptorSet>(bound.set);
      if (set != nullptr && set->contents.layout().has_update_after_bind()) log_->changing_sets.push_back(bound.set);
    } else {
      continue;
    }
    // To shaders, it would look as if no set were bound.
    if (point.offsets[i] == 0) point.lacks_table = true;
  }
}

ActionBlock Recording::AddBlock(const state::BindPointState& bindings, const BoundShaders& shaders, Point& point,
                                ActionWords& words) {
  // What is the same for all actions.
  static const ActionWords kTemplate = [] {
    ActionWords all;
    spirv_instrument::InitializeAction(absl::MakeSpan(all));
    return all;
  }();
  if (!Begin()) return {};
  // First: a table may be in an array that is later than the one of the last block.
  ReadSets(bindings, shaders.has_descriptor_buffers, point);
  if (point.lacks_table) return {};
  const ActionBlock block = memory_->AddBlock();
  if (!block) return {};
  words = kTemplate;
  words[spirv_instrument::kActionIndexQuad * kQuadWords + spirv_instrument::kActionIndexWord] =
      static_cast<uint32_t>(log_->actions.size());
  std::ranges::copy(point.offsets, words.begin() + kFirstSetQuad * kQuadWords);
  if (shaders.has_descriptor_buffers) SetKnownDescriptors(words);
  return block;
}

void Recording::Decide(const HostDecided& host, const state::BindPointState& bindings) {
  if (decision_.pipeline == bindings.pipeline && decision_.sets_key == bindings.sets_key) return;
  decision_ = {.pipeline = bindings.pipeline, .sets_key = bindings.sets_key, .knowledge = host.Know(bindings)};
}

bool Recording::BindByConditions(HostDecided& host, const state::BindPointState& bindings) {
  Decide(host, bindings);
  if ((!decision_.knowledge || host.has_faults()) && decision_.self_checking == VK_NULL_HANDLE) {
    decision_.self_checking = host.SelfChecking();
  }
  BindCompute(decision_.self_checking);
  return is_self_checking_bound_;
}

void Recording::SetLimits(const HostDecided& host, ActionWords& words) {
  const absl::Span<uint32_t> block = absl::MakeSpan(words);
  // Where nothing is known of a command that has to run this pipeline, nothing is checked.
  if (!decision_.knowledge) return spirv_instrument::SetLimits({}, block);
  absl::InlinedVector<uint32_t, spirv_instrument::kMaxLimits> limits;
  for (const spirv_instrument::LimitFacts& facts : *decision_.knowledge) limits.push_back(facts.limit);
  spirv_instrument::SetLimits(limits, block);
  const std::optional<uint32_t> first_note = memory_->AddNotes(host.note_count());
  spirv_instrument::SetFirstNote(first_note.value_or(ExecutionMemory::lost_notes()), block);
  if (!first_note) {
    std::vector<uint32_t>& without = log_->without_notes;
    if (without.empty() || without.back() != host.shader_id()) without.push_back(host.shader_id());
    return;
  }
  if (!decision_.logged) {
    decision_.logged = static_cast<uint32_t>(log_->knowledge.size());
    log_->knowledge.push_back(*decision_.knowledge);
  }
  log_->limited.push_back({.action = static_cast<uint32_t>(log_->actions.size()),
                           .shader = host.shader_id(),
                           .first_note = *first_note,
                           .note_count = host.note_count(),
                           .knowledge = *decision_.logged});
}

void Recording::SetImageNotes(ActionWords& words) {
  if (sources_.image_numbers == nullptr) return;
  const uint32_t largest = sources_.image_numbers->largest();
  // No descriptor of an image was ever in a table.
  if (largest == 0) return;
  if (!has_image_notes_ || log_->image_notes.back().count < largest) {
    // Descriptors may be written until the command buffer is submitted.
    constexpr uint32_t kSpare = 256;
    const uint32_t count = (largest / kSpare + 1) * kSpare;
    if (const std::optional<uint32_t> first = memory_->AddImageNotes(count)) {
      log_->image_notes.push_back({.first_word = *first, .count = count});
      has_image_notes_ = true;
      buffer_.wants_layouts = true;
    }
  }
  // Without memory, notes for some of the descriptors.
  if (!has_image_notes_) return;
  const ImageNotes& notes = log_->image_notes.back();
  spirv_instrument::SetImageNotes(notes.first_word, notes.count, absl::MakeSpan(words));
}

void Recording::BindCompute(VkPipeline self_checking) {
  const bool is_wanted = self_checking != VK_NULL_HANDLE;
  if (is_wanted == is_self_checking_bound_) return;
  is_self_checking_bound_ = is_wanted;
  const VkPipeline application = dispatch::DriverHandle(buffer_.At(VK_PIPELINE_BIND_POINT_COMPUTE).pipeline);
  dispatch::CallNext(context_.device(),
                     vk::CmdBindPipeline{reinterpret_cast<VkCommandBuffer>(buffer_.handle()),
                                         VK_PIPELINE_BIND_POINT_COMPUTE, is_wanted ? self_checking : application});
}

bool Recording::BindInstrumented(vk::CommandId command, VkPipelineBindPoint bind_point, const BoundShaders& shaders) {
  if (switch_) return switch_->Prepare(command, bind_point, shaders);
  if (shaders.host == nullptr) return shaders.is_instrumented;
  // Such a command may name the pipeline that is bound, and its memory is for that one.
  if (IsGenerating(command)) {
    BindApplicationsPipeline();
    Decide(*shaders.host, buffer_.At(bind_point));
    return shaders.is_instrumented;
  }
  return BindByConditions(*shaders.host, buffer_.At(bind_point)) || shaders.is_instrumented;
}

bool Recording::BindShaders(vk::CommandId command, VkPipelineBindPoint bind_point, const BoundShaders& shaders) {
  bool is_instrumented = shaders.layout != VK_NULL_HANDLE && BindInstrumented(command, bind_point, shaders);
  // Another pipeline of the execution set may be.
  is_instrumented |= shaders.may_be_in_sets && IsGenerating(command);
  if (!is_instrumented || shaders.address.stages == 0) {
    pushes_.Restore(reinterpret_cast<VkCommandBuffer>(buffer_.handle()));
  }
  return is_instrumented;
}

void Recording::BindBlock(VkPipelineBindPoint bind_point, const BoundShaders& shaders, const ActionBlock& block) {
  const auto command_buffer = reinterpret_cast<VkCommandBuffer>(buffer_.handle());
  if (shaders.address.stages != 0) {
    return pushes_.Push(command_buffer, shaders.layout, shaders.address, block.address);
  }
  const bool is_fixed = shaders.has_fixed_set;
  dispatch::CallNext(context_.device(),
                     vk::CmdBindDescriptorSets{command_buffer, bind_point, shaders.layout, context_.reserved_set(), 1,
                                               is_fixed ? &block.fixed_set : &block.set, is_fixed ? 0u : 1u,
                                               is_fixed ? nullptr : &block.offset});
}

void Recording::AddUnchecked(VkPipelineBindPoint bind_point) {
  const BoundShaders shaders = FindBoundShaders(context_, buffer_, bind_point);
  if (!BindShaders(vk::CommandId::kCmdExecuteGeneratedCommandsEXT, bind_point, shaders)) return;
  BindBlock(bind_point, shaders, sink_.block);
}

void Recording::Add(vk::CommandId command, VkPipelineBindPoint bind_point, const DrawParameters* draw) {
  const state::BindPointState& bindings = buffer_.At(bind_point);
  const BoundShaders shaders = FindBoundShaders(context_, buffer_, bind_point);
  if (!BindShaders(command, bind_point, shaders)) return;
  Point& point = PointOf(bind_point);
  ActionWords words;
  ActionBlock block = AddBlock(bindings, shaders, point, words);
  const bool is_lost = !block || (shaders.has_fixed_set && !memory_->AddFixedSet(block));
  if (is_lost) {
    block = sink_.block;
  } else {
    if (draw != nullptr) {
      SetDrawWords(*draw, shaders.graphics, buffer_.draw, shaders.has_robust_vertex_inputs,
                   context_.device().HasFeature(vk::FeatureId::kDrawIndirectFirstInstance), absl::MakeSpan(words));
    }
    if (shaders.host != nullptr && shaders.host->has_limits() && !is_self_checking_bound_) {
      SetLimits(*shaders.host, words);
    }
    SetImageNotes(words);
    if (shaders.address.stages != 0) memory_->SetAddresses(absl::MakeSpan(words));
    std::memcpy(block.words, words.data(), sizeof(words));
  }
  BindBlock(bind_point, shaders, block);
  if (is_lost) return;
  log_->actions.push_back(
      {command, buffer_.command_count, buffer_.label_path(), point.first_set, point.set_count, bindings.pipeline});
}

}  // namespace assay::gpuav
