# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Other projects' programs run under the layer, on the software GPU, as they run without it.

The layer reports only real mistakes of theirs. It is either of the two layers, by the name in its manifest. It prints
its settings in each run. So the output shows that the layer was there with its default validators, and where its
messages would be.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from testing import vulkan_program
from testing.loader import x_server

OPTIONS = None
HARD_CODED_NAME = "VK_LAYER_KHRONOS_validation"
VALIDATORS = ("object_lifetime", "stateless_param", "thread_safety", "unique_handles", "validate_core", "validate_sync")

_REUSED_SEMAPHORE = {
    # Before it acquires with a semaphore again, it waits for the fence of the semaphore's last acquire. It does not
    # wait for the submission that waits for the semaphore: that has no fence.
    "VUID-vkAcquireNextImageKHR-semaphore-01779",
    # In every frame, with each of its semaphores.
    "ASSAY-message-limit",
}
_DEPTH = {
    # Every frame uses the one depth image. The only external dependency of the render pass is for color attachments.
    "SYNC-HAZARD-WRITE-AFTER-WRITE",
    # In every frame: the first is reported, the others are counted.
    "ASSAY-folded-messages",
}

# vkmark's scenes, and the ids that the layer may report for them.
VKMARK_SCENES = {
    "vertex": _REUSED_SEMAPHORE | _DEPTH,
    "texture": _REUSED_SEMAPHORE | _DEPTH,
    "shading": _REUSED_SEMAPHORE | _DEPTH,
    "effect2d": _REUSED_SEMAPHORE,
    "desktop": _REUSED_SEMAPHORE,
    "cube": _REUSED_SEMAPHORE,
    "clear": {
        # Its submission waits for the acquired image at VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, but the barrier
        # with the image's layout transition begins at VK_PIPELINE_STAGE_TRANSFER_BIT.
        "SYNC-HAZARD-WRITE-AFTER-READ",
        # In every frame: the first of each image is reported, the others are counted.
        "ASSAY-folded-messages",
    },
}


def layer():
    """The contents of the manifest."""
    return vulkan_program.find_manifest(OPTIONS.layer, "layer")[1]


def is_drop_in():
    return layer()["name"] == HARD_CODED_NAME


