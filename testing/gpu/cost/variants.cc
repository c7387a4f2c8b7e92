// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/gpu/cost/variants.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

namespace assay::test {

std::vector<Variant> AllVariants() {
  std::vector<Variant> variants = {{.name = "none"},
                                   {.name = "Assay", .layer = "VK_LAYER_ASSAY_validation"},
                                   {.name = "Khronos", .layer = "VK_LAYER_KHRONOS_validation"}};
  for (Variant& variant : variants) {
    if (variant.layer.empty()) continue;
    const std::string prefix = variant.name == "Assay" ? "assay." : "khronos_validation.";
    for (const char* off : {"object_lifetime", "stateless_param", "thread_safety", "validate_core", "validate_sync"}) {
      variant.settings[prefix + off] = "false";
    }
    variant.settings[prefix + "gpuav_enable"] = "true";
    variant.settings[prefix + "enable_message_limit"] = "true";
  }
  // What buffers hold for commands: Assay does not look.
  for (const char* off : {"gpuav_buffers_validation", "gpuav_buffer_copies", "gpuav_image_layout",
                          "gpuav_index_buffers", "gpuav_indirect_dispatches_buffers", "gpuav_indirect_draws_buffers",
                          "gpuav_indirect_trace_rays_buffers", "check_image_layout", "check_query", "check_shaders"}) {
    variants[2].settings[std::string("khronos_validation.") + off] = "false";
  }
  return variants;
}

Outcome RunProgram(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) return {};
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  Outcome outcome;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    outcome.output.append(buffer.data(), static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.is_success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

std::map<std::string, std::string> EnvironmentOf(const Variant& variant, const std::string& folder,
                                                 bool has_driver_cache) {
  const std::string path = folder + "/vk_layer_settings.txt";
  std::ofstream file(path);
  for (const auto& [name, value] : variant.settings) file << name << " = " << value << "\n";
  return {{"VK_INSTANCE_LAYERS", variant.layer},
          {"VK_LAYER_SETTINGS_PATH", path},
          {"HOME", folder},
          {"TMPDIR", folder},
          {"XDG_CACHE_HOME", folder},
          {"__GL_SHADER_DISK_CACHE", has_driver_cache ? "1" : "0"},
          {"__GL_SHADER_DISK_CACHE_PATH", folder},
          {"MESA_SHADER_CACHE_DISABLE", has_driver_cache ? "false" : "true"},
          {"MESA_SHADER_CACHE_DIR", folder}};
}

}  // namespace assay::test
