# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""With which flags the build compiles each source, for tools that read sources as a compiler does."""

_KINDS = ["cc_binary", "cc_library", "cc_test"]

def _compile_flags_impl(target, ctx):
    if ctx.rule.kind not in _KINDS:
        return []
    sources = [file for file in ctx.rule.files.srcs if file.is_source and file.extension == "cc"]
    infos = [dep[CcInfo] for dep in ctx.rule.attr.deps if CcInfo in dep]
    if CcInfo in target:
        infos.append(target[CcInfo])
    context = cc_common.merge_cc_infos(cc_infos = infos).compilation_context
    output = ctx.actions.declare_file(ctx.label.name + ".compile_flags.json")
    ctx.actions.write(output, json.encode({
        "sources": [file.path for file in sources],
        "options": ctx.fragments.cpp.cxxopts,
        "defines": context.defines.to_list() + ctx.rule.attr.local_defines,
        "quote": context.quote_includes.to_list(),
        "include": context.includes.to_list(),
        "system": context.system_includes.to_list(),
    }))
    return [OutputGroupInfo(compile_flags = depset(
        direct = [output] + [file for file in ctx.rule.files.srcs if file.extension in ("h", "inc")],
        transitive = [context.headers],
    ))]

# Its output group `compile_flags` has a file `<name>.compile_flags.json` for each C++ target that the build is asked
# for, with the target's sources and their flags, and all headers that they need, so that generated ones are built.
compile_flags = aspect(
    implementation = _compile_flags_impl,
    fragments = ["cpp"],
)
