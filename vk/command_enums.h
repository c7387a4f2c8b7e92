// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_COMMAND_ENUMS_H_
#define ASSAY_VK_COMMAND_ENUMS_H_

#include <cstdint>

// The small enumerations by which commands are described, in command_info.h as data and in commands.h as constants of
// types.
namespace assay::vk {

// The kinds of work of the specification's "Command Properties" tables; a command may be several.
enum CommandTask : uint8_t {
  kTaskAction = 1,
  kTaskState = 2,
  kTaskSynchronization = 4,
  kTaskIndirection = 8,
};

// Where a command may be recorded relative to a render pass instance or a video coding scope.
enum class CommandScope : uint8_t { kNone, kInside, kOutside, kBoth };

// The object that a command is dispatched on.
enum class DispatchLevel : uint8_t { kGlobal, kInstance, kPhysicalDevice, kDevice, kQueue, kCommandBuffer };

// Whether a command is dispatched on a device or on an object of one.
constexpr bool IsDeviceLevel(DispatchLevel level) { return level >= DispatchLevel::kDevice; }

// What a command does to the handles that pass through it.
enum class LifetimeEffect : uint8_t {
  kNone,
  // vkCreate*, vkAllocate*, vkRegister*: the objects in its last output parameter begin to exist.
  kCreate,
  // vkDestroy*, vkFree*: the handle or handles in its parameters cease to exist.
  kDestroy,
  // vkGet*, vkEnumerate*, vkAcquire*: returns handles that exist already or whose lifetime another object decides.
  kRetrieve,
};

}  // namespace assay::vk

#endif  // ASSAY_VK_COMMAND_ENUMS_H_
