#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# The software GPU answers, and draws into a window of an X server that nobody sees.

set -eu

run=$1

"$run" vulkaninfo --summary >"$TEST_TMPDIR/summary.txt"
cat "$TEST_TMPDIR/summary.txt"
grep -q 'deviceName *= llvmpipe' "$TEST_TMPDIR/summary.txt"

"$run" Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$TEST_TMPDIR/display" &
server=$!
trap 'kill "$server"' EXIT
while [ ! -s "$TEST_TMPDIR/display" ]; do
  kill -0 "$server"
  sleep 0.1
done

DISPLAY=:$(cat "$TEST_TMPDIR/display") "$run" vkcube --c 60 --wsi xcb
echo "vkcube drew 60 frames."
