// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_VULKAN_H_
#define ASSAY_VK_VULKAN_H_

// The Vulkan headers as Assay sees them: core, every extension, the beta ones, and those of every platform, so that the
// tables know all of the registry wherever an application comes from. The foreign types that the platform headers name
// are in vk/platform_types.h.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#define VK_ENABLE_BETA_EXTENSIONS

#include <vulkan/vk_platform.h>
#include <vulkan/vulkan_core.h>

#include <vulkan/vulkan_beta.h>

#include "vk/platform_types.h"

#define VK_USE_PLATFORM_ANDROID_KHR
#define VK_USE_PLATFORM_DIRECTFB_EXT
#define VK_USE_PLATFORM_FUCHSIA
#define VK_USE_PLATFORM_GGP
#define VK_USE_PLATFORM_IOS_MVK
#define VK_USE_PLATFORM_MACOS_MVK
#define VK_USE_PLATFORM_METAL_EXT
#define VK_USE_PLATFORM_SCREEN_QNX
#define VK_USE_PLATFORM_VI_NN
#define VK_USE_PLATFORM_WAYLAND_KHR
#define VK_USE_PLATFORM_WIN32_KHR
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#define VK_USE_PLATFORM_XLIB_XRANDR_EXT
#include <vulkan/vulkan_android.h>
#include <vulkan/vulkan_directfb.h>
#include <vulkan/vulkan_fuchsia.h>
#include <vulkan/vulkan_ggp.h>
#include <vulkan/vulkan_ios.h>
#include <vulkan/vulkan_macos.h>
#include <vulkan/vulkan_metal.h>
#include <vulkan/vulkan_screen.h>
#include <vulkan/vulkan_vi.h>
#include <vulkan/vulkan_wayland.h>
#include <vulkan/vulkan_win32.h>
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_xlib_xrandr.h>

#endif  // ASSAY_VK_VULKAN_H_
