# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Shows the layer's messages about planted mistakes.

Arguments: --list, or names of programs; --corrected before names runs them without their mistake.
"""

import argparse
import sys

from testing import vulkan_program


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--layer", nargs="+", required=True)
    options = parser.parse_args(sys.argv[1:split])
    program = vulkan_program.VulkanProgram(options.run, layer=options.layer)
    status, output = program.run([options.binary] + [argument for argument in sys.argv[split + 1:] if argument != "--"])
    print(output)
    return status


if __name__ == "__main__":
    sys.exit(main())
