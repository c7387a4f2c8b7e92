# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Check functions, compiled while building."""

def check_functions(name, src, hdrs, variable, defines = []):
    """A header with the SPIR-V of functions that no entry point calls.

    Args:
      name: the target; the header is NAME.h beside it.
      src: the GLSL source, a compute shader with an empty main().
      hdrs: what it includes, by paths from the workspace.
      variable: the array in the header, `const uint32_t VARIABLE[]`.
      defines: macros.
    """
    native.genrule(
        name = name + "_spirv",
        # The tool is in srcs as in //testing:shaders.bzl. SPIR-V 1.3 is the oldest that can be linked into all modules.
        srcs = [
            src,
            "@glslang//:glslang_validator",
        ] + hdrs,
        outs = [name + ".h"],
        cmd = """
            export ASAN_OPTIONS=detect_leaks=0
            $(location @glslang//:glslang_validator) -V --target-env vulkan1.1 --keep-uncalled -I. %s --vn %s \\
                -o $@.words $(location %s) >$@.log || { cat $@.log; exit 1; }
            { echo '#include <cstdint>'; cat $@.words; } >$@
        """ % (" ".join(["-D" + define for define in defines]), variable, src),
        visibility = ["//visibility:private"],
    )
    native.cc_library(
        name = name,
        hdrs = [name + ".h"],
    )
