# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs with the Vulkan loader, a chosen driver and a chosen layer."""

import contextlib
import json
import os
import subprocess
import tempfile


def find_manifest(paths, kind):
    """Returns (path, content) of the file among `paths` that is a manifest of that kind, "ICD" or "layer"."""
    for path in paths:
        if not path.endswith(".json"):
            continue
        with open(path, encoding="utf-8") as text:
            content = json.load(text)
        if kind in content:
            return os.path.abspath(path), content[kind]
    raise ValueError("none of %s is a manifest with \"%s\"" % (", ".join(paths) or "no files", kind))


@contextlib.contextmanager
def settings_file(settings):
    """A layer settings file, while the context lasts. `settings` is, for example, {"assay.validate_sync": "true"}."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "vk_layer_settings.txt")
        with open(path, "w", encoding="utf-8") as text:
            text.writelines("%s = %s\n" % item for item in sorted(settings.items()))
        yield path


def leaks_file(folder):
    """Writes a file of what AddressSanitizer does not count as leaks. Returns its path.

    That is the memory of the dynamic linker, and of lavapipe, which keeps some of each device. Objects of Vulkan that
    are not destroyed are seen by the layer below: see //testing/gpu:stacked_gpuav_test.
    """
    path = os.path.join(folder, "leaks.txt")
    with open(path, "w", encoding="utf-8") as text:
        text.write("leak:ld-linux\nleak:libvulkan_lvp\n")
    return path


class VulkanProgram:
    """Runs programs in one way.

    Args:
      launcher: @vulkan_runtime's run.sh.
      driver: files, one of them a driver's manifest. None for the default driver.
      layer: files, one of them a layer's manifest. None for no layer.
      settings: the layer's settings, by full name.
      below: files, one of them the manifest of a layer between that one and the driver.
    """

    def __init__(self, launcher, driver=(), layer=(), settings=None, below=()):
        self.launcher = os.path.abspath(launcher)
        self.settings = settings or {}
        self.variables = {}
        if driver:
            self.variables["VK_DRIVER_FILES"] = find_manifest(driver, "ICD")[0]
        layers = [find_manifest(files, "layer") for files in (layer, below) if files]
        if layers:
            self.variables["VK_LAYER_PATH"] = ":".join(os.path.dirname(manifest) for manifest, _ in layers)
            self.variables["VK_INSTANCE_LAYERS"] = ":".join(content["name"] for _, content in layers)

    def run(self, command):
        """Runs a command to its end. Returns (exit status, output including standard error)."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_ASSAY_")}
        for name in ("VK_INSTANCE_LAYERS", "VK_LAYER_PATH", "VK_LOADER_LAYERS_ENABLE", "VK_LAYER_SETTINGS_PATH"):
            environment.pop(name, None)
        environment.update(self.variables)
        with settings_file(self.settings) as path:
            environment["VK_LAYER_SETTINGS_PATH"] = path
            environment["LSAN_OPTIONS"] = "suppressions=" + leaks_file(os.path.dirname(path))
            whole = [self.launcher, os.path.abspath(command[0]), *command[1:]]
            done = subprocess.run(whole, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode("utf-8", "replace")
