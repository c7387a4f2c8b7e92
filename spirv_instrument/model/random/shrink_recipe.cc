// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/random/shrink_recipe.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::spirv_instrument::model {
namespace {

using Statements = std::vector<RecipeStatement>;

// All lists of statements, an outer one before those in it.
void CollectLists(Statements& list, std::vector<Statements*>& lists) {
  lists.push_back(&list);
  for (RecipeStatement& statement : list) {
    for (Statements& body : statement.bodies) CollectLists(body, lists);
  }
}

std::vector<Statements*> Lists(Recipe& recipe) {
  std::vector<Statements*> lists;
  CollectLists(recipe.body, lists);
  for (RecipeFunction& function : recipe.functions) CollectLists(function.body, lists);
  return lists;
}

std::vector<RecipeStep*> StepsOf(RecipeStatement& statement) {
  std::vector<RecipeStep*> steps;
  for (RecipePlace* place : {&statement.place, &statement.source}) {
    steps.push_back(&place->descriptor);
    for (RecipeStep& step : place->path) steps.push_back(&step);
  }
  return steps;
}

void CollectTypes(RecipeType& type, std::vector<RecipeType*>& types) {
  types.push_back(&type);
  for (RecipeType& part : type.parts) CollectTypes(part, types);
}

// Without the blocks themselves.
std::vector<RecipeType*> Types(Recipe& recipe) {
  std::vector<RecipeType*> types;
  for (RecipeType& block : recipe.blocks) {
    for (RecipeType& part : block.parts) CollectTypes(part, types);
  }
  return types;
}

bool IsSame(const RecipeOperand& a, const RecipeOperand& b) { return a.kind == b.kind && a.number == b.number; }

class Shrinker {
 public:
  Shrinker(Recipe recipe, absl::FunctionRef<bool(const Recipe&)> fails) : recipe_(std::move(recipe)), fails_(fails) {}

  Recipe Run() {
    do {
      changed_ = false;
      DropStatements();
      OpenBodies();
      ShrinkFrame();
      ShrinkStatements();
      ShrinkResources();
      ShrinkTypes();
    } while (changed_);
    return std::move(recipe_);
  }

 private:
  // Tries a change. It returns false if it would change nothing.
  template <typename Change>
  bool Try(Change change) {
    Recipe candidate = recipe_;
    if (!change(candidate) || !fails_(candidate)) return false;
    recipe_ = std::move(candidate);
    changed_ = true;
    return true;
  }

  // Tries to give a variable a value.
  template <typename Find, typename T>
  bool TrySet(Find find, T value) {
    return Try([&](Recipe& candidate) {
      auto& variable = find(candidate);
      if constexpr (std::is_same_v<T, RecipeOperand>) {
        if (IsSame(variable, value)) return false;
      } else {
        if (variable == value) return false;
      }
      variable = value;
      return true;
    });
  }

  void DropStatements() {
    for (size_t i = 0; i < Lists(recipe_).size(); ++i) {
      for (size_t size = Lists(recipe_)[i]->size(); size > 0; size /= 2) {
        for (size_t begin = 0; i < Lists(recipe_).size() && begin + size <= Lists(recipe_)[i]->size();) {
          const bool is_dropped = Try([&](Recipe& candidate) {
            Statements& list = *Lists(candidate)[i];
            const auto first = list.begin() + static_cast<ptrdiff_t>(begin);
            list.erase(first, first + static_cast<ptrdiff_t>(size));
            return true;
          });
          if (!is_dropped) ++begin;
        }
        if (i >= Lists(recipe_).size()) return;
      }
    }
  }

