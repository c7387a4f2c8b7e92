# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Repositories made of Debian packages, fetched through the machine's own apt client.

See fetch.py for where the packages come from and where they are kept.
"""

# The machine's own interpreter, by its full name: whatever else is called python3 on PATH may lack what Debian's has.
PYTHON = "/usr/bin/python3"

_ENVIRONMENT = ["ASSAY_DEBIAN_REFRESH", "HOME", "XDG_CACHE_HOME"]

def fetch(ctx, kind, arguments):
    """Runs fetch.py into the repository's folder, and fails with what it says.

    Args:
      ctx: the repository rule's context.
      kind: "source", "binary" or "closure".
      arguments: what that kind of fetch.py takes.
    """
    script = ctx.path(Label("//third_party/debian:fetch.py"))
    ctx.path(Label("//third_party/debian:apt.py"))
    refresh = ctx.os.environ.get("ASSAY_DEBIAN_REFRESH", "")
    result = ctx.execute(
        [PYTHON, "-B", script, "--into", ctx.path("."), "--refresh", refresh, kind] + arguments,
        timeout = 3600,
    )
    if result.return_code != 0:
        fail("Fetching @%s failed:\n%s%s" % (ctx.name, result.stdout, result.stderr))

def _add_build_file(ctx):
    if ctx.attr.build_file:
        for name in ["BUILD", "BUILD.bazel"]:
            ctx.delete(name)
        ctx.symlink(ctx.attr.build_file, "BUILD.bazel")
    for path, label in ctx.attr.files.items():
        ctx.symlink(Label(label), path)
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)

_COMMON_ATTRIBUTES = {
    "build_file": attr.label(doc = "The repository's BUILD file, in place of upstream's.", allow_single_file = True),
    "files": attr.string_dict(doc = "More files of ours to put in the repository, by their path there."),
}

def _source_archive_impl(ctx):
    fetch(ctx, "source", [ctx.attr.package, ctx.attr.sha256])
    for patch in ctx.attr.patches:
        ctx.patch(patch, strip = 1)
    _add_build_file(ctx)

debian_source_archive = repository_rule(
    doc = "The upstream source archive of a Debian source package, pinned by its SHA-256.",
    implementation = _source_archive_impl,
    environ = _ENVIRONMENT,
    attrs = dict(
        _COMMON_ATTRIBUTES,
        package = attr.string(doc = "The Debian source package.", mandatory = True),
        patches = attr.label_list(doc = "Changes of ours to upstream's files, in the format of `diff -u`."),
        sha256 = attr.string(doc = "The upstream archive's SHA-256.", mandatory = True),
    ),
)

def _packages_impl(ctx):
    fetch(ctx, "binary", [
        name + ("=" + sha256 if sha256 else "")
        for name, sha256 in ctx.attr.packages.items()
    ])
    if ctx.attr.strip_prefix:
        for entry in ctx.path(ctx.attr.strip_prefix).readdir():
            if entry.basename != "WORKSPACE":
                ctx.symlink(entry, entry.basename)
    _add_build_file(ctx)

debian_packages = repository_rule(
    doc = "Debian binary packages, unpacked into one tree, without what they depend on.",
    implementation = _packages_impl,
    environ = _ENVIRONMENT,
    attrs = dict(
        _COMMON_ATTRIBUTES,
        packages = attr.string_dict(
            doc = "Package names and the SHA-256 of their .deb; empty for the suite's current one.",
            mandatory = True,
        ),
        strip_prefix = attr.string(doc = "Folder of the packages whose content becomes the repository's top."),
    ),
)
