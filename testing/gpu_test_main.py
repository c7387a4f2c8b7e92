# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The program that gpu_test() of gpu_test.bzl runs."""

import argparse
import re
import sys

from testing import vulkan_program


def parse_arguments(arguments):
    """Returns the options. Their `command` is the arguments after `--`."""
    split = arguments.index("--")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True)
    parser.add_argument("--driver", nargs="+", default=[])
    parser.add_argument("--layer", nargs="+", default=[])
    parser.add_argument("--below", nargs="+", default=[])
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--expect", action="append", default=[])
    parser.add_argument("--reject", action="append", default=[])
    parser.add_argument("--exit_status", type=int, default=0)
    options = parser.parse_args(arguments[:split])
    options.command = arguments[split + 1:]
    return options


def find_failures(options, status, output):
    """Yields a description of each expectation that does not hold."""
    if status != options.exit_status:
        yield "exit status %d instead of %d" % (status, options.exit_status)
    for pattern in options.expect:
        if not re.search(pattern, output, re.MULTILINE):
            yield "no \"%s\"" % pattern
    for pattern in options.reject:
        if re.search(pattern, output, re.MULTILINE):
            yield "\"%s\", which must not be there" % pattern


def main():
    options = parse_arguments(sys.argv[1:])
    settings = dict(setting.split("=", 1) for setting in options.setting)
    program = vulkan_program.VulkanProgram(options.run, options.driver, options.layer, settings, options.below)
    status, output = program.run(options.command)
    print(output)
    failures = list(find_failures(options, status, output))
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
