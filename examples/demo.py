# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Shows what Assay says of a program that lacks a barrier, and that it says nothing once the barrier is there.

Runs on the software GPU of the pinned packages, or on the one that VK_DRIVER_FILES names. Exits with 0 only if the
first run reported the hazard and the second reported nothing.
"""

import argparse
import re
import sys

from testing import vulkan_program

HAZARD = "SYNC-HAZARD-READ-AFTER-WRITE"
ANY_REPORT = re.compile(r"SYNC-HAZARD-|VUID-|[Vv]alidation [Ee]rror|[Vv]alidation [Ww]arning")
DONE = "copied 4096 words"


def show(program, command, title):
    """Runs the command and prints what it printed; returns that."""
    print("\n\033[1m%s\033[0m\n$ missing_barrier %s\n" % (title, " ".join(command[1:])), flush=True)
    status, output = program.run(command)
    print(output, flush=True)
    if status != 0 or DONE not in output:
        sys.exit("missing_barrier did not do its work (exit status %d)." % status)
    return output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="the launcher of @vulkan_runtime")
    parser.add_argument("--binary", required=True, help="missing_barrier")
    parser.add_argument("--layer", required=True, nargs="+", help="the layer's library and manifest")
    options = parser.parse_args()
    program = vulkan_program.VulkanProgram(options.run, layer=options.layer)

    broken = show(program, [options.binary], "A shader writes what a copy reads, and nothing makes the copy wait:")
    if HAZARD not in broken:
        sys.exit("No %s was reported." % HAZARD)
    fixed = show(program, [options.binary, "--fixed"], "The same with the barrier:")
    if ANY_REPORT.search(fixed):
        sys.exit("Something was reported of a correct program.")
    print("Nothing to report.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
