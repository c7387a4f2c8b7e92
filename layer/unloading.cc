// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A program that destroys its last instance, so that the loader unloads its layers, while a thread lives on that has
// waited for a lock of the layer; then it makes another instance. It makes the same mistake in both.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

namespace {

constexpr const char* kLayer = "VK_LAYER_ASSAY_validation";
constexpr int kCalls = 500;

PFN_vkGetInstanceProcAddr LoadVulkan() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW);
  if (library == nullptr) std::exit(2);
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

const PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = LoadVulkan();
VkInstance instance = VK_NULL_HANDLE;
VkPhysicalDevice physical_device = VK_NULL_HANDLE;
std::string log_path;
sem_t begin, finished, unloaded;

void Check(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}

void CreateInstance() {
  const char* const path = log_path.c_str();
  const char* const action[] = {"VK_DBG_LAYER_ACTION_LOG_MSG", "ASSAY_ACTION_FAIL_CALL"};
  const VkBool32 no = VK_FALSE;
  const VkLayerSettingEXT settings[] = {{kLayer, "log_filename", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &path},
                                        {kLayer, "debug_action", VK_LAYER_SETTING_TYPE_STRING_EXT, 2, action},
                                        {kLayer, "enable_message_limit", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no},
                                        {kLayer, "fold_messages", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &no}};
  const VkLayerSettingsCreateInfoEXT chain = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, nullptr, 4, settings};
  const char* const extension = VK_EXT_LAYER_SETTINGS_EXTENSION_NAME;
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pNext = &chain,
                                     .enabledLayerCount = 1,
                                     .ppEnabledLayerNames = &kLayer,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension};
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(vkGetInstanceProcAddr(nullptr, "vkCreateInstance"));
  Check(create(&info, nullptr, &instance) == VK_SUCCESS, "vkCreateInstance");
  const auto enumerate =
      reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(vkGetInstanceProcAddr(instance, "vkEnumeratePhysicalDevices"));
  uint32_t count = 1;
  Check(enumerate(instance, &count, &physical_device) >= 0 && count == 1, "vkEnumeratePhysicalDevices");
}

void DestroyInstance() {
  reinterpret_cast<PFN_vkDestroyInstance>(vkGetInstanceProcAddr(instance, "vkDestroyInstance"))(instance, nullptr);
  instance = VK_NULL_HANDLE;
}

// The mistake: the pointer to the count is null. The layer reports it and does not pass the call on.
void MakeMistakes(int count) {
  const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
      vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceQueueFamilyProperties"));
  for (int i = 0; i < count; ++i) get(physical_device, nullptr, nullptr);
}

void* Thread(void*) {
  sem_wait(&begin);
  MakeMistakes(kCalls);
  // Ends when the instance is gone. What the layer's locks keep for the thread ends with it.
  sem_post(&finished);
  sem_wait(&unloaded);
  return nullptr;
}

bool IsLayerLoaded() {
  return dl_iterate_phdr([](dl_phdr_info* info, size_t,
                            void*) { return std::strstr(info->dlpi_name, "libVkLayer_assay.so") != nullptr ? 1 : 0; },
                         nullptr) != 0;
}

int CountMessages() {
  std::ifstream log(log_path);
  int count = 0;
  for (std::string line; std::getline(log, line);) count += line.starts_with("Validation Error: [");
  return count;
}

}  // namespace

int main() {
  const char* const folder = std::getenv("TEST_TMPDIR");
  log_path = std::string(folder != nullptr ? folder : "/tmp") + "/assay_unloading." + std::to_string(getpid());
  sem_init(&begin, 0, 0);
  sem_init(&finished, 0, 0);
  sem_init(&unloaded, 0, 0);
  CreateInstance();
  pthread_t thread;
  Check(pthread_create(&thread, nullptr, Thread, nullptr) == 0, "pthread_create");
  sem_post(&begin);
  MakeMistakes(kCalls);
  sem_wait(&finished);
  DestroyInstance();
  std::puts(IsLayerLoaded() ? "layer stays loaded" : "layer was unloaded");
  sem_post(&unloaded);
  Check(pthread_join(thread, nullptr) == 0, "pthread_join");
  std::puts("thread ended");
  CreateInstance();
  MakeMistakes(1);
  DestroyInstance();
  std::printf("%d of %d messages\n", CountMessages(), 2 * kCalls + 1);
  unlink(log_path.c_str());
  std::puts("done");
  return 0;
}
