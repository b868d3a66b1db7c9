#include "network_sums.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "postern/model/helmert.hpp"

namespace postern::infer {

NetworkSums::NetworkSums(const NetworkProblem& problem, const NetworkShape& shape, std::size_t first)
    : first_(first) {
  add_coefficients(problem, shape);
  add_choices(problem, shape);
}

void NetworkSums::add_coefficients(const NetworkProblem& problem, const NetworkShape& shape) {
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::size_t> known;
  for (const NoisyCoefficient& one : problem.coefficients) {
    if (one.variables.empty()) {
      sum_of_coefficient_.push_back(kNone);
      continue;
    }
    const auto [place, fresh] = known.try_emplace({one.variables, one.contrasts}, sums_.size());
    sum_of_coefficient_.push_back(place->second);
    if (!fresh) continue;
    Sum& sum = sums_.emplace_back();
    sum.variables = shape.in_core(one.variables);  // the core keeps their order
    for (std::size_t i = 0; i < one.variables.size(); ++i) {
      std::vector<std::int64_t>& weights = sum.weights.emplace_back();
      for (std::uint32_t l = 0; l < problem.sizes[one.variables[i]]; ++l)
        weights.push_back(model::contrast(one.contrasts[i], l));
    }
  }
}

std::size_t NetworkSums::add_count(const NetworkProblem& problem, const NetworkShape& shape,
                                   const NetworkChoice& choice, bool below) {
  const std::vector<std::uint32_t>& family = problem.families[choice.variable].variables;
  std::vector<std::pair<std::uint32_t, std::vector<std::int64_t>>> parts;
  std::size_t row = choice.row;
  for (std::size_t i = family.size(); i-- > 0;) {
    const std::uint32_t size = problem.sizes[family[i]];
    std::vector<std::int64_t> weights(size, 0);
    if (i + 1 == family.size()) {
      const std::uint32_t from = below ? choice.first : choice.middle;
      const std::uint32_t to = below ? choice.middle : choice.last;
      for (std::uint32_t l = from; l < to; ++l) weights[l] = 1;
    } else {
      weights[row % size] = 1;
      row /= size;
    }
    parts.emplace_back(shape.numbers[family[i]], std::move(weights));
  }
  std::sort(parts.begin(), parts.end());
  Sum& sum = sums_.emplace_back();
  for (auto& [variable, weights] : parts) {
    sum.variables.push_back(variable);
    sum.weights.push_back(std::move(weights));
  }
  return cell(sums_.size() - 1);
}

void NetworkSums::add_choices(const NetworkProblem& problem, const NetworkShape& shape) {
  using Key =
      std::tuple<std::uint32_t, std::size_t, std::uint32_t, std::uint32_t, std::uint32_t, const GridLaw*>;
  std::map<Key, std::size_t> known;
  for (const NetworkChoice& one : problem.choices) {
    const Key key{one.variable, one.row, one.first, one.middle, one.last, one.law.get()};
    const auto [place, fresh] = known.try_emplace(key, factors_.size());
    if (fresh) {
      SplitFactor factor;
      factor.below = add_count(problem, shape, one, true);
      factor.above = add_count(problem, shape, one, false);
      factor.law = one.law.get();
      factors_.push_back(factor);
    }
    SplitFactor& factor = factors_[place->second];
    factor.slope_below += one.law->slope_below(one.chosen);
    factor.slope_above += one.law->slope_above(one.chosen);
    factor.times += 1;
  }
}

void NetworkSums::add_noise(const NetworkProblem& problem, CellPotentials& potentials, std::size_t total,
                            std::int64_t most) const {
  std::vector<std::vector<NoisyValue>> values(sums_.size());
  std::vector<NoisyValue> of_total;
  for (std::size_t i = 0; i < problem.coefficients.size(); ++i) {
    const std::size_t sum = sum_of_coefficient_[i];
    (sum == kNone ? of_total : values[sum]).push_back(problem.coefficients[i].value);
  }
  potentials.add_noise(total, of_total, most);
  for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
    std::int64_t largest = most;
    for (const std::vector<std::int64_t>& weights : sums_[sum].weights) {
      std::int64_t own = 0;
      for (const std::int64_t weight : weights) own = std::max(own, std::abs(weight));
      largest *= own;
    }
    potentials.add_noise(cell(sum), values[sum], largest, -largest);
  }
}

