# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the corpus: shaders written by hand, and those of the families.

The result is a folder with sources and modules side by side, x.comp and x.comp.spv. corpus.h says what the directives
in the sources mean. Of them, only `compile` is read here.
"""

import argparse
import os
import re
import sys

from spirv_instrument.corpus import glslang
from spirv_instrument.corpus.families import families

_COMPILE = re.compile(r"^//@ compile (.*)$", re.MULTILINE)


def read_sources(paths):
    """Returns {file name: GLSL}."""
    sources = {}
    for path in paths:
        name = os.path.basename(path)
        if name in sources:
            sys.exit("Two shaders are called %s." % name)
        with open(path, encoding="utf-8") as text:
            sources[name] = text.read()
    return sources


def options_of(text):
    """Returns the options that a source is compiled with: those of its directive, and defaults for the others."""
    options = " ".join(_COMPILE.findall(text)).split()
    if not any(option.startswith("-g") for option in options):
        options.append("-g")
    if "--target-env" not in options:
        options += ["--target-env", "vulkan1.3"]
    return [option for option in options if option != "-g0"]


def write_sources(sources, folder):
    """Writes the sources to a folder."""
    os.makedirs(folder, exist_ok=True)
    for name, text in sources.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as output:
            output.write(text)


def all_sources(paths):
    """Returns {file name: GLSL} of the shaders written by hand and of the families."""
    sources = read_sources(paths)
    for name, text in families.all_shaders():
        if name in sources:
            sys.exit("Two shaders are called %s." % name)
        sources[name] = text
    return sources


def main():
    parser = argparse.ArgumentParser(description=__doc__, fromfile_prefix_chars="@")
    parser.add_argument("--glslang", required=True, help="the compiler")
    parser.add_argument("--out", required=True, help="the folder to write to")
    parser.add_argument("sources", nargs="*", help="shaders written by hand")
    arguments = parser.parse_args()
    sources = all_sources(arguments.sources)
    write_sources(sources, arguments.out)
    jobs = [glslang.Job(name, name + ".spv", options_of(sources[name])) for name in sorted(sources)]
    failures = [result for result in glslang.compile_all(arguments.glslang, arguments.out, jobs) if result.message]
    for failure in failures:
        print("%s:\n%s" % (failure.job.source, failure.message))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
