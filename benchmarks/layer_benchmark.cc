// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Measures the cost that a layer adds to Vulkan commands. It uses the real loader, with the driver and layer of the
// environment variables. Commands of the mock driver do nothing, so with it the times are those of the layer.
// side_by_side.py compares layers.
//
// Times are for a batch; items_per_second counts commands. The program fails if the layer reports anything. With
// --controls=sync, =registry or =default it measures nothing: each case makes a mistake that those checks must find,
// and the program prints whether the layer reports it. With --scaling it prints the speedup of two recording threads.
//
// create_instance_and_device comes first, while there is no other instance, so that the loader loads and unloads driver
// and layer each time.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "benchmark/benchmark.h"
#include "benchmarks/cases.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

namespace assay::benchmarks {
namespace {

constexpr const char* kCreation = "create_instance_and_device";

// Ends the process if there is no device.
void CreateDevice(test::TestDevice& device) {
  device.Create({.api_version = VK_API_VERSION_1_3});
  if (device.device != VK_NULL_HANDLE) return;
  std::fprintf(stderr, "There is no device.\n");
  std::exit(1);
}

// Instance and device with all features of Vulkan 1.3, and the addresses of all commands. Destruction is not measured.
void RunCreation(benchmark::State& state, const test::SystemLoader& loader, test::MessageLog& log) {
  for (auto _ : state) {
    test::TestDevice device(loader, log);
    auto begin = std::chrono::steady_clock::now();
    CreateDevice(device);
    auto end = std::chrono::steady_clock::now();
    device.Destroy();
    state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
  }
  state.SetItemsProcessed(state.iterations());
}

// The library calls this several times, to find the number of repetitions. Device and case are made once.
void RunCase(benchmark::State& state, const CaseInfo& info, test::TestDevice& device, std::unique_ptr<Case>& instance) {
  if (device.device == VK_NULL_HANDLE) CreateDevice(device);
  if (instance == nullptr) instance.reset(info.make(device));
  for (auto _ : state) {
    instance->Prepare();
    auto begin = std::chrono::steady_clock::now();
    instance->Run();
    auto end = std::chrono::steady_clock::now();
    instance->CleanUp();
    state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
  }
  state.SetItemsProcessed(state.iterations() * info.commands);
}

std::vector<CaseInfo> AllCases() {
  std::vector<CaseInfo> all;
  for (const auto& group : {RecordingCases(), ObjectCases(), ShaderCases(), SubmitCases(), CrowdedCases()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

// The texts of the layer's messages since the last call. Messages of the loader are left out.
std::vector<std::string> TakeValidation(test::MessageLog& log) {
  std::vector<std::string> texts;
  for (const test::Message& message : log.Take()) {
    if ((message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0) texts.push_back(message.text);
  }
  return texts;
}

// Prints, for each case with a deliberate mistake, whether the layer reports it.
void RunControls(test::TestDevice& device, test::MessageLog& log, Checks checks) {
  for (const CaseInfo& info : AllCases()) {
    std::unique_ptr<Case> instance(info.make(device));
    instance->Prepare();
    TakeValidation(log);
    if (!instance->MakeError(checks)) continue;
    instance->CleanUp();
    std::printf("control %s %s\n", info.name, TakeValidation(log).empty() ? "silent" : "reported");
  }
}

// Makes the device if a case that needs it is chosen.
void RunBenchmarks(test::TestDevice& device, const test::SystemLoader& loader, test::MessageLog& log) {
  benchmark::RegisterBenchmark(kCreation, [&](benchmark::State& state) {
    RunCreation(state, loader, log);
  })->UseManualTime();
  std::map<std::string, std::unique_ptr<Case>> instances;
  for (const CaseInfo& info : AllCases()) {
    auto run = [info, &device, &instance = instances[info.name]](benchmark::State& state) {
      RunCase(state, info, device, instance);
    };
    benchmark::RegisterBenchmark(info.name, run)->UseManualTime();
  }
  benchmark::RunSpecifiedBenchmarks();
}

// Batches a second of as many threads as there are instances, each with its own.
double BatchesPerSecond(const std::vector<std::unique_ptr<Case>>& instances, size_t threads) {
  constexpr std::chrono::milliseconds kTime(100);
  std::atomic<size_t> ready = 0;
  std::atomic<uint64_t> batches = 0;
  std::vector<std::thread> running;
  running.reserve(threads);
  for (size_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      ++ready;
      while (ready != threads) std::this_thread::yield();
      const auto end = std::chrono::steady_clock::now() + kTime;
      uint64_t count = 0;
      for (; std::chrono::steady_clock::now() < end; ++count) {
        instances[i]->Prepare();
        instances[i]->Run();
        instances[i]->CleanUp();
      }
      batches += count;
    });
  }
  for (std::thread& thread : running) thread.join();
  return static_cast<double>(batches) / std::chrono::duration<double>(kTime).count();
}

// Takes turns, since other programs may take a core away; the best result of each counts.
void RunScaling(test::TestDevice& device) {
  constexpr int kTurns = 5;
  for (const CaseInfo& info : RecordingCases()) {
    std::vector<std::unique_ptr<Case>> instances;
    instances.reserve(2);
    for (int i = 0; i < 2; ++i) instances.emplace_back(info.make(device));
    std::array<double, 2> best = {};
    for (int turn = 0; turn < kTurns; ++turn) {
      for (size_t threads : {1, 2}) {
        double& of_these = best[threads - 1];
        of_these = std::max(of_these, BatchesPerSecond(instances, threads));
      }
    }
    std::printf("scaling %s %.2f\n", info.name, best[1] / best[0]);
    std::fflush(stdout);
  }
}

// Of --controls=...; nothing for another option.
std::optional<Checks> ReadControls(std::string_view option) {
  if (option == "--controls=sync") return Checks::kSynchronization;
  if (option == "--controls=registry") return Checks::kRegistry;
  if (option == "--controls=default") return Checks::kDefault;
  return std::nullopt;
}

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string_view option = argc > 1 ? argv[1] : "";
  const std::optional<Checks> controls = ReadControls(option);
  const bool scaling = option == "--scaling";
  if (!controls && !scaling && benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  test::SystemLoader loader;
  test::MessageLog log;
  test::TestDevice device(loader, log);
  if (controls || scaling) CreateDevice(device);
  if (controls) {
    RunControls(device, log, *controls);
  } else if (scaling) {
    RunScaling(device);
  } else {
    RunBenchmarks(device, loader, log);
  }
  device.Destroy();
  std::vector<std::string> texts = TakeValidation(log);
  for (const std::string& text : texts) std::fprintf(stderr, "%s\n", text.c_str());
  return texts.empty() ? 0 : 1;
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) { return assay::benchmarks::Main(argc, argv); }
