// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The type that vulkan_xlib_xrandr.h names.

#pragma once

#include <X11/Xlib.h>

typedef XID RROutput;
