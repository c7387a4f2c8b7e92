# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of the pinned packages, run under the capturing layer."""

import contextlib
import os
import subprocess
import tempfile

from testing import vulkan_program
from testing.loader import x_server

_VKMARK_SCENES = ("vertex", "texture", "shading", "effect2d", "desktop", "cube", "clear")
_FFMPEG = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-init_hw_device", "vulkan=device", "-filter_hw_device",
           "device", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=1:duration=1"]
_TO_NOTHING = ["-f", "null", "-"]

# {program: [(its command, whether it needs an X server)]}. The programs of vkd3d go on until they are ended.
PROGRAMS = {
    "vkmark": [(["vkmark", "--winsys", "headless", "-b", scene + ":duration=0.1"], False) for scene in _VKMARK_SCENES],
    "vkcube": [(["vkcube", "--c", "3", "--wsi", "xcb"], True)],
    "libplacebo": [(_FFMPEG + ["-vf", "libplacebo=w=96:h=96:upscaler=" + scaler] + _TO_NOTHING, False)
                   for scaler in ("ewa_lanczos", "bilinear", "mitchell")],
    "ffmpeg": [(_FFMPEG + ["-vf", "format=rgba,hwupload," + filters + ",hwdownload,format=rgba"] + _TO_NOTHING, False)
               for filters in ("gblur_vulkan,avgblur_vulkan", "hflip_vulkan,transpose_vulkan,scale_vulkan=32:32")],
    "vkd3d": [(["vkd3d-gears"], True), (["vkd3d-triangle"], True)],
}

# After that many seconds, a program that goes on has handed over all of its modules.
_PATIENCE = 20

# A program may crash, with or without the layer, as ffmpeg does now and then when it ends.
_ATTEMPTS = 4


def run_under_layer(launcher, layer, folder, command, display=None):
    """Runs a command. Its modules come into the folder. Returns (exit status, output); an ended one has no status.

    Args:
      launcher: @vulkan_runtime's run.sh.
      layer: the files of the layer.
      folder: an existing folder.
      command: a program of the packages by its name, or one of ours by its path, and its arguments.
      display: the X server to use.
    """
    program = vulkan_program.VulkanProgram(launcher, layer=layer)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    environment.update(program.variables, ASSAY_CAPTURE_FOLDER=folder)
    # Where programs keep caches: those would keep shaders from being compiled.
    home = tempfile.mkdtemp()
    environment.update(HOME=home, XDG_CACHE_HOME=home, XDG_RUNTIME_DIR=home)
    if display:
        environment["DISPLAY"] = display
    with subprocess.Popen([program.launcher, *command], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        try:
            output = process.communicate(timeout=_PATIENCE)[0]
            return process.returncode, output.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            process.kill()
            return None, process.communicate()[0].decode("utf-8", "replace")


def capture(launcher, layer, name, folder):
    """Runs a program of PROGRAMS with all of its commands. Returns the names of the modules in the folder."""
    for command, needs_display in PROGRAMS[name]:
        with x_server.x_server(launcher) if needs_display else contextlib.nullcontext() as display:
            for _ in range(_ATTEMPTS):
                status, output = run_under_layer(launcher, layer, folder, command, display)
                if status is None or status >= 0:
                    break
        if status not in (0, None):
            raise RuntimeError("%s returned %d:\n%s" % (command[0], status, output))
    return sorted(file for file in os.listdir(folder) if file.endswith(".spv"))
