#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# The Khronos layer is found beside its manifest and starts.

set -eu

run=$1
VK_LAYER_PATH=$(dirname "$2")
export VK_LAYER_PATH

VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$run" vulkaninfo --summary >"$TEST_TMPDIR/summary.txt"
cat "$TEST_TMPDIR/summary.txt"
grep -q 'VK_LAYER_KHRONOS_validation .*1.4.309' "$TEST_TMPDIR/summary.txt"
grep -q 'deviceName *= llvmpipe' "$TEST_TMPDIR/summary.txt"
