# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the generated files of this package.

    generate.py --core spirv.core.grammar.json --out DIRECTORY [EXTENDED_GRAMMAR...]
"""

import argparse
import pathlib

from spirv_instrument.grammar import emit
from spirv_instrument.grammar import grammar


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("extended", nargs="*")
    arguments = parser.parse_args()
    for name, text in emit.outputs(grammar.load(arguments.core, arguments.extended)).items():
        (arguments.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
