// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How memory is allocated, imported and exported.

#include <bit>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/memory/memory_requirements.h"
#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::FeatureId;
using vk::Vuid;

constexpr VkExternalMemoryHandleTypeFlags kNamedWin32 =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_TEXTURE_BIT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT;

// One VkMemoryAllocateInfo.
class AllocationCheck {
 public:
  AllocationCheck(const dispatch::Device& device, const NotedMemory& noted, const VkMemoryAllocateInfo& info,
                  const Location& where, Report& report)
      : device_(device), noted_(noted), info_(info), facts_(info), where_(where), report_(report) {}

  void Run() {
    CheckType();
    CheckSize();
    CheckImport();
    CheckHostPointer();
    CheckWin32();
    CheckFlags();
    CheckDedicated();
  }

 private:
  template <class T>
  const T* Find() const {
    return vk::FindInChain<T>(info_.pNext);
  }
  void Require(bool holds, vk::VuidIndex id, std::string_view member, const auto&... text) {
    if (!holds) report_.Error(id, {}, where_.Dot(member), absl::StrCat(text...));
  }
  // In the chain.
  void RequireNext(bool holds, vk::VuidIndex id, const Location& where, const auto&... text) {
    if (!holds) report_.Error(id, {}, where, absl::StrCat(text...));
  }

  void CheckType() {
    const VkPhysicalDeviceMemoryProperties& all = device_.physical_device->memory_properties;
    const uint32_t type = info_.memoryTypeIndex;
    Require(type < all.memoryTypeCount, Vuid("VUID-vkAllocateMemory-pAllocateInfo-01714"), "memoryTypeIndex", "(", type,
            ") is not less than memoryTypeCount (", all.memoryTypeCount, ").");
    if (type >= all.memoryTypeCount) return;
    const auto [properties, heap] = all.memoryTypes[type];
    Require(info_.allocationSize <= all.memoryHeaps[heap].size, Vuid("VUID-vkAllocateMemory-pAllocateInfo-01713"),
            "allocationSize", "(", info_.allocationSize, ") is larger than heap ", heap, " (",
            all.memoryHeaps[heap].size, "), which has memory of type ", type, ".");
    const auto needs = [&](FeatureId feature, VkMemoryPropertyFlagBits property, vk::VuidIndex id) {
      Require((properties & property) == 0 || device_.HasFeature(feature), id, "memoryTypeIndex", "(", type, ") has ",
              vk::ToString(property), ", but ", vk::FeatureName(feature), " is not enabled.");
    };
    needs(FeatureId::kProtectedMemory, VK_MEMORY_PROPERTY_PROTECTED_BIT,
          Vuid("VUID-VkMemoryAllocateInfo-memoryTypeIndex-01872"));
    needs(FeatureId::kDeviceCoherentMemory, VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD,
          Vuid("VUID-vkAllocateMemory-deviceCoherentMemory-02790"));
  }

