# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Fuzz tests, which also run as ordinary tests."""

def cc_fuzz_test(name, srcs, deps = [], corpus = [], runs = 100000, seconds = 10, tags = [], **kwargs):
    """A test of a function `LLVMFuzzerTestOneInput`.

    Built as everything else is, it feeds the function its corpus and then up to `runs` inputs made from it by a fixed
    seed, so that the same inputs are tried each time; it ends after `seconds`. With `--config=fuzz` it is a libFuzzer
    program, whose ordinary run does the same.

    NAME_long is the same for an hour and from another seed each time. It is run by hand.

    Args:
      name: name of the test.
      srcs: sources, one of which defines the function.
      deps: libraries that they use.
      corpus: files to start from, and folders of such files.
      runs: how many made-up inputs an ordinary run tries at most.
      seconds: how long an ordinary run makes up inputs at most.
      tags: tags of the ordinary test.
      **kwargs: what else cc_test takes.
    """
    size = kwargs.pop("size", "small")
    forms = [
        (
            name,
            size,
            tags,
            ["-runs=%d" % runs, "-max_total_time=%d" % seconds],
            ["--runs=%d" % runs, "--seconds=%d" % seconds],
        ),
        (name + "_long", "enormous", tags + ["manual"], ["-max_total_time=3600"], ["--seconds=3600", "--random_seed"]),
    ]
    for form, form_size, form_tags, libfuzzer_args, args in forms:
        native.cc_test(
            name = form,
            size = form_size,
            srcs = srcs,
            args = select({
                "//build:libfuzzer": libfuzzer_args,
                "//conditions:default": args,
            }) + ["$(location %s)" % seed for seed in corpus],
            data = corpus,
            linkopts = select({
                "//build:libfuzzer": ["-fsanitize=fuzzer"],
                "//conditions:default": [],
            }),
            tags = form_tags,
            deps = deps + select({
                "//build:libfuzzer": [],
                "//conditions:default": ["//build:fuzz_main"],
            }),
            **kwargs
        )
