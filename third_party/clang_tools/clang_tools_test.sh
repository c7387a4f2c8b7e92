#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# clang-format formats, and clang-tidy understands C++20 with the headers that come with it.

set -eu

run=$(realpath "$1")
cd "$TEST_TMPDIR"

printf 'int  main( ){return 0;}\n' >main.cc
"$run" clang-format --style=Google main.cc
[ "$("$run" clang-format --style=Google main.cc)" = 'int main() { return 0; }' ]

cat >null.cc <<'END'
#include <cstdint>
#include <span>
int* Null(std::span<const uint8_t>) { return 0; }
END
check=modernize-use-nullptr
if "$run" clang-tidy --checks="-*,$check" --warnings-as-errors='*' null.cc -- -std=c++20 >found.txt 2>&1; then
  cat found.txt
  echo "clang-tidy found nothing." >&2
  exit 1
fi
cat found.txt
grep -q "null.cc:3:46: error: use nullptr \\[$check" found.txt
