# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""How many instructions a command costs, counted by valgrind's callgrind: figures that repeat where times do not.

    bazel run //benchmarks:instruction_counts -- --against=OTHER_CHECKOUT/bazel-bin/layer

Each case of layer_benchmark runs twice, with few and with many repetitions. The difference, divided by the commands in
it, is the cost of a command with its share of the case's preparation and clean-up. --against names a folder with
another build of the layer and its manifest; then both are counted and compared. valgrind comes from the PATH.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile

from benchmarks import side_by_side
from testing import vulkan_program

# Repetitions of a case. The first ones grow what grows.
FEW, MANY = 10, 40


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="the launcher of @vulkan_runtime")
    parser.add_argument("--binary", required=True, help="layer_benchmark")
    parser.add_argument("--driver", required=True, nargs="+", help="the mock driver's library and manifest")
    parser.add_argument("--assay", required=True, nargs="+", help="the layer's library and manifest")
    parser.add_argument("--against", help="a folder with another build of the layer and its manifest")
    parser.add_argument("--checks", choices=sorted(side_by_side.ON), default="sync", help="what is on")
    parser.add_argument("--benchmark_filter", default=".", help="regular expression of the cases to count")
    parser.add_argument("--max_change", type=float, help="fail if a case differs by more percent than this")
    return parser.parse_args()


def collected(output):
    """The number of instructions that callgrind reports."""
    found = re.search(r"Collected : (\d+)", output)
    if found is None:
        sys.exit("%s\ncallgrind counted nothing." % output)
    return int(found[1])


def run(program, options, case, repetitions):
    """(instructions of the whole run, commands in one repetition)"""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        status, output = program.run([
            shutil.which("valgrind") or sys.exit("There is no valgrind on the PATH."), "--tool=callgrind",
            "--trace-children=yes", "--callgrind-out-file=/dev/null",
            os.path.abspath(options.run),
            os.path.abspath(options.binary), "--benchmark_filter=^%s/" % case, "--benchmark_min_time=%dx" % repetitions,
            "--benchmark_out=" + result, "--benchmark_out_format=json"
        ])
        if status != 0:
            sys.exit("%s\n%s failed (%d)." % (output, case, status))
        with open(result, encoding="utf-8") as text:
            figures = json.load(text)["benchmarks"][0]
    return collected(output), round(figures["items_per_second"] * figures["real_time"] * 1e-9)


def count(program, options, case):
    """Instructions per command."""
    few, commands = run(program, options, case, FEW)
    many, _ = run(program, options, case, MANY)
    return (many - few) / (MANY - FEW) / commands


def list_cases(program, options):
    """The names of the cases that --benchmark_filter chooses."""
    status, output = program.run([options.binary, "--benchmark_list_tests"])
    if status != 0:
        sys.exit(output)
    names = re.findall(r"^(\w+)/manual_time", output, re.MULTILINE)
    return [name for name in names if re.search(options.benchmark_filter, name)]


def main():
    options = parse_arguments()
    settings = side_by_side.make_settings(options.checks)
    program = vulkan_program.VulkanProgram(options.run, options.driver, options.assay, settings)
    # Programs that valgrind starts are named by their own paths.
    program.launcher = "/usr/bin/env"
    other = None
    if options.against:
        folder = os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", "."), options.against)
        paths = [os.path.join(folder, name) for name in os.listdir(folder)]
        other = vulkan_program.VulkanProgram("/usr/bin/env", options.driver, paths, settings)
    listing = vulkan_program.VulkanProgram(options.run, options.driver, options.assay, settings)

    print("%-28s%14s%14s%10s" % ("instructions per command", "this", "other", "change"))
    worst = 0.0
    for case in list_cases(listing, options):
        this = count(program, options, case)
        if other is None:
            print("%-28s%14.1f" % (case, this), flush=True)
            continue
        that = count(other, options, case)
        change = 100 * (this - that) / that
        worst = max(worst, abs(change))
        print("%-28s%14.1f%14.1f%9.2f%%" % (case, this, that, change), flush=True)
    if options.max_change is not None and worst > options.max_change:
        sys.exit("A case differs by %.2f %%, which is more than %g %%." % (worst, options.max_change))


if __name__ == "__main__":
    main()
