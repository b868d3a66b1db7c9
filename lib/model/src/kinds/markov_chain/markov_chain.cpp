#include "postern/model/kinds/markov_chain.hpp"

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/sequences.hpp"
#include "postern/model/statistic/transitions.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/markov_chain/simulate.hpp"
#include "kinds/markov_chain/text.hpp"
#include "kinds/network_tables.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

constexpr std::uint32_t kMostStates = 1000;

void check_time(const MarkovChain& chain, const Schema& schema) {
  const Column& column =
      at_place({{"model", "time"}}, [&]() -> const Column& { return schema.at(chain.time); });
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  if (chain.time == chain.state || whole == nullptr || !whole->cuts.empty() || column.levels() < 2) {
    throw StudyError({{"model", "time"}}, ErrorCode::bad_value,
                     {"the time of a Markov chain is a column of whole numbers without cuts, type = "
                      "\"integer\", by which one person's records are in order"});
  }
}

/// People are what a chain is made of.
std::int64_t person_at_most(const Study& study) {
  const auto* person = std::get_if<PersonUnit>(&study.privacy.unit);
  if (person == nullptr) {
    throw StudyError({{"privacy", "unit"}}, ErrorCode::bad_value,
                     {"a Markov chain is of people's sequences: name the column of their ids and how many "
                      "transitions of a person count at the most, unit = { column = \"person\", at_most = "
                      "20 }, with adjacency = \"add-remove\""});
  }
  return person->at_most;
}

/// Chains of discrete states: a table of first states and one of transitions.
class MarkovChainKind : public Kind, public SequenceModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov_chain"; }
  [[nodiscard]] std::string_view study_kind() const override { return "markov-chain"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "markov-chain"; }
  /// The order that the statistics have them in.
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    const auto& chain = model.get<MarkovChain>();
    return {chain.time, chain.state};
  }
  [[nodiscard]] std::string time_column(const Model& model) const override {
    return model.get<MarkovChain>().time;
  }
  void check(const Model& model, const Schema& schema) const override {
    const auto& chain = model.get<MarkovChain>();
    const Column& column =
        at_place({{"model", "state"}}, [&]() -> const Column& { return schema.at(chain.state); });
    check_time(chain, schema);
    if (!std::holds_alternative<Categories>(column.values) || column.levels() < 2 ||
        column.levels() > kMostStates || column.levels() != chain.states) {
      throw StudyError(
          {{"model", "state"}}, ErrorCode::bad_value,
          {"the state of a Markov chain is a column of 2 to ", public_number(kMostStates), " categories"});
    }
    at_place({{"model", "prior"}}, [&] { check_prior_parameter(chain.alpha); });
  }

  /// Two blocks, "initial" and "transitions". All cells of both have the same noise by default.
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const auto& chain = study.model.get<MarkovChain>();
    const std::int64_t at_most = person_at_most(study);
    return share_out(
        {{"initial", Starts{chain.time, chain.state, chain.parts}},
         {"transitions", Transitions{chain.time, chain.state, at_most, chain.parts, chain.idle}}},
        study, request, budget);
  }

  [[nodiscard]] std::vector<std::string> advice(const Study& study, const NoisePlan& /*plan*/,
                                                std::optional<std::int64_t> n) const override {
    const std::int64_t each = made_up_records(study);
    std::string note = "planned for people with " + counted(static_cast<std::size_t>(each), "record") +
                       " each, one a time: " + counted(static_cast<std::size_t>(each - 1), "transition");
    if (n)
      note += "; n = " + std::to_string(*n) + " is " + std::to_string((*n + each - 1) / each) + " of them";
    return {note + ". People with more count as much, those with fewer count less"};
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    return read_markov_chain(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_markov_chain(model.get<MarkovChain>());
  }
  [[nodiscard]] std::string text(const Model& model, const Schema& schema) const override {
    const auto& chain = model.get<MarkovChain>();
    return "markov-chain: " + chain.state + " by " + chain.time + ", " + counted(chain.states, "state") +
           (chain.idle ? ", idle " + schema.at(chain.state).label(*chain.idle) : "") + ", prior " +
           (chain.learned ? kLearned : "dirichlet(" + to_decimal(chain.alpha) + ")");
  }

  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    return {"dirichlet", 1, "what each cell of the matrix and of the first state has", false};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    MarkovChain chain = model.get<MarkovChain>();
    chain.alpha = numbers.front();
    chain.learned = false;
    return chain;
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override {
    return model.get<MarkovChain>().learned;
  }
  /// Planned for with one record a cell.
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    MarkovChain chain = model.get<MarkovChain>();
    chain.learned = true;
    chain.alpha = 1;
    return chain;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override { return with_prior(model, {0}); }
  [[nodiscard]] double prior_records(const Model& model) const override {
    const auto& chain = model.get<MarkovChain>();
    return chain.learned ? 0 : chain.alpha.get_d() * chain.states;
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    return {model.get<MarkovChain>().alpha * factor};
  }

  /// "initial.2": the second state; "transition.1.3": from the first to the third.
  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const auto& chain = study.model.get<MarkovChain>();
    const Column& column = study.schema.at(chain.state);
    std::vector<Parameter> out;
    for (std::uint32_t to = 0; to < chain.states; ++to)
      out.push_back(
          {"initial." + std::to_string(to + 1), "P(first " + chain.state + " = " + column.label(to) + ")"});
    for (std::uint32_t from = 0; from < chain.states; ++from) {
      const std::string given =
          (from == chain.idle ? " | leaves " : " | " + chain.state + " = ") + column.label(from) + ")";
      for (std::uint32_t to = 0; to < chain.states; ++to)
        out.push_back({"transition." + std::to_string(from + 1) + "." + std::to_string(to + 1),
                       "P(next " + chain.state + " = " + column.label(to) + given});
    }
    return out;
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    return simulate_chain(study, n, assumed, rng);
  }
};

}  // namespace

const Kind& kind_of(const MarkovChain& /*model*/) {
  static const MarkovChainKind kind;
  return kind;
}

}  // namespace postern::model
