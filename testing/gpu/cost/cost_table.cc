// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// cost_table [--turns=N] [OPTION of cost]... FOLDER COMMAND...: runs `cost`, which COMMAND starts, without a layer,
// with Assay and with the Khronos layer, in turns, and prints a table of medians. FOLDER is for caches and settings.
// Fails if a run fails, if a layer reports something, or if one does not see what it must.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/gpu/cost/median.h"
#include "testing/gpu/cost/variants.h"

namespace assay::test {
namespace {

struct Options {
  int turns = 3;
  // Of cost.
  std::vector<std::string> options;
  std::string folder;
  std::vector<std::string> command;
};

// What the values of all turns are, by name and then by variant.
struct Results {
  std::vector<std::string> names;
  std::map<std::string, std::string> units;
  std::map<std::string, std::map<std::string, std::vector<double>>> values;
};

// How much Assay may cost: so many times as much as nothing, or so much more, in the row's unit.
struct Bar {
  const char* name;
  double times;
  double more;
};
// A machine's clock may have another speed in each process, and a compiler runs for long.
constexpr int kCreationRounds = 3;

constexpr Bar kBars[] = {
    {"axpy", 1.5, 0},        {"rounds", 1.5, 0},           {"gather", 3, 0},
    {"chase", 1.25, 0},      {"bindless_fragments", 2, 0}, {"record_dispatch", 1, 500},
    {"record_draw", 1, 500}, {"create_cold", 1.5, 0},      {"create_warm", 1, 0.2},
};

class Table {
 public:
  explicit Table(Options options) : options_(std::move(options)) {}

  // False if something is wrong.
  bool Run() {
    for (int turn = 0; turn < options_.turns; ++turn) {
      for (int round = 0; round < kCreationRounds; ++round) {
        for (const Variant& variant : AllVariants()) RunCreation(variant);
      }
      for (const Variant& variant : AllVariants()) RunVariant(variant, turn);
    }
    return is_good_;
  }

  void Print() const {
    std::printf("%s\n\n", device_.c_str());
    std::printf("| | unit | none | Assay | Khronos | Assay : none | Khronos : none | |\n");
    std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const std::string& name : results_.names) {
      const double none = Of(name, "none");
      const double assay = Of(name, "Assay");
      const double khronos = Of(name, "Khronos");
      std::printf("| %s | %s | %.4g | %.4g | %.4g | %.2f | %.2f | %s |\n", name.c_str(),
                  results_.units.at(name).c_str(), none, assay, khronos, none > 0 ? assay / none : 0,
                  none > 0 ? khronos / none : 0, BarText(name, none, assay).c_str());
    }
  }

 private:
  std::string EmptyFolder(const Variant& variant) const {
    std::string folder = options_.folder + "/" + variant.name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
  }

  // Creation is in processes of its own: with all caches empty, then full, then with that of the layer alone.
  void RunCreation(const Variant& variant) {
    const std::string folder = EmptyFolder(variant);
    const auto with_cache = EnvironmentOf(variant, folder, true);
    RunCost(variant, {"creation=_cold"}, with_cache);
    RunCost(variant, {"creation=_warm"}, with_cache);
    RunCost(variant, {"creation=_driver_cold"}, EnvironmentOf(variant, folder, false));
  }

  void RunVariant(const Variant& variant, int turn) {
    const auto without_cache = EnvironmentOf(variant, EmptyFolder(variant), false);
    RunCost(variant, {"kernels", "fragments", "recording"}, without_cache);
    if (variant.layer.empty() || turn != 0) return;
    const Outcome control = RunCost(variant, {"control"}, without_cache);
    if (control.output.find("control 1") != std::string::npos) return;
    std::printf("%s does not see a store past the range of a descriptor.\n", variant.name.c_str());
    is_good_ = false;
  }

  Outcome RunCost(const Variant& variant, const std::vector<std::string>& parts,
                  const std::map<std::string, std::string>& environment) {
    std::vector<std::string> command = options_.command;
    command.insert(command.end(), options_.options.begin(), options_.options.end());
    command.insert(command.end(), parts.begin(), parts.end());
    const Outcome outcome = RunProgram(command, environment);
    if (!outcome.is_success) {
      is_good_ = false;
      std::printf("%s failed with %s.\n", parts[0].c_str(), variant.name.c_str());
    }
    Add(variant, outcome.output);
    std::fflush(stdout);
    return outcome;
  }

  void Add(const Variant& variant, const std::string& output) {
    std::istringstream lines(output);
    std::string line;
    while (std::getline(lines, line)) {
      if (line.starts_with("device: ")) device_ = line;
      std::istringstream words(line);
      std::string name;
      double value = 0;
      std::string unit;
      if (!(words >> name >> value >> unit)) continue;
      std::printf("%s %s\n", variant.name.c_str(), line.c_str());
      if (name == "control") continue;
      if (results_.units.emplace(name, unit).second) results_.names.push_back(name);
      results_.values[name][variant.name].push_back(value);
    }
  }

  double Of(const std::string& name, const std::string& variant) const {
    const auto& values = results_.values.at(name);
    const auto found = values.find(variant);
    return found == values.end() ? 0 : Median(found->second);
  }

  std::string BarText(const std::string& name, double none, double assay) const {
    for (const Bar& bar : kBars) {
      if (bar.name != name) continue;
      char text[64];
      const double limit = none * bar.times + bar.more;
      std::snprintf(text, sizeof(text), "%s %.4g", assay <= limit ? "at most" : "MISSED:", limit);
      return text;
    }
    return "";
  }

  const Options options_;
  Results results_;
  std::string device_;
  bool is_good_ = true;
};

int Main(const std::vector<std::string>& arguments) {
  Options options;
  size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("--"); ++i) {
    constexpr std::string_view kTurns = "--turns=";
    if (arguments[i].starts_with(kTurns)) {
      options.turns = std::atoi(&arguments[i][kTurns.size()]);
    } else {
      options.options.push_back(arguments[i]);
    }
  }
  if (i + 2 > arguments.size()) {
    std::fprintf(stderr, "usage: cost_table [--turns=N] [OPTION]... FOLDER COMMAND...\n");
    return 2;
  }
  options.folder = arguments[i];
  options.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
  Table table(std::move(options));
  const bool is_good = table.Run();
  table.Print();
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace assay::test

int main(int argc, char** argv) { return assay::test::Main({argv + 1, argv + argc}); }
