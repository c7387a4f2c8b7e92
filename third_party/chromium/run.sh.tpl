#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# run ARGUMENTS…: starts Chromium without a window and without a network, with the libraries of its own packages. The
# caller gives --user-data-dir, an empty folder, and what is to be done.
#
# It starts its other processes by this script, too.

set -eu

tree='%{tree}'
program="$tree/usr/lib/chromium"
libraries="$tree/usr/lib/x86_64-linux-gnu"

if [ ! -x "$program/ld.so" ]; then
  echo "$0: $tree is gone; \`bazel sync --only=chromium\` unpacks it again." >&2
  exit 1
fi

case " $* " in
  *" --type="*) ;;
  *)
    set -- --browser-subprocess-path="$(realpath "$0")" --headless --no-sandbox --no-zygote --disable-gpu \
      --disable-dev-shm-usage --disable-quic --no-first-run --disable-background-networking --disable-component-update \
      --disable-sync --disable-extensions --no-proxy-server --host-resolver-rules='MAP * ~NOTFOUND' "$@"
    FONTCONFIG_FILE="$tree/etc/fonts/fonts.conf" FONTCONFIG_SYSROOT="$tree"
    export FONTCONFIG_FILE FONTCONFIG_SYSROOT
    unset DBUS_SESSION_BUS_ADDRESS
    ;;
esac

exec "$program/ld.so" --library-path "$libraries:$libraries/pulseaudio:$program" --argv0 "$program/chromium" "$program/chromium" "$@"
