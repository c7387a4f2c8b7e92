# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Other projects' programs, each run above the layer that hashes frames, and further layers above that one."""

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

# Of both layers that check: all that Assay has, and what the Khronos layer has besides its defaults.
SETTINGS = {
    "assay.object_lifetime": "true",
    "assay.stateless_param": "true",
    "assay.thread_safety": "true",
    "assay.validate_core": "true",
    "assay.validate_sync": "true",
    "assay.gpuav_enable": "true",
    "assay.gpuav_image_layout": "true",
    "assay.printf_enable": "true",
    # Says of each shader that it checks itself.
    "assay.gpuav_debug_print_instrumentation_info": "true",
    "assay.gpuav_debug_validate_instrumented_shaders": "true",
    "assay.report_flags": "error,warn,perf,info",
    # Though a program has a callback.
    "assay.debug_action": "VK_DBG_LAYER_ACTION_LOG_MSG",
    "assay.enable_message_limit": "false",
    "khronos_validation.validate_sync": "true",
    "khronos_validation.report_flags": "error,warn",
    "khronos_validation.debug_action": "VK_DBG_LAYER_ACTION_LOG_MSG",
    "khronos_validation.enable_message_limit": "false",
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

# zink is Mesa's OpenGL on Vulkan.
ZINK_KNOWN = frozenset({
    # It waits for the acquired image at VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT. The barrier with the image's
    # layout transition names no stage that waits for that.
    "SYNC-HAZARD-WRITE-AFTER-READ",
    FOLDED,
})
ZINK_BENCHMARKS = ("build", "texture", "shading:shading=phong", "effect2d", "shadow")

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


def zink(*benchmarks):
    command = ["glmark2-es2", "--size", "300x200"]
    for benchmark in benchmarks:
        command += ["-b", benchmark + ":duration=0.3"]
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
    "zink": Program(zink(*ZINK_BENCHMARKS), ZINK_KNOWN, instrumented=8, frames=30, has_window=True),
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
    # What the program prints, the lines of the frames that it presents, and what the layers say.
    output: str
    frames: list
    messages: str
    khronos_messages: str

    def instrumented(self):
        """How many shaders check themselves."""
        return _ids_in(self.messages).count(INSTRUMENTED)

    def ids(self):
        """What Assay reports, in order."""
        return sorted(set(_ids_in(self.messages)) - {INSTRUMENTED})

    def khronos_ids(self):
        return sorted(set(_ids_in(self.khronos_messages)))


def _ids_in(messages):
    return re.findall(r"(?m)^\w+ \w+: \[ (.+?) \]", messages)


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


def environment_of(program, layers, folder):
    """What the program gets to see. `layers` are the files of each layer, from the program's side."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    found = [vulkan_program.find_manifest(files, "layer") for files in (*layers, OPTIONS.frames)]
    environment["VK_LAYER_PATH"] = ":".join(os.path.dirname(manifest) for manifest, _ in found)
    environment["VK_INSTANCE_LAYERS"] = ":".join(content["name"] for _, content in found)
    environment.update(LAVAPIPE, LD_PRELOAD=os.path.abspath(OPTIONS.clock))
    # Where programs keep caches.
    environment.update(HOME=folder, XDG_CACHE_HOME=folder, XDG_RUNTIME_DIR=folder)
    environment.update(ASSAY_FRAMES_FILE=os.path.join(folder, "frames.txt"),
                       ASSAY_FRAMES_HIDDEN_EXTENSIONS=program.hidden)
    return environment


def run_once(program, environment, folder, display):
    if display:
        environment["DISPLAY"] = display
    frames, log, khronos_log = [os.path.join(folder, name) for name in ("frames.txt", "log.txt", "khronos_log.txt")]
    logs = {"assay.log_filename": log, "khronos_validation.log_filename": khronos_log}
    with vulkan_program.settings_file({**SETTINGS, **logs}) as settings:
        environment["VK_LAYER_SETTINGS_PATH"] = settings
        command = [os.path.abspath(OPTIONS.run), *program.command]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            try:
                output = wait(process, program, frames, display)
            finally:
                process.kill()
    return Run(process.returncode, output, read(frames).splitlines(), read(log), read(khronos_log))


def run(program, *layers):
    """Runs a program to its end, above layers that are given by their files."""
    for _ in range(ATTEMPTS):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            display = stack.enter_context(x_server.x_server(OPTIONS.run)) if program.has_window else None
            result = run_once(program, environment_of(program, layers, folder), folder, display)
        if result.status >= 0:
            break
    return result


def main():
    """Reads the options, and runs the tests of the module that calls this."""
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--clock", required=True)
    parser.add_argument("--frames", nargs="+", required=True)
    parser.add_argument("--layer", nargs="+", required=True)
    parser.add_argument("--khronos", nargs="+", default=[])
    OPTIONS, rest = parser.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + rest))
