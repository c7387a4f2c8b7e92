// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a layer adds to the cost of Vulkan commands. Goes through the real loader, with the driver and layer that the
// environment variables say: over the mock driver, whose commands do nothing, what is measured is the layer.
// side_by_side.py compares layers.
//
// The times are those of a batch; items_per_second counts commands. Fails if the layer has anything to say. With
// --controls=sync or --controls=registry nothing is measured: each case is done wrong in what those checks are about, and
// whether the layer reports it is printed.

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

std::vector<CaseInfo> AllCases() {
  std::vector<CaseInfo> all;
  for (const auto& group : {RecordingCases(), ObjectCases(), SubmitCases()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

// The texts of what the layer said since the last call. The loader may say something too.
std::vector<std::string> TakeValidation(test::MessageLog& log) {
  std::vector<std::string> texts;
  for (const test::Message& message : log.Take()) {
    if ((message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0) texts.push_back(message.text);
  }
  return texts;
}

// Prints, for each case that can be broken, whether the layer reports it.
void RunControls(test::TestDevice& device, test::MessageLog& log, Checks checks) {
  for (const CaseInfo& info : AllCases()) {
    std::unique_ptr<Case> instance(info.make(device));
    instance->Prepare();
    TakeValidation(log);
    if (!instance->Break(checks)) continue;
    instance->CleanUp();
    std::printf("control %s %s\n", info.name, TakeValidation(log).empty() ? "silent" : "reported");
  }
}

void RunBenchmarks(test::TestDevice& device) {
  std::map<std::string, std::unique_ptr<Case>> instances;
  for (const CaseInfo& info : AllCases()) {
    auto run = [info, &device, &instance = instances[info.name]](benchmark::State& state) {
      RunCase(state, info, device, instance);
    };
    benchmark::RegisterBenchmark(info.name, run)->UseManualTime();
  }
  benchmark::RunSpecifiedBenchmarks();
}

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string_view option = argc > 1 ? argv[1] : "";
  const bool controls = option == "--controls=sync" || option == "--controls=registry";
  const Checks checks = option == "--controls=sync" ? Checks::kSynchronization : Checks::kRegistry;
  if (!controls && benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  test::SystemLoader loader;
  test::MessageLog log;
  test::TestDevice device(loader, log);
  device.Create({.api_version = VK_API_VERSION_1_3});
  if (device.device == VK_NULL_HANDLE) return 1;
  controls ? RunControls(device, log, checks) : RunBenchmarks(device);
  device.Destroy();
  std::vector<std::string> texts = TakeValidation(log);
  for (const std::string& text : texts) std::fprintf(stderr, "%s\n", text.c_str());
  return texts.empty() ? 0 : 1;
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) { return assay::benchmarks::Main(argc, argv); }
