#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# run PROGRAM ARGUMENTS…: starts clang-format or clang-tidy of the unpacked Debian packages.
#
# Their own dynamic linker starts it, which tells this process alone where libraries are. clang-tidy finds the headers
# of the compiler, of the C++ library and of the C library in the same packages, whatever the machine has.

set -eu

tree='%{tree}'
llvm="$tree/usr/lib/llvm-19"

if [ ! -x "$tree/lib64/ld-linux-x86-64.so.2" ]; then
  echo "$0: $tree is gone; \`bazel sync --only=clang_tools\` unpacks it again." >&2
  exit 1
fi
if [ $# -eq 0 ]; then
  echo "usage: $0 PROGRAM ARGUMENTS..." >&2
  exit 2
fi

program="$llvm/bin/$1"
case $1 in
  clang-tidy)
    shift
    set -- --extra-arg-before="-resource-dir=$llvm/lib/clang/19" --extra-arg-before="--sysroot=$tree" "$@"
    ;;
  *) shift ;;
esac

exec "$tree/lib64/ld-linux-x86-64.so.2" --library-path "$tree/usr/lib/x86_64-linux-gnu" --argv0 "$program" "$program" "$@"
