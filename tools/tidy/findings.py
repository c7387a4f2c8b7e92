# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What clang-tidy finds, and the comments that silence it."""

import collections
import re

_START = re.compile(r"^(?P<file>\S[^:\n]*):(?P<line>\d+):\d+: (?:warning|error): .* \[(?P<check>[^\[\]]+)\]$")

# clang-tidy takes each of these without checks in parentheses, or with a star in them, for all or many checks.
_BLANKET = re.compile(r"\bNOLINT(?:NEXTLINE|BEGIN|END)?\b(?!\([a-zA-Z][\w.,\s-]*\))")

Finding = collections.namedtuple("Finding", "file line check text")


def parse(output, root):
    """Yields the findings in what clang-tidy printed, each once. Files are named relative to the root."""
    blocks = []
    for line in output.replace(root + "/", "").splitlines():
        match = _START.match(line)
        if match:
            check = match["check"].replace(",-warnings-as-errors", "")
            blocks.append((match["file"], int(match["line"]), check, [line]))
        elif blocks:
            blocks[-1][-1].append(line)
    for file, line, check, lines in blocks:
        yield Finding(file, line, check, "\n".join(lines))


class Findings:
    """Findings of many runs. One in a header counts once, whoever includes it."""

    def __init__(self):
        self._texts = {}

    def add(self, findings):
        """Adds findings and returns the new ones."""
        new = [finding for finding in findings if self._texts.setdefault(_key(finding), finding) is finding]
        return new

    def counts(self):
        """Returns how often each check found something, the most frequent first."""
        return collections.Counter(finding.check for finding in self._texts.values()).most_common()

    def __len__(self):
        return len(self._texts)


def _key(finding):
    return finding.text.split("\n", 1)[0]


def blanket_silencing(text):
    """Returns the numbers of the lines with a NOLINT that does not name its checks."""
    return [number for number, line in enumerate(text.splitlines(), 1) if _BLANKET.search(line)]
