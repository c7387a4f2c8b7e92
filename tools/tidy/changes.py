# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Which files of a checkout changed, as git knows it. Paths are relative to the root, and all of the files exist."""

import os
import subprocess

_DAY = 24 * 60 * 60


def since(root, revision):
    """Returns the files that differ from a revision, new ones too. A move is no change."""
    changed = _git(root, "diff", "--name-status", "--find-renames", revision)
    return _existing(root, _names(changed) + _git(root, "ls-files", "--others", "--exclude-standard"))


def on_last_day(root):
    """Returns the files that commits of the day before HEAD's commit date changed, the last changed first.

    The day ends with HEAD, so that every clone of the same commit gets the same files.
    """
    (end,) = _git(root, "log", "-1", "--format=%ct")
    # A time that git parses in this form alone.
    start = "%d +0000" % (int(end) - _DAY)
    log = _git(root, "log", "--since=" + start, "--diff-merges=first-parent", "--name-status", "--find-renames",
               "--format=")
    return _existing(root, _names(log))


def _git(root, *arguments):
    """Returns the lines that a git command prints."""
    done = subprocess.run(["git", "-C", root, "-c", "core.quotePath=false", *arguments], check=True,
                          stdout=subprocess.PIPE, text=True)
    return [line for line in done.stdout.splitlines() if line]


def _existing(root, names):
    return [name for name in dict.fromkeys(names) if os.path.isfile(os.path.join(root, name))]


def _names(lines):
    """Returns the present names of the files that changed, of `git diff --name-status` or of a log, newest first."""
    names = []
    renamed = {}
    for line in lines:
        status, *paths = line.split("\t")
        name = renamed.get(paths[-1], paths[-1])
        renamed[paths[0]] = name
        if status not in ("D", "R100"):
            names.append(name)
    return names
