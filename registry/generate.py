# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes every generated file of //vk.

    generate.py --xml vk.xml --vuids validusage.json --spirv_grammar spirv.core.grammar.json
        --spirv_tools validation_state.cpp --out DIRECTORY [--registry DIRECTORY]

--spirv_tools names the source of SPIRV-Tools that has the ids which its validator reports.
--registry names the directory of reg.py and base_generator.py where they are not importable already.
"""

import argparse
import json
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True)
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--spirv_grammar", required=True, type=pathlib.Path)
    parser.add_argument("--spirv_tools", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--registry")
    arguments = parser.parse_args()
    if arguments.registry:
        sys.path.insert(0, arguments.registry)
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

    from registry import emit_commands
    from registry import emit_enums
    from registry import emit_explicit_rules
    from registry import emit_extensions
    from registry import emit_formats
    from registry import emit_implicit_rules
    from registry import emit_structs
    from registry import emit_sync
    from registry import emit_sync_rules
    from registry import emit_vuids
    from registry import parse
    from registry.created import emit_object_rules
    from registry.draws import emit_draw_rules
    from registry.spirv import builtin_rules
    from registry.spirv import emit_builtin_rules
    from registry.spirv import emit_spirv

    registry = parse.parse(arguments.xml, arguments.vuids)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for emitter in (emit_commands, emit_draw_rules, emit_structs, emit_enums, emit_explicit_rules, emit_extensions,
                    emit_formats, emit_implicit_rules, emit_object_rules, emit_spirv, emit_sync, emit_sync_rules,
                    emit_vuids):
        for name, text in emitter.outputs(registry).items():
            (arguments.out / name).write_text(text, encoding="utf-8")
    names = builtin_rules.Names(json.loads(arguments.spirv_grammar.read_text(encoding="utf-8")))
    rules, _ = builtin_rules.parse(registry.vuids, names)
    reported = emit_builtin_rules.reported_ids(arguments.spirv_tools.read_text(encoding="utf-8"))
    for name, text in emit_builtin_rules.outputs(rules, reported).items():
        (arguments.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
