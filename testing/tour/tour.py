# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""tour.py --tour TOUR.md --steps N --out DIR FILES...: the files that a tour makes and changes.

A fenced block whose info string names a path is a step: "```cpp PATH" is a whole file, "```diff PATH" changes one.
In a change each line begins with ' ' (stays), '+' (is added) or '-' (is removed), and "@@" begins another place in the
same file. What stays and what is removed must stand in the file exactly once.
FILES are what changes are applied to, by their paths from the root; each is written below DIR under that path.
"""

import argparse
import os
import re
import sys


def steps_of(markdown):
    """[(kind, path, text)] of the fenced blocks that name a path, in order."""
    blocks = re.findall(r"^```(\w+) ([\w./]+)\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL)
    return [(kind, path, text) for kind, path, text in blocks]


def change(text, diff, path):
    """text with a diff applied. Raises ValueError where it does not fit."""
    for place in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = place.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        if text.count(before) != 1:
            raise ValueError("%s has this %d times:\n%s" % (path, text.count(before), before))
        text = text.replace(before, after)
    return text


def follow(steps, files):
    """{path: text} after all steps; files has what there is before them."""
    result = {}
    for kind, path, text in steps:
        if kind == "diff":
            if path not in result and path not in files:
                raise ValueError("There is no %s to change." % path)
            result[path] = change(result.get(path, files.get(path)), text, path)
        else:
            result[path] = text
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tour", required=True)
    parser.add_argument("--steps", type=int, help="how many steps to follow; all if it is not given")
    parser.add_argument("--out", required=True)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    with open(arguments.tour, encoding="utf-8") as file:
        steps = steps_of(file.read())
    files = {}
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            files[path] = file.read()
    try:
        made = follow(steps[:arguments.steps], files)
    except ValueError as error:
        sys.exit(str(error))
    for path, text in made.items():
        target = os.path.join(arguments.out, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
