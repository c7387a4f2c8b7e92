// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a layer adds to the cost of Vulkan commands. Goes through the real loader, with the driver and layer that the environment variables say:
// over the mock driver, whose commands do nothing, what is measured is the layer. side_by_side.py compares layers.
//
// The times are those of a batch; items_per_second counts commands. Fails if the layer has anything to say.

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "benchmark/benchmark.h"
#include "benchmarks/cases.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

namespace assay::benchmarks {
namespace {

// The case is made once; the library calls this several times, to find out how often to repeat it.
void RunCase(benchmark::State& state, const CaseInfo& info, test::TestDevice& device, std::unique_ptr<Case>& instance) {
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

// 1 and a word on it if the layer had something to say, which it must not of correct programs.
int CheckSilence(test::MessageLog& log) {
  auto messages = log.Take();
  for (const test::Message& message : messages) std::fprintf(stderr, "%s\n", message.text.c_str());
  return messages.empty() ? 0 : 1;
}

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  test::SystemLoader loader;
  test::MessageLog log;
  test::TestDevice device(loader, log);
  device.Create({.api_version = VK_API_VERSION_1_3});
  if (device.device == VK_NULL_HANDLE) return 1;
  std::map<std::string, std::unique_ptr<Case>> instances;
  for (const auto& cases : {RecordingCases(), ObjectCases(), SubmitCases()}) {
    for (const CaseInfo& info : cases) {
      auto run = [info, &device, &instance = instances[info.name]](benchmark::State& state) {
        RunCase(state, info, device, instance);
      };
      benchmark::RegisterBenchmark(info.name, run)->UseManualTime();
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  device.Destroy();
  return CheckSilence(log);
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) { return assay::benchmarks::Main(argc, argv); }
