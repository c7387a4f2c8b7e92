// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_DISPATCH_H_
#define ASSAY_DISPATCH_DISPATCH_H_

// The chassis: the layer's side of the loader interface, and what happens to every call on its way to the driver.
//
// Its verbs are *intercept* (the application's call becomes a value of its command's type, see vk/commands.h), *hook*
// (validators' overloads for that type run before and after), *translate* (the application's handles become the
// driver's in copies of the parameters, and returned ones become the application's) and *call down* (the next layer's
// or driver's function runs).
//
// One call, any command:
//
//   Entry<C>::Call           intercept.h      makes the value
//   FindOwner                 dispatchable_table.h   the Device or Instance of the first parameter, by one lock-free
//   probe PreCallValidate          hooks.h          on all; when a callback asks for it the call ends here
//   PreCallRecord                             on all
//   Forward                  translate.h      translates what the registry's tables say, calls down, enters what came
//   back PostCallRecord                            on all
//
// A command that nobody hooks and that reaches no handle is not intercepted at all: vkGetDeviceProcAddr answers with
// the driver's own pointer (proc_addr.cc). Commands that make the chain or speak of the layer are written by hand
// (overrides.h).
//
// Handles (handle_table.h): a non-dispatchable handle that the application holds is a generation and an index into one
// table of slots; the slot has the driver's handle and the state tracker's object. So state is found by an array
// access, and a stale handle is recognised exactly.
//
// Ownership: the slot of a VkInstance or VkDevice owns its Instance or Device from its creation to its destruction.
// Validators are composed at //:layer (ValidatorFactory) and owned by those two.
//
// Errors: no exception leaves Entry<C>::Call. A call on an object that the tables do not have is not passed on;
// commands that return VkResult return VK_ERROR_VALIDATION_FAILED_EXT.

#include "dispatch/chain/negotiate.h"
#include "dispatch/extensions/layer_identity.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/hooks.h"
#include "dispatch/hooks/instance.h"

#endif  // ASSAY_DISPATCH_DISPATCH_H_
