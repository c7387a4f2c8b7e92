// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_ENTRY_H_
#define ASSAY_TESTING_MOCK_DRIVER_ENTRY_H_

#include <type_traits>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/entry_points.h"
#include "testing/mock_driver/generic.h"
#include "testing/mock_driver/mock_driver.h"
#include "vk/command_info.h"
#include "vk/commands.h"

// The driver's function for a command, made alike for all commands.
namespace assay::test {

// Whether a parameter can be an output: a pointer to something that can be written. A dispatchable handle points to an
// incomplete type.
template <class T>
concept OutputParameter = std::is_pointer_v<T> && !std::is_const_v<std::remove_pointer_t<T>> &&
                          (std::is_void_v<std::remove_pointer_t<T>> || requires { sizeof(std::remove_pointer_t<T>); });

template <class C, class Function = typename C::Function>
struct Entry;

template <class C, class R, class... Parameters>
struct Entry<C, R(VKAPI_PTR*)(Parameters...)> {
  static constexpr bool kRecorded = C::kDispatch == vk::DispatchLevel::kCommandBuffer;
  static constexpr bool kDoesNothing =
      kRecorded || (C::kLifetime != vk::LifetimeEffect::kDestroy && !(OutputParameter<Parameters> || ...));

  static VKAPI_ATTR R VKAPI_CALL Call(Parameters... parameters) {
    if (MockDriver::Interposed()) [[unlikely]] {
      C call{parameters...};
      VkResult result = VK_SUCCESS;
      if (MockDriver::Get().Interpose(C::kId, &call, &result)) return Return(result);
    }
    if constexpr (HasImplementation<C>) {
      return Execute(C{parameters...});
    } else if constexpr (kDoesNothing) {
      return Return(0);
    } else {
      C call{parameters...};
      return Return(GenericCall(C::kId, &call));
    }
  }

  static R Return(uint64_t value) {
    if constexpr (!std::is_void_v<R>) {
      if constexpr (std::is_pointer_v<R>) {
        return nullptr;
      } else {
        return static_cast<R>(value);
      }
    }
  }
};

template <class C>
EntryPoint MakeEntryPoint() {
  return {C::kName, C::kId, reinterpret_cast<PFN_vkVoidFunction>(&Entry<C>::Call)};
}

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_ENTRY_H_