def run(*command, enabled=True, settings=None, **variables):
    """(exit status, output) of a program of the packages under the layer, or where the layer can be found.

    settings are further ones, {"validate_sync": "true"} by default: the drop-in has that off.
    """
    program = vulkan_program.VulkanProgram(OPTIONS.run, layer=OPTIONS.layer)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    environment.update(program.variables, **variables)
    if not enabled:
        del environment["VK_INSTANCE_LAYERS"]
    # Where programs keep caches.
    environment["HOME"] = environment["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
    prefix = "khronos_validation." if is_drop_in() else "assay."
    settings = {"print_settings": "true", **({"validate_sync": "true"} if settings is None else settings)}
    with vulkan_program.settings_file({prefix + name: value for name, value in settings.items()}) as path:
        environment["VK_LAYER_SETTINGS_PATH"] = path
        done = subprocess.run([program.launcher, *command], env=environment, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


class ProgramsTest(unittest.TestCase):

    def without_settings(self, output):
        """The output without the settings, which must be in it."""
        for validator in VALIDATORS:
            self.assertRegex(output, r"(?m)^assay\.%s = true  # " % validator)
        return re.sub(r"(?m)^(# Settings of .*|assay\.\w+ = .*)$", "", output)

    def expect_truth(self, status, output, known=frozenset()):
        """The program ends as expected, and the layer reports only the known mistakes."""
        print(output[-4000:])
        self.assertEqual(status, 0, output)
        said = self.without_settings(output)
        ids = set(re.findall(r"(?:VUID|SYNC|ASSAY)-[\w-]+", said))
        self.assertLessEqual(ids, known, output)
        if not ids:
            self.assertNotRegex(said, r"Validation (Error|Warning)")
        # Messages of the loader about a layer that it cannot use, or whose functions it does not know.
        self.assertNotRegex(said, r"(?i)exhausted the unknown|assay.*(fail|error|wrong|invalid)|(fail|error).*assay")

    def test_vulkaninfo(self):
        status, output = run("vulkaninfo", VK_LOADER_DEBUG="error,warn")
        self.expect_truth(status, output)
        self.assertIn("llvmpipe", output)
        names = (layer()["name"], layer()["description"])
        self.assertIn("%s (%s) Vulkan version 1.4.309, layer version 1" % names, output)

    def test_defaults(self):
        """Every validator is on. The drop-in leaves synchronization validation off, as the Khronos layer does."""
        _, output = run("vulkaninfo", "--summary", settings={})
        for validator in VALIDATORS:
            value = "false" if is_drop_in() and validator == "validate_sync" else "true"
            self.assertRegex(output, r"(?m)^assay\.%s = %s  # default$" % (validator, value))

    def test_loader_finds_the_layer_and_calls_it(self):
        _, output = run("vulkaninfo", "--summary", VK_LOADER_DEBUG="layer,error,warn")
        self.assertTrue(re.search(r"Insert instance layer \"?" + layer()["name"], output), output[-4000:])

    def test_vkcube(self):
        with x_server.x_server(OPTIONS.run) as display:
            for options in ([], ["--use_staging"], ["--incremental_present", "--present_mode", "0"]):
                with self.subTest(options=options):
                    self.expect_truth(*run("vkcube", "--c", "60", "--wsi", "xcb", *options, DISPLAY=display,
                                           VK_LOADER_DEBUG="error,warn"))

    def test_vkmark(self):
        for scene, known in VKMARK_SCENES.items():
            with self.subTest(scene=scene):
                arguments = ["--winsys", "headless", "-b", scene + ":duration=0.1"]
                status, output = run("vkmark", *arguments, VK_LOADER_DEBUG="error,warn")
                self.expect_truth(status, output, known)
                self.assertIn("vkmark Score", output)

    def traced(self, *command, **variables):
        """The events of the JSON trace of a program by category, and its page."""
        with tempfile.TemporaryDirectory() as folder:
            status, output = run(*command, VK_ASSAY_SYNCVAL_TRACE_FILE=folder + "/run.json", **variables)
            self.assertEqual(status, 0, output)
            with open(folder + "/run.json", encoding="utf-8") as trace:
                events = json.load(trace)["traceEvents"]
            with open(folder + "/run.html", encoding="utf-8") as page:
                text = page.read()
        by_category = collections.defaultdict(list)
        for event in events:
            by_category[event.get("cat", "")].append(event)
        return by_category, text

    def test_trace_of_vkcube(self):
        with x_server.x_server(OPTIONS.run) as display:
            events, page = self.traced("vkcube", "--c", "60", "--wsi", "xcb", DISPLAY=display)
        self.assertEqual(len(events["frame"]), 60)
        self.assertEqual(len(events["present"]), 60)
        self.assertGreaterEqual(len(events["pass"]), 60)
        self.assertEqual(sum(event["name"] == "vkCmdDraw" for event in events["command"]), 60)
        # Each present waits for its frame.
        self.assertGreaterEqual(len(events["semaphore"]), 2 * 60)
        self.assertIn("vkCmdBeginRenderPass", page)

    def test_trace_of_vkmark(self):
        events, page = self.traced("vkmark", "--winsys", "headless", "-b", "texture:duration=0.1")
        # vkmark knows a time and no number of frames: a busy machine may draw only one.
        frames = len(events["present"])
        self.assertGreaterEqual(frames, 1)
        self.assertEqual(len(events["frame"]), frames)
        self.assertGreaterEqual(sum("Draw" in event["name"] for event in events["command"]), frames)
        self.assertIn("vkQueuePresentKHR", page)

    def test_vkcube_asks_for_the_layer_itself(self):
        """Its option has the hard-coded name of the layer. Its own callback receives its deliberate mistake."""
        if not is_drop_in():
            self.skipTest("under another name")
        command = ["vkcube", "--c", "60", "--wsi", "xcb", "--suppress_popups", "--validate"]
        with x_server.x_server(OPTIONS.run) as display:
            self.expect_truth(*run(*command, DISPLAY=display, enabled=False))
            _, output = run(*command, "--force_errors", DISPLAY=display, enabled=False)
        print(output[-4000:])
        self.assertEqual(re.findall(r"Message Id Name: ([\w-]+)", self.without_settings(output)),
                         ["VUID-VkImageViewCreateInfo-pNext-pNext", "VUID-VkFenceCreateInfo-sType-sType"], output)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
