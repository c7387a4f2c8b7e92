# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/settings.md.

The prose is settings_doc_template.md. The settings are those of the layer's manifest, which is made from
dispatch/settings/setting_table.cc. setting_meanings.txt has their meanings; for settings that it does not have, the
manifest's descriptions stand in. The Khronos layer's settings are those of its own manifest.
"""

import fnmatch
import re
import textwrap

_COLUMNS = 100
_TYPES = {
    "BOOL": "boolean",
    "FLAGS": "flags",
    "INT": "number",
    "LIST": "list",
    "LOAD_FILE": "path",
    "SAVE_FILE": "path",
    "STRING": "text",
}
# Lists of features, which are not settings of their own.
_FEATURE_LISTS = ("enables", "disables")
_MARKER = re.compile(r"^<!-- (settings|honoured|no effect): ?(.*?) ?-->\n", re.MULTILINE)


def read_meanings(lines):
    """{setting: text} of lines. A setting's name is at the beginning of a line; its text is below, indented.

    # begins a comment.
    """
    result, name = {}, None
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            result[name].append(line.strip())
        else:
            name = line.strip()
            result[name] = []
    return {name: " ".join(text) for name, text in result.items()}


def settings_of(manifest):
    """Every setting of a manifest, also those within groups and within other settings."""

    def walk(settings):
        for setting in settings:
            if setting["type"] != "GROUP":
                yield setting
            yield from walk(setting.get("settings", []))
            for flag in setting.get("flags", []):
                yield from walk(flag.get("settings", []))

    return list(walk(manifest["layer"]["features"]["settings"]))


def _code(text):
    return f"`{text}`"


def _default(setting):
    value = setting["default"]
    if isinstance(value, bool):
        return _code(str(value).lower())
    if isinstance(value, list):
        return ", ".join(map(_code, value))
    return _code(value) if value != "" else ""


def _table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines)


def _settings(settings, meanings):
    rows = []
    for setting in settings:
        meaning = meanings.get(setting["key"], setting["description"])
        if "flags" in setting:
            meaning += " Any of " + ", ".join(_code(flag["key"]) for flag in setting["flags"]) + "."
        rows.append([_code(setting["key"]), _TYPES[setting["type"]], _default(setting), meaning])
    return _table(["name", "type", "default", "meaning"], rows)


def _honoured(settings, khronos):
    theirs = {setting["key"]: setting for setting in khronos}
    rows = [[_code(own["key"]), _default(own), _default(theirs[own["key"]])]
            for own in settings if own["key"] in theirs]
    return _table(["name", "default under the own name", "default in the Khronos layer's manifest"], rows)


def _wrap(text):
    return textwrap.fill(text, _COLUMNS, break_long_words=False, break_on_hyphens=False) + "\n"


def make(template, manifest, khronos_manifest, meanings):
    """The text of docs/settings.md.

    Every setting of the Khronos layer that this one does not have must match a pattern of the template's 'no effect'.
    """
    settings, khronos = settings_of(manifest), settings_of(khronos_manifest)
    own = {setting["key"] for setting in settings}
    if meanings.keys() - own:
        raise ValueError(f"There is a meaning, but no setting, of {sorted(meanings.keys() - own)}.")
    without_effect = sorted({setting["key"] for setting in khronos} - own - set(_FEATURE_LISTS))

    def names_like(patterns):
        names = [name for name in without_effect if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]
        for name in names:
            without_effect.remove(name)
        return names

    def expand(match):
        kind, patterns = match.groups()
        if kind == "settings":
            return _settings(settings, meanings)
        if kind == "honoured":
            return _honoured(settings, khronos)
        return _wrap(", ".join(map(_code, names_like(patterns.split()))) + ".")

    result = _MARKER.sub(expand, template)
    if without_effect:
        raise ValueError(f"The template does not name the Khronos layer's {without_effect}.")
    return result