  // Some imports and exports have the size of what they import or are dedicated to.
  void CheckSize() {
    const bool has_size = info_.allocationSize != 0;
    const bool is_exported = facts_.exported != 0 || facts_.exported_nv != 0;
    const bool is_hardware_buffer = facts_.has_exported(kHardwareBuffer) && facts_.import_count == 0;
    const bool is_texture = facts_.has_imported(VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLTEXTURE_BIT_EXT);
    const auto require_size = [&](bool holds, vk::VuidIndex id, std::string_view how) {
      Require(holds, id, "allocationSize", "(", info_.allocationSize, ") is ", has_size ? "not 0" : "0",
              " for memory that is ", how, ".");
    };
    require_size(has_size || facts_.import_count != 0 || is_exported,
                 Vuid("VUID-VkMemoryAllocateInfo-allocationSize-07897"), "neither imported nor exported");
    require_size(has_size || facts_.import_count != 0 || facts_.exported == 0 || is_hardware_buffer,
                 Vuid("VUID-VkMemoryAllocateInfo-allocationSize-07899"), "exported, but not as an AHardwareBuffer");
    require_size(has_size || !is_hardware_buffer || Find<VkMemoryDedicatedAllocateInfo>() != nullptr,
                 Vuid("VUID-VkMemoryAllocateInfo-pNext-07900"), "an AHardwareBuffer, not dedicated");
    require_size(has_size || !is_hardware_buffer || facts_.dedicated.buffer == VK_NULL_HANDLE,
                 Vuid("VUID-VkMemoryAllocateInfo-pNext-07901"), "an AHardwareBuffer, dedicated to a buffer");
    require_size(!has_size || !is_hardware_buffer || facts_.dedicated.image == VK_NULL_HANDLE,
                 Vuid("VUID-VkMemoryAllocateInfo-pNext-01874"), "an AHardwareBuffer, dedicated to an image");
    require_size(!has_size || !is_texture || facts_.dedicated.image == VK_NULL_HANDLE,
                 Vuid("VUID-VkMemoryAllocateInfo-pNext-10397"), "a MTLTexture, dedicated to an image");
    require_size(has_size || !facts_.has_imported(VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA),
                 Vuid("VUID-VkMemoryAllocateInfo-allocationSize-07902"), "imported from a VMO");
    Require(!is_texture || facts_.dedicated.image != VK_NULL_HANDLE, Vuid("VUID-VkMemoryAllocateInfo-pNext-10395"),
            "pNext", "imports a MTLTexture, but is dedicated to no image.");
  }

  void CheckImport() {
    Require(facts_.import_count <= 1, Vuid("VUID-VkMemoryAllocateInfo-None-06657"), "pNext", "has ",
            facts_.import_count, " import operations.");
    Require(!facts_.has_imported(kScreenBuffer) || device_.HasFeature(FeatureId::kScreenBufferImport),
            Vuid("VUID-VkMemoryAllocateInfo-screenBufferImport-08941"), "pNext",
            "imports a screen buffer, but screenBufferImport is not enabled.");
    Require(Find<VkExportMemoryAllocateInfo>() == nullptr ||
                (Find<VkExportMemoryAllocateInfoNV>() == nullptr && Find<VkExportMemoryWin32HandleInfoNV>() == nullptr),
            Vuid("VUID-VkMemoryAllocateInfo-pNext-00640"), "pNext",
            "has VkExportMemoryAllocateInfo, and a structure of VK_NV_external_memory for the same.");
    const auto* const metal = Find<VkExportMetalObjectCreateInfoEXT>();
    Require(metal == nullptr || metal->exportObjectType == VK_EXPORT_METAL_OBJECT_TYPE_METAL_BUFFER_BIT_EXT,
            Vuid("VUID-VkMemoryAllocateInfo-pNext-06780"), "pNext",
            "exports a Metal object that is not VK_EXPORT_METAL_OBJECT_TYPE_METAL_BUFFER_BIT_EXT.");
    if (facts_.collection == VK_NULL_HANDLE) return;
    const auto [buffer, image] = std::pair(facts_.dedicated.buffer, facts_.dedicated.image);
    Require(buffer != VK_NULL_HANDLE || image != VK_NULL_HANDLE, Vuid("VUID-VkMemoryAllocateInfo-pNext-06383"), "pNext",
            "imports from a buffer collection, but is dedicated to nothing.");
    CheckCollection(buffer, Vuid("VUID-VkMemoryAllocateInfo-buffer-06385"),
                    Vuid("VUID-VkMemoryAllocateInfo-buffer-06380"));
    CheckCollection(image, Vuid("VUID-VkMemoryAllocateInfo-image-06384"),
                    Vuid("VUID-VkMemoryAllocateInfo-image-06381"));
  }
  template <class H>
  void CheckCollection(H handle, vk::VuidIndex any, vk::VuidIndex same) {
    if (handle == VK_NULL_HANDLE) return;
    const ResourceFacts created = noted_.Of(handle);
    const bool has_any = created.collection != VK_NULL_HANDLE;
    Require(
        created.collection == facts_.collection && created.collection_index == facts_.collection_index,
        has_any ? same : any, "pNext", "imports buffer ", facts_.collection_index, " of a buffer collection, but ",
        report_.reporter().Describe(Object(handle)), " was created for ",
        has_any ? absl::StrCat("buffer ", created.collection_index, " of a collection, and not the same.") : "none.");
  }

