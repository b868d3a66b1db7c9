#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/infer/event.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// P(event | given), of the columns of a model.
struct Probability {
  Event event;  ///< and given
  Event given;
  bool conditional = false;  ///< without a condition `given` holds everything
};

/// An expression of probabilities or parameters and numbers, in the order in which a stack evaluates it.
struct Query {
  enum class Operation {
    number,
    probability,
    mean_steps,
    parameter,
    add,
    subtract,
    multiply,
    divide,
    negate,
    less,
    greater
  };
  struct Step {
    Operation operation = Operation::number;
    double number = 0;
    std::size_t which = 0;  ///< of `probabilities` (also of mean_steps), or of the model's parameters
  };
  std::string text;
  std::vector<Probability> probabilities;
  std::vector<Step> steps;

  /// It is one probability and nothing else.
  [[nodiscard]] bool plain() const {
    return steps.size() == 1 && steps.front().operation == Operation::probability;
  }
};

/// Probabilities of any columns of the model, and what + - * / and brackets make of them and of numbers:
///
///     P(smoker = yes)
///     P(cancer = yes | smoker = yes, age >= 60)
///     P(education in {Masters, Doctorate}, age < 30)
///     P(cancer = yes | smoker = yes) / P(cancer = yes | smoker = no)
///
/// Of a Markov chain the names are those of its state at some time, and one may ask how many steps are
/// expected:
///
///     P(place after 3 = lab | place = hall)
///     E(steps to place = lab | place = hall)
///
/// Of a model whose parameters are no probabilities of its columns, the same of its parameters, by their
/// names or, in double quotes, their labels, and the probability that one such thing is above or below
/// another:
///
///     2 * beta.2 - beta.3
///     P("slope of age" > 0)
///
/// A value with a comma, a bar or a bracket in it stands in double quotes. Columns that are not named are
/// summed over. A comparison must fall between levels of its column. Throws bad_option with the nearest name,
/// or with the comparisons that can be asked for.
[[nodiscard]] Query parse_query(const std::string& text, const model::Study& study);

/// Adds the query's draws and summary line to a posterior of that study's model, under the name
/// query.N, counting from 1.
void answer_query(const Query& query, std::size_t number, const model::Study& study, Posterior& posterior);

}  // namespace postern::infer
