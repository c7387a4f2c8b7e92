# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Every external repository of the build. README.md says what each one is and how to move it to another version."""

load("//third_party/chromium:chromium.bzl", "chromium")
load("//third_party/clang_tools:clang_tools.bzl", "clang_tools")
load("//third_party/debian:debian.bzl", "debian_packages", "debian_source_archive")
load("//third_party/vulkan_runtime:runtime.bzl", "vulkan_runtime")

def third_party_repositories():
    """Declares all external repositories."""
    _bazel_repositories()
    _libraries()
    _vulkan_repositories()
    _tools()

def _bazel_repositories():
    """What Bazel itself would otherwise download."""
    for name in ["remote_coverage_tools", "rules_cc", "rules_java", "zlib"]:
        native.local_repository(
            name = name,
            path = "third_party/stand_ins/" + name,
        )
    debian_packages(
        name = "bazel_skylib",
        packages = {"bazel-skylib": "b7662103ceb16fedb2e348c0d6f18045eba656e3fe1e462ebcfd25efd2548db0"},
        strip_prefix = "usr/share/bazel/tools/skylib",
    )
    debian_packages(
        name = "platforms",
        packages = {"bazel-platforms": "55424b0d6a8b5868b87445a820f2a4cb30b54d43824bab23fb8a96f5cc95da7f"},
        strip_prefix = "usr/share/bazel/tools/platforms",
    )

def _libraries():
    debian_source_archive(
        name = "com_google_absl",
        package = "abseil",
        sha256 = "df6d1f5ef540725f3851201176a60486aab332410788465c9877910bb471c34a",
    )
    debian_source_archive(
        name = "com_google_googletest",
        build_file = "//third_party/googletest:googletest.BUILD.bazel",
        package = "googletest",
        sha256 = "2f54382b5d13d6cd0be2afc524f1e510d37f8ba78c2d439c5bea64ef37e30d01",
    )
    debian_source_archive(
        name = "com_github_google_benchmark",
        build_file = "//third_party/benchmark:benchmark.BUILD.bazel",
        package = "benchmark",
        sha256 = "32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981",
    )
    debian_source_archive(
        name = "spirv_headers",
        package = "spirv-headers",
        sha256 = "64ea06bf123c5c063a6be01dd45adec6a30cc0862000781ca18f9104693b722c",
    )
    debian_source_archive(
        name = "spirv_tools",
        package = "spirv-tools",
        patches = ["//third_party/spirv_tools:validation_cost.patch"],
        sha256 = "6895160d5a842552eda6412440747cbadddd47005957bc43bb03926162686777",
    )
    debian_source_archive(
        name = "glslang",
        build_file = "//third_party/glslang:glslang.BUILD.bazel",
        package = "glslang",
        sha256 = "180f17ea51e6b71bf57b9e0fea78ba3ecd76e3ec8e4c91f0771b922eb22bf4b2",
    )
    debian_packages(
        name = "nlohmann_json",
        build_file = "//third_party/nlohmann_json:nlohmann_json.BUILD.bazel",
        packages = {"nlohmann-json3-dev": "741a6a32f61a14eaf9560ba1814b27da8e78fa3b9bed9e8867ab46316ddf3793"},
    )

def _vulkan_repositories():
    debian_packages(
        name = "vulkan_headers",
        build_file = "//third_party/vulkan_headers:vulkan_headers.BUILD.bazel",
        packages = {"libvulkan-dev": "8d329d465e16168afff58b1bd0dd6db46aac2cc3f56054a481b25a04e90b345a"},
    )
    debian_packages(
        name = "platform_headers",
        build_file = "//third_party/platform_headers:platform_headers.BUILD.bazel",
        files = {
            "types/" + header: "//third_party/platform_headers:types/" + header
            for header in [
                "X11/Xlib.h",
                "X11/extensions/Xrandr.h",
                "xcb/xcb.h",
            ]
        },
        packages = {
            name: ""
            for name in [
                "libx11-dev",
                "libxcb1-dev",
                "libxrandr-dev",
                "libxrender-dev",
                "x11proto-dev",
            ]
        },
    )
    vulkan_runtime(
        name = "vulkan_runtime",
        packages = [
            "ffmpeg",
            "glmark2-es2-x11",
            "libegl-mesa0",
            "libgl1-mesa-dri",
            "libvulkan1",
            "mesa-vulkan-drivers",
            "vkd3d-demos",
            "vkmark",
            "vulkan-tools",
            "x11-xkb-utils",
            "xkb-data",
            "xvfb",
        ],
    )
    debian_packages(
        name = "khronos_validation_layer",
        build_file = "//third_party/khronos_validation_layer:khronos_validation_layer.BUILD.bazel",
        packages = {"vulkan-validationlayers": ""},
    )
    debian_packages(
        name = "libegl",
        build_file = "//third_party/libegl:libegl.BUILD.bazel",
        packages = {"libegl1": ""},
    )
    chromium(
        name = "chromium",
        packages = ["chromium"],
    )

def _tools():
    """What checks the sources. Pinned is what decides the outcome."""
    clang_tools(
        name = "clang_tools",
        packages = {
            "clang-format-19": "25c849491d8cddc1d65e6f5f67d188a4406c5cdb8c78c490bef08c9477a4e150",
            "clang-tidy-19": "3cec90f1f995f6967832dfdf9725b12411502de0d7c89901376f6486db7fdd25",
            "libclang-common-19-dev": "4018e40e2d4144fe38c45822e68cca63c1bf6c7872c3073ebb262ad4b2f9b8bc",
            "libclang-cpp19": "a7d2b6df51050834f6ea5c0d5e34869c2298b0bcdaa91eff17ba3db2cd545c47",
            "libllvm19": "db0d614d61345ca710fb73e75105f1ec6e38898fa7b3aa99fa7eb7d8b0a11d57",
            "libstdc++-14-dev": "4b962fac5f1af0bd8b1b3f97e0f47b9d8e9a79e88802143f00ebfbd78ad87a7b",
        },
    )
