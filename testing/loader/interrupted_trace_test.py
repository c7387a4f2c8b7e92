# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The trace of a program that is killed: its log is there, and becomes the files that the layer would have written."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from testing import vulkan_program

OPTIONS = None


def submit_and_end(folder, number):
    """Runs the program, which ends by that signal; returns its exit status and output."""
    settings = {"assay.syncval_trace_file": os.path.join(folder, "run.json"), "assay.validate_sync": "true"}
    program = vulkan_program.VulkanProgram(OPTIONS.run, OPTIONS.driver, OPTIONS.layer, settings)
    # AddressSanitizer, where it is built in, leaves the signal to the program.
    program.variables["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_abort=0"
    return program.run([OPTIONS.binary, str(int(number))])


def render(*paths):
    """Makes the files of a log, and returns the exit status and the output."""
    done = subprocess.run([OPTIONS.render, *paths], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


class InterruptedTraceTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def files(self, extension):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(extension))

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def expect_submissions(self, json_name, page_name):
        events = json.loads(self.read(json_name))["traceEvents"]
        categories = [event.get("cat") for event in events]
        self.assertEqual(categories.count("submission"), 3)
        self.assertEqual([event["name"] for event in events if event.get("cat") == "command"], ["vkCmdCopyBuffer"] * 3)
        self.assertEqual({event["name"] for event in events if event.get("cat") == "label"}, {"the copy"})
        page = self.read(page_name)
        self.assertIn("vkCmdCopyBuffer", page)
        self.assertIn("the copy", page)
        self.assertTrue(page.rstrip().endswith("</html>"))

    def test_killed_by_a_signal(self):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(signal=number.name):
                status, output = submit_and_end(self.folder, number)
                self.assertIn(status, (-number, 128 + number), output)
                self.assertEqual(self.files(".json"), [])
                self.assertEqual(self.files(".html"), [])
                log, = self.files(".log")
                self.assertRegex(log, r"^run\.\d+\.log$")
                status, output = render(self.path(log))
                self.assertEqual(status, 0, output)
                stem = log[:-len(".log")]
                self.assertEqual(output.split(), [self.path(stem + ".json"), self.path(stem + ".html")])
                self.expect_submissions(stem + ".json", stem + ".html")
                for name in (log, stem + ".json", stem + ".html"):
                    os.remove(self.path(name))

    def test_clean_end(self):
        status, output = submit_and_end(self.folder, 0)
        self.assertEqual(status, 0, output)
        self.assertEqual(sorted(os.listdir(self.folder)), ["run.html", "run.json"])
        self.expect_submissions("run.json", "run.html")

    def test_several_processes(self):
        """Each has a log of its own, and none is lost when a program is run again."""
        submit_and_end(self.folder, signal.SIGKILL)
        submit_and_end(self.folder, signal.SIGKILL)
        submit_and_end(self.folder, 0)
        logs = self.files(".log")
        self.assertEqual(len(logs), 2)
        for log in logs:
            self.assertEqual(render(self.path(log), self.path("of_log.json"))[0], 0)
            self.expect_submissions("of_log.json", "of_log.html")
        self.expect_submissions("run.json", "run.html")

    def test_cut_log(self):
        """Its whole records are shown."""
        submit_and_end(self.folder, signal.SIGKILL)
        log = self.path(self.files(".log")[0])
        os.truncate(log, os.path.getsize(log) - 1)
        status, output = render(log, self.path("run.json"))
        self.assertEqual(status, 0, output)
        self.assertIn("The last record is not whole", output)
        events = json.loads(self.read("run.json"))["traceEvents"]
        self.assertEqual(sum(event.get("cat") == "submission" for event in events), 2)

    def test_no_log(self):
        status, output = render(__file__, self.path("run.json"))
        self.assertEqual(status, 1)
        self.assertIn("This is no log of a trace.", output)
        self.assertEqual(os.listdir(self.folder), [])
        status, output = render(self.path("none.log"))
        self.assertEqual(status, 1)
        self.assertIn("none.log", output)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--binary", required=True)
    PARSER.add_argument("--render", required=True)
    PARSER.add_argument("--driver", nargs="+", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
