// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/word_cache.h"

#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace assay::gpuav {
namespace {

// The configuration as text. What cannot be set is the same for a build.
std::string ToText(const spirv_instrument::InstrumentConfig& config) {
  const spirv_instrument::PassConfigs& passes = config.passes;
  std::string text = absl::StrCat("set ", config.frame.runtime.descriptor_set, " checks ", config.frame.max_checks);
  const auto add = [&text](std::string_view name, bool is_there) {
    if (is_there) absl::StrAppend(&text, " ", name);
  };
  add("descriptor_index", passes.descriptor_index.has_value());
  add("buffer_bounds", passes.buffer_bounds.has_value());
  add("image_coordinate", passes.image_coordinate.has_value());
  add("device_address", passes.device_address.has_value());
  add("ray_query", passes.ray_query.has_value());
  add("vertex_fetch", passes.vertex_fetch.has_value());
  add("debug_printf", passes.debug_printf.has_value());
  if (passes.mesh_output) {
    const auto& limits = passes.mesh_output->task_limits;
    absl::StrAppend(&text, " mesh_output ", limits.x, " ", limits.y, " ", limits.z, " ", limits.total);
  }
  return text;
}

std::string UserFolder() {
  // Not for a program with another user's rights.
  const auto variable = [](const char* name) -> const char* { return secure_getenv(name); };
  return cache::UserCacheFolder("gpuav", variable).value_or("");
}

// Looks for the note among those of an object that holds an address.
struct BuildSearch {
  uintptr_t address;
  std::string build;
};

void ReadNotes(const char* at, size_t size, std::string& build) {
  const auto padded = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, at, sizeof(header));
    const size_t whole = sizeof(header) + padded(header.n_namesz) + padded(header.n_descsz);
    if (whole > size) return;
    const char* const name = at + sizeof(header);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      build = absl::BytesToHexString(std::string_view(name + padded(4), header.n_descsz));
    }
    at += whole;
    size -= whole;
  }
}

int LookAtObject(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<BuildSearch*>(data);
  bool is_it = false;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    is_it |= part.p_type == PT_LOAD && search.address >= begin && search.address - begin < part.p_memsz;
  }
  if (!is_it) return 0;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    ReadNotes(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz, search.build);
  }
  return 1;
}

}  // namespace

std::vector<uint32_t> InstrumentedWords::WithId(uint32_t id) const {
  std::vector<uint32_t> result = words;
  if (shader_id_word != 0) result[shader_id_word] = id;
  return result;
}

std::string BuildOfThisLibrary() {
  BuildSearch search = {.address = reinterpret_cast<uintptr_t>(&LookAtObject), .build = {}};
  dl_iterate_phdr(&LookAtObject, &search);
  return search.build;
}

WordCache::WordCache(const spirv_instrument::InstrumentConfig& config)
    : WordCache(config, UserFolder(), BuildOfThisLibrary()) {}

WordCache::WordCache(const spirv_instrument::InstrumentConfig& config, std::string folder, std::string build)
    : config_(ToText(config)) {
  if (folder.empty() || build.empty()) return;
  files_.emplace(cache::FileCacheOptions{.folder = std::move(folder), .build = std::move(build)});
}

std::string WordCache::KeyOf(absl::Span<const uint32_t> words) const {
  std::string key = config_;
  key.push_back('\0');
  key.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  return key;
}

std::optional<InstrumentedWords> WordCache::Find(absl::Span<const uint32_t> words) {
  if (!files_) return std::nullopt;
  const std::optional<std::string> value = files_->Find(KeyOf(words));
  uint64_t shader_id_word = 0;
  if (!value || value->size() < sizeof(shader_id_word) || value->size() % sizeof(uint32_t) != 0) return std::nullopt;
  std::memcpy(&shader_id_word, value->data(), sizeof(shader_id_word));
  InstrumentedWords result;
  result.words.resize((value->size() - sizeof(shader_id_word)) / sizeof(uint32_t));
  std::memcpy(result.words.data(), value->data() + sizeof(shader_id_word), result.words.size() * sizeof(uint32_t));
  if (!result.words.empty() && shader_id_word >= result.words.size()) return std::nullopt;
  result.shader_id_word = shader_id_word;
  return result;
}

void WordCache::Add(absl::Span<const uint32_t> words, const InstrumentedWords& instrumented) {
  if (!files_) return;
  const uint64_t shader_id_word = instrumented.shader_id_word;
  std::string value(reinterpret_cast<const char*>(&shader_id_word), sizeof(shader_id_word));
  value.append(reinterpret_cast<const char*>(instrumented.words.data()), instrumented.words.size() * sizeof(uint32_t));
  files_->Add(KeyOf(words), value);
}

}  // namespace assay::gpuav
