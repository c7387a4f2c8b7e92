# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs glslang over many shaders at once."""

import concurrent.futures
import dataclasses
import os
import subprocess


@dataclasses.dataclass
class Job:
    """A shader to compile, with paths that are relative to the folder that glslang runs in."""
    source: str
    output: str
    options: list


@dataclasses.dataclass
class Result:
    """What became of a job. The message is empty if it succeeded."""
    job: Job
    message: str


def _environment():
    # A compiler that was built with a sanitizer frees nothing at its end.
    return {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}


def _compile(compiler, folder, job):
    command = [compiler, "-V", *job.options, "-o", job.output, job.source]
    try:
        done = subprocess.run(command, cwd=folder, env=_environment(), check=False, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return Result(job, "glslang did not end")
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        return Result(job, text or "glslang returned %d" % done.returncode)
    if not os.path.exists(os.path.join(folder, job.output)):
        return Result(job, text or "glslang wrote no module")
    return Result(job, "")


def compile_all(compiler, folder, jobs):
    """Runs all jobs in a folder, in parallel. Returns their results, in the same order."""
    compiler = os.path.abspath(compiler)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda job: _compile(compiler, folder, job), jobs))
