# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""With which flags the build compiles each source. Bazel says so, by the aspect of compile_flags.bzl."""

import json
import os
import subprocess
import tempfile

_ASPECT = "//tools/tidy:compile_flags.bzl%compile_flags"


def package_of(name, root):
    """Returns the Bazel package that a file is in."""
    folder = os.path.dirname(name)
    while folder and not os.path.exists(os.path.join(root, folder, "BUILD.bazel")):
        folder = os.path.dirname(folder)
    return folder


class Bazel:
    """The Bazel of a checkout."""

    def __init__(self, root):
        self._root = root
        # What Bazel tells programs that it runs is not for a Bazel that they run.
        private = ("PYTHONPATH", "RUNFILES_DIR", "RUNFILES_MANIFEST_FILE")
        self._environment = {name: value for name, value in os.environ.items() if name not in private}

    def run(self, *arguments):
        """Runs a command and returns what it printed; raises RuntimeError with what it said if it fails."""
        done = subprocess.run([os.path.join(self._root, "bazelw"), *arguments], cwd=self._root, env=self._environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("`bazelw %s` failed:\n%s" % (" ".join(arguments), done.stderr))
        return done.stdout

    def folders(self):
        """Returns where Bazel keeps what it makes and fetches, by the names that `bazel info` knows."""
        lines = self.run("info", "bazel-bin", "execution_root", "output_base").splitlines()
        return dict(line.split(": ", 1) for line in lines)


def flags_of(sources, root):
    """Returns {source: flags} of the sources that some target compiles, and builds the headers that they include."""
    bazel = Bazel(root)
    packages = sorted({package_of(source, root) for source in sources})
    # A pattern would leave out what is tagged `manual`.
    patterns = " ".join("//%s:all" % name for name in packages)
    targets = bazel.run("query", "kind('cc_(binary|library|test) rule', set(%s))" % patterns)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as labels:
        labels.write(targets)
        labels.flush()
        bazel.run("build", "--aspects=" + _ASPECT, "--output_groups=compile_flags",
                  "--target_pattern_file=" + labels.name)
    folders = bazel.folders()
    flags = {}
    for label in targets.splitlines():
        package, name = label[len("//"):].split(":")
        with open(os.path.join(folders["bazel-bin"], package, name + ".compile_flags.json"), encoding="utf-8") as text:
            target = json.load(text)
        for source in target["sources"]:
            flags.setdefault(source, _command_line(target, root, folders))
    return {source: flags[source] for source in sources if source in flags}


def _command_line(target, root, folders):
    """Returns the flags of a target's sources. Headers that are generated, or not ours, count as the system's."""

    def place(path):
        if path.startswith("external/"):
            return os.path.join(folders["output_base"], path)
        return os.path.join(folders["execution_root"], path)

    paths = [path for path in target["quote"] + target["include"] + target["system"] if path != "."]
    return (target["options"] + ["-D" + define for define in target["defines"]] + ["-iquote", root] +
            [flag for path in paths if os.path.isdir(place(path)) for flag in ("-isystem", place(path))])
