# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Fetches Debian packages and unpacks them, for the repository rules of debian.bzl.

A per-user cache keeps all downloads, so that each file is downloaded once for all checkouts:

    <cache>/archives/<sha256>/<file name>  the downloaded files, by content
    <cache>/selections/<key>               the files of a set of packages without pins, one per line
    <cache>/suites/<suite>/                the private apt state
    <cache>/trees/<name>-<digest>/         packages unpacked into one tree, for `closure`

A pinned file is known by its SHA-256. A set without pins has the files that the suite has when the set is first
fetched. apt checks the suite's signature. From then on the set is the recorded selection. A set may pin only some of
its packages. A new value of ASSAY_DEBIAN_REFRESH selects again.
"""

import argparse
import contextlib
import fcntl
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

import apt

SUITE = "trixie"


def cache_root():
    """Returns the per-user cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "assay")


def sha256_of(path):
    """Returns the SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as content:
        for block in iter(lambda: content.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def pins_of(packages):
    """Returns {name: SHA-256} of packages given as `name=sha256` or `name`. The SHA-256 of `name` is empty."""
    return dict((package.split("=") + [""])[:2] for package in packages)


def different_from_pin(what, sha256, files):
    """Returns the error for a pinned file that is not among the downloaded files, [(file name, SHA-256)]."""
    listing = "".join("  %s  %s\n" % (digest, name) for name, digest in files)
    return apt.AptError("%s: the file pinned as %s is not what %s has now:\n%sSee third_party/README.md on moving a "
                        "pin." % (what, sha256, SUITE, listing))


class Cache:
    """The per-user cache. locked() locks it for this process."""

    def __init__(self, root):
        self.root = root
        self.suite = apt.Suite(SUITE, os.path.join(root, "suites", SUITE))

    @contextlib.contextmanager
    def locked(self):
        """Locks the cache for this process. Bazel fetches repositories in parallel, and apt must run alone."""
        os.makedirs(self.root, exist_ok=True)
        with open(os.path.join(self.root, "lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield self

    def find(self, sha256):
        """Returns the path of the downloaded file with that content, or None."""
        found = glob.glob(os.path.join(self.root, "archives", sha256, "*"))
        return found[0] if found else None

    def keep(self, path):
        """Moves a downloaded file into the cache and returns its SHA-256."""
        sha256 = sha256_of(path)
        folder = os.path.join(self.root, "archives", sha256)
        if not self.find(sha256):
            os.makedirs(folder, exist_ok=True)
            partial = folder + ".partial"
            shutil.copyfile(path, partial)
            os.replace(partial, os.path.join(folder, os.path.basename(path)))
        return sha256

    def download(self, *command):
        """Runs an apt command that downloads into the current folder. Returns {file name: SHA-256} of the downloads."""

        def attempt():
            with tempfile.TemporaryDirectory(dir=self.root) as folder:
                os.makedirs(os.path.join(folder, "partial"))
                self.suite.run(*command, "-oDir::Cache::archives=" + folder, cwd=folder)
                files = [path for path in sorted(glob.glob(folder + "/*")) if os.path.isfile(path)]
                return {os.path.basename(path): self.keep(path) for path in files if not path.endswith("/lock")}

        return self.suite.with_fresh_lists_if_needed(attempt)

    def pinned(self, sha256, what, *command):
        """Returns the path of the file with that content. If it is not in the cache, downloads it with `command`."""
        if not self.find(sha256):
            came = self.download(*command)
            if sha256 not in came.values():
                raise different_from_pin(what, sha256, came.items())
        return self.find(sha256)

    def selection(self, packages, refresh, *command):
        """Returns [(file name, SHA-256)] of packages and the files that come with them.

        The files are those of the recorded selection, or those that the suite has now. A package given as
        `name=sha256` must be among them with that content.
        """
        key = hashlib.sha256("\n".join([SUITE, command[1], refresh, *sorted(packages)]).encode()).hexdigest()[:16]
        record = os.path.join(self.root, "selections", key)
        with contextlib.suppress(FileNotFoundError), open(record, encoding="utf-8") as lines:
            files = [tuple(line.split()[::-1]) for line in lines]
            if all(self.find(sha256) for _, sha256 in files):
                return files
        if refresh:
            self.suite.ensure_lists(refresh=True)
        pins = pins_of(packages)
        files = sorted(self.download(*command, *pins).items())
        for name, pin in pins.items():
            if pin and pin not in dict(files).values():
                raise different_from_pin(name, pin, [file for file in files if file[0].startswith(name + "_")])
        os.makedirs(os.path.dirname(record), exist_ok=True)
        with open(record, "w", encoding="utf-8") as lines:
            lines.writelines("%s  %s\n" % (sha256, name) for name, sha256 in files)
        return files


def unpack_deb(path, into):
    """Unpacks a binary package's files into a folder."""
    os.makedirs(into, exist_ok=True)
    subprocess.run(["dpkg-deb", "-x", path, into], check=True)