  void CheckHostPointer() {
    const auto* const host = Find<VkImportMemoryHostPointerInfoEXT>();
    const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>();
    if (host == nullptr || host->handleType == 0) return;
    if (limits != nullptr && limits->minImportedHostPointerAlignment != 0) {
      const VkDeviceSize alignment = limits->minImportedHostPointerAlignment;
      const auto address = reinterpret_cast<uintptr_t>(host->pHostPointer);
      RequireNext(address % alignment == 0, Vuid("VUID-VkImportMemoryHostPointerInfoEXT-pHostPointer-01749"),
                  where_.Next("VkImportMemoryHostPointerInfoEXT", "pHostPointer"), "(0x", absl::Hex(address),
                  ") is not a multiple of minImportedHostPointerAlignment (", alignment, ").");
      Require(info_.allocationSize % alignment == 0, Vuid("VUID-VkMemoryAllocateInfo-allocationSize-01745"),
              "allocationSize", "(", info_.allocationSize, ") is not a multiple of minImportedHostPointerAlignment (",
              alignment, "), but a host pointer imported.");
    }
    const bool is_aligned =
        limits == nullptr || limits->minImportedHostPointerAlignment == 0 ||
        reinterpret_cast<uintptr_t>(host->pHostPointer) % limits->minImportedHostPointerAlignment == 0;
    if (is_aligned && dispatch::HasNext<vk::GetMemoryHostPointerPropertiesEXT>(device_)) {
      VkMemoryHostPointerPropertiesEXT answer = {VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
      const VkResult result = dispatch::CallNext(
          device_,
          vk::GetMemoryHostPointerPropertiesEXT{device_.handle, host->handleType, host->pHostPointer, &answer});
      const uint32_t type = info_.memoryTypeIndex;
      Require(
          result != VK_SUCCESS || answer.memoryTypeBits == 0 || type >= 32 || (answer.memoryTypeBits >> type & 1) != 0,
          Vuid("VUID-VkMemoryAllocateInfo-memoryTypeIndex-01744"), "memoryTypeIndex", "(", type,
          ") is not one of those that vkGetMemoryHostPointerPropertiesEXT returns (0x",
          absl::Hex(answer.memoryTypeBits), ").");
    }
    constexpr std::string_view kDedicated = "imports a host pointer, but is dedicated to a resource.";
    Require(facts_.dedicated.buffer == VK_NULL_HANDLE && facts_.dedicated.image == VK_NULL_HANDLE,
            Vuid("VUID-VkMemoryAllocateInfo-pNext-02806"), "pNext", kDedicated);
    Require(!facts_.is_dedicated_nv(), Vuid("VUID-VkMemoryAllocateInfo-pNext-02805"), "pNext", kDedicated);
  }

  void CheckWin32() {
    const auto* const win32 = Find<VkImportMemoryWin32HandleInfoKHR>();
    const auto* const nv = Find<VkImportMemoryWin32HandleInfoNV>();
    Require(win32 == nullptr || nv == nullptr, Vuid("VUID-VkMemoryAllocateInfo-pNext-00641"), "pNext",
            "has VkImportMemoryWin32HandleInfoKHR and VkImportMemoryWin32HandleInfoNV.");
    RequireNext(nv == nullptr || std::popcount(nv->handleType) <= 1,
                Vuid("VUID-VkImportMemoryWin32HandleInfoNV-handleType-01327"),
                where_.Next("VkImportMemoryWin32HandleInfoNV", "handleType"), "has several bits.");
    RequireNext(Find<VkExportMemoryWin32HandleInfoKHR>() == nullptr ||
                    facts_.has_exported(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT),
                Vuid("VUID-VkExportMemoryWin32HandleInfoKHR-handleTypes-00657"),
                where_.Next("VkExportMemoryWin32HandleInfoKHR"),
                "is there, but VkExportMemoryAllocateInfo has no VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT.");
    if (win32 == nullptr) return;
    RequireNext(win32->handleType == 0 || (win32->handleType & kWin32Handles) != 0,
                Vuid("VUID-VkImportMemoryWin32HandleInfoKHR-handleType-00660"),
                where_.Next("VkImportMemoryWin32HandleInfoKHR", "handleType"), "(", vk::ToString(win32->handleType),
                ") is neither an NT handle nor a global share handle.");
    const Location name = where_.Next("VkImportMemoryWin32HandleInfoKHR", "name");
    RequireNext(win32->handle == nullptr || win32->name == nullptr,
                Vuid("VUID-VkImportMemoryWin32HandleInfoKHR-handle-01441"), name,
                "is not NULL, but neither is handle.");
    RequireNext(win32->name == nullptr || win32->handle != nullptr || (win32->handleType & kNamedWin32) != 0,
                Vuid("VUID-VkImportMemoryWin32HandleInfoKHR-handleType-01439"), name,
                "is not NULL, but handles of handleType (", vk::ToString(win32->handleType), ") have no names.");
  }

  void CheckFlags() {
    const Location flags = where_.Next("VkMemoryAllocateFlagsInfo", "flags");
    const auto needs = [&](VkMemoryAllocateFlagBits flag, FeatureId feature, vk::VuidIndex id) {
      RequireNext((facts_.flags & flag) == 0 || device_.HasFeature(feature), id, flags, "has ", vk::ToString(flag),
                  ", but ", vk::FeatureName(feature), " is not enabled.");
    };
    needs(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, FeatureId::kBufferDeviceAddress,
          Vuid("VUID-VkMemoryAllocateInfo-flags-03331"));
    needs(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT, FeatureId::kBufferDeviceAddressCaptureReplay,
          Vuid("VUID-VkMemoryAllocateInfo-flags-03330"));
    RequireNext((facts_.flags & VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT) == 0 || facts_.device_mask != 0,
                Vuid("VUID-VkMemoryAllocateFlagsInfo-deviceMask-00676"),
                where_.Next("VkMemoryAllocateFlagsInfo", "deviceMask"), "is 0.");
    const auto* const opaque = Find<VkMemoryOpaqueCaptureAddressAllocateInfo>();
    if (opaque == nullptr || opaque->opaqueCaptureAddress == 0) return;
    const Location address = where_.Next("VkMemoryOpaqueCaptureAddressAllocateInfo", "opaqueCaptureAddress");
    RequireNext((facts_.flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0,
                Vuid("VUID-VkMemoryAllocateInfo-opaqueCaptureAddress-03329"), address,
                "is not 0, but VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT is not set.");
    const bool has_pointer = Find<VkImportMemoryHostPointerInfoEXT>() != nullptr;
    RequireNext(facts_.import_count == 0 && !has_pointer,
                has_pointer ? Vuid("VUID-VkMemoryAllocateInfo-pNext-03332")
                            : Vuid("VUID-VkMemoryAllocateInfo-opaqueCaptureAddress-03333"),
                address, "is not 0, but the memory is imported.");
  }

  void CheckDedicated() {
    const auto size = [&](auto handle, const Requirements& required, vk::VuidIndex id) {
      Require(info_.allocationSize == required.memory.size || info_.allocationSize == 0 || required.memory.size == 0,
              id, "allocationSize", "(", info_.allocationSize, ") is not the size that ",
              report_.reporter().Describe(Object(handle)), " needs (", required.memory.size,
              "), which the memory is dedicated to.");
    };
    const auto created = [&](auto handle, vk::VuidIndex id, std::string_view member) {
      RequireNext(noted_.Of(handle).is_dedicated_nv, id,
                  where_.Next("VkDedicatedAllocationMemoryAllocateInfoNV", member), "(",
                  report_.reporter().Describe(Object(handle)), ") was not created with dedicatedAllocation.");
    };
    const auto check = [&](const auto& dedicated, vk::VuidIndex of_buffer, vk::VuidIndex of_image) {
      if (DeviceState::Get<state::Buffer>(dedicated.buffer) != nullptr && dedicated.image == VK_NULL_HANDLE)
        size(dedicated.buffer, RequirementsOf(device_, dedicated.buffer), of_buffer);
      const auto* const image = DeviceState::Get<state::Image>(dedicated.image);
      if (image != nullptr && dedicated.buffer == VK_NULL_HANDLE)
        size(dedicated.image, RequirementsOf(device_, *image, noted_.Of(dedicated.image)), of_image);
    };
    if (!facts_.has_imported(kHardwareBuffer | kScreenBuffer)) {
      check(facts_.dedicated, Vuid("VUID-VkMemoryDedicatedAllocateInfo-buffer-02965"),
            Vuid("VUID-VkMemoryDedicatedAllocateInfo-image-02964"));
    }
    const auto [buffer, image] = std::pair(facts_.dedicated_nv.buffer, facts_.dedicated_nv.image);
    check(facts_.dedicated_nv, Vuid("VUID-VkDedicatedAllocationMemoryAllocateInfoNV-buffer-00653"),
          Vuid("VUID-VkDedicatedAllocationMemoryAllocateInfoNV-image-00652"));
    if (buffer != VK_NULL_HANDLE && image != VK_NULL_HANDLE) {
      return RequireNext(false, Vuid("VUID-VkDedicatedAllocationMemoryAllocateInfoNV-image-00649"),
                         where_.Next("VkDedicatedAllocationMemoryAllocateInfoNV"), "has an image and a buffer.");
    }
    if (buffer != VK_NULL_HANDLE)
      created(buffer, Vuid("VUID-VkDedicatedAllocationMemoryAllocateInfoNV-buffer-00651"), "buffer");
    if (image != VK_NULL_HANDLE)
      created(image, Vuid("VUID-VkDedicatedAllocationMemoryAllocateInfoNV-image-00650"), "image");
  }

  const dispatch::Device& device_;
  const NotedMemory& noted_;
  const VkMemoryAllocateInfo& info_;
  const MemoryFacts facts_;
  const Location& where_;
  Report& report_;
};

}  // namespace

void MemoryRules::PreCallValidate(const vk::AllocateMemory& call, Report& report) const {
  if (call.pAllocateInfo == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot("pAllocateInfo");
  AllocationCheck(device_, noted_, *call.pAllocateInfo, where, report).Run();
  const uint32_t limit = device_.physical_device->limits.maxMemoryAllocationCount;
  const uint32_t count = allocation_count_.load(std::memory_order_relaxed);
  // 0 is unknown.
  if (limit == 0 || count < limit) return;
  report.Error(Vuid("VUID-vkAllocateMemory-maxMemoryAllocationCount-04101"), {}, command,
               absl::StrCat("There are ", count, " allocations already, but maxMemoryAllocationCount is ", limit, "."));
}

void MemoryRules::PostCallRecord(const vk::AllocateMemory& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  allocation_count_.fetch_add(1, std::memory_order_relaxed);
  if (call.pAllocateInfo->pNext != nullptr) noted_.memories.Set(*call.pMemory, MemoryFacts(*call.pAllocateInfo));
}
void MemoryRules::PreCallRecord(const vk::FreeMemory& call) {
  if (DeviceState::Get<state::DeviceMemory>(call.memory) == nullptr) return;
  allocation_count_.fetch_sub(1, std::memory_order_relaxed);
  noted_.memories.Erase(call.memory);
}

void MemoryRules::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  if (result == VK_SUCCESS && call.pCreateInfo->pNext != nullptr)
    noted_.resources.Set(*call.pBuffer, ResourceFacts(*call.pCreateInfo));
}
void MemoryRules::PostCallRecord(const vk::CreateImage& call, VkResult result) {
  if (result == VK_SUCCESS && call.pCreateInfo->pNext != nullptr)
    noted_.resources.Set(*call.pImage, ResourceFacts(*call.pCreateInfo));
}

}  // namespace assay::core
