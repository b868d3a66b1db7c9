#include "postern/infer/query.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/infer/kind.hpp"

#include "posterior/draw_summary.hpp"

namespace postern::infer {
namespace {

/// A query at work on the draws of one posterior.
class Answer {
 public:
  Answer(const Query& query, const model::Study& study, const Posterior& posterior)
      : query_(query), steps_(query.steps) {
    const Kind& kind = kind_of(study.model);
    masses_.resize(query.probabilities.size());
    for (const Query::Step& step : query.steps) {
      if (step.operation != Query::Operation::probability && step.operation != Query::Operation::mean_steps)
        continue;
      const Probability& one = query.probabilities[step.which];
      masses_[step.which] = step.operation == Query::Operation::mean_steps
                                ? Masses{kind.mean_steps(one.event, one.given, study), {}}
                                : Masses{kind.event_mass(one.event, study, posterior),
                                         kind.event_mass(one.given, study, posterior)};
    }
    const std::vector<model::Parameter> parameters = study.model.kind().parameters(study);
    for (Query::Step& step : steps_) {
      if (step.operation != Query::Operation::parameter) continue;
      const auto& names = posterior.names;
      const auto found = std::find(names.begin(), names.end(), parameters.at(step.which).name);
      if (found == names.end())
        throw Error(ErrorCode::bad_option,
                    {"query '", from_option(query.text), "': the posterior has no draws of '",
                     from_document(parameters.at(step.which).name), "'"});
      step.which = static_cast<std::size_t>(found - names.begin());
    }
  }

  [[nodiscard]] double operator()(const DrawOfChain& draw) {
    stack_.clear();
    for (const Query::Step& step : steps_) take(step, draw);
    if (!std::isfinite(stack_.back()))
      throw Error(
          ErrorCode::bad_option,
          {"query '", from_option(query_.text),
           "' passes what a number can hold (1e308) for some of the draws; ask for something smaller"});
    return stack_.back();
  }

 private:
  struct Masses {
    EventMass event;
    EventMass given;
  };

  void take(const Query::Step& step, const DrawOfChain& draw) {
    using Sign = Query::Operation;
    if (step.operation == Sign::number) return stack_.push_back(step.number);
    if (step.operation == Sign::probability) {
      const Masses& masses = masses_[step.which];
      const double given = masses.given(draw);
      return stack_.push_back(given > 0 ? masses.event(draw) / given : 0);
    }
    if (step.operation == Sign::mean_steps) return stack_.push_back(masses_[step.which].event(draw));
    if (step.operation == Sign::parameter) return stack_.push_back(draw[step.which]);
    if (step.operation == Sign::negate) {
      stack_.back() = -stack_.back();
      return;
    }
    const double right = stack_.back();
    stack_.pop_back();
    double& left = stack_.back();
    if (step.operation == Sign::add) left += right;
    if (step.operation == Sign::subtract) left -= right;
    if (step.operation == Sign::multiply) left *= right;
    if (step.operation == Sign::less) left = left < right ? 1 : 0;
    if (step.operation == Sign::greater) left = left > right ? 1 : 0;
    if (step.operation == Sign::divide) {
      if (right == 0)
        throw Error(ErrorCode::bad_option, {"query '", from_option(query_.text), "' divides by zero"});
      left /= right;
    }
  }

  const Query& query_;
  std::vector<Query::Step> steps_;  ///< parameters being quantities of the posterior
  std::vector<Masses> masses_;
  std::vector<double> stack_;
};

}  // namespace

void answer_query(const Query& query, std::size_t number, const model::Study& study, Posterior& posterior) {
  Answer answer(query, study, posterior);
  const std::string name = "query." + std::to_string(number);
  const bool markov = std::any_of(posterior.summary.begin(), posterior.summary.end(),
                                  [](const SummaryRow& row) { return row.ess || row.rhat; });
  for (std::vector<double>& chain : posterior.draws) {
    std::vector<double> answers(posterior.iterations);
    for (std::size_t i = 0; i < posterior.iterations; ++i)
      answers[i] = answer({chain, posterior.iterations, i});
    chain.insert(chain.end(), answers.begin(), answers.end());
  }
  posterior.names.push_back(name);
  posterior.labels.push_back(printable(query.text));
  posterior.summary.push_back(summarise_draws(posterior, posterior.names.size() - 1,
                                              markov ? DrawKind::markov : DrawKind::independent));
}

}  // namespace postern::infer
