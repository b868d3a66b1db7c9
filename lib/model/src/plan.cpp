#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/noise_limits.hpp"
#include "postern/model/number_family.hpp"

namespace postern::model {
namespace {

/// A number of records is worth a tenth of the budget beside their sums (docs/decisions/private-n.md).
Rational share_of_count(const Rational& budget) { return budget / 10; }

/// What a study measures: `unit` says how the noise is shared out among the statistics, being what a change
/// of one by 1 costs in proportion: lambda or 1/sigma^2.
struct Wanted {
  Statistic statistic;
  Rational unit = 1;
};

/// A Laplace scale or a deviation in proportion to 1/weight (docs/decisions/noise-in-proportion.md).
Rational unit_of(const Rational& weight, const Study& study) {
  return study.privacy.currency == Currency::pure ? weight : Rational(weight * weight);
}

/// With n public a binary column needs one count: n less it is the other (docs/decisions/one-count.md).
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

/// max range / range, rounded half up: the statistic of the widest range weighs 1.
Integer weight_of(const Integer& range, const Integer& most) { return (2 * most + range) / (2 * range); }

/// A sum of squares has a much wider range than a sum of numbers, and a count a narrower one: the weights
/// even them out.
std::vector<Wanted> statistics_of(const Number& model, const Study& study) {
  const NumberFamily& family = *find_number_family(model.family);
  const LevelSum sum{model.column, family.transform(model.known)};
  std::vector<int> powers{1};
  if (family.squares) powers.push_back(2);
  if (model.count_inside) powers.push_back(0);
  std::vector<Wanted> wanted;
  std::vector<Integer> ranges;
  for (const int power : powers) {
    LevelSum one = sum;
    one.power = power;
    ranges.push_back(range_of(one, study.schema));
    wanted.push_back({one});
  }
  const Integer most = *std::max_element(ranges.begin(), ranges.end());
  for (std::size_t j = 0; j < wanted.size(); ++j) wanted[j].unit = unit_of(weight_of(ranges[j], most), study);
  if (study.privacy.adjacency == Adjacency::replace_one) return wanted;
  if (family.bounded) {  // successes and failures add up to n times the trials: no count is needed
    LevelSum mirrored = sum;
    mirrored.mirrored = true;
    wanted.push_back({mirrored});
  } else {
    wanted.push_back({RecordCount{}});
  }
  return wanted;
}

/// Noise in proportion to what a record can add; sums and products of two columns have half the variance of
/// that in zCDP, which puts the worst pair of records among the corners (product_sum.md).
std::vector<Wanted> statistics_of(const MultivariateNormal& model, const Study& study) {
  const std::size_t d = model.columns.size();
  std::vector<Rational> weights;
  std::vector<Wanted> wanted;
  const Rational twice = study.privacy.currency == Currency::pure ? 1 : 2;
  for (const std::string& column : model.columns) {
    weights.emplace_back(1, static_cast<long>(level_ends(study.schema.at(column)).reach()));
    wanted.push_back({LevelSum{column, {}}, twice * unit_of(weights.back(), study)});
  }
  for (std::size_t i = 0; i < d; ++i) {
    wanted.push_back({LevelSum{model.columns[i], {}, 2}, unit_of(weights[i] * weights[i], study)});
    for (std::size_t j = i + 1; j < d; ++j) {
      wanted.push_back(
          {ProductSum{model.columns[i], model.columns[j]}, twice * unit_of(weights[i] * weights[j], study)});
    }
  }
  if (study.privacy.adjacency == Adjacency::add_remove) wanted.push_back({RecordCount{}});
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
void share_out(std::vector<Block>& blocks, const std::vector<Rational>& units, const Study& study,
               const Rational& amount) {
  const bool laplace = study.privacy.currency == Currency::pure;
  for (std::size_t j = 0; j < blocks.size(); ++j)
    blocks[j].noise.parameter = laplace ? units[j] : Rational(1 / units[j]);
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
  std::vector<Rational> units;
  std::vector<Block> counts;
  for (Wanted& wanted : std::visit([&](const auto& m) { return statistics_of(m, study); }, study.model)) {
    const std::size_t size = statistic_size(wanted.statistic, study.schema);
    const bool count = std::holds_alternative<RecordCount>(wanted.statistic);
    (count ? counts : sums).push_back({std::move(wanted.statistic), {kind, 1}, size});
    if (!count) units.push_back(wanted.unit);
  }
  if (kind == NoiseKind::exponential) {
    share_choices(sums, study, budget);
    return sums;
  }
  const Rational for_counts = counts.empty() ? Rational(0) : share_of_count(budget);
  share_out(sums, units, study, budget - for_counts);
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
  for (Block& block : plan.measurement.blocks) block.noise = writable_noise(block.noise);
  plan.cost = Spend::ceil(study.privacy.currency, cost(plan.measurement, study.schema, study.privacy));
  return plan;
}

}  // namespace postern::model
