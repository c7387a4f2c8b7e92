# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Who may use what, by the packages of ARCHITECTURE.md. //:layering_test proves the same over the whole graph."""

# What may test and measure anything.
_TESTS = [
    "//:__pkg__",
    "//benchmarks:__subpackages__",
    "//testing:__subpackages__",
]

LAYER = ["//layer:__subpackages__"] + _TESTS

# Validators that work on shared state.
STATEFUL_VALIDATORS = [
    "//core:__subpackages__",
    "//gpuav:__subpackages__",
    "//syncval:__subpackages__",
]

# Those that need none.
STATELESS_VALIDATORS = [
    "//object_lifetimes:__subpackages__",
    "//stateless:__subpackages__",
    "//thread_safety:__subpackages__",
]

VALIDATORS = STATEFUL_VALIDATORS + STATELESS_VALIDATORS

STATE = ["//state:__subpackages__"]

ABOVE_STATE = STATEFUL_VALIDATORS + LAYER

ABOVE_DISPATCH = STATE + VALIDATORS + LAYER
