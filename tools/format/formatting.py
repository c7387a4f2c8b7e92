# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What clang-format says of files. The script that runs it is third_party/clang_tools/run.sh.tpl."""

import re
import subprocess

# Of a machine's cores, those that even small ones have.
_PROCESSES = 2

_MOST_ROUNDS = 8

_BREACH = re.compile(r"^(.*):\d+:\d+: error: code should be clang-formatted", re.MULTILINE)


class ClangFormat:
    """clang-format with the style of a checkout; files are given relative to it, or by their full names."""

    def __init__(self, script, root):
        self._command = [script, "clang-format", "--style=file:%s/.clang-format" % root]
        self._root = root

    def unformatted(self, files):
        """Returns those of the files that it would change, in order."""
        outputs = self._run(files, ["--dry-run", "--Werror"])
        return sorted({file for output in outputs for file in _BREACH.findall(output)})

    def rewrite(self, files):
        """Formats files in place, and returns those that it would still change."""
        # What clang-format makes of a file need not be what it leaves as it is.
        for _ in range(_MOST_ROUNDS):
            if not files:
                break
            self._run(files, ["-i"])
            files = self.unformatted(files)
        return files

    def _run(self, files, options):
        """Runs it over shares of the files, side by side, and returns what each run printed."""
        runs = [subprocess.Popen(self._command + options + share, cwd=self._root, stderr=subprocess.PIPE, text=True)
                for share in (files[i::_PROCESSES] for i in range(_PROCESSES)) if share]
        outputs = [run.communicate()[1] for run in runs]
        for run, output in zip(runs, outputs):
            # Status 1 with nothing said about a file is a failure of another kind.
            if run.returncode != 0 and not _BREACH.search(output):
                raise RuntimeError("clang-format failed:\n" + output)
        return outputs
