// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_VULKAN_H_
#define ASSAY_VK_VULKAN_H_

// The Vulkan headers as Assay sees them: core, every extension, the beta ones, and the platform extensions whose
// windowing systems exist on Linux. The few foreign types that the platform headers name are declared here instead of
// taken from the windowing systems' own headers, which would bring macros such as None, Bool and Always into every
// translation unit.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#define VK_ENABLE_BETA_EXTENSIONS

#include <vulkan/vk_platform.h>
#include <vulkan/vulkan_core.h>

#include <vulkan/vulkan_beta.h>

extern "C" {
struct _XDisplay;
typedef struct _XDisplay Display;
typedef unsigned long Window;
typedef unsigned long VisualID;
typedef unsigned long RROutput;
typedef struct xcb_connection_t xcb_connection_t;
typedef uint32_t xcb_window_t;
typedef uint32_t xcb_visualid_t;
struct wl_display;
struct wl_surface;
typedef struct _IDirectFB IDirectFB;
typedef struct _IDirectFBSurface IDirectFBSurface;
}

#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#define VK_USE_PLATFORM_XLIB_XRANDR_EXT
#define VK_USE_PLATFORM_WAYLAND_KHR
#define VK_USE_PLATFORM_DIRECTFB_EXT
#include <vulkan/vulkan_directfb.h>
#include <vulkan/vulkan_wayland.h>
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_xlib_xrandr.h>

#endif  // ASSAY_VK_VULKAN_H_
