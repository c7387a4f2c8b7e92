# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What Assay and the Khronos layer add to the cost of Vulkan commands, over a driver that does nothing.

Both do the same checks and nothing else (--checks: synchronization; what the registry alone decides: parameters, object
lifetimes, thread safety; or what is on by default), with their handle wrapping on. The three ways (no layer, Assay,
Khronos) run in turns, so that a slow moment of the machine does not fall on one of them alone; the table has medians,
in nanoseconds per command.

A layer that does not look at a command is quick at it. So each case is first done wrong, and there is no ratio for one
that a layer lets pass.

--bars measures with both kinds of checks the cases that have a bar: those of a program with many objects, and the
creation of instance and device. It fails if one is above its bar.
"""

import argparse
import collections
import json
import os
import re
import statistics
import sys
import tempfile

from testing import vulkan_program

# What is on in both layers, by the name that --checks takes; everything else is off, but for "default", where all else
# is as both layers have it.
ON = {
    "sync": ["validate_sync"],
    "registry": ["object_lifetime", "stateless_param", "thread_safety"],
    "default": ["object_lifetime", "stateless_param", "thread_safety", "validate_core"],
}

# How much of what the Khronos layer adds to a case Assay may add, by --checks.
BARS = {
    "crowded_create_destroy_pipeline": {"sync": 0.5, "registry": 0.5, "default": 0.5},
    "crowded_create_destroy_buffer": {"sync": 0.2, "registry": 0.2},
    "crowded_copy": {"sync": 0.1, "registry": 0.2, "default": 0.1},
    "crowded_draw": {"sync": 0.1, "registry": 0.2},
    "crowded_dispatch": {"sync": 0.1, "registry": 0.2},
    "crowded_submit": {"sync": 0.25, "registry": 0.5},
    "crowded_submit_apart": {"sync": 0.1, "registry": 0.5},
    "copy": {"default": 0.1},
    "barrier": {"default": 0.1},
    "buffer_barrier": {"default": 0.1},
    "image_barrier2": {"default": 0.1},
    "create_new_module": {"default": 0.5},
    "create_known_module": {"default": 0.05},
}

# The nanoseconds that Assay may add to a case.
ADDED_BARS = {"create_instance_and_device": 4e6}

VALIDATORS = ["object_lifetime", "stateless_param", "thread_safety", "validate_core", "validate_sync"]

# What of the Khronos layer does not follow from the above.
KHRONOS_SETTINGS = {
    "khronos_validation.check_command_buffer": "false",
    "khronos_validation.check_image_layout": "false",
    "khronos_validation.check_object_in_use": "false",
    "khronos_validation.check_query": "false",
    "khronos_validation.check_shaders": "false",
    # A case whose mistake is not reported counts as not checked, however many there were before of its kind.
    "khronos_validation.enable_message_limit": "false",
    # What shaders access through descriptors, which Assay always looks at.
    "khronos_validation.syncval_shader_accesses_heuristic": "true",
}

# What the Khronos layer checks with validate_core alone, which is off.
ASSAY_SETTINGS = {
    "assay.check_command_buffer": "false",
    "assay.check_object_in_use": "false",
}

# Both layers check the same by default, but for synchronization. Each mistake is to be reported.
DEFAULT_SETTINGS = {
    "assay.validate_sync": "false",
    "assay.enable_message_limit": "false",
    "khronos_validation.enable_message_limit": "false",
}


# A bar beside what was measured. limit and value are ratios, or nanoseconds. value is None if it is not known.
Verdict = collections.namedtuple("Verdict", "case checks unit limit value")


def make_settings(checks):
    """Returns both layers' settings for a key of ON."""
    if checks == "default":
        return dict(DEFAULT_SETTINGS)
    settings = dict(KHRONOS_SETTINGS, **ASSAY_SETTINGS)
    for layer in ("assay", "khronos_validation"):
        for validator in VALIDATORS:
            settings["%s.%s" % (layer, validator)] = "true" if validator in ON[checks] else "false"
    return settings


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="the launcher of @vulkan_runtime")
    parser.add_argument("--binary", required=True, help="layer_benchmark")
    parser.add_argument("--driver", required=True, nargs="+", help="the mock driver's library and manifest")
    parser.add_argument("--assay", nargs="+", default=[], help="the layer's library and manifest")
    parser.add_argument("--khronos", nargs="+", default=[], help="the other layer's")
    parser.add_argument("--checks", choices=sorted(ON), default="sync", help="what is on in both layers")
    parser.add_argument("--scaling", action="store_true",
                        help="how many times as much two threads record as one, instead")
    parser.add_argument("--bars", action="store_true",
                        help="measure the cases with bars with both kinds of --checks; fail if one is above its bar")
    parser.add_argument("--repetitions", type=int, default=5, help="turns")
    parser.add_argument("--min_time", type=float, default=0.1, help="seconds a case, layer and turn")
    parser.add_argument("--benchmark_filter", default=".", help="regular expression of the cases to run")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--check", action="store_true", help="fail if Assay adds more than --max_ratio of Khronos")
    parser.add_argument("--max_ratio", type=float, default=0.1)
    parser.add_argument("--cases", default="copy,dispatch,barrier", help="the cases that --check looks at")
    return parser.parse_args()


