# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Fuzz tests, which also run as ordinary tests."""

def cc_fuzz_test(name, srcs, deps = [], corpus = [], runs = 10000, **kwargs):
    """A test of a function `LLVMFuzzerTestOneInput`.

    Built as everything else is, it feeds the function its corpus and then `runs` inputs made from it by a fixed seed,
    so that the same inputs are tried each time. With `--config=fuzz` it is a libFuzzer program, whose ordinary run
    tries as many.

    Args:
      name: name of the test.
      srcs: sources, one of which defines the function.
      deps: libraries that they use.
      corpus: files to start from.
      runs: how many made-up inputs an ordinary run tries.
      **kwargs: what else cc_test takes.
    """
    native.cc_test(
        name = name,
        srcs = srcs,
        args = select({
            "//build:libfuzzer": ["-runs=%d" % runs],
            "//conditions:default": ["--runs=%d" % runs],
        }) + ["$(location %s)" % seed for seed in corpus],
        data = corpus,
        linkopts = select({
            "//build:libfuzzer": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        deps = deps + select({
            "//build:libfuzzer": [],
            "//conditions:default": ["//build:fuzz_main"],
        }),
        **kwargs
    )
