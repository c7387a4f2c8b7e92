# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/interfaces.md: what becomes of each sentence of the specification about shaders and their interfaces.

Without options it says whether the document is up to date. `--update_goldens` writes it. `--chapters DIR`, with the
texts of both chapters as DIR/spec_shaders.txt and DIR/spec_shader_interfaces.txt, compares the sentences with the rows.
"""

import argparse
import os
import sys

from tools.coverage import gathering
from tools.interfaces import document
from tools.interfaces import lookup
from tools.interfaces import sentences
from tools.layout import checkout


def rows_of(tree, chapter):
    return sentences.parse(tree.lines(sentences.path_of(chapter)))


def problems(tree, finder):
    """One line for each id that the registry does not have, and for each named test that is not there."""
    for chapter in sentences.CHAPTERS:
        for row in rows_of(tree, chapter):
            families = {entry.pattern: finder.family(entry.pattern) for entry in row.entries}
            for pattern, ids in families.items():
                if not ids:
                    yield f"{row.key}: there is no id {pattern}"
            for name in row.tests:
                if not finder.tests_named(name, {vuid for ids in families.values() for vuid in ids}):
                    yield f"{row.key}: no file has the test {name} and one of the ids"


def text_of(tree, finder):
    """The document as it must be."""
    by_chapter = {}
    for chapter in sentences.CHAPTERS:
        by_chapter[chapter] = [(row, [finder.find(entry.pattern, entry.is_general, row.tests) for entry in row.entries])
                               for row in rows_of(tree, chapter)]
    return document.make(by_chapter)


def golden_of(tree):
    """The document as it is."""
    return "".join(line + "\n" for line in tree.lines(document.GOLDEN)) if document.GOLDEN in tree.files else ""


def compare(tree, folder):
    """The differences between the rows and the chapters in a folder."""
    for chapter in sentences.CHAPTERS:
        with open(os.path.join(folder, chapter + ".txt"), encoding="utf-8") as file:
            for problem in sentences.problems(rows_of(tree, chapter), file.read()):
                yield f"{sentences.path_of(chapter)}: {problem}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vuids", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--facts", action="append", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--chapters", metavar="DIR", help="compare the rows with the texts of the chapters")
    parser.add_argument("--update_goldens", action="store_true", help="write " + document.GOLDEN)
    arguments = parser.parse_args()
    tree = checkout.Checkout(checkout.find_root())
    finder = lookup.make(gathering.read_document(arguments.vuids), arguments.facts, tree)
    found = list(problems(tree, finder))
    if arguments.chapters:
        # `bazel run` changes the folder.
        found += compare(tree, os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", ""), arguments.chapters))
    text = text_of(tree, finder)
    if arguments.update_goldens:
        with open(os.path.join(tree.root, document.GOLDEN), "w", encoding="utf-8") as file:
            file.write(text)
    elif text != golden_of(tree):
        found.append(f"{document.GOLDEN} is out of date: run with --update_goldens")
    print("\n".join(found) or f"{document.GOLDEN}: no problems")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
