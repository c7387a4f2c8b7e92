// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_STATELESS_H_
#define ASSAY_STATELESS_STATELESS_H_

// Checks that need nothing but the call itself: what the registry says of every parameter and of every member of every
// structure that a parameter leads to.
//
// Its verbs are *derive* (the generator reads from each implicit id and its sentence which member it is about and what
// it asks, see vk/rules/implicit_rule_info.h; an id that the registry has not is never checked, so that members without
// automatic validity are left alone), *compile* (the rules of a structure or command become a list of steps, once a
// process, see program.h), *accept* (a second compilation of the steps, for each device, finds of nearly every correct
// call that it is correct, and of no other, see quick_check.h), *walk* (of what was not accepted one interpreter does
// the steps over the parameters, into structures, arrays and pNext chains, see interpreter.h) and *say* (what is wrong,
// see wording.h). The walk keeps its path on the stack and allocates nothing; a location is made from the path only for
// a message.
//
// What is asked:
// * sType is the structure's own.
// * pNext leads to nothing that may not extend the structure, or that no enabled version or extension brings, and to
//   nothing twice.
// * Pointers are not null where they must not be, and never an address where nothing can be (vk/walk/load_store.h);
// such
//   a one is not followed.
// * Lengths of arrays are not 0, and every element is looked at.
// * Handles are not null; whether one is alive and of the right parent is for object_lifetimes.
// * Enumerants and flag bits exist, and an enabled version or extension brings them (enabled.h).
// * Booleans are VK_TRUE or VK_FALSE, by the id ASSAY-not-a-bool, since the registry has ids for arrays of them alone.
// * Text is UTF-8.
// * An enabled version or extension brings the command, by the id ASSAY-extension-not-enabled for the same reason. What
//   belongs to a physical device may be asked about whatever that supports, enabled or not.
//
// What is behind a pointer that the implementation would ignore is not looked at, since it may be garbage: the registry
// marks such members and has no rule for them. Where the call itself tells that one is meant after all, it is walked
// (followed_members.h).
//
// Structures that the driver writes are walked too, for what the application has to have filled in: sType, pNext and
// pointers.
//
// Explicit rules are of two sorts. Those whose sentence says nothing but tests of members against numbers that the
// registry or the device knows are read from the registry too (vk/rules/explicit_rule_info.h); for each device they are
// compiled with its limits in them, and what its features settle is left out (explicit_rules.h). Those that need more
// are written by hand, by family (written_rules.h). Both are done at the end of a structure's walk; those of a
// command's own parameters are a hook of their own, which only commands have that have such rules on this device.
//
// Two rules can be broken only together with another, by whose id they are told, in a message that names theirs ("See
// also"): that a structure in line is valid, which is broken by a rule of its parts; and the sType of a structure that
// is only ever in a pNext chain. Nothing but sType says what such a structure is, so a wrong one breaks the chain's
// rule; but the number mostly tells which one was meant (links.h), and the message says how to set it right.

#include "stateless/check/validator.h"

#endif  // ASSAY_STATELESS_STATELESS_H_
