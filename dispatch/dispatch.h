// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_DISPATCH_H_
#define ASSAY_DISPATCH_DISPATCH_H_

// Dispatch: the layer's side of the loader interface, and the way of every call to the driver and back.
//
// Its verbs are
// - *intercept*: the application's call becomes a value of its command's type (vk/commands.h);
// - *hook*: validators' overloads for that type run before and after the call down;
// - *rewrite*: a validator replaces parameters on their way down;
// - *translate*: the application's handles become the driver's in copies of the parameters, and returned handles become
//   the application's;
// - *call down*: the function of the next layer or driver runs.
//
// Its rooms:
//
//   chain/        entry points and the call down; creation and destruction of instances and devices; look-up by name
//   handles/      the tables of handles; the objects that a command buffer's commands were given
//   hooks/        the lists of hooks; the Instance and Device that own them, and what is known of devices: enabled
//                 extensions and features, properties, limits
//   translation/  handles in parameters
//   rewriting/    parameters that validators replace, and validators' own calls to the driver
//   extensions/   the layer's name, and the extensions that it implements
//   settings/     the settings and their sources
//   testing/      this package as a layer without validators, for tests
//
// The validators are not here. //layer makes them (ValidatorFactory).
//
// One call of any command:
//
//   Entry<C>::Call   chain/intercept.h              makes the value
//   FindDispatchedOn chain/intercept.h              finds the slot of the first parameter, without a lock; the slot has
//                                                   the Device or Instance, and the hooks get it
//   PreCallValidate  hooks/run_hooks.h              runs for all validators; the call ends here if a callback asks to
//   PreCallRecord    hooks/run_hooks.h              runs for all validators
//   PreCallReport    hooks/run_hooks.h              reports what recording found; the call may end here too
//   Forward          chain/forward.h                translates, rewrites, calls down, registers the returned handles
//   PostCallRecord   hooks/run_hooks.h              runs for all validators
//
// The registry's description is enough for most commands. These mechanisms treat the others. Files without a folder are
// in chain/.
//
//   OverrideCall replaces the whole call.
//     create_destroy_overrides.cc       vkCreate* and vkDestroy* of instances and devices: the layer chain changes
//     proc_addr.cc                      vkGetInstanceProcAddr, vkGetDeviceProcAddr: they return entry points
//     extensions/layer_properties.cc    vkEnumerateInstanceExtensionProperties, vkEnumerateInstanceLayerProperties,
//                                       vkEnumerateInstanceVersion, vkEnumerateDeviceExtensionProperties,
//                                       vkEnumerateDeviceLayerProperties: they return the layer's own
//     extensions/layer_extensions.cc    vkGetPhysicalDeviceToolProperties: the layer adds itself
//
//   RunOrImplement is for an OverrideCall of an extension that the layer implements. It forwards the call when the next
//   layer or driver has the command.
//     extensions/layer_extensions.cc    commands of VK_EXT_debug_marker and VK_EXT_validation_cache
//
//   OverrideCallDown replaces Forward. The hooks run as usual.
//     call_down_overrides.cc            vkBeginCommandBuffer: pInheritanceInfo may be garbage
//                                       vkAllocateCommandBuffers: the slots record the level
//                                       vkResetDescriptorPool, vkReleasePerformanceConfigurationINTEL: they destroy
//                                       objects, which the registry does not describe
//                                       vkCreateDescriptorUpdateTemplate: the slot keeps the entries
//                                       vkUpdateDescriptorSetWithTemplate, vkCmdPushDescriptorSetWithTemplate,
//                                       vkCmdPushDescriptorSetWithTemplate2: the entries lead to the handles
//     deferred_operations.cc            commands with a VkDeferredOperationKHR: the outputs come later
//
//   TranslateFast replaces TranslateToDriver's walk over the registry's tables, with the same result.
//     translation/fast_translation.h    frequent commands, where the walk shows in benchmarks: barriers, binding of
//                                       descriptor sets and vertex buffers, allocation and update of descriptor sets,
//                                       vkBeginCommandBuffer, and vkCreate* commands
//
//   The driver's own pointer: vkGetDeviceProcAddr returns it when the layer does not need to intercept the command.
//     proc_addr.cc                      device-level commands that no validator hooks and nothing above overrides, that
//                                       create, return or destroy no object, and that reach no wrapped handle; those
//                                       of a VkDevice only without the setting object_lifetime, which checks the device
//
// Handles (handles/handle_table.h): a non-dispatchable handle that the application holds is a generation and an index
// into one table of slots. The slot has the driver's handle and the state tracker's object. So an array access finds
// the state, and the generation exposes a stale handle.
//
// Ownership: the slot of a VkInstance or VkDevice owns its Instance or Device from creation to destruction. Those two
// own their validators.
//
// Errors: a validator that runs out of memory does not fail the application's call, and a call that the driver has
// completed is never reported as failed. Exceptions of an application's callbacks, and the unwinding of a cancelled
// thread, pass through Entry<C>::Call. A call on an object that the tables do not have is reported and not forwarded;
// commands that return VkResult return VK_ERROR_VALIDATION_FAILED_EXT then. A call that a callback skips leaves nothing
// behind (hooks/run_hooks.h).

#include "dispatch/chain/negotiate.h"
#include "dispatch/extensions/layer_identity.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/handles/recording.h"
#include "dispatch/hooks/hooks.h"
#include "dispatch/hooks/instance.h"
#include "dispatch/rewriting/internal_calls.h"
#include "dispatch/rewriting/rewriter.h"

#endif  // ASSAY_DISPATCH_DISPATCH_H_
