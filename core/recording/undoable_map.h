// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_UNDOABLE_MAP_H_
#define ASSAY_CORE_RECORDING_UNDOABLE_MAP_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace assay::core {

// What a device knows of its objects, by Key, as the batches that are ready leave it. The changes that batches made
// since Begin() can be undone.
template <class Key, class Value>
class UndoableMap {
 public:
  // Begins what Undo() undoes.
  void Begin() {
    ++begin_;
    saved_.clear();
  }
  // Makes everything as if Change() had not been called since Begin().
  void Undo() {
    for (Saved& saved : saved_) {
      if (saved.is_removed) continue;
      const auto found = items_.find(saved.key);
      if (saved.is_new) {
        items_.erase(found);
      } else {
        found->second.value = std::move(saved.before);
      }
    }
    Begin();
  }

  // The value of a key, for a change that Undo() undoes. A new one is made by initialize(value). Valid until the next
  // call.
  template <class F>
  Value& Change(const Key& key, const F& initialize) {
    const auto [found, is_new] = items_.try_emplace(key);
    Item& item = found->second;
    if (is_new) initialize(item.value);
    if (item.saved_since == begin_) return item.value;
    item.saved_since = begin_;
    item.saved_at = saved_.size();
    saved_.push_back({key, item.value, is_new});
    return item.value;
  }
  // Calls change(value) for a change that stays: also in what Undo() leaves.
  template <class F, class G>
  void ChangeForGood(const Key& key, const F& initialize, const G& change) {
    const auto [found, is_new] = items_.try_emplace(key);
    Item& item = found->second;
    if (is_new) initialize(item.value);
    change(item.value);
    if (item.saved_since != begin_) return;
    change(saved_[item.saved_at].before);
    saved_[item.saved_at].is_new = false;
  }
  // Calls change(value) for all values. Undo() leaves them so.
  template <class F>
  void ChangeAllForGood(const F& change) {
    for (auto& [key, item] : items_) change(item.value);
    Begin();
  }
  // Undo() does not bring it back.
  void Remove(const Key& key) {
    const auto found = items_.find(key);
    if (found == items_.end()) return;
    if (found->second.saved_since == begin_) saved_[found->second.saved_at].is_removed = true;
    items_.erase(found);
  }

  // Null if there is none. Valid until the next change.
  const Value* Find(const Key& key) const {
    const auto found = items_.find(key);
    return found != items_.end() ? &found->second.value : nullptr;
  }
  // Calls visit(key, value) for all, in no order.
  template <class F>
  void ForEach(const F& visit) const {
    for (const auto& [key, item] : items_) visit(key, item.value);
  }

 private:
  struct Item {
    Value value = {};
    // The value of begin_ when it was last saved, and where.
    uint64_t saved_since = 0;
    size_t saved_at = 0;
  };
  // An item before its first change since Begin().
  struct Saved {
    Key key;
    Value before;
    bool is_new = false;
    bool is_removed = false;
  };

  absl::flat_hash_map<Key, Item> items_;
  // Counts the calls of Begin().
  uint64_t begin_ = 1;
  std::vector<Saved> saved_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_UNDOABLE_MAP_H_
