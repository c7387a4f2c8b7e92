// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_CORE_H_
#define ASSAY_CORE_CORE_H_

// Stateful valid usage: rules about what objects are and what was done to them. The state tracker (state/state.h) keeps
// both; the validators here read it.
//
// Each room has one validator, or two, and is independent of the other rooms' validators:
//
//   commands             The implicit rules of every recorded command. Its command buffer is being recorded, its pool's
//                        queue family supports the command, it is primary where the command needs that, and it is
//                        inside or outside a render pass instance and a video coding scope. One check reads one row of
//                        the registry's table for each command.
//   barriers             The explicit rules of barriers, stage masks, submissions, host synchronization and subpass
//                        dependencies, as far as one call decides them.
//   binding              What commands bind or push: pipelines, shader objects, descriptor sets, push constants.
//   buffer_views         Where views of texel buffers may begin.
//   builds               Builds of acceleration structures and micromaps.
//   contents             What submitted commands need acceleration structures, micromaps and queries to contain.
//   copies               Copies, fills and updates of buffers; copies, blits, resolves and clears of images: what the
//                        buffers and images are, and where the regions are. Copies of acceleration structures.
//   created_objects      How the objects that a command names were created, whether they have memory and are large
//                        enough.
//   deferred_operations  Whether deferred operations are complete.
//   descriptor_updates   What is written to descriptors, and copied between them.
//   descriptors          What the descriptors that draws, dispatches and traces use must be.
//   device_groups        Masks and indices of the physical devices of a logical one.
//   devices              What instances and devices are created with and asked for: extensions, features, queues;
//                        debug labels and names; optical flow and decompression. InstanceRules is for an instance.
//   draw                 What draws, dispatches and traces need bound and set.
//   events               What events are set with and waited for with.
//   generated_commands   Layouts, execution sets and preprocessing of device-generated commands.
//   interfaces           Shader interfaces: stages, vertex input, pipeline layouts.
//   layouts              Image layouts.
//   lifetime             Objects that queues have in use, and command buffers whose objects were destroyed. The setting
//                        object_lifetime switches it, since object_lifetimes notes the objects of recorded commands.
//   memory               How memory is allocated, imported and exported, what it is bound to, and where it is mapped.
//   ownership_transfers  Queue family ownership transfers.
//   pipeline_creation    Compute and ray tracing pipelines; caches, binaries and executables of pipelines.
//   pipelines            The states of graphics pipelines.
//   queries              Queries and their pools.
//   queues               Semaphores, fences and pending command buffers; suspended render pass instances.
//   render_passes        Render passes, framebuffers, and the render pass instances that begin with them.
//   rendering            Attachments of dynamic rendering.
//   resources            What images, buffers, their views and samplers are created with.
//   scopes               Where conditional rendering begins and ends; inherited viewports.
//   secondaries          Where command buffers begin and end, and secondary ones are executed.
//   set_layouts          Layouts of descriptor sets and of pipelines, with the limits of descriptors; update templates.
//   shader_stages        One shader stage: capabilities, limits, features, specialization.
//   spirv                Whether SPIR-V is valid: SPIRV-Tools' validator, rules that it does not check, built-ins.
//   swapchains           Swapchains: creation, acquiring and presenting. Surfaces and displays; SurfaceRules is for an
//                        instance.
//   vertex_buffers       Ranges of vertex, index and transform feedback buffers that are bound.
//   video                Video sessions, their parameters, and what commands of video coding scopes name.
//
// Three rooms serve the others. recording holds core's part of a command buffer (RecordingScope), which CommandRules
// attaches, and a map that undoes what a submission changed (UndoableMap). masks compares stage and access masks with
// the device's features and limits. formats asks for the features of formats. test_cases is for tests.
//
// Events, layouts, queue family ownership transfers and suspended render pass instances are tracked through recordings
// and submissions. Each recording keeps what it expects and what it leaves; a submission compares that with the device.
//
// Not here: rules of parameters alone (stateless), of handles (object_lifetimes), of threads (thread_safety), and
// hazards (syncval).

#include <cstddef>
#include <optional>
#include <tuple>

