# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Shaders written in GLSL, compiled while building."""

def glsl_shader(name, src, variable, has_debug_information = False, **kwargs):
    """A header that holds a shader's SPIR-V.

    Args:
      name: the target; the header is NAME.h beside it.
      src: the GLSL source, whose extension says the stage.
      variable: the array in the header, `const uint32_t VARIABLE[]`.
      has_debug_information: whether the words have the source, and lines.
      **kwargs: of the cc_library.
    """
    native.genrule(
        name = name + "_spirv",
        # The tool is in srcs and not in tools, for which glslang would be compiled once more. A sanitizer finds that it
        # frees nothing at its end.
        srcs = [
            src,
            "@glslang//:glslang_validator",
        ],
        outs = [name + ".h"],
        # The tool says the source's name on standard output, of which nobody wants to know.
        cmd = """
            export ASAN_OPTIONS=detect_leaks=0
            $(location @glslang//:glslang_validator) -V %s --target-env vulkan1.3 --vn %s -o $@.words $(location %s) \\
                >$@.log || { cat $@.log; exit 1; }
            { echo '#include <cstdint>'; cat $@.words; } >$@
        """ % ("-gVS" if has_debug_information else "", variable, src),
        visibility = ["//visibility:private"],
    )
    native.cc_library(
        name = name,
        hdrs = [name + ".h"],
        **kwargs
    )
