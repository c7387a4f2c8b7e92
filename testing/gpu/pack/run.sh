#!/bin/sh
# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [--short] [PART...]: runs the tests of GPU-assisted validation on this machine's GPU. It needs a driver, a
# shell and nothing else. The last line says `N passed, N failed`, and the exit status is 0 if none failed.
#
#   gpuav         what an application meets: each way of making pipelines, of recording, of submitting and of waiting
#   print         debugPrintf
#   corpus        the programs of the corpus under the layer: each planted fault found, and nothing else
#   plain         the same programs without a layer and without faults
#   instrumented  the same programs, instrumented without a layer
#   cost          what the layer costs, beside none and the Khronos layer: a table
#   load          faults by the million on two queues, for PACK_LOAD_SECONDS (30)
#
# Without parts: gpuav, print, corpus and cost. --short runs a little of each part.
#
# run.sh start PROGRAM ARGUMENTS...: starts a program of bin/ with the environment as it is.
#
# PACK_LEAVE_OUT names programs of the corpus, separated by spaces, which the part of that name leaves out: those that
# fail without a layer, too (part plain). One that hangs takes with it what runs beside it.
#
# VK_DRIVER_FILES chooses a driver, PACK_LIBRARIES names more folders of libraries, separated by colons, and
# PACK_PROCESSES says how many processes run at a time.

set -u

here=$(cd "$(dirname "$0")" && pwd)
processes=${PACK_PROCESSES:-$(nproc 2>/dev/null || echo 4)}

libraries="$here/lib"
for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu \
  /usr/lib64 /lib64; do
  [ ! -d "$folder" ] || libraries="$libraries:$folder"
done
libraries="$libraries${PACK_LIBRARIES:+:$PACK_LIBRARIES}"

nvidia=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -e "$nvidia" ]; then
  export VK_DRIVER_FILES="$nvidia"
fi
export VK_LAYER_PATH="$here/layers/assay:$here/layers/khronos"
export VK_IMPLICIT_LAYER_PATH="$here/layers/none"

# start PROGRAM ARGUMENTS...
start() {
  started=$1
  shift
  "$here/lib/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/bin/$started" "$@"
}

if [ "${1:-}" = start ]; then
  shift
  start "$@"
  exit
fi

short=
shards=$processes
if [ "${1:-}" = --short ]; then
  short=yes
  shards=150
  shift
fi
[ $# -gt 0 ] || set -- gpuav print corpus cost

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Drivers and layers keep their caches there, too.
export HOME="$work" XDG_CACHE_HOME="$work/cache"
passed=0
failed=0

# with_layer SETTINGS PROGRAM ARGUMENTS...: SETTINGS is the name of a file in settings/.
with_layer() (
  export VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation VK_LAYER_SETTINGS_PATH="$here/settings/$1.txt"
  shift
  start "$@"
)

# count PASSED FAILED STATUS: a program that fails without saying of what is a failure.
count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
  if [ "$3" -ne 0 ] && [ "$2" -eq 0 ]; then
    echo "exit status $3"
    failed=$((failed + 1))
  fi
}

# In several processes, one after the other: a driver may not be loaded anew as often as there are tests.
run_gpuav() {
  parts=6
  [ -z "$short" ] || parts=1
  part=0
  while [ "$part" -lt "$parts" ]; do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$part with_layer none gpuav_test_binary \
      ${short:+--gtest_filter=*Secondary*:*ThatComeWith*} >"$work/gpuav" 2>&1
    status=$?
    grep -v '^\[ RUN ' "$work/gpuav"
    count "$(grep -c '^\[       OK \]' "$work/gpuav")" "$(grep -c '^\[  FAILED  \].* ms)$' "$work/gpuav")" "$status"
    part=$((part + 1))
  done
}

run_print() {
  with_layer print print_test_binary >"$work/print" 2>&1
  status=$?
  cat "$work/print"
  if [ "$status" -eq 0 ] && ! grep -q '^invocation 0, 0.500000, 1.500000$' "$work/print"; then
    status=1
  fi
  count "$((status == 0))" 0 "$status"
}

# run_shards NAME COUNT COMMAND...: runs COMMAND with each of the shards 0/COUNT and so on as its last argument, all
# at a time; only the first one if it is to be short.
run_shards() {
  name=$1
  all=$2
  shift 2
  i=0
  while [ "$i" -lt "$all" ]; do
    {
      "$@" "$i/$all" >"$work/$name$i" 2>&1
      echo $? >"$work/$name$i.status"
    } &
    i=$((i + 1))
    [ -z "$short" ] || break
  done
  wait
  i=0
  while [ -e "$work/$name$i" ]; do
    cat "$work/$name$i"
    runs=$(sed -n 's/^\(.*, \)*\([0-9][0-9]*\) runs, .*failures$/\2/p' "$work/$name$i")
    failures=$(sed -n 's/^.* runs, \(.*, \)*\([0-9][0-9]*\) failures$/\2/p' "$work/$name$i")
    count "$((${runs:-0} - ${failures:-0}))" "${failures:-0}" "$(cat "$work/$name$i.status")"
    i=$((i + 1))
  done
}

run_corpus() {
  mkdir "$work/programs"
  for file in "$here"/corpus/*; do
    name=${file##*/}
    case " ${PACK_LEAVE_OUT:-} " in
      *" ${name%.spv} "*) ;;
      *) ln -s "$file" "$work/programs/$name" ;;
    esac
  done
  run_shards corpus "$shards" with_layer corpus run_corpus_with_layer "$work/programs"
}

run_plain() {
  if [ -n "$short" ]; then
    set -- "$here/corpus" workgroup.comp
  else
    set -- "$here/corpus"
  fi
  start run_corpus "$@" >"$work/plain" 2>&1
  status=$?
  cat "$work/plain"
  runs=$(sed -n 's/^.* \([0-9][0-9]*\) runs, .*failures$/\1/p' "$work/plain")
  failures=$(sed -n 's/^.* \([0-9][0-9]*\) failures$/\1/p' "$work/plain")
  count "$((${runs:-0} - ${failures:-0}))" "${failures:-0}" "$status"
}

run_instrumented() {
  run_shards instrumented "$shards" start run_instrumented "$here/corpus" --turn 0 --shard
}

run_cost() {
  start cost_table ${short:+--small --turns=1} "$work/cost" \
    "$here/lib/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/bin/cost"
  status=$?
  count "$((status == 0))" 0 "$status"
}

run_load() {
  seconds=${PACK_LOAD_SECONDS:-30}
  [ -z "$short" ] || seconds=2
  with_layer none load "--seconds=$seconds"
  status=$?
  count "$((status == 0))" 0 "$status"
}

for chosen in "$@"; do
  case $chosen in
    gpuav | print | corpus | plain | instrumented | cost | load)
      echo "---- $chosen"
      "run_$chosen"
      ;;
    *)
      echo "There is no part $chosen." >&2
      failed=$((failed + 1))
      ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
