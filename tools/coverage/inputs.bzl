# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The inputs of tools/coverage/gathering.py, for all who read what is checked."""

# Programs that run the negative tests which are made from the registry, and print the results.
COVERAGE_FACTS = [
    "//core/commands:coverage_facts",
    "//core/spirv/builtins:coverage_facts",
    "//core/spirv/cases:coverage_facts",
    "//core/test_cases:coverage_facts",
    "//gpuav/reports:coverage_facts",
    "//object_lifetimes/test_cases:coverage_facts",
    "//stateless/test_cases:coverage_facts",
    "//stateless/test_cases:explicit_coverage_facts",
]

COVERAGE_INPUTS = ["@vulkan_headers//:validusage.json"] + COVERAGE_FACTS

COVERAGE_INPUT_ARGS = ["--vuids $(rootpath @vulkan_headers//:validusage.json)"] + [
    "--facts $(rootpath %s)" % program
    for program in COVERAGE_FACTS
]
