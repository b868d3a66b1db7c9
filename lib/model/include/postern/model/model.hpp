#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/json_value.hpp"
#include "postern/core/kinded.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/node.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {

class Kind;
class RoundRule;
struct NoisePlan;
struct Study;
struct Request;

/// The model of a study: a value of one kind.
using Model = Kinded<Kind>;

enum class Mechanism { laplace, gaussian, exponential, fourier, posterior_draw, map, gradient };
[[nodiscard]] std::string_view to_text(Mechanism mechanism);

/// What a prior is called, how many numbers it has, and which: "beta", 2, "a, b".
struct PriorWords {
  std::string name;
  std::size_t numbers = 0;
  std::string which;
  bool one_for_all = false;  ///< a single number may stand for all
};

/// An unknown of the model: "p.1", "P(smoker = yes)".
struct Parameter {
  std::string name;  ///< CmdStan-legal
  std::string label;
};

/// Parameters that are assumed to be the truth, or nothing: then the prior is to say.
using Assumed = std::optional<std::vector<double>>;

/// Records that were made up: parameters from the prior, records from the parameters. Each kind adds what its
/// analysts want to know of them.
class SimulatedRecords {
 public:
  SimulatedRecords() = default;
  SimulatedRecords(const SimulatedRecords&) = delete;
  SimulatedRecords& operator=(const SimulatedRecords&) = delete;
  virtual ~SimulatedRecords() = default;
  /// The true parameters, in the order of Kind::parameters.
  [[nodiscard]] virtual const std::vector<double>& theta() const = 0;
  /// Records with a number outside its column's range.
  [[nodiscard]] virtual std::int64_t outside() const { return 0; }
  /// Calls `add` with levels of the model's columns, in their order, and how many records are at these.
  virtual void for_each(
      const std::function<void(std::span<const std::uint32_t> levels, std::int64_t count)>& add) const = 0;
};

/// All that the model's side knows of a kind of model. One folder in src/kinds holds it, one line of the
/// registry names it, and nothing else in the library knows that it exists.
class Kind {
 public:
  Kind() = default;
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;
  virtual ~Kind() = default;

  /// The name of its folders: "table".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What a study writes for it: kind = "family" and one of the families, or the kind's own word and no
  /// family.
  [[nodiscard]] virtual std::string_view study_kind() const { return "family"; }
  [[nodiscard]] virtual std::vector<std::string> families() const = 0;
  /// "bernoulli", "poisson"; the kind's word where it has no families.
  [[nodiscard]] virtual std::string family(const Model& model) const = 0;

  /// The columns whose levels the model reads.
  [[nodiscard]] virtual std::vector<std::string> columns(const Model& model) const = 0;
  /// Refuses columns that are not declared or do not suit the model, and priors out of range.
  virtual void check(const Model& model, const Schema& schema) const = 0;

  /// The mechanisms that go with the study's currency and adjacency, the default first.
  [[nodiscard]] virtual std::vector<Mechanism> mechanisms(const Study& study) const;
  /// The blocks that a study measures, noised to cost the budget. @pre the request's mechanism is offered
  [[nodiscard]] virtual std::vector<Block> design(const Study& study, const Request& request,
                                                  const Rational& budget) const = 0;
  /// The rule by which it measures in several rounds, of which `design` is the first and costs less than the
  /// budget. Nothing where it measures once.
  [[nodiscard]] virtual const RoundRule* round_rule(const Study& study, const Request& request) const;

  /// From a study or a document whose `kind` and `family` are this kind's. The keys are read whole.
  [[nodiscard]] virtual Model read(Node& node, const Schema& schema) const = 0;
  [[nodiscard]] virtual JsonValue write(const Model& model) const = 0;
  /// One line for people, with names in it as the study has them: "bernoulli: P(smoker = yes), prior beta(1,
  /// 1)".
  [[nodiscard]] virtual std::string text(const Model& model, const Schema& schema) const = 0;

  /// Throws bad_prior where the kind has none.
  [[nodiscard]] virtual PriorWords prior_words(const Model& model) const = 0;
  /// With other numbers in the prior. @pre as many as prior_words says
  [[nodiscard]] virtual Model with_prior(const Model& model, const std::vector<Rational>& numbers) const = 0;
  /// Has it a default prior whose scale is learned from the release? docs/priors.md has the law of each.
  [[nodiscard]] virtual bool takes_learned_prior(const Model& model) const;
  /// Is that its prior? Then the numbers of its prior are those of the planning law: truths that `plan`,
  /// `calibrate` and `audit` simulate are drawn from it, and no posterior looks at it.
  [[nodiscard]] virtual bool learned_prior(const Model& model) const;
  /// With that prior. Throws bad_prior where there is none, and says why.
  [[nodiscard]] virtual Model with_learned_prior(const Model& model) const;
  /// With the same prior for all, so that two models can be compared but for their priors.
  [[nodiscard]] virtual Model without_prior(const Model& model) const = 0;
  /// How many records the prior is worth; of several unknowns the one about which it says most. 0 without a
  /// prior, or with one whose scale is learned.
  [[nodiscard]] virtual double prior_records(const Model& model) const = 0;
  /// The numbers of a prior with the same centre that is worth `factor` times as many records, in the order
  /// of with_prior. Throws bad_prior where there is none. @pre factor > 0
  [[nodiscard]] virtual std::vector<Rational> scaled_prior(const Model& model,
                                                           const Rational& factor) const = 0;
  /// What a prior asks of engines that they cannot do, in words; nothing for nearly every prior.
  [[nodiscard]] virtual std::vector<std::string> notes(const Model& model) const;
  /// What an owner might do otherwise with the same budget, in words; n where it is known or assumed. Nothing
  /// for most kinds.
  [[nodiscard]] virtual std::vector<std::string> advice(const Study& study, const NoisePlan& plan,
                                                        std::optional<std::int64_t> n) const;

  /// Has it a posterior at all?
  [[nodiscard]] virtual bool has_posterior() const { return true; }
  /// The unknowns, in the order of their draws. Throws unsupported where there is no posterior.
  [[nodiscard]] virtual std::vector<Parameter> parameters(const Study& study) const = 0;
  /// Records under parameters from the prior, or under those that are assumed (in the order of `parameters`).
  /// Throws unsupported where there is nothing to simulate, bad_prior or bad_option where no record can be
  /// kept.
  [[nodiscard]] virtual std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                         const Assumed& assumed,
                                                                         Rng& rng) const = 0;
};

/// All kinds: the registry.
[[nodiscard]] std::span<const Kind* const> kinds();
/// Their families, for people: "bernoulli, categorical, ...".
[[nodiscard]] std::string all_families();
/// Reads the model whose `kind` (and `family`) the node names; refuses others with what there is.
[[nodiscard]] Model read_model(Node& node, const Schema& schema);

}  // namespace postern::model
