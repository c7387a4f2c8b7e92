// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_STATELESS_H_
#define ASSAY_STATELESS_STATELESS_H_

// Stateless validation: checks that need nothing but the call itself. They cover what the registry defines for every
// parameter, and for every member of every structure that a parameter leads to.
//
// The package has five verbs:
// * *Derive*: the generator reads from each implicit id and its sentence which member the rule is about and what it
//   requires (vk/rules/implicit_rule_info.h). An id that the registry does not have is never checked, so members
//   without automatic validity are left alone.
// * *Compile*: the rules of a structure or command become a list of steps, once a process (implicit/program.h).
// * *Accept*: a second compilation of the steps, for each device, is the fast path (check/fast_path.h). It accepts
//   nearly every correct call and no other.
// * *Walk*: one interpreter does the steps for each call that was not accepted. It walks the parameters, structures,
//   arrays and pNext chains (check/interpreter.h), but for structures that the fast path accepts by themselves. It
//   keeps its path on the stack and allocates nothing; only a message makes a location from the path.
// * *Report*: a violation becomes a message (implicit/reports.h).
//
// The implicit rules require:
// * sType is the structure's own.
// * The pNext chain has only structures that may extend the first one and that an enabled version or extension
//   provides; none of them twice.
// * Pointers are not null where they must not be, and never an invalid address (vk/walk/load_store.h). An invalid
//   address is not dereferenced.
// * Lengths of arrays are not 0. Every element is checked.
// * Handles are not null. Whether a handle is alive and has the right parent is checked by object_lifetimes.
// * Enumerants and flag bits exist, and an enabled version or extension provides them (implicit/enabled_api.h).
// * Booleans are VK_TRUE or VK_FALSE. The id is UNASSIGNED-GeneralParameterError-UnrecognizedBool32, as filters know
//   it, since the registry has ids only for arrays of booleans.
// * Text is UTF-8.
// * An enabled version or extension provides the command. The id is
//   UNASSIGNED-GeneralParameterError-ExtensionNotEnabled, as filters know it, since the registry has none. A query of a
//   physical device may be about anything that this device supports, enabled or not, and newer than the registry.
//
// A pointer that the implementation would ignore is not dereferenced, since it may be garbage. The registry marks such
// members and has no rule for them. Where the call itself shows that the implementation reads the pointer, it is walked
// (implicit/conditional_pointers.h).
//
// Structures that the driver writes are walked too, for the members that the application fills in: sType, pNext and
// pointers.
//
// Explicit rules are of two sorts. The generator reads sentences that only test members against numbers of the registry
// or the device (vk/rules/explicit_rule_info.h). These are compiled for each device with its limits, and without the
// rules that its features decide, structure by structure when they are first needed (explicit/explicit_rules.h). The
// other rules are written by hand, in families (manual/manual_rules.h). Both are checked at the end of a structure's
// walk. A command has a separate hook for the explicit rules of its own parameters, if it may have such rules on this
// device.
//
// Facts about the device are dispatch::Device's. A feature counts as enabled if the version or an extension makes it so
// (vk::ImplicitFeatures()); a limit counts only if the specification allows what the driver reports. A value of a
// graphics pipeline that dynamic state replaces has no explicit rules (explicit/dynamic_state.h).
//
// Two rules can be violated only together with another rule. They are reported by the other rule's id, in a message
// that names theirs ("See also"). One requires that an inline structure is valid; a rule of its parts is violated then.
// The other is about the sType of a structure that is only ever in a pNext chain: only its sType identifies such a
// structure, so a wrong one violates the chain's rule. The number mostly shows which structure was meant
// (implicit/pnext_chain.h), and the message suggests it.
//
// The package's rooms: implicit/, explicit/ and manual/ hold the three sorts of rules, check/ the fast path and the
// interpreter, test_cases/ a negative test for each rule. Checks that need the state of objects are not here; see
// //core and //object_lifetimes.

#include "stateless/check/validator.h"

#endif  // ASSAY_STATELESS_STATELESS_H_
