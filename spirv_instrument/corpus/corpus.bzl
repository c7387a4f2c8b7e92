# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Folders of SPIR-V modules, each made in one action of many shaders."""

def _folder_of_modules_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    arguments = ctx.actions.args()
    arguments.use_param_file("@%s", use_always = True)
    arguments.set_param_file_format("multiline")
    arguments.add("--glslang", ctx.executable._glslang)
    if ctx.attr.validate:
        arguments.add("--validator", ctx.executable._validator)
    arguments.add("--out", folder.path)
    arguments.add_all(ctx.files.srcs)
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = [arguments],
        inputs = ctx.files.srcs,
        tools = [ctx.attr._glslang[DefaultInfo].files_to_run] +
                ([ctx.attr._validator[DefaultInfo].files_to_run] if ctx.attr.validate else []),
        outputs = [folder],
        mnemonic = "Shaders",
        progress_message = "Compiling the shaders of %s" % ctx.label,
    )
    return [DefaultInfo(
        files = depset([folder]),
        runfiles = ctx.runfiles([folder]),
    )]

folder_of_modules = rule(
    doc = "A folder that a tool writes. The tool gets --glslang, --validator if asked for, --out, and the sources.",
    implementation = _folder_of_modules_impl,
    attrs = {
        "srcs": attr.label_list(doc = "The shaders and what they include.", allow_files = True),
        "tool": attr.label(cfg = "exec", executable = True, mandatory = True),
        "validate": attr.bool(doc = "Whether the tool gets --validator."),
        # As tests have them. For the machine that builds, they would be compiled once more.
        "_glslang": attr.label(
            cfg = "target",
            default = "@glslang//:glslang_validator",
            executable = True,
        ),
        "_validator": attr.label(
            cfg = "target",
            default = "//spirv_instrument/corpus:validate",
            executable = True,
        ),
    },
)
