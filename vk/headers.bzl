# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The header files of a library, for tests that read them."""

def _headers_of_impl(ctx):
    files = ctx.attr.library[CcInfo].compilation_context.headers
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

headers_of = rule(
    implementation = _headers_of_impl,
    attrs = {"library": attr.label(mandatory = True, providers = [CcInfo])},
)