  // Puts the statements of bodies in the place of what has them.
  void OpenBodies() {
    for (size_t i = 0; i < Lists(recipe_).size(); ++i) {
      for (size_t j = 0; i < Lists(recipe_).size() && j < Lists(recipe_)[i]->size(); ++j) {
        Try([&](Recipe& candidate) {
          Statements& list = *Lists(candidate)[i];
          if (list[j].bodies.empty()) return false;
          Statements inner;
          for (Statements& body : list[j].bodies) std::ranges::move(body, std::back_inserter(inner));
          list.erase(list.begin() + static_cast<ptrdiff_t>(j));
          list.insert(list.begin() + static_cast<ptrdiff_t>(j), inner.begin(), inner.end());
          return true;
        });
      }
    }
  }

  void ShrinkFrame() {
    TrySet([](Recipe& recipe) -> uint32_t& { return recipe.local_size; }, 1u);
    TrySet([](Recipe& recipe) -> uint32_t& { return recipe.groups; }, 1u);
    TrySet([](Recipe& recipe) -> bool& { return recipe.is_body_in_main; }, true);
    const auto drop_last = [](auto member) {
      return [member](Recipe& candidate) {
        if ((candidate.*member).empty()) return false;
        (candidate.*member).pop_back();
        return true;
      };
    };
    while (Try(drop_last(&Recipe::functions))) {
    }
    while (Try(drop_last(&Recipe::resources))) {
    }
    while (Try(drop_last(&Recipe::targets))) {
    }
    for (size_t i = 0; i < recipe_.functions.size(); ++i) {
      TrySet([i](Recipe& recipe) -> bool& { return recipe.functions[i].has_pointer; }, false);
    }
  }

  // Calls `visit` with a function that finds the statement in a copy of the recipe.
  template <typename Visit>
  void ForEachStatement(Visit visit) {
    for (size_t i = 0; i < Lists(recipe_).size(); ++i) {
      for (size_t j = 0; j < Lists(recipe_)[i]->size(); ++j) {
        visit([i, j](Recipe& recipe) -> RecipeStatement& { return (*Lists(recipe)[i])[j]; });
      }
    }
  }

  void ShrinkStatements() {
    ForEachStatement([this](auto find) {
      for (RecipeOperand RecipeStatement::* operand : {&RecipeStatement::a, &RecipeStatement::b, &RecipeStatement::c}) {
        TrySet([&](Recipe& recipe) -> RecipeOperand& { return find(recipe).*operand; }, RecipeOperand{});
      }
      TrySet([&](Recipe& recipe) -> bool& { return find(recipe).is_wild; }, false);
      TrySet([&](Recipe& recipe) -> uint32_t& { return find(recipe).operation; }, 0u);
      for (RecipePlace RecipeStatement::* place : {&RecipeStatement::place, &RecipeStatement::source}) {
        TrySet([&](Recipe& recipe) -> uint32_t& { return (find(recipe).*place).split; }, 0u);
        while (Try([&](Recipe& recipe) {
          std::vector<RecipeStep>& path = (find(recipe).*place).path;
          if (path.empty()) return false;
          path.pop_back();
          return true;
        })) {
        }
      }
      for (size_t i = 0; i < StepsOf(find(recipe_)).size(); ++i) {
        ShrinkStep([&find, i](Recipe& recipe) -> RecipeStep& { return *StepsOf(find(recipe))[i]; });
      }
      while (Try([&](Recipe& recipe) {
        std::vector<Statements>& bodies = find(recipe).bodies;
        if (bodies.size() < 2) return false;
        bodies.pop_back();
        return true;
      })) {
      }
    });
  }

  template <typename Find>
  void ShrinkStep(Find find) {
    for (bool RecipeStep::* flag : {&RecipeStep::is_wild, &RecipeStep::is_wide, &RecipeStep::is_signed}) {
      TrySet([&](Recipe& recipe) -> bool& { return find(recipe).*flag; }, false);
    }
    TrySet([&](Recipe& recipe) -> RecipeOperand& { return find(recipe).index; }, RecipeOperand{});
  }

