# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""clang-format and clang-tidy from Debian packages, unpacked aside.

The tree stays in the per-user cache, as that of @vulkan_runtime does. It has the headers of a C++ library and of a C
library too, so that clang-tidy reads the same ones on every machine.
"""

load("//third_party/debian:debian.bzl", "fetch")

def _clang_tools_impl(ctx):
    fetch(ctx, "closure", [ctx.name] + [
        name + ("=" + sha256 if sha256 else "")
        for name, sha256 in ctx.attr.packages.items()
    ])
    ctx.template(
        "run.sh",
        Label("//third_party/clang_tools:run.sh.tpl"),
        substitutions = {"%{tree}": ctx.read("tree.txt").strip()},
        executable = True,
    )
    ctx.symlink(Label("//third_party/clang_tools:clang_tools.BUILD.bazel"), "BUILD.bazel")

clang_tools = repository_rule(
    doc = "clang-format and clang-tidy with all that they need down to libc, and a script that runs them.",
    implementation = _clang_tools_impl,
    environ = ["ASSAY_DEBIAN_REFRESH", "HOME", "XDG_CACHE_HOME"],
    attrs = {
        "packages": attr.string_dict(
            doc = "The packages wanted for themselves, and the SHA-256 of their .deb or nothing for the current one.",
            mandatory = True,
        ),
    },
)
