#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/number_family.hpp"

namespace postern::model {
namespace {

/// A number of records is worth a tenth of the budget beside the sums of those records (DESIGN 7.10).
Rational share_of_count(const Rational& budget) { return budget / 10; }

/// What a study measures: the weights say how the noise is shared out among the statistics, a block's Laplace
/// scale or deviation being proportional to 1/weight (amendment B3).
struct Wanted {
  Statistic statistic;
  Integer weight = 1;
};

/// With n public a binary column needs one count; the other is n minus it, and the sensitivity halves (A16).
std::vector<Wanted> statistics_of(const Bernoulli& model, const Study& study) {
  if (study.privacy.adjacency == Adjacency::replace_one) return {{LevelCount{model.column, model.success}}};
  return {{Table{{model.column}}}};
}

std::vector<Wanted> statistics_of(const Categorical& model, const Study& /*study*/) {
  return {{Table{model.columns}}};
}

Integer range_of(const LevelSum& sum, const Schema& schema) {
  const std::vector<std::int64_t> terms = level_terms(sum, schema);
  const auto [least, most] = std::minmax_element(terms.begin(), terms.end());
  return Integer(*most) - Integer(*least);
}

/// max range / range, rounded (amendment B3).
Integer weight_of(const Integer& range, const Integer& most) { return (2 * most + range) / (2 * range); }

/// A sum of squares has a much wider range than a sum of numbers: the weights even them out.
std::vector<Wanted> statistics_of(const Number& model, const Study& study) {
  const NumberFamily& family = *find_number_family(model.family);
  const LevelSum sum{model.column, family.transform(model.known)};
  std::vector<Wanted> wanted{{sum}};
  if (family.squares) {
    LevelSum squares = sum;
    squares.power = 2;
    const Integer range = range_of(sum, study.schema);
    const Integer range_of_squares = range_of(squares, study.schema);
    const Integer most = std::max(range, range_of_squares);
    wanted.front().weight = weight_of(range, most);
    wanted.push_back({squares, weight_of(range_of_squares, most)});
  }
  if (study.privacy.adjacency == Adjacency::replace_one) return wanted;
  if (family.bounded) {  // successes and failures add up to n times the trials: no count is needed (A16)
    LevelSum mirrored = sum;
    mirrored.mirrored = true;
    wanted.push_back({mirrored});
  } else {
    wanted.push_back({RecordCount{}});
  }
  return wanted;
}

std::vector<Wanted> statistics_of(const Quantiles& model, const Study& /*study*/) {
  std::vector<Wanted> wanted;
  for (const Rational& at : model.at) wanted.push_back({RankScores{model.column, at}});
  return wanted;
}

/// The largest multiple of 2^-80 whose square is at most `value`, so that what it costs is within a
/// billionth of the budget, and not above.
Rational root_below(const Rational& value) {
  const Integer scaled = floor(value << 160);
  Rational root(Integer(sqrt(scaled)), Integer(Integer(1) << 80));
  root.canonicalize();
  return root;
}

/// Scales of choices that share the budget evenly.
void share_choices(std::vector<Block>& blocks, const Study& study, const Rational& budget) {
  const Rational each = budget / static_cast<long>(blocks.size());
  for (Block& block : blocks) {
    block.noise.parameter = 1;
    const Rational unscaled = cost({{block}}, study.schema, study.privacy);
    const Rational share = each / unscaled;
    block.noise.parameter = study.privacy.currency == Currency::pure ? share : root_below(share);
  }
}

/// Noises some blocks so that together they cost exactly `amount`.
void share_out(std::vector<Block>& blocks, const std::vector<Integer>& weights, const Study& study,
               const Rational& amount) {
  const bool laplace = study.privacy.currency == Currency::pure;
  for (std::size_t j = 0; j < blocks.size(); ++j) {
    // lambda = weight, or sigma^2 = 1 / weight^2.
    blocks[j].noise.parameter =
        laplace ? Rational(weights[j]) : Rational(1, Integer(weights[j] * weights[j]));
  }
  const Rational unscaled = cost({blocks}, study.schema, study.privacy);
  for (Block& block : blocks) {
    if (laplace) {
      block.noise.parameter *= amount / unscaled;
    } else {
      block.noise.parameter *= unscaled / amount;
    }
  }
}

/// The blocks of a study, noised to cost the budget exactly.
std::vector<Block> plan_blocks(const Study& study, NoiseKind kind, const Rational& budget) {
  std::vector<Block> sums;
  std::vector<Integer> weights;
  std::vector<Block> counts;
  for (Wanted& wanted : std::visit([&](const auto& m) { return statistics_of(m, study); }, study.model)) {
    const std::size_t size = statistic_size(wanted.statistic, study.schema);
    const bool count = std::holds_alternative<RecordCount>(wanted.statistic);
    (count ? counts : sums).push_back({std::move(wanted.statistic), {kind, 1}, size});
    if (!count) weights.push_back(wanted.weight);
  }
  if (kind == NoiseKind::exponential) {
    share_choices(sums, study, budget);
    return sums;
  }
  const Rational for_counts = counts.empty() ? Rational(0) : share_of_count(budget);
  share_out(sums, weights, study, budget - for_counts);
  if (!counts.empty()) share_out(counts, {1}, study, for_counts);
  sums.insert(sums.end(), counts.begin(), counts.end());
  return sums;
}

}  // namespace

Mechanism default_mechanism(const Study& study) {
  if (std::holds_alternative<Quantiles>(study.model)) return Mechanism::exponential;
  return study.privacy.currency == Currency::pure ? Mechanism::laplace : Mechanism::gaussian;
}

NoisePlan make_noise_plan(const Study& study, Mechanism mechanism, const Spend& budget) {
  if (budget.currency() != study.privacy.currency) {
    throw Error(ErrorCode::currency_mismatch,
                {"the study is paid in ", from_study(unit_name(study.privacy.currency)), ", not in ",
                 from_study(unit_name(budget.currency()))});
  }
  if (mechanism != default_mechanism(study)) {
    throw Error(ErrorCode::currency_mismatch,
                {"mechanism ", from_study(to_text(mechanism)), " does not go with currency ",
                 from_study(to_text(study.privacy.currency)),
                 "; laplace is paid in epsilon (pure), gaussian in rho (zcdp); quantiles take exponential"});
  }
  if (budget.nano() <= 0) throw Error(ErrorCode::bad_budget, {"the amount of privacy must be positive"});
  NoisePlan plan;
  plan.mechanism = mechanism;
  const NoiseKind kind = mechanism == Mechanism::exponential ? NoiseKind::exponential
                         : mechanism == Mechanism::laplace   ? NoiseKind::discrete_laplace
                                                             : NoiseKind::discrete_gaussian;
  plan.measurement.blocks = plan_blocks(study, kind, budget.exact());
  plan.cost = Spend::ceil(study.privacy.currency, cost(plan.measurement, study.schema, study.privacy));
  return plan;
}

}  // namespace postern::model