def run_once(program, options):
    """Returns {case: nanoseconds per command} of one run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        status, output = program.run([
            options.binary, "--benchmark_filter=" + options.benchmark_filter, "--benchmark_out=" + path,
            "--benchmark_out_format=json", "--benchmark_min_time=%gs" % options.min_time
        ])
        if status != 0:
            sys.exit("%s\nlayer_benchmark failed (%d), or the layer reported something." % (output, status))
        with open(path, encoding="utf-8") as text:
            results = json.load(text)["benchmarks"]
    return {result["name"].split("/")[0]: 1e9 / result["items_per_second"] for result in results}


def make_programs(options, checks):
    """Returns {way: how to run the benchmark}, ways being "base", "assay" and "khronos". checks is a key of ON."""
    ways = {"base": [], "assay": options.assay, "khronos": options.khronos}
    return {
        way: vulkan_program.VulkanProgram(options.run, options.driver, layer,
                                          make_settings(checks))
        for way, layer in ways.items()
        if layer or way == "base"
    }


def find_unchecked(programs, options, checks):
    """Returns {case: {way, ...}} for each case that the layer of that way lets pass when it is done wrong."""
    unchecked = {}
    for way, program in programs.items():
        if way == "base":
            continue
        status, output = program.run([options.binary, "--controls=" + checks])
        answers = re.findall(r"^control (\w+) (\w+)$", output, re.MULTILINE)
        if status != 0 or not answers:
            sys.exit("%s\nThe controls failed (%d)." % (output, status))
        for case, answer in answers:
            if answer == "silent":
                unchecked.setdefault(case, set()).add(way)
    return unchecked


def measure(programs, options):
    """Returns {case: {way: median nanoseconds per command}}."""
    samples = {}
    for turn in range(options.repetitions):
        for way, program in programs.items():
            print("turn %d of %d: %s" % (turn + 1, options.repetitions, way), file=sys.stderr, flush=True)
            for case, nanoseconds in run_once(program, options).items():
                samples.setdefault(case, {}).setdefault(way, []).append(nanoseconds)
    return {
        case: {way: statistics.median(values) for way, values in of_case.items()}
        for case, of_case in samples.items()
    }


def compare(medians, unchecked):
    """Returns [{"case", "base_ns", "assay_added_ns", "khronos_added_ns", "ratio", "unchecked_by"}].

    None stands for what is not known. unchecked is of find_unchecked().
    """
    rows = []
    for case, of_case in medians.items():
        added = {way: of_case[way] - of_case["base"] for way in ("assay", "khronos") if way in of_case}
        both = "assay" in added and added.get("khronos", 0) > 0 and case not in unchecked
        rows.append({
            "case": case,
            "base_ns": of_case["base"],
            "assay_added_ns": added.get("assay"),
            "khronos_added_ns": added.get("khronos"),
            "ratio": added["assay"] / added["khronos"] if both else None,
            "unchecked_by": sorted(unchecked.get(case, [])),
        })
    return rows


def measure_scaling(programs, options):
    """Returns {case: {way: how many times as much two threads record as one}}."""
    times = {}
    for way, program in programs.items():
        status, output = program.run([options.binary, "--scaling"])
        answers = re.findall(r"^scaling (\w+) ([0-9.]+)$", output, re.MULTILINE)
        if status != 0 or not answers:
            sys.exit("%s\nlayer_benchmark --scaling failed (%d)." % (output, status))
        for case, number in answers:
            times.setdefault(case, {})[way] = float(number)
    return times


def format_scaling(times):
    """Returns what measure_scaling() does as text."""
    lines = ["%-24s %8s %8s %8s" % ("two threads record", "no layer", "Assay", "Khronos")]
    for case, of_case in times.items():
        lines.append(("%-24s" % case) + "".join(
            " %8s" % ("%.2f" % of_case[way] if way in of_case else "-") for way in ("base", "assay", "khronos")))
    return "\n".join(lines)


def format_table(rows):
    """Returns the rows as text."""

    def number(value, digits):
        return "-" if value is None else "%.*f" % (digits, value)

    lines = ["%-32s %10s %14s %16s %8s" % ("case", "base ns", "Assay adds ns", "Khronos adds ns", "ratio")]
    for row in rows:
        columns = (row["case"], number(row["base_ns"], 1), number(row["assay_added_ns"], 1),
                   number(row["khronos_added_ns"], 1), number(row["ratio"], 3))
        lines.append("%-32s %10s %14s %16s %8s" % columns)
        lines[-1] += "".join("  not checked by " + way for way in row["unchecked_by"])
    return "\n".join(lines)


def check(rows, cases, max_ratio):
    """Yields a sentence for each of the cases whose ratio is above the bar, or is not known."""
    ratios = {row["case"]: row["ratio"] for row in rows}
    for case in cases:
        if ratios.get(case) is None:
            yield "%s was not measured with both layers, or is not checked by one." % case
        elif ratios[case] > max_ratio:
            yield "%s: the ratio is %.3f, above %.3f." % (case, ratios[case], max_ratio)


def judge(rows, checks):
    """Yields a Verdict for each case with a bar. rows is of compare(), with these checks, a key of ON."""
    by_case = {row["case"]: row for row in rows}
    for case, bars in BARS.items():
        if checks in bars:
            yield Verdict(case, checks, "ratio", bars[checks], by_case.get(case, {}).get("ratio"))
    for case, limit in ADDED_BARS.items():
        yield Verdict(case, checks, "added ns", limit, by_case.get(case, {}).get("assay_added_ns"))


def is_met(verdict):
    """Whether the bar of a Verdict holds."""
    return verdict.value is not None and verdict.value <= verdict.limit


def format_verdicts(verdicts):
    """Returns a line for each Verdict."""

    def number(value):
        return "-" if value is None else "%.3f" % value if value < 1000 else "%.0f" % value

    lines = ["%-32s %-10s %-10s %10s %10s" % ("case", "checks", "unit", "measured", "bar")]
    for verdict in verdicts:
        columns = (verdict.case, verdict.checks, verdict.unit, number(verdict.value), number(verdict.limit))
        lines.append(("%-32s %-10s %-10s %10s %10s" % columns) + ("  pass" if is_met(verdict) else "  FAIL"))
    return "\n".join(lines)


def run_bars(options):
    """Measures what has a bar and prints it. Returns whether all bars are met."""
    options.benchmark_filter = "^(%s)/" % "|".join([*BARS, *ADDED_BARS])
    verdicts = []
    for checks in ON:
        programs = make_programs(options, checks)
        rows = compare(measure(programs, options), find_unchecked(programs, options, checks))
        print("%s\n%s\n" % (checks, format_table(rows)), flush=True)
        verdicts += judge(rows, checks)
    print(format_verdicts(verdicts))
    return all(is_met(verdict) for verdict in verdicts)


def main():
    options = parse_arguments()
    if options.bars:
        return 0 if run_bars(options) else 1
    programs = make_programs(options, options.checks)
    if options.scaling:
        print(format_scaling(measure_scaling(programs, options)))
        return 0
    rows = compare(measure(programs, options), find_unchecked(programs, options, options.checks))
    print(json.dumps(rows, indent=2) if options.json else format_table(rows))
    failures = list(check(rows, options.cases.split(","), options.max_ratio)) if options.check else []
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
