#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# run PROGRAM ARGUMENTS…: starts PROGRAM with the C library, Vulkan loader and software GPU of the unpacked Debian
# packages.
#
# PROGRAM is the path of a program of ours, or the bare name of one in the packages: vulkaninfo, vkcube, vkmark, Xvfb,
# …. It is started by the packages' own dynamic linker, which says for this process alone where libraries are; nothing
# that it starts in turn is affected. VK_DRIVER_FILES chooses another driver, VK_LAYER_PATH adds layers, as ever;
# implicit layers of the machine are not seen, unless VK_IMPLICIT_LAYER_PATH says where to look.

set -eu

tree='%{tree}'
libraries="$tree/usr/lib/x86_64-linux-gnu"

if [ ! -x "$tree/lib64/ld-linux-x86-64.so.2" ]; then
  echo "$0: $tree is gone; \`bazel sync --only=vulkan_runtime\` unpacks it again." >&2
  exit 1
fi
if [ $# -eq 0 ]; then
  echo "usage: $0 PROGRAM ARGUMENTS..." >&2
  exit 2
fi

program=$1
shift
case $program in
  */*) ;;
  *) program="$tree/usr/bin/$program" ;;
esac

: "${VK_DRIVER_FILES:=$tree/assay/lvp_icd.json}"
: "${VK_IMPLICIT_LAYER_PATH:=$tree/assay/no_layers}"
export VK_DRIVER_FILES VK_IMPLICIT_LAYER_PATH

case $program in
  "$tree/usr/bin/Xvfb")
    # Where it finds its keyboard compiler, see prepare.py. Of GLX it has no driver here.
    cd "$tree/assay"
    set -- "$@" -xkbdir "$tree/usr/share/X11/xkb" -extension GLX
    ;;
  "$tree/usr/bin/glmark2-es2")
    # OpenGL ES on the software GPU, by way of Vulkan.
    export LIBGL_DRIVERS_PATH="$libraries/dri"
    export __EGL_VENDOR_LIBRARY_FILENAMES="$tree/usr/share/glvnd/egl_vendor.d/50_mesa.json"
    export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=zink MESA_LOADER_DRIVER_OVERRIDE=zink
    set -- --data-path "$tree/usr/share/glmark2" "$@"
    ;;
  "$tree/usr/bin/vkmark")
    set -- --winsys xcb --winsys-dir "$libraries/vkmark" --data-dir "$tree/usr/share/vkmark" "$@"
    ;;
esac

exec "$tree/lib64/ld-linux-x86-64.so.2" --library-path "$libraries:$libraries/pulseaudio" --argv0 "$program" "$program" "$@"
