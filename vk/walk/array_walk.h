// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_WALK_ARRAY_WALK_H_
#define ASSAY_VK_WALK_ARRAY_WALK_H_

#include <cstdint>

// ArrayWalk takes a loop over steps into arrays of structures and out of them again, without recursion.
//
// A validator's fast path for a call is one loop over a list of steps (Op), compiled when the layer starts. Each step
// checks bytes at an offset from a base, which at first is the command's parameters. The steps of an array's element
// stand in the list at the array's place, and a step at their end goes on to the next element:
//
//     array of VkDependencyInfo          Enter: the base becomes the first element, and the loop goes on
//       check dependencyFlags            … as for any structure
//       array of VkMemoryBarrier2        Enter, one deeper
//         check srcStageMask
//         end                            Next: the next element and back to srcStageMask, or out
//       end                              Next
//     accept
//
// The loop's body calls both, since they change its variables: the base and, in Next, op, which the loop increments
// afterwards. The code that compiles the list limits the nesting of arrays to the number of frames. The loop owns the
// frames, so this class has one pointer, which stays in a register.
namespace assay::vk {

// An array that is being walked.
template <class Op>
struct ArrayFrame {
  // The base before the array, and again after it.
  const char* outer;
  // Elements, the current one included.
  uint64_t left;
  const Op* array;
};

template <class Op>
class ArrayWalk {
 public:
  explicit ArrayWalk(ArrayFrame<Op>* frames) : top_(frames) {}

  // From the step of an array to its first element. count is not 0; the loop itself skips the steps of an empty array.
  void Enter(const Op* op, const char*& base, const char* elements, uint64_t count) {
    *top_++ = {base, count, op};
    base = elements;
  }

  // From the last step of an element to the next element, or out. The step's stride is the element size in bytes.
  void Next(const Op*& op, const char*& base) {
    ArrayFrame<Op>& current = top_[-1];
    if (--current.left != 0) {
      base += op->stride;
      op = current.array;
    } else {
      base = current.outer;
      --top_;
    }
  }

 private:
  // Behind the innermost array's.
  ArrayFrame<Op>* top_;
};

}  // namespace assay::vk

#endif  // ASSAY_VK_WALK_ARRAY_WALK_H_
