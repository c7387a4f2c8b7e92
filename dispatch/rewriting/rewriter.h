// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_REWRITING_REWRITER_H_
#define ASSAY_DISPATCH_REWRITING_REWRITER_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include "dispatch/hooks/hooks.h"
#include "dispatch/translation/scratch_arena.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// Rewriting: a validator replaces what goes down to the driver. Its hook
//
//   void Rewrite(const vk::CreateShaderModule& call, vk::CreateShaderModule& down, Rewriter& rewriter);
//
// runs after all hooks before the call and before the call down. `call` is what the application passed, with its
// handles. `down` is the copy that the driver gets, with the driver's handles already: what a Rewrite puts there, such
// as a module that the validator has made by CallNext (internal_calls.h), is the driver's, too. Validators that rewrite
// the same command do so in the order of their attachment, each over what the last one left.
//
// The members of `down` belong to the hook. What they point to may still be the application's memory, which is never
// written to. Rewriter copies it first, as deep as it is changed, into memory that lives as long as the driver may read
// the parameters: a deferred operation reads them until it is complete.
//
// No other hook sees `down`. What the command returns is registered and recorded under the application's parameters.
//
// Which commands: those that are not recorded, so all but those of a VkCommandBuffer, and the builds of acceleration
// structures (kMayBeRewritten). Around a recorded command, a validator records commands of its own in PreCallRecord and
// PostCallRecord. vkDestroyInstance and vkDestroyDevice have nothing to rewrite.
//
// A Rewrite that runs out of memory leaves the call as it was before it.
namespace assay::dispatch {

class Rewriter {
 public:
  explicit Rewriter(ScratchArena& arena) : arena_(arena) {}
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;
  // The call did not return: it was unwound. Finishes it with VK_ERROR_UNKNOWN.
  ~Rewriter() { Finish(VK_ERROR_UNKNOWN); }

  // Copies an array, makes the pointer lead to the copy, and returns the copy. Null for a null pointer.
  template <class T>
  T* Copy(const T*& array, size_t count = 1) {
    return Extend(array, array == nullptr ? 0 : count, array == nullptr ? 0 : count);
  }
  // The same with room for `size` elements, of which the first `count` are copied and the others are zero.
  template <class T>
  T* Extend(const T*& array, size_t count, size_t size) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size == 0) return nullptr;
    T* const copy = static_cast<T*>(arena_.Allocate(size * sizeof(T)));
    std::copy_n(array, count, copy);
    std::fill(copy + count, copy + size, T{});
    array = copy;
    return copy;
  }

  // Puts a copy of `link` at the front of a structure's pNext chain, and returns the copy.
  template <class T, class S>
  T& Link(S& structure, const T& link) {
    T& copy = *static_cast<T*>(arena_.Copy(&link, sizeof(T)));
    copy.pNext = const_cast<decltype(copy.pNext)>(structure.pNext);
    structure.pNext = &copy;
    return copy;
  }
  // Copies the structure of type T in the chain and those before it, which the chain then has in their place, and
  // returns the copy. Null if there is none, or if one before it has a type that the registry does not have.
  template <class T, class S>
  T* CopyLinked(S& structure) {
    return static_cast<T*>(CopyLinked(reinterpret_cast<const void**>(&structure.pNext), vk::kStructureTypeOf<T>));
  }
  // Takes the structure of type T out of the chain. False in the same cases.
  template <class T, class S>
  bool Unlink(S& structure) {
    return Unlink(reinterpret_cast<const void**>(&structure.pNext), vk::kStructureTypeOf<T>);
  }

  // Calls `finish` once: after the call down, when the objects that it returned have the application's handles, and
  // before PostCallRecord. It gets the command's result, VK_SUCCESS of one that returns none; an error also where the
  // call did not come to be. For a deferred operation, when the application learns that it is complete.
  void AfterCall(std::function<void(VkResult)> finish) { after_call_.push_back(std::move(finish)); }

  // For dispatch: how many have been added, and calls those from `first` on.
  size_t pending() const { return after_call_.size(); }
  void Finish(VkResult result, size_t first = 0);

 private:
  void* CopyLinked(const void** next, VkStructureType type);
  bool Unlink(const void** next, VkStructureType type);
  // Copies the links up to, but without, the first of that type, and returns the pointer that leads to it. Null as in
  // CopyLinked; nothing is changed then.
  const void** CopyChainBefore(const void** next, VkStructureType type);

  ScratchArena& arena_;
  std::vector<std::function<void(VkResult)>> after_call_;
};

// Runs the Rewrite hooks. call and down point to parameter structs of so many bytes.
void RunRewrite(const CommandHooks& hooks, const void* call, void* down, size_t bytes, Slot* slot, Rewriter& rewriter);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_REWRITING_REWRITER_H_