  void ShrinkResources() {
    for (size_t i = 0; i < recipe_.resources.size(); ++i) {
      const auto find = [i](Recipe& recipe) -> RecipeResource& { return recipe.resources[i]; };
      for (bool RecipeResource::* flag :
           {&RecipeResource::is_runtime_array, &RecipeResource::is_written, &RecipeResource::is_array}) {
        TrySet([&](Recipe& recipe) -> bool& { return find(recipe).*flag; }, false);
      }
      TrySet([&](Recipe& recipe) -> uint32_t& { return find(recipe).further_descriptors; }, 0u);
      while (Try([&](Recipe& recipe) {
        if (find(recipe).elements.size() < 2) return false;
        find(recipe).elements.pop_back();
        return true;
      })) {
      }
      for (size_t j = 0; j < find(recipe_).elements.size(); ++j) {
        const auto element = [&find, j](Recipe& recipe) -> RecipeElement& { return find(recipe).elements[j]; };
        TrySet([&](Recipe& recipe) -> corpus::Element::State& { return element(recipe).state; },
               corpus::Element::State::kWritten);
        TrySet([&](Recipe& recipe) -> uint32_t& { return element(recipe).offset; }, 0u);
        TrySet([&](Recipe& recipe) -> uint32_t& { return element(recipe).seed; }, 0u);
      }
    }
    for (size_t i = 0; i < recipe_.targets.size(); ++i) {
      TrySet([i](Recipe& recipe) -> RecipeTarget::Kind& { return recipe.targets[i].kind; },
             RecipeTarget::Kind::kBuffer);
      TrySet([i](Recipe& recipe) -> uint32_t& { return recipe.targets[i].seed; }, 0u);
    }
  }

  void ShrinkTypes() {
    for (size_t i = 0; i < recipe_.blocks.size(); ++i) {
      while (Try([i](Recipe& recipe) {
        std::vector<RecipeType>& parts = recipe.blocks[i].parts;
        if (parts.size() < 2) return false;
        parts.pop_back();
        return true;
      })) {
      }
      for (size_t j = 0; j + 1 < recipe_.blocks[i].parts.size();) {
        const bool is_dropped = Try([i, j](Recipe& recipe) {
          std::vector<RecipeType>& parts = recipe.blocks[i].parts;
          parts.erase(parts.begin() + static_cast<ptrdiff_t>(j));
          return true;
        });
        if (!is_dropped) ++j;
      }
    }
    for (size_t i = 0; i < Types(recipe_).size(); ++i) {
      const auto find = [i](Recipe& recipe) -> RecipeType& { return *Types(recipe)[i]; };
      Try([&](Recipe& recipe) {
        RecipeType& type = find(recipe);
        const bool is_simple = type.kind == RecipeType::Kind::kScalar && type.width == 32;
        // Nothing comes behind a runtime array, whatever it is replaced by.
        type = RecipeType{};
        return !is_simple;
      });
      Try([&](Recipe& recipe) {
        RecipeType& type = find(recipe);
        if (type.parts.empty() || type.parts[0].kind == RecipeType::Kind::kScalar) return false;
        type.parts = {RecipeType{}};
        return true;
      });
      TrySet([&](Recipe& recipe) -> uint32_t& { return find(recipe).gap; }, 0u);
    }
  }

  Recipe recipe_;
  absl::FunctionRef<bool(const Recipe&)> fails_;
  bool changed_ = false;
};

size_t CountStatements(const Statements& list) {
  size_t count = list.size();
  for (const RecipeStatement& statement : list) {
    for (const Statements& body : statement.bodies) count += CountStatements(body);
  }
  return count;
}

}  // namespace

Recipe ShrinkRecipe(Recipe recipe, absl::FunctionRef<bool(const Recipe&)> fails) {
  return Shrinker(std::move(recipe), fails).Run();
}

size_t CountStatements(const Recipe& recipe) {
  size_t count = CountStatements(recipe.body);
  for (const RecipeFunction& function : recipe.functions) count += CountStatements(function.body);
  return count;
}

}  // namespace assay::spirv_instrument::model