def write_versions(path, files):
    """Writes the list of a repository's package files, one `sha256  file name` per line."""
    with open(path, "w", encoding="utf-8") as versions:
        versions.writelines("%s  %s\n" % (sha256, name) for name, sha256 in files)


def fetch_source(cache, arguments):
    """Unpacks the upstream source archive of a Debian source package, without its top folder."""
    with cache.locked():
        archive = cache.pinned(arguments.sha256, arguments.package, "apt-get", "source", "--tar-only",
                               "--download-only", arguments.package)
    subprocess.run(["tar", "-xf", archive, "--strip-components=1", "--no-same-owner", "-C", arguments.into], check=True)
    write_versions(os.path.join(arguments.into, "versions.txt"), [(os.path.basename(archive), arguments.sha256)])


def fetch_binary(cache, arguments):
    """Unpacks binary packages without their dependencies. Each is given as `name` or `name=sha256`."""
    pins = pins_of(arguments.packages)
    with cache.locked():
        files = [(os.path.basename(cache.pinned(pin, name, "apt-get", "download", name)), pin)
                 for name, pin in sorted(pins.items()) if pin]
        free = [name for name, pin in pins.items() if not pin]
        if free:
            files += cache.selection(free, arguments.refresh, "apt-get", "download")
        for _, sha256 in files:
            unpack_deb(cache.find(sha256), arguments.into)
    write_versions(os.path.join(arguments.into, "versions.txt"), files)


def fetch_closure(cache, arguments):
    """Unpacks binary packages and their dependencies into one tree of the cache. `tree.txt` names the tree.

    Each is given as `name` or `name=sha256`.
    """
    with cache.locked():
        files = cache.selection(arguments.packages, arguments.refresh, "apt-get", "install", "--yes",
                                "--no-install-recommends", "--download-only")
        digest = hashlib.sha256("".join(sha256 for _, sha256 in files).encode()).hexdigest()[:16]
        tree = os.path.join(cache.root, "trees", "%s-%s" % (arguments.name, digest))
        if not os.path.isdir(tree):
            partial = tree + ".partial"
            shutil.rmtree(partial, ignore_errors=True)
            prepare_merged_usr(partial)
            for _, sha256 in files:
                unpack_deb(cache.find(sha256), partial)
            os.rename(partial, tree)
    write_versions(os.path.join(arguments.into, "versions.txt"), files)
    with open(os.path.join(arguments.into, "tree.txt"), "w", encoding="utf-8") as place:
        place.write(tree + "\n")


def prepare_merged_usr(tree):
    """Makes `bin`, `lib`, … links into `usr`, as Debian has them since version 12."""
    for name in ("bin", "sbin", "lib", "lib64"):
        os.makedirs(os.path.join(tree, "usr", name))
        os.symlink("usr/" + name, os.path.join(tree, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", required=True, help="folder to unpack into")
    parser.add_argument("--refresh", default="", help="selects packages without pins anew for each new value")
    kinds = parser.add_subparsers(required=True)
    source = kinds.add_parser("source", help=fetch_source.__doc__)
    source.add_argument("package")
    source.add_argument("sha256")
    source.set_defaults(action=fetch_source)
    binary = kinds.add_parser("binary", help=fetch_binary.__doc__)
    binary.add_argument("packages", nargs="+")
    binary.set_defaults(action=fetch_binary)
    closure = kinds.add_parser("closure", help=fetch_closure.__doc__)
    closure.add_argument("name")
    closure.add_argument("packages", nargs="+")
    closure.set_defaults(action=fetch_closure)
    arguments = parser.parse_args()
    try:
        arguments.action(Cache(cache_root()), arguments)
    except apt.AptError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
