# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Check functions, compiled while building."""

def check_functions(name, src, hdrs, variable, defines = []):
    """A header with the SPIR-V of functions that no entry point calls. Each returns at its end alone, so that it can be
    inlined.

    Args:
      name: the target; the header is NAME.h beside it.
      src: the GLSL source, a compute shader with an empty main().
      hdrs: what it includes, by paths from the workspace.
      variable: the array in the header, `const uint32_t VARIABLE[]`.
      defines: macros.
    """
    native.genrule(
        name = name + "_spirv",
        # The tools are in srcs as in //testing:shaders.bzl. SPIR-V 1.3 is the oldest that can be linked into all
        # modules.
        srcs = [
            src,
            "@glslang//:glslang_validator",
            "@spirv_tools//:spirv-opt",
        ] + hdrs,
        outs = [name + ".h"],
        cmd = """
            export ASAN_OPTIONS=detect_leaks=0
            $(location @glslang//:glslang_validator) -V --target-env vulkan1.1 --keep-uncalled -I. %s \\
                -o $@.words $(location %s) >$@.log || { cat $@.log; exit 1; }
            $(location @spirv_tools//:spirv-opt) --merge-return $@.words -o $@.merged
            {
                echo '#include <cstdint>'
                echo 'const uint32_t %s[] = {'
                od -An -v -tx4 -w32 $@.merged | sed 's/ \\([0-9a-f]*\\)/0x\\1,/g'
                echo '};'
            } >$@
        """ % (" ".join(["-D" + define for define in defines]), src, variable),
        visibility = ["//visibility:private"],
    )
    native.cc_library(
        name = name,
        hdrs = [name + ".h"],
    )
