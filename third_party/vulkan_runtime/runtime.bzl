# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""A Vulkan loader, a software GPU and the programs to try them with, from Debian packages, unpacked aside.

The tree is some hundred packages and stays in the per-user cache. What the repository offers to tests is one script
that names the tree, whose name in turn says which packages it was made of: a test that depends on the script runs again
when they change, without Bazel having to know thousands of files.
"""

load("//third_party/debian:debian.bzl", "PYTHON", "fetch")

def _vulkan_runtime_impl(ctx):
    fetch(ctx, "closure", [ctx.name] + ctx.attr.packages)
    tree = ctx.read("tree.txt").strip()
    prepare = ctx.path(Label("//third_party/vulkan_runtime:prepare.py"))
    result = ctx.execute([PYTHON, "-B", prepare, tree])
    if result.return_code != 0:
        fail("Preparing @%s failed:\n%s%s" % (ctx.name, result.stdout, result.stderr))
    ctx.template(
        "run.sh",
        Label("//third_party/vulkan_runtime:run.sh.tpl"),
        substitutions = {"%{tree}": tree},
        executable = True,
    )
    ctx.symlink(Label("//third_party/vulkan_runtime:vulkan_runtime.BUILD.bazel"), "BUILD.bazel")

vulkan_runtime = repository_rule(
    doc = "Debian packages with all that they need down to libc, and a script that runs programs with them.",
    implementation = _vulkan_runtime_impl,
    environ = ["ASSAY_DEBIAN_REFRESH", "HOME", "XDG_CACHE_HOME"],
    attrs = {"packages": attr.string_list(doc = "The packages wanted for themselves.", mandatory = True)},
)
