# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""A source file of a library of another repository, for generators that read it."""

_SourcesInfo = provider(fields = ["files"])

def _sources_impl(_target, ctx):
    direct = getattr(ctx.rule.files, "srcs", [])
    transitive = [d[_SourcesInfo].files for d in getattr(ctx.rule.attr, "deps", []) if _SourcesInfo in d]
    return [_SourcesInfo(files = depset(direct, transitive = transitive))]

_sources = aspect(
    implementation = _sources_impl,
    attr_aspects = ["deps"],
)

def _source_of_impl(ctx):
    found = [f for f in ctx.attr.library[_SourcesInfo].files.to_list() if f.path.endswith("/" + ctx.attr.path)]
    if len(found) != 1:
        fail("%s has %d sources %s" % (ctx.attr.library.label, len(found), ctx.attr.path))
    return [DefaultInfo(files = depset(found))]

source_of = rule(
    implementation = _source_of_impl,
    attrs = {
        "library": attr.label(
            mandatory = True,
            aspects = [_sources],
        ),
        # The end of the file's path.
        "path": attr.string(mandatory = True),
    },
)
