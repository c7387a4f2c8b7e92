// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/recorded/command_trace.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "syncval/accesses/resource_text.h"
#include "vk/enum_info.h"

namespace assay::syncval::trace {
namespace {

std::string ResourceDescription(const state::Buffer& buffer) { return absl::StrCat(buffer.size, " bytes"); }

std::string ResourceDescription(const state::Image& image) {
  const VkImageCreateInfo& info = image.create_info;
  const VkExtent3D& extent = info.extent;
  return absl::StrCat(vk::ToString(info.format), " ", extent.width, "x", extent.height,
                      extent.depth > 1 ? absl::StrCat("x", extent.depth) : "",
                      info.mipLevels > 1 ? absl::StrCat(", ", info.mipLevels, " mip levels") : "",
                      info.arrayLayers > 1 ? absl::StrCat(", ", info.arrayLayers, " array layers") : "",
                      info.samples != VK_SAMPLE_COUNT_1_BIT ? absl::StrCat(", ", info.samples, " samples") : "");
}

// Whether other resources have the same bytes at other addresses.
bool IsAliased(const TracedResource& resource) {
  if (resource.type == state::Buffer::kType) {
    const auto* buffer = state::DeviceState::Get<state::Buffer>(resource.handle);
    return buffer != nullptr && buffer->aliases_image();
  }
  const auto* image = state::DeviceState::Get<state::Image>(resource.handle);
  return image != nullptr && image->aliases;
}

}  // namespace

CommandTrace::CommandTrace(state::CommandBuffer& buffer, messages::Reporter& reporter)
    : buffer_(buffer), reporter_(reporter) {
  OnReset();
}

void CommandTrace::OnReset() {
  trace_ = std::make_unique<RecordedTrace>();
  trace_->texts.emplace_back();
  trace_->queue_flags = buffer_.pool.queue_flags;
  finished_.reset();
  open_.clear();
  render_pass_ = {};
  text_index_.clear();
  resource_index_.clear();
  where_index_.clear();
  DropPending();
}

void CommandTrace::OnBegin(const VkCommandBufferBeginInfo&) { OnReset(); }

TextIndex CommandTrace::Intern(std::string_view text) {
  if (text.empty()) return 0;
  const auto [at, is_new] = text_index_.try_emplace(text, static_cast<TextIndex>(trace_->texts.size()));
  if (is_new) trace_->texts.emplace_back(text);
  return at->second;
}

uint32_t CommandTrace::ResourceOf(VkObjectType type, uint64_t handle) {
  const auto [at, is_new] = resource_index_.try_emplace(handle, static_cast<uint32_t>(trace_->resources.size()));
  if (!is_new) return at->second;
  TracedResource resource{.type = type, .handle = handle, .name = reporter_.Describe({type, handle})};
  if (type == state::Buffer::kType) {
    if (const auto* buffer = state::DeviceState::Get<state::Buffer>(handle))
      resource.description = ResourceDescription(*buffer);
  } else if (const auto* image = state::DeviceState::Get<state::Image>(handle)) {
    resource.description = ResourceDescription(*image);
  }
  trace_->resources.push_back(std::move(resource));
  return at->second;
}

TextIndex CommandTrace::RangeTextOf(const RecordedAccess& access) {
  const uint32_t resource = ResourceOf(access.resource_type, access.resource);
  const auto [at, is_new] = where_index_.try_emplace({resource, {access.range.begin, access.range.end}}, 0);
  if (is_new) {
    const std::string words = RangesText(access.resource_type, access.resource, {access.range});
    at->second = Intern(absl::StripSuffix(words, " of "));
  }
  return at->second;
}

void CommandTrace::Add(const RecordedAccess& access, bool is_possible_read) {
  const bool is_of_render_pass = access.role == Role::kRenderPassAttachment;
  const bool is_transition = access.access == vk::kSyncImageLayoutTransition && !is_of_render_pass;
  trace_->accesses.push_back({.range = access.range,
                              .resource = ResourceOf(access.resource_type, access.resource),
                              .where = RangeTextOf(access),
                              .access = access.access,
                              .ordering = access.ordering,
                              .is_possible_read = is_possible_read,
                              .transition = is_transition ? access.index : kNone,
                              .subpass = is_of_render_pass ? access.index >> 16 : kNone});
}

void CommandTrace::AddHazard(const messages::Message& message, Tag prior) {
  TracedHazard hazard{.id = Intern(message.id), .text = Intern(message.text), .fix = Intern(message.fix)};
  if (!message.objects.empty()) hazard.resource = ResourceOf(message.objects[0].type, message.objects[0].handle);
  hazards_.push_back({hazard, prior});
}

void CommandTrace::DropPending() {
  possible_reads_.clear();
  hazards_.clear();
  is_unknown_ = false;
}

void CommandTrace::Begin(vk::CommandId id) {
  const uint32_t command = trace_->size();
  trace_->ids.push_back(id);
  trace_->positions.push_back(buffer_.command_count);
  trace_->first_access.push_back(static_cast<uint32_t>(trace_->accesses.size()));
  trace_->first_barrier.push_back(static_cast<uint32_t>(trace_->barriers.size()));
  for (const RecordedAccess& access : possible_reads_) Add(access, true);
  for (PendingHazard& pending : hazards_) {
    pending.hazard.command = command;
    if (pending.prior.value < next_tag()) pending.hazard.prior_command = trace_->command_of_tag[pending.prior.value];
    trace_->hazards.push_back(pending.hazard);
  }
  if (is_unknown_) trace_->unknown.push_back(command);
  DropPending();
}

void CommandTrace::AddAccesses(absl::Span<const RecordedAccess> accesses) {
  trace_->command_of_tag.push_back(trace_->size() - 1);
  for (const RecordedAccess& access : accesses) {
    // What it is of is added for itself.
    if (!access.is_of_shared_memory()) Add(access, access.is_possible_read());
  }
}

void CommandTrace::MarkUnknown() {
  const uint32_t command = trace_->size() - 1;
  if (trace_->unknown.empty() || trace_->unknown.back() != command) trace_->unknown.push_back(command);
}

void CommandTrace::BeginRegion(TracedRegion::Kind kind, std::string_view name) {
  open_.push_back({kind, Intern(name), EndOfCommands()});
}

void CommandTrace::Close(size_t index, uint32_t end) {
  const OpenRegion& region = open_[index];
  if (region.first_command == end) return;
  trace_->regions.push_back({.kind = region.kind,
                             .name = region.name,
                             .first_command = region.first_command,
                             .end_command = end,
                             .depth = static_cast<uint32_t>(index)});
}

// Labels and render pass instances need not nest. A region that began inside of the one that ends goes on as a region
// of its own.
void CommandTrace::EndRegion(TracedRegion::Kind kind) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const OpenRegion& o) { return o.kind == kind; });
  if (found == open_.rend()) return;
  const auto index = static_cast<size_t>(open_.rend() - found) - 1;
  const uint32_t end = EndOfCommands();
  for (size_t i = open_.size(); i-- > index;) {
    Close(i, end);
    open_[i].first_command = end;
  }
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
}

