# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The files and folders of a checkout, and the data files of this package in it."""

import functools
import os
import subprocess

EXCEPTIONS = "tools/layout/exceptions.txt"

# Folders that belong to the checkout although their names begin with a dot.
_DOT_FOLDERS = {".ci"}


def find_root():
    """Returns the checkout that `bazel run` was called in or, in a test, the one that its sources come from."""
    # Bazel links sources to where they are.
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    return os.environ.get("BUILD_WORKSPACE_DIRECTORY", here)


def _files_by_git(root):
    """The files that git tracks or would add, as it names them; None if the checkout has no git."""
    if not os.path.exists(os.path.join(root, ".git")):
        return None
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [path for path in listed.split("\0") if path]


def _is_searched(name):
    """Whether a folder of this name counts as part of the checkout where git does not say so."""
    if name == "__pycache__" or name.startswith("bazel-"):
        return False
    return not name.startswith(".") or name in _DOT_FOLDERS


def _files_by_search(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if _is_searched(name)]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


class Checkout:
    """The files of a checkout. Paths are relative to its root, with '/' between folders."""

    def __init__(self, root):
        self.root = root
        self._lines = {}
        found = _files_by_git(root)
        found = _files_by_search(root) if found is None else found
        # Git may list a file that is deleted but not committed yet, and links, which are no text of their own.
        self.files = sorted({path for path in found if self._is_file(path)})

    def _is_file(self, path):
        full = os.path.join(self.root, path)
        return os.path.isfile(full) and not os.path.islink(full)

    @functools.cached_property
    def folders(self):
        """Every folder below the root that holds a file, directly or further down."""
        folders = set()
        for path in self.files:
            while path := os.path.dirname(path):
                folders.add(path)
        return folders

    def lines(self, path):
        """The lines of a text file, without their ends."""
        if path not in self._lines:
            with open(os.path.join(self.root, path), encoding="utf-8", newline="") as text:
                lines = text.read().split("\n")
            self._lines[path] = lines if lines[-1] else lines[:-1]
        return self._lines[path]

    def data_lines(self, path):
        """(number, line) for each line of a data file, without comments and blank lines. The file may be missing."""
        if path not in self.files:
            return
        for number, line in enumerate(self.lines(path), 1):
            if line.strip() and not line.startswith("#"):
                yield number, line

    @functools.cached_property
    def exceptions(self):
        """{path: reason} of EXCEPTIONS. Folders end in '/'."""
        return {path: reason for _, path, reason in self._exception_lines() if reason}

    def _exception_lines(self):
        for number, line in self.data_lines(EXCEPTIONS):
            path, _, reason = line.partition(": ")
            yield number, path, reason.strip()

    def unreadable_exceptions(self):
        """One sentence for each exception without a reason."""
        for number, path, reason in self._exception_lines():
            if not reason:
                yield '%s:%d: "%s" is not of the form PATH: REASON.' % (EXCEPTIONS, number, path)
