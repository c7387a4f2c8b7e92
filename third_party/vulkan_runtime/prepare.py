# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes an unpacked tree of Debian packages work where it is, although its programs expect to be in /usr.

    <tree>/assay/lvp_icd.json      the software GPU's manifest, with the full path of its library
    <tree>/assay/xkbbin/xkbcomp    the keyboard compiler that Xvfb starts
    <tree>/usr/bin/Xvfb            looks for it in ./xkbbin instead of /usr/bin, a path of the same length

A second run changes nothing.
"""

import glob
import json
import os
import sys

KEYBOARD_COMPILER = """\
#!/bin/sh
exec "{tree}/lib64/ld-linux-x86-64.so.2" --library-path "{tree}/usr/lib/x86_64-linux-gnu" "{tree}/usr/bin/xkbcomp" "$@"
"""


def write(path, content, mode):
    """Replaces a file in one step, so that a concurrent reader sees the old file or the new one."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    partial = "%s.%d" % (path, os.getpid())
    with open(partial, "wb") as output:
        output.write(content)
    os.chmod(partial, mode)
    os.replace(partial, path)


def write_manifest(tree):
    """Writes the software GPU's manifest."""
    (source,) = glob.glob(tree + "/usr/share/vulkan/icd.d/lvp_icd*.json")
    with open(source, encoding="utf-8") as text:
        manifest = json.load(text)
    library = os.path.basename(manifest["ICD"]["library_path"])
    manifest["ICD"]["library_path"] = "%s/usr/lib/x86_64-linux-gnu/%s" % (tree, library)
    write(tree + "/assay/lvp_icd.json", json.dumps(manifest, indent=2).encode() + b"\n", 0o644)


def redirect_keyboard_compiler(tree):
    """Makes Xvfb find its keyboard compiler in the tree."""
    path = tree + "/usr/bin/Xvfb"
    with open(path, "rb") as program:
        content = program.read()
    old, new = b"\0/usr/bin\0", b"\0./xkbbin\0"
    if content.count(old) + content.count(new) != 1:
        sys.exit("Xvfb does not name the keyboard compiler's folder once: %d times." % content.count(old))
    write(path, content.replace(old, new), 0o755)
    write(tree + "/assay/xkbbin/xkbcomp", KEYBOARD_COMPILER.format(tree=tree).encode(), 0o755)


def main():
    (tree,) = sys.argv[1:]
    write_manifest(tree)
    redirect_keyboard_compiler(tree)


if __name__ == "__main__":
    main()
