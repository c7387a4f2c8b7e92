# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""bazel run //tools/tidy [-- FILES... | --since REVISION | --last-day | --all]: runs clang-tidy with the build's flags.

Without arguments: over what differs from HEAD. A header is seen through one source that includes it. Ends with status 1
when there are findings.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time

from tools.format import sources
from tools.layout import checkout
from tools.tidy import changes
from tools.tidy import compile_flags
from tools.tidy import findings
from tools.tidy import selection

# Of a machine's cores, those that even small ones have.
_PROCESSES = 2


def selected(arguments, root):
    """Returns the sources to read, in the order of the files that were asked for."""
    files = dict.fromkeys(sources.cpp_files())
    if arguments.all:
        wanted = files
    elif arguments.files:
        # Names are relative to where `bazel run` was called.
        here = os.environ.get("BUILD_WORKING_DIRECTORY", root)
        wanted = [os.path.relpath(os.path.join(here, name), root) for name in arguments.files]
        if unknown := [path for path in wanted if path not in files]:
            raise RuntimeError("No C++ files of the checkout: " + " ".join(unknown))
    elif arguments.last_day:
        wanted = changes.on_last_day(root)
    else:
        wanted = changes.since(root, arguments.since)

    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as text:
            return text.read()

    includes = selection.Includes(files, read)
    found = dict.fromkeys(includes.source_for(path) for path in wanted if path in files)
    return [source for source in found if source]


class ClangTidy:
    """clang-tidy with the .clang-tidy of a checkout."""

    def __init__(self, script, root):
        self._script = script
        self._root = root

    def run(self, source, flags):
        """Returns the findings in a source and in what it includes, and the seconds that it took."""
        start = time.monotonic()
        done = subprocess.run([self._script, "clang-tidy", "--quiet", source, "--", *flags], cwd=self._root,
                              capture_output=True, text=True, check=False)
        found = list(findings.parse(done.stdout, self._root))
        if done.returncode != 0 and not found:
            raise RuntimeError("clang-tidy failed on %s:\n%s%s" % (source, done.stdout, done.stderr))
        return found, time.monotonic() - start


def tidy(flags, clang_tidy):
    """Prints what clang-tidy finds in sources, {source: flags}, and returns all of it."""
    found = findings.Findings()
    with concurrent.futures.ThreadPoolExecutor(_PROCESSES) as pool:
        runs = {pool.submit(clang_tidy.run, source, flags[source]): source for source in flags}
        for run in concurrent.futures.as_completed(runs):
            new, seconds = run.result()
            print("%5.1f s  %s" % (seconds, runs[run]))
            for finding in found.add(new):
                print(finding.text)
            sys.stdout.flush()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--script", required=True, help=argparse.SUPPRESS)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("files", nargs="*", default=[], metavar="FILE")
    which.add_argument("--since", default="HEAD", metavar="REVISION", help="what differs from a revision")
    which.add_argument("--last-day", action="store_true",
                       help="what commits changed in the day before HEAD's commit date, the last changed first")
    which.add_argument("--all", action="store_true", help="the whole tree")
    parser.add_argument("--limit", type=int, metavar="N", help="read that many sources at most, the first ones")
    arguments = parser.parse_args()

    root = checkout.find_root()
    if arguments.last_day and not os.path.exists(os.path.join(root, ".git")):
        print("clang-tidy read no sources: without a git history, nothing is known to have changed.")
        return 0
    wanted = selected(arguments, root)
    chosen = wanted[:arguments.limit]
    flags = compile_flags.flags_of(chosen, root) if chosen else {}
    unknown = [source for source in chosen if source not in flags]
    found = tidy(flags, ClangTidy(os.path.abspath(arguments.script), root))

    for check, count in found.counts():
        print("%6d  %s" % (count, check))
    for source in unknown:
        print("No target compiles %s." % source)
    if len(chosen) < len(wanted):
        print("%d of %d sources were left out: the limit is %d." %
              (len(wanted) - len(chosen), len(wanted), arguments.limit))
    print("clang-tidy read %d sources; findings: %d." % (len(flags), len(found)))
    return 1 if found or unknown else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
