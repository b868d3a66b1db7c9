#include "event.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_chain.hpp"

#include "matrix.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kLongRun = 0;  ///< places of an event: the long run, and the state after k steps
constexpr std::size_t kNow = 1;
constexpr std::size_t kMostSteps = 1000;
constexpr double kLeast = 1e-200;  ///< so that to begin somewhere can be a condition in every draw

/// "place after 12" is 12 steps.
std::optional<std::size_t> steps_in(const std::string& name, const std::string& state) {
  const std::string words = state + " after ";
  if (!name.starts_with(words)) return std::nullopt;
  std::size_t steps = 0;
  const char* end = name.data() + name.size();
  const auto [stop, fault] = std::from_chars(name.data() + words.size(), end, steps);
  if (fault != std::errc() || stop != end) return std::nullopt;
  if (steps > kMostSteps) {
    throw Error(ErrorCode::bad_option,
                {"query: at most ", public_number(static_cast<long long>(kMostSteps)),
                 " steps can be asked for; 'long-run ", from_document(state), "' is what many come to"});
  }
  return steps;
}

bool restricts(const Event& event, std::size_t place) {
  return place < event.levels.size() && !event.levels[place].empty();
}

/// Sets of states after each number of steps.
class Paths {
 public:
  Paths(Event event, std::size_t states)
      : event_(std::move(event)), states_(states), now_(states), then_(states) {
    while (!event_.levels.empty() && event_.levels.back().empty()) event_.levels.pop_back();
    matrix_.resize(event_.levels.size() > kNow + 1 || restricts(event_, kLongRun) ? states * states : 0);
  }

  [[nodiscard]] double mass(const DrawOfChain& draw) {
    for (std::size_t cell = 0; cell < matrix_.size(); ++cell) matrix_[cell] = draw[states_ + cell];
    double out = 1;
    if (event_.levels.size() > kNow) {
      for (std::size_t s = 0; s < states_; ++s) now_[s] = std::max(draw[s], kLeast);
      keep(kNow, now_);
      for (std::size_t place = kNow + 1; place < event_.levels.size(); ++place) step(place);
      out = sum(now_);
    }
    if (!restricts(event_, kLongRun)) return out;
    now_ = stationary(matrix_, states_);
    keep(kLongRun, now_);
    return out * sum(now_);
  }

 private:
  static double sum(const std::vector<double>& of) {
    double out = 0;
    for (const double x : of) out += x;
    return out;
  }
  void keep(std::size_t place, std::vector<double>& law) const {
    for (std::size_t s = 0; s < states_; ++s) {
      if (!event_.holds(place, s)) law[s] = 0;
    }
  }
  void step(std::size_t place) {
    take_step(matrix_, now_, then_);
    keep(place, then_);
    std::swap(now_, then_);
  }

  Event event_;
  std::size_t states_;
  std::vector<double> now_, then_, matrix_;
};

/// The levels of the state itself, all of them where nothing is said.
std::vector<bool> only_now(const Event& event, const std::string& state, std::size_t states) {
  for (std::size_t place = 0; place < event.levels.size(); ++place) {
    if (place == kNow || event.levels[place].empty()) continue;
    throw Error(ErrorCode::bad_option,
                {"query: steps are counted from the state itself and to it; write E(steps to ",
                 from_document(state), " = x | ", from_document(state), " = y)"});
  }
  return restricts(event, kNow) ? event.levels[kNow] : std::vector<bool>(states, true);
}

}  // namespace

std::optional<EventPlace> chain_place(const std::string& name, const model::Study& study) {
  const std::string& state = study.model.get<model::MarkovChain>().state;
  if (name == state || name == "first " + state) return EventPlace{kNow, state};
  if (name == "next " + state) return EventPlace{kNow + 1, state};
  if (name == "long-run " + state) return EventPlace{kLongRun, state};
  if (const auto steps = steps_in(name, state)) return EventPlace{kNow + *steps, state};
  return std::nullopt;
}

std::vector<std::string> chain_names(const model::Study& study) {
  const std::string& state = study.model.get<model::MarkovChain>().state;
  return {state, "first " + state, "next " + state, state + " after 2", "long-run " + state};
}

EventMass chain_mass(const Event& event, const model::Study& study) {
  auto paths = std::make_shared<Paths>(event, study.model.get<model::MarkovChain>().states);
  return [paths](const DrawOfChain& draw) { return paths->mass(draw); };
}

EventMass chain_steps(const Event& event, const Event& given, const model::Study& study) {
  const auto& chain = study.model.get<model::MarkovChain>();
  const std::size_t states = chain.states;
  const std::vector<bool> goal = only_now(event, chain.state, states);
  const std::vector<bool> from = only_now(given, chain.state, states);
  return [goal, from, states](const DrawOfChain& draw) {
    std::vector<double> matrix(states * states);
    for (std::size_t cell = 0; cell < matrix.size(); ++cell) matrix[cell] = draw[states + cell];
    const std::vector<double> steps = steps_to(matrix, goal);
    double mean = 0;
    double weight = 0;
    for (std::size_t s = 0; s < states; ++s) {
      if (!from[s]) continue;
      const double first = std::max(draw[s], kLeast);
      weight += first;
      mean += first * steps[s];
    }
    return mean / weight;
  };
}

}  // namespace postern::infer
