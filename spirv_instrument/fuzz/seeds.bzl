# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What the fuzz test starts from."""

def _seeds_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    arguments = ctx.actions.args()
    arguments.add(folder.path)
    arguments.add_all(ctx.files.srcs, expand_directories = False)
    ctx.actions.run(
        executable = ctx.executable._write_seeds,
        arguments = [arguments],
        inputs = ctx.files.srcs,
        outputs = [folder],
        mnemonic = "Seeds",
        progress_message = "Writing the inputs of %s" % ctx.label,
    )
    return [DefaultInfo(
        files = depset([folder]),
        runfiles = ctx.runfiles([folder]),
    )]

seeds = rule(
    doc = "A folder with an input of the fuzz test for each module.",
    implementation = _seeds_impl,
    attrs = {
        "srcs": attr.label_list(doc = "Assembly, and folders with modules.", allow_files = True),
        # As tests have it. For the machine that builds, it would be compiled once more.
        "_write_seeds": attr.label(
            cfg = "target",
            default = "//spirv_instrument/fuzz:write_seeds",
            executable = True,
        ),
    },
)