void NetworkSums::read_coefficients(std::span<const std::int64_t> counts, std::size_t total,
                                    std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t sum = sum_of_coefficient_[i];
    out[i] = static_cast<double>(counts[sum == kNone ? total : cell(sum)]);
  }
}

void NetworkSums::fill(const LatentTables& tables, std::span<std::int64_t> counts) const {
  const graph::Sizes& sizes = tables.tree().sizes();
  std::vector<std::uint32_t> record(sizes.size(), 0);
  for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
    const LatentTables::Table& home = tables.clique(tables.tree().home(sums_[sum].variables).value());
    std::int64_t value = 0;
    for (std::size_t i = 0; i < home.cells; ++i) {
      for (std::size_t v = 0; v < home.variables.size(); ++v)
        record[home.variables[v]] =
            static_cast<std::uint32_t>(i / home.strides[v] % sizes[home.variables[v]]);
      value += counts[home.offset + i] * of_record(sum, record);
    }
    counts[cell(sum)] = value;
  }
}

NetworkSums::Touched NetworkSums::touched_by(const graph::Variables& of) const {
  Touched out;
  std::vector<bool> of_choices(sums_.size(), false);
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    of_choices[factors_[f].below - first_] = true;
    of_choices[factors_[f].above - first_] = true;
    if (graph::holds(sums_[factors_[f].below - first_].variables, of)) out.factors.push_back(f);
  }
  for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
    if (!of_choices[sum] && graph::holds(sums_[sum].variables, of)) out.sums.push_back(sum);
  }
  return out;
}

std::int64_t NetworkSums::of_record(std::size_t sum, std::span<const std::uint32_t> record) const {
  const Sum& own = sums_[sum];
  std::int64_t product = 1;
  for (std::size_t i = 0; i < own.variables.size() && product != 0; ++i)
    product *= own.weights[i][record[own.variables[i]]];
  return product;
}

std::int64_t NetworkSums::of_contrast(std::size_t sum, const graph::Variables& of,
                                      std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                      std::span<const std::uint32_t> record) const {
  const Sum& own = sums_[sum];
  std::int64_t product = 1;
  for (std::size_t i = 0; i < own.variables.size() && product != 0; ++i) {
    const auto place = std::find(of.begin(), of.end(), own.variables[i]);
    const std::vector<std::int64_t>& weights = own.weights[i];
    if (place == of.end()) {
      product *= weights[record[own.variables[i]]];
    } else {
      const auto at = static_cast<std::size_t>(place - of.begin());
      product *= weights[a[at]] - weights[b[at]];
    }
  }
  return product;
}

double NetworkSums::put(const CellPotentials& potentials, std::span<const std::uint32_t> record, int sign,
                        std::span<std::int64_t> counts) const {
  double log_ratio = 0;
  for (const SplitFactor& factor : factors_) {
    const std::int64_t below = sign * of_record(factor.below - first_, record);
    const std::int64_t above = sign * of_record(factor.above - first_, record);
    if (below == 0 && above == 0) continue;
    const std::int64_t a = counts[factor.below];
    const std::int64_t b = counts[factor.above];
    log_ratio += factor.log_at(a + below, b + above) - factor.log_at(a, b);
  }
  for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
    const std::int64_t change = sign * of_record(sum, record);
    if (change == 0) continue;
    std::int64_t& value = counts[cell(sum)];
    if (!potentials.silent(cell(sum))) log_ratio += potentials.noise_ratio(cell(sum), value, value + change);
    value += change;
  }
  return log_ratio;
}

}  // namespace postern::infer
