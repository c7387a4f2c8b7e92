// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_PLATFORM_TYPES_H_
#define ASSAY_VK_PLATFORM_TYPES_H_

#include <stdint.h>

// The foreign types that the Vulkan headers of platforms name. The windowing systems' own headers are not included:
// they may not exist where Assay is built, and they define macros such as None, Bool and Always. Sizes are those of the
// platform's 64-bit ABI. Types that are only pointed to have no size.
extern "C" {

// Xlib, XCB, Wayland, DirectFB.
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

// Windows, where long has 32 bits and a character of text 16.
typedef struct HINSTANCE__* HINSTANCE;
typedef struct HWND__* HWND;
typedef struct HMONITOR__* HMONITOR;
typedef void* HANDLE;
typedef uint32_t DWORD;
typedef const uint16_t* LPCWSTR;
typedef struct _SECURITY_ATTRIBUTES SECURITY_ATTRIBUTES;

// Fuchsia, and Stadia (whose headers were never public; the sizes are those that language bindings have agreed on).
typedef uint32_t zx_handle_t;
typedef uint32_t GgpStreamDescriptor;
typedef uint64_t GgpFrameToken;

// QNX.
struct _screen_context;
struct _screen_window;
struct _screen_buffer;

// Android's and Metal's are in their Vulkan headers.
}

#endif  // ASSAY_VK_PLATFORM_TYPES_H_
