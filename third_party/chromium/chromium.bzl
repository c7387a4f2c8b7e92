# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""A browser without a window, for tests of pages, from Debian packages, unpacked aside."""

load("//third_party/debian:debian.bzl", "fetch")

def _chromium_impl(ctx):
    fetch(ctx, "closure", [ctx.name] + ctx.attr.packages)
    tree = ctx.read("tree.txt").strip()

    # Chromium looks for what belongs to it beside the program that runs, and that is the dynamic linker.
    linker = tree + "/usr/lib/chromium/ld.so"
    result = ctx.execute(["cp", "--dereference", "--update", tree + "/lib64/ld-linux-x86-64.so.2", linker])
    if result.return_code != 0:
        fail("Preparing @%s failed:\n%s%s" % (ctx.name, result.stdout, result.stderr))
    ctx.template(
        "run.sh",
        Label("//third_party/chromium:run.sh.tpl"),
        substitutions = {"%{tree}": tree},
        executable = True,
    )
    ctx.symlink(Label("//third_party/chromium:chromium.BUILD.bazel"), "BUILD.bazel")

chromium = repository_rule(
    doc = "Chromium with all that it needs down to libc, and a script that runs it.",
    implementation = _chromium_impl,
    environ = ["ASSAY_DEBIAN_REFRESH", "HOME", "XDG_CACHE_HOME"],
    attrs = {"packages": attr.string_list(doc = "The packages wanted for themselves.", mandatory = True)},
)
