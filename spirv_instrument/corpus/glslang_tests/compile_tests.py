# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the shaders of glslang's own tests, for the first environment for which they compile to a valid module.

Many of them are not for Vulkan, or are wrong on purpose. What does not compile in any environment, or is not valid, is
left out. The result is a folder of modules, and left_out.txt with the reasons.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from spirv_instrument.corpus import glslang

_STAGES = ("comp", "frag", "geom", "mesh", "rahit", "rcall", "rchit", "rgen", "rint", "rmiss", "task", "tesc", "tese",
           "vert")

# A shader in HLSL and its entry point, in the program that runs glslang's tests.
_HLSL = re.compile(r'\{"([^"]+)", "(\w+)"\}')

# Where bindings and locations are missing, glslang chooses them.
_MAPPED = ["--auto-map-bindings", "--auto-map-locations"]

# The environments to try, in order: from the oldest, so that there are modules of every version. Then loose uniforms
# become a block, and at last shaders in languages older than Vulkan's are taken for newer ones.
ENVIRONMENTS = [
    ["--target-env", "vulkan1.0", *_MAPPED],
    ["--target-env", "vulkan1.1", *_MAPPED],
    ["--target-env", "vulkan1.1", "--target-env", "spirv1.4", *_MAPPED],
    ["--target-env", "vulkan1.2", *_MAPPED],
    ["--target-env", "vulkan1.3", *_MAPPED],
    ["--target-env", "vulkan1.3", "-R", *_MAPPED],
    ["--target-env", "vulkan1.3", "-R", "--glsl-version", "450", *_MAPPED],
]


def find_valid(validator, folder, names):
    """The names of those files in a folder that hold a valid module, and what the validator says of the others."""
    if not names:
        return set(), ""
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run([os.path.abspath(validator), *names], cwd=folder, check=True, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return set(done.stdout.decode().splitlines()), done.stderr.decode("utf-8", "replace")


def read_entry_points(text):
    """{shader in HLSL: its entry point}, from the text of Hlsl.FromFile.cpp. A shader may be there several times."""
    return dict(_HLSL.findall(text))


def compile_tests(compiler, validator, folder, sources, entry_points, out):
    """Compiles the sources, which are file names in a folder. Returns {source: why it was left out}."""
    reasons = {}
    left = sorted(sources)
    for options in ENVIRONMENTS:
        with tempfile.TemporaryDirectory() as modules:
            jobs = []
            for source in left:
                hlsl = ["-D", "-e", entry_points[source]] if source in entry_points else []
                jobs.append(glslang.Job(source, os.path.join(modules, source + ".spv"), options + hlsl))
            results = glslang.compile_all(compiler, folder, jobs)
            reasons.update({result.job.source: result.message for result in results})
            compiled = [result.job.source + ".spv" for result in results if not result.message]
            valid, messages = find_valid(validator, modules, compiled)
            for name in compiled:
                if name in valid:
                    with open(os.path.join(modules, name), "rb") as module:
                        content = module.read()
                    with open(os.path.join(out, name), "wb") as output:
                        output.write(content)
                else:
                    said = [line for line in messages.splitlines() if line.startswith(name + ": ")]
                    reasons[name[:-len(".spv")]] = said[0] if said else "not valid"
            left = [source for source in left if source + ".spv" not in valid]
    return {source: reasons[source] for source in left}


def main():
    parser = argparse.ArgumentParser(description=__doc__, fromfile_prefix_chars="@")
    parser.add_argument("--glslang", required=True, help="the compiler")
    parser.add_argument("--validator", required=True, help="//spirv_instrument/corpus:validate")
    parser.add_argument("--out", required=True, help="the folder to write to")
    parser.add_argument("files", nargs="+", help="@glslang//:test_shaders")
    arguments = parser.parse_args()
    entry_points = {}
    for path in arguments.files:
        if path.endswith("/Hlsl.FromFile.cpp"):
            with open(path, encoding="utf-8") as program:
                entry_points = read_entry_points(program.read())
    # Sources are next to what they include.
    paths = [path for path in arguments.files if path.rsplit(".", maxsplit=1)[-1] in _STAGES]
    folder = os.path.dirname(min(paths, key=len))
    sources = [os.path.relpath(path, folder) for path in paths]
    sources = [source for source in sources if "/" not in source]
    out = os.path.abspath(arguments.out)
    os.makedirs(out, exist_ok=True)
    left_out = compile_tests(arguments.glslang, arguments.validator, folder, sources, entry_points, out)
    with open(os.path.join(out, "left_out.txt"), "w", encoding="utf-8") as output:
        for source, reason in sorted(left_out.items()):
            output.write("%s: %s\n" % (source, " ".join(reason.split())))
    print("%d of %d shaders compile to valid SPIR-V." % (len(sources) - len(left_out), len(sources)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
