// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The types that vulkan_xlib.h names, and none of the macros (None, Bool, Status, Success, …) that Xlib's own header
// brings with them.

#pragma once

typedef struct _XDisplay Display;
typedef unsigned long XID;
typedef XID Window;
typedef unsigned long VisualID;
