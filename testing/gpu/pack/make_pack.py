# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes one archive of programs, layers, data and every shared library that they need.

    run.sh           starts it all
    bin/             programs, without symbols
    layers/NAME/     layers with their manifests
    lib/             the dynamic linker and the libraries, from the pinned Debian packages
    settings/        NAME.txt, settings of layers
    corpus/          the programs of the corpus

The same inputs give the same archive.
"""

import argparse
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

LINKER = "ld-linux-x86-64.so.2"

# What drivers and tests load by name: the loader, and what NVIDIA's driver is linked against.
LOADED_BY_NAME = [
    LINKER,
    "libGLX.so.0",
    "libGLdispatch.so.0",
    "libX11-xcb.so.1",
    "libX11.so.6",
    "libXext.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libpthread.so.0",
    "librt.so.1",
    "libvulkan.so.1",
    "libxcb.so.1",
]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--runtime", required=True, help="@vulkan_runtime's run.sh, which says where the packages are")
    parser.add_argument("--script", required=True, help="becomes run.sh")
    parser.add_argument("--corpus", required=True, help="a folder")
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--library", action="append", default=[], help="one that is not among the packages")
    parser.add_argument("--layer", action="append", default=[], nargs="+", help="NAME FILE...")
    parser.add_argument("--settings", action="append", default=[], nargs="+", help="NAME KEY=VALUE...")
    return parser.parse_args()


def find_libraries(runtime):
    """The folder of shared libraries of the unpacked packages."""
    with open(runtime, encoding="utf-8") as text:
        tree = re.search(r"^tree='(.*)'$", text.read(), re.MULTILINE).group(1)
    return os.path.join(tree, "usr/lib/x86_64-linux-gnu")


def needed_by(path):
    """The names of the libraries that a program or library is linked against."""
    listing = subprocess.run(["readelf", "--dynamic", "--wide", path], check=True, stdout=subprocess.PIPE).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listing.decode())


def closure(files, names, folder):
    """Returns {name: path} of these libraries, of those that the files are linked against, and so on."""
    found = {}
    wanted = list(names)
    for path in files:
        wanted += needed_by(path)
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            sys.exit("%s has no %s." % (folder, name))
        found[name] = path
        wanted += needed_by(path)
    return found


def strip(source, target):
    """Copies a program or library without its symbols."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    subprocess.run(["strip", "--strip-unneeded", "-o", target, source], check=True)
    os.chmod(target, 0o755)


def copy(source, target, mode):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)
    os.chmod(target, mode)


def fill(folder, options):
    """Writes what the archive will have."""
    copy(options.script, os.path.join(folder, "run.sh"), 0o755)
    for program in options.program:
        strip(program, os.path.join(folder, "bin", os.path.basename(program)))
    for name, *files in options.layer:
        for path in files:
            target = os.path.join(folder, "layers", name, os.path.basename(path))
            if path.endswith(".so"):
                strip(path, target)
            else:
                copy(path, target, 0o644)
    for name, *settings in options.settings:
        path = os.path.join(folder, "settings", name + ".txt")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as text:
            text.writelines("%s = %s\n" % tuple(setting.split("=", 1)) for setting in settings)
    for source in glob.glob(os.path.join(options.corpus, "**"), recursive=True):
        if os.path.isfile(source):
            copy(source, os.path.join(folder, "corpus", os.path.relpath(source, options.corpus)), 0o644)
    for path in options.library:
        copy(path, os.path.join(folder, "lib", os.path.basename(path)), 0o755)
    linked = [path for kind in ("bin/*", "layers/*/*.so", "lib/*") for path in glob.glob(os.path.join(folder, kind))]
    for name, path in closure(linked, LOADED_BY_NAME, find_libraries(options.runtime)).items():
        copy(path, os.path.join(folder, "lib", name), 0o755)


def write_archive(folder, out):
    """Packs a folder, whatever the time and the user."""
    paths = [path for path in glob.glob(os.path.join(folder, "**"), recursive=True) if os.path.isfile(path)]
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(paths):
            entry = tarfile.TarInfo(os.path.relpath(path, folder))
            entry.size = os.path.getsize(path)
            entry.mode = os.stat(path).st_mode & 0o777
            with open(path, "rb") as content:
                archive.addfile(entry, content)


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        fill(folder, options)
        write_archive(folder, options.out)


if __name__ == "__main__":
    main()