void CommandTrace::AddBarrier(TracedBarrier barrier, VkObjectType type, uint64_t resource,
                              absl::Span<const Range> ranges) {
  if (resource != 0) barrier.resource = ResourceOf(type, resource);
  barrier.first_range = static_cast<uint32_t>(trace_->barrier_ranges.size());
  barrier.range_count = static_cast<uint32_t>(ranges.size());
  trace_->barrier_ranges.insert(trace_->barrier_ranges.end(), ranges.begin(), ranges.end());
  trace_->barriers.push_back(barrier);
}

// A dependency that leads backward, or from a subpass to itself, belongs to no command that begins a subpass.
bool CommandTrace::AddDependencies(uint32_t dst_subpass) {
  if (!render_pass_) return false;
  for (uint32_t i = 0; i < render_pass_->dependencies.size(); ++i) {
    const state::SubpassDependency& dependency = render_pass_->dependencies[i];
    const uint32_t src_subpass = dependency.src_subpass;
    const bool is_forward = src_subpass == VK_SUBPASS_EXTERNAL ? dst_subpass != src_subpass : src_subpass < dst_subpass;
    if (dependency.dst_subpass != dst_subpass || !is_forward) continue;
    AddBarrier(
        {.kind = TracedBarrier::Kind::kSubpass,
         .flags = {dependency.src_stages, dependency.src_accesses, dependency.dst_stages, dependency.dst_accesses},
         .index = i,
         .src_subpass = src_subpass,
         .dst_subpass = dst_subpass,
         .is_implicit = dependency.is_implicit},
        VK_OBJECT_TYPE_UNKNOWN, 0, {});
  }
  return true;
}

bool CommandTrace::BeginRenderPass(state::Ref<state::RenderPass> pass) {
  render_pass_ = std::move(pass);
  subpass_ = 0;
  return AddDependencies(0);
}
bool CommandTrace::NextSubpass() { return AddDependencies(++subpass_); }
bool CommandTrace::EndRenderPass() {
  const bool is_known = AddDependencies(VK_SUBPASS_EXTERNAL);
  render_pass_ = {};
  return is_known;
}

void CommandTrace::OnExecute(absl::Span<const state::ExecutedSecondary> secondaries) {
  if (trace_->size() == 0) return;
  for (const state::ExecutedSecondary& secondary : secondaries) {
    const state::CommandBuffer* const buffer = state::DeviceState::Get(secondary.handle);
    const auto* const trace = buffer != nullptr ? buffer->Sub<CommandTrace>() : nullptr;
    if (trace != nullptr && trace->finished()) trace_->executed.push_back({trace_->size() - 1, trace->finished()});
  }
}

// Addresses do not identify the memory of aliased resources, so that commands which access them are unknown.
void CommandTrace::MarkAliased() {
  std::vector<bool> is_aliased;
  is_aliased.reserve(trace_->resources.size());
  for (const TracedResource& resource : trace_->resources) is_aliased.push_back(IsAliased(resource));
  if (std::ranges::count(is_aliased, true) == 0) return;
  for (uint32_t i = 0; i < trace_->size(); ++i) {
    const auto first = trace_->accesses.begin() + trace_->first_access[i];
    const auto end = trace_->accesses.begin() + trace_->first_access[i + 1];
    if (std::any_of(first, end, [&](const TracedAccess& access) { return is_aliased[access.resource]; }))
      trace_->unknown.push_back(i);
  }
  std::ranges::sort(trace_->unknown);
  trace_->unknown.erase(std::unique(trace_->unknown.begin(), trace_->unknown.end()), trace_->unknown.end());
}

void CommandTrace::OnEnd() {
  for (size_t i = open_.size(); i-- > 0;) Close(i, EndOfCommands());
  trace_->first_access.push_back(static_cast<uint32_t>(trace_->accesses.size()));
  trace_->first_barrier.push_back(static_cast<uint32_t>(trace_->barriers.size()));
  MarkAliased();
  trace_->name = reporter_.Describe({state::CommandBuffer::kType, buffer_.handle()});
  finished_ = std::move(trace_);
  trace_ = std::make_unique<RecordedTrace>();
  trace_->texts.emplace_back();
}

}  // namespace assay::syncval::trace