#include "core/barriers/sync_rules.h"
#include "core/binding/binding_rules.h"
#include "core/buffer_views/buffer_view_rules.h"
#include "core/builds/build_rules.h"
#include "core/commands/command_rules.h"
#include "core/contents/content_rules.h"
#include "core/copies/copy_rules.h"
#include "core/copies/structures/structure_copy_rules.h"
#include "core/created_objects/object_rules.h"
#include "core/deferred_operations/deferred_operation_rules.h"
#include "core/descriptor_updates/descriptor_update_rules.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "core/device_groups/device_group_rules.h"
#include "core/devices/device_rules.h"
#include "core/devices/engine_rules.h"
#include "core/devices/instance_rules.h"
#include "core/draw/draw_rules.h"
#include "core/events/event_rules.h"
#include "core/generated_commands/generated_rules.h"
#include "core/interfaces/interface_rules.h"
#include "core/layouts/layout_rules.h"
#include "core/lifetime/lifetime_rules.h"
#include "core/memory/memory_rules.h"
#include "core/ownership_transfers/ownership_transfer_rules.h"
#include "core/pipeline_creation/creation_rules.h"
#include "core/pipelines/pipeline_rules.h"
#include "core/queries/query_rules.h"
#include "core/queues/queue_rules.h"
#include "core/queues/suspension_rules.h"
#include "core/render_passes/render_pass_rules.h"
#include "core/rendering/rendering_rules.h"
#include "core/resources/object_totals.h"
#include "core/resources/queue_needs.h"
#include "core/resources/resource_rules.h"
#include "core/scopes/scope_rules.h"
#include "core/secondaries/secondary_rules.h"
#include "core/set_layouts/set_layout_rules.h"
#include "core/shader_stages/shader_stage_rules.h"
#include "core/spirv/spirv_rules.h"
#include "core/swapchains/surface_rules.h"
#include "core/swapchains/swapchain_rules.h"
#include "core/vertex_buffers/vertex_buffer_rules.h"
#include "core/video/video_rules.h"
#include "dispatch/dispatch.h"
#include "state/state.h"

namespace assay::core {

// The validators that the setting validate_core switches, in the order in which they see a call. One that is added here
// is made and attached; it is constructed with the state or the device (and what the device was created with), or with
// nothing, and attaches its hooks itself if it has an Attach(). kSetting in attach_part.h names those that have a
// setting of their own.
template <class... V>
using OptionalValidators = std::tuple<std::optional<V>...>;
using ValidatorTuple = OptionalValidators<
    CommandRules, DeviceGroupRules, SyncRules, BindingRules, BufferViewRules, ContentRules, CopyRules, DeviceRules,
    EngineRules, StructureCopyRules, ObjectRules, BuildRules, DeferredOperationRules, DescriptorUpdateRules, DrawRules,
    BoundDescriptorRules, GeneratedCommandRules, SpirvRules, InterfaceRules, ShaderStageRules, MemoryRules,
    OwnershipTransferRules, PipelineCreationRules, PipelineRules, QueryRules, QueueRules, RenderPassRules,
    RenderingRules, ObjectTotals, QueueNeedRules, ResourceRules, ScopeRules, SecondaryRules, SetLayoutRules,
    SwapchainRules, VertexBufferRules, VideoRules, LayoutRules, EventRules, SuspensionRules>;

// core's validators of an instance.
class InstanceValidators {
 public:
  // Makes and attaches them. To be called once.
  void Attach(dispatch::Instance& instance, dispatch::HookBuilder& builder);

 private:
  std::optional<SurfaceRules> surface_rules_;
  std::optional<InstanceRules> instance_rules_;
};

// core's validators of a device.
class Validators {
 public:
  // Makes those that the settings of the device's instance ask for, and attaches them. To be called once. `state` must
  // outlive this; `info` is what the device is created with.
  void Attach(state::DeviceState& state, const VkDeviceCreateInfo& info, dispatch::HookBuilder& builder);

  // Null if the settings do not ask for it.
  template <class V>
  V* Find() {
    auto& validator = std::get<std::optional<V>>(validators_);
    return validator.has_value() ? &*validator : nullptr;
  }

 private:
  static constexpr size_t kCount = std::tuple_size_v<ValidatorTuple>;
  static constexpr size_t kParts = 6;
  // Does so for some of them (attach_part.h).
  template <size_t part>
  void AttachPart(state::DeviceState& state, const VkDeviceCreateInfo& info, dispatch::HookBuilder& builder);

  ValidatorTuple validators_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_CORE_H_
