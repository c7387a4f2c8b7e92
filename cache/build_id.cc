// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "cache/checksum.h"

namespace assay::cache {
namespace {

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

std::string BuildOfThisLibrary() {
  BuildSearch search = {.address = reinterpret_cast<uintptr_t>(&LookAtObject), .build = {}};
  dl_iterate_phdr(&LookAtObject, &search);
  return search.build;
}

Uuid UuidOf(std::string_view build) {
  Checksum sum;
  sum.Add(build);
  if (build.empty()) {
    std::random_device random;
    for (int i = 0; i < 4; ++i) {
      const uint32_t part = random();
      sum.Add(std::string_view(reinterpret_cast<const char*>(&part), sizeof(part)));
    }
  }
  const uint64_t halves[] = {sum.low(), sum.high()};
  Uuid uuid;
  static_assert(sizeof(halves) == sizeof(uuid));
  std::memcpy(uuid.data(), halves, sizeof(halves));
  return uuid;
}

const Uuid& UuidOfThisLibrary() {
  static const Uuid uuid = UuidOf(BuildOfThisLibrary());
  return uuid;
}

}  // namespace assay::cache
