# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Other projects' programs draw and print the same, bit by bit, without the layer and with all of its checks.

So instrumented shaders compute what the originals do. The layer reports only real mistakes of the programs.
"""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import typing
import unittest

from testing import vulkan_program
from testing.loader import x_server

OPTIONS = None

SETTINGS = {
    "object_lifetime": "true",
    "stateless_param": "true",
    "thread_safety": "true",
    "validate_core": "true",
    "validate_sync": "true",
    "gpuav_enable": "true",
    "printf_enable": "true",
    # Says of each shader that it checks itself.
    "gpuav_debug_print_instrumentation_info": "true",
    "gpuav_debug_validate_instrumented_shaders": "true",
    "report_flags": "error,warn,perf,info",
    # Though a program has a callback.
    "debug_action": "VK_DBG_LAYER_ACTION_LOG_MSG",
    "enable_message_limit": "false",
}
INSTRUMENTED = "ASSAY-gpuav-instrumented"
# How often each mistake was repeated.
FOLDED = "ASSAY-folded-messages"

# Shaders of lavapipe that are longer compile faster so, and both runs have the same.
LAVAPIPE = {"LP_NATIVE_VECTOR_WIDTH": "128", "GALLIVM_PERF": "nopt"}

# ffmpeg crashes now and then when it ends, with and without the layer.
ATTEMPTS = 4
# Seconds.
PATIENCE = 300


class Program(typing.NamedTuple):
    # A program of the packages, and its arguments.
    command: list
    # The ids that the layer may report.
    known: frozenset = frozenset()
    # How many of its shaders are instrumented at least.
    instrumented: int = 1
    # How many different frames it presents at least.
    frames: int = 0
    # Whether it draws to a window, and goes on until a key is pressed.
    has_window: bool = False
    goes_on: bool = False
    # Extensions that it does not get to see.
    hidden: str = ""
    # Whether two runs may differ, without the layer, too.
    is_racy: bool = False


VKMARK_KNOWN = frozenset({
    # Before it acquires with a semaphore again, it waits for the fence of the semaphore's last acquire. It does not
    # wait for the submission that waits for the semaphore: that has no fence.
    "VUID-vkAcquireNextImageKHR-semaphore-01779",
    # Every frame uses the one depth image. The only external dependency of the render pass is for color attachments.
    "SYNC-HAZARD-WRITE-AFTER-WRITE",
    # The submission of the scene "clear" waits for the acquired image at VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
    # but the barrier with the image's layout transition begins at VK_PIPELINE_STAGE_TRANSFER_BIT.
    "SYNC-HAZARD-WRITE-AFTER-READ",
    FOLDED,
})
VKMARK_BENCHMARKS = (
    "vertex:device-local=true", "vertex:device-local=false", "texture:anisotropy=0", "texture:anisotropy=16",
    "shading:shading=gouraud", "shading:shading=blinn-phong-inf", "shading:shading=phong", "shading:shading=cel",
    "effect2d:kernel=edge", "effect2d:kernel=blur", "desktop", "cube", "clear",
)

VKD3D_KNOWN = frozenset({
    # It clears attachments in a render pass of their own, and loads them in the next. None of its render passes has a
    # dependency.
    "SYNC-HAZARD-READ-AFTER-WRITE",
    # Its presents wait for no semaphore.
    "SYNC-HAZARD-PRESENT-AFTER-WRITE",
    FOLDED,
})

FFMPEG_KNOWN = frozenset({
    # Where there is one queue family, it makes images with VK_SHARING_MODE_EXCLUSIVE. Its barriers name that family as
    # the source, and VK_QUEUE_FAMILY_IGNORED as the destination.
    "VUID-VkImageMemoryBarrier2-image-09118",
    # The second pass of a blur reads what the first wrote, without a barrier between.
    "SYNC-HAZARD-READ-AFTER-WRITE",
    FOLDED,
})
# With these, ffmpeg's filters have shaders and descriptors of kinds that are not instrumented.
SHADER_OBJECTS = "VK_EXT_shader_object,VK_EXT_descriptor_buffer"
OUT_OF_BOUNDS = "UNASSIGNED-Device address out of bounds"
UPLOAD = "format=rgba,hwupload"
DOWNLOAD = "hwdownload,format=rgba"


def vkmark(*benchmarks, duration="0.3"):
    command = ["vkmark", "--winsys", "headless", "--size", "400x300"]
    for benchmark in benchmarks:
        command += ["-b", "%s:duration=%s" % (benchmark, duration)]
    return command


def ffmpeg(filters, known=FFMPEG_KNOWN, **others):
    """Filters a generated film of four frames. Prints a checksum of each frame.

    Of some hundred runs one gives other frames, without a layer, too.
    """
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-init_hw_device", "vulkan=device"]
    command += ["-filter_hw_device", "device", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=4:duration=1"]
    return Program(command + ["-filter_complex", filters, "-f", "framemd5", "-"], known, is_racy=True, **others)


def chain(*filters):
    return ",".join((UPLOAD, *filters, DOWNLOAD))


PROGRAMS = {
    "vkcube": Program(["vkcube", "--c", "60", "--wsi", "xcb"], instrumented=2, frames=60, has_window=True),
    "vkcubepp": Program(["vkcubepp", "--c", "60", "--wsi", "xcb"], instrumented=2, frames=60, has_window=True),
    "vkmark": Program(vkmark(*VKMARK_BENCHMARKS), VKMARK_KNOWN, instrumented=16, frames=100),
    "vkd3d-gears": Program(["vkd3d-gears"], VKD3D_KNOWN, instrumented=15, frames=60, has_window=True, goes_on=True),
    "vkd3d-triangle": Program(["vkd3d-triangle"], VKD3D_KNOWN, instrumented=14, frames=1, has_window=True,
                              goes_on=True),
    "libplacebo": ffmpeg("libplacebo=w=96:h=96:upscaler=ewa_lanczos:deband=true", known=frozenset(), instrumented=11),
    "ffmpeg_one_input": ffmpeg(
        chain("gblur_vulkan", "avgblur_vulkan", "chromaber_vulkan=dist_x=2:dist_y=2", "hflip_vulkan",
              "transpose_vulkan", "scale_vulkan=32:48"),
        instrumented=7, hidden=SHADER_OBJECTS),
    "ffmpeg_two_inputs": ffmpeg(
        "%s,split[a][b];[b]vflip_vulkan[c];[a][c]overlay_vulkan=7:9,%s" % (UPLOAD, DOWNLOAD), instrumented=2,
        hidden=SHADER_OBJECTS),
    "ffmpeg_shader_objects": ffmpeg(chain("gblur_vulkan", "hflip_vulkan"), instrumented=0),
}

# It loads from behind the end of a buffer, by address. Without the layer, it mostly crashes there.
NLMEANS = ffmpeg(chain("nlmeans_vulkan"), FFMPEG_KNOWN | {OUT_OF_BOUNDS}, instrumented=2, hidden=SHADER_OBJECTS)


class Run(typing.NamedTuple):
    status: int
    # What the program prints, the lines of the frames that it presents, and what the layer says.
    output: str
    frames: list
    messages: str

    def ids(self):
        return re.findall(r"(?m)^\w+ \w+: \[ (.+?) \]", self.messages)


def file_of(manifests_and_libraries, ending):
    return next(os.path.abspath(path) for path in manifests_and_libraries if path.endswith(ending))


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as text:
        return text.read()


def wait(process, program, frames_file, display):
    """What the process prints until it ends. After enough frames, a key is pressed."""
    deadline = time.monotonic() + PATIENCE
    while program.goes_on and process.poll() is None and time.monotonic() < deadline:
        if len(read(frames_file).splitlines()) >= program.frames:
            x_server.press_escape(display)
        time.sleep(0.2)
    return process.communicate(timeout=PATIENCE)[0].decode("utf-8", "replace")


def run_once(program, layer, folder, display):
    """Runs a program above the layer that hashes frames, with the files of a layer above that one or none."""
    chosen = vulkan_program.VulkanProgram(OPTIONS.run, layer=layer, below=OPTIONS.frames)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    environment.update(chosen.variables, **LAVAPIPE)
    environment["LD_PRELOAD"] = os.path.abspath(OPTIONS.clock)
    # Where programs keep caches.
    environment.update(HOME=folder, XDG_CACHE_HOME=folder, XDG_RUNTIME_DIR=folder)
    frames_file, log = os.path.join(folder, "frames.txt"), os.path.join(folder, "log.txt")
    environment.update(ASSAY_FRAMES_FILE=frames_file, ASSAY_FRAMES_HIDDEN_EXTENSIONS=program.hidden)
    if display:
        environment["DISPLAY"] = display
    with vulkan_program.settings_file({"assay." + key: value
                                       for key, value in {**SETTINGS, "log_filename": log}.items()}) as settings:
        environment["VK_LAYER_SETTINGS_PATH"] = settings
        with subprocess.Popen([chosen.launcher, *program.command], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as process:
            try:
                output = wait(process, program, frames_file, display)
            finally:
                process.kill()
    return Run(process.returncode, output, read(frames_file).splitlines(), read(log))


def run(program, layer=()):
    for _ in range(ATTEMPTS):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            display = stack.enter_context(x_server.x_server(OPTIONS.run)) if program.has_window else None
            result = run_once(program, layer, folder, display)
        if result.status >= 0:
            break
    return result


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


class FramesTest(unittest.TestCase):

    def expect_truth(self, program, checked):
        """The program ends as expected, its shaders check themselves, and only known mistakes are reported."""
        self.assertEqual(checked.status, 0, checked.output + checked.messages)
        ids = checked.ids()
        self.assertGreaterEqual(ids.count(INSTRUMENTED), program.instrumented, checked.messages)
        self.assertLessEqual(set(ids) - {INSTRUMENTED}, program.known, checked.messages)

    def compare(self, name, program):
        """Runs a program without the layer and with it. Returns what each draws and prints."""
        start = time.monotonic()
        original = run(program)
        middle = time.monotonic()
        checked = run(program, OPTIONS.layer)
        print("%s: %.1f s, %.1f s with checks; %d frames, %d instrumented shaders; %s" %
              (name, middle - start, time.monotonic() - middle, len(checked.frames), checked.ids().count(INSTRUMENTED),
               sorted(set(checked.ids()) - {INSTRUMENTED})))
        self.assertEqual(original.status, 0, original.output)
        self.assertEqual(original.messages, "")
        self.expect_truth(program, checked)
        # One that goes on may present more than that.
        count = program.frames if program.goes_on else None
        hashes = {line.split()[-1] for line in original.frames[:count]}
        self.assertGreaterEqual(len(hashes), program.frames, original.frames)
        if program.frames == 0:
            self.assertEqual(len(re.findall(r"(?m)^0, .* [0-9a-f]{32}$", original.output)), 4, original.output)
        return (original.frames[:count], original.output), (checked.frames[:count], checked.output)

    def test_programs(self):
        for name, program in PROGRAMS.items():
            with self.subTest(program=name):
                for _ in range(ATTEMPTS if program.is_racy else 1):
                    original, checked = self.compare(name, program)
                    if checked == original:
                        break
                self.assertEqual(checked, original)

    def test_ffmpeg_out_of_bounds(self):
        """A real mistake, which crashes lavapipe. The checks keep the program alive and name it."""
        checked = run(NLMEANS, OPTIONS.layer)
        self.expect_truth(NLMEANS, checked)
        self.assertIn(OUT_OF_BOUNDS, checked.ids())
        self.assertRegex(checked.messages, r"A shader accesses 16 bytes at the device address 0x\w+, which is in no "
                         r"buffer; it is 0 bytes behind the end of VkBuffer 0x\w+ of 2359296 bytes")

    def test_hash_is_of_the_texels(self):
        program = Program(["vkmark", "--winsys", "headless", "--size", "16x8", "-b",
                           "clear:color=1.0,0.0,1.0,1.0:duration=0.1"])
        result = run(program)
        self.assertEqual(result.status, 0, result.output)
        self.assertGreaterEqual(len(result.frames), 2)
        expected = "16x8 VK_FORMAT_R8G8B8A8_UNORM %016x" % fnv1a(b"\xff\x00\xff\xff" * 16 * 8)
        self.assertEqual(result.frames, ["frame %d %s" % (i, expected) for i in range(len(result.frames))])


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--clock", required=True)
    PARSER.add_argument("--frames", nargs="+", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
