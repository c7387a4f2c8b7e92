# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Settings with which programs run on a GPU, by their full names."""

# Of run_corpus_with_layer: each mistake of a shader has its message, and nothing else is looked for.
CORPUS_SETTINGS = {
    "assay.enable_message_limit": "false",
    "assay.fold_messages": "false",
    "assay.gpuav_enable": "true",
    "assay.gpuav_report_at_once": "true",
    "assay.object_lifetime": "false",
    "assay.printf_enable": "true",
    "assay.printf_to_stdout": "false",
    "assay.validate_core": "false",
    "assay.validate_sync": "false",
}

# Of print_test_binary.
PRINT_SETTINGS = {"assay.printf_enable": "true"}

def _arguments(name, settings):
    """Returns what make_pack.py takes for a file of settings."""
    return " ".join(["--settings", name] + ["%s=%s" % (key, settings[key]) for key in sorted(settings)])

# All of these, for make_pack.py.
PACK_SETTINGS = [
    _arguments("corpus", CORPUS_SETTINGS),
    _arguments("none", {}),
    _arguments("print", PRINT_SETTINGS),
]
