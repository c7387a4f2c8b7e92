# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""docs/settings.md is what settings_doc makes. Run with --update_goldens by `bazel run`, the test writes it instead."""

import argparse
import json
import os
import sys
import unittest

from layer import settings_doc

_DOC = "docs/settings.md"
_ARGUMENTS = argparse.Namespace()


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _made():
    return settings_doc.make(
        _read(_ARGUMENTS.template), json.loads(_read(_ARGUMENTS.manifest)),
        json.loads(_read(_ARGUMENTS.khronos_manifest)),
        settings_doc.read_meanings(_read(_ARGUMENTS.meanings).splitlines()))


def _manifest(**settings):
    group = [{"key": key, "type": "BOOL", "default": value, "description": "Why."} for key, value in settings.items()]
    return {"layer": {"features": {"settings": [{"type": "GROUP", "key": "group", "settings": group}]}}}


class SettingsDocTest(unittest.TestCase):

    def test_doc_is_what_is_made(self):
        self.maxDiff = None
        if not _ARGUMENTS.update_goldens:
            self.assertEqual(_read(_DOC), _made())
            return
        # Bazel sets it for `bazel run`.
        with open(os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], _DOC), "w", encoding="utf-8") as file:
            file.write(_made())

    def test_lines_are_short(self):
        for line in _made().splitlines():
            if not line.startswith("| "):
                self.assertLessEqual(len(line), 100, line)

    def test_sections(self):
        made = settings_doc.make("<!-- settings: -->\n<!-- honoured: -->\n<!-- no effect: c? -->\n",
                                 _manifest(a=True, b=False), _manifest(b=True, c1=True, c2=True), {"a": "Longer."})
        self.assertIn("| `a` | boolean | `true` | Longer. |\n| `b` | boolean | `false` | Why. |\n", made)
        self.assertIn("| `b` | `false` | `true` |\n", made)
        self.assertTrue(made.endswith("|\n`c1`, `c2`.\n"), made)

    def test_nothing_is_left_out(self):
        with self.assertRaisesRegex(ValueError, "c1"):
            settings_doc.make("", _manifest(a=True), _manifest(c1=True), {})
        with self.assertRaisesRegex(ValueError, "no setting"):
            settings_doc.make("", _manifest(a=True), _manifest(a=True), {"b": "Why."})

    def test_meanings(self):
        self.assertEqual(settings_doc.read_meanings(["# Why", "", "a", "  Longer", "  text.", "b", "  B."]),
                         {"a": "Longer text.", "b": "B."})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("template", "manifest", "khronos_manifest", "meanings"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--update_goldens", action="store_true")
    _, rest = parser.parse_known_args(namespace=_ARGUMENTS)
    unittest.main(argv=sys.argv[:1] + rest)
