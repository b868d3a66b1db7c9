#include "statistic/sums/cost.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/encoded_number.hpp"

namespace postern::model {
namespace {

/// Terms of every level for each sum, and the cost of a change of each sum.
class LevelCosts {
 public:
  LevelCosts(const std::vector<WeighedSum>& sums, const Schema& schema, Currency currency)
      : squared_(currency == Currency::zcdp) {
    for (const WeighedSum& weighed : sums) {
      terms_.push_back(level_terms(*weighed.sum, schema));
      if (mutant(27) && weighed.sum->transform.kind != Transform::Kind::identity) centre(terms_.back());
      weights_.push_back(weighed.weight);
      rough_.push_back(weighed.weight.get_d());
      const Transform& first = sums.front().sum->transform;
      const Transform& here = weighed.sum->transform;
      convex_ =
          convex_ && weighed.sum->power > 0 && here.kind == first.kind && here.exponent == first.exponent;
      if (weighed.sum->power == 0) add_outside(*weighed.sum, schema);
    }
    outside_.insert({0, levels() - 1});
  }
  [[nodiscard]] std::size_t levels() const { return terms_.front().size(); }
  /// Whether the cost is convex in one k.
  [[nodiscard]] bool convex() const { return convex_; }
  /// The ends, and levels that stand for values outside: one of them is in the worst pair.
  [[nodiscard]] const std::set<std::size_t>& outside() const { return outside_; }

  /// What the change costs when a record's level goes from `from` to `to`, or comes from nowhere.
  [[nodiscard]] Rational exact(std::size_t from, std::size_t to) const {
    return cost<Rational, Integer>(weights_, [&](const auto& terms) { return terms[to] - terms[from]; });
  }
  [[nodiscard]] Rational exact(std::size_t added) const {
    return cost<Rational, Integer>(weights_, [&](const auto& terms) { return terms[added]; });
  }
  [[nodiscard]] double rough(std::size_t from, std::size_t to) const {
    return cost<double, double>(rough_, [&](const auto& terms) { return terms[to] - terms[from]; });
  }
  [[nodiscard]] double rough(std::size_t added) const {
    return cost<double, double>(rough_, [&](const auto& terms) { return terms[added]; });
  }

 private:
  void add_outside(const LevelSum& sum, const Schema& schema) {
    const EncodedNumber number = encoded_number(schema.at(sum.column), sum.transform);
    for (const std::int64_t level : {number.below, number.above}) {
      if (level >= 0) outside_.insert(static_cast<std::size_t>(level));
    }
  }
  /// Mutant 27: the cost counts from the middle of the range, the sum from its end.
  static void centre(std::vector<std::int64_t>& terms) {
    const std::int64_t middle = (terms.front() + terms.back()) / 2;
    for (std::int64_t& term : terms) term -= middle;
  }
  template <class Cost, class Change, class Of>
  [[nodiscard]] Cost cost(const std::vector<Cost>& weights, const Of& change_of) const {
    Cost sum = 0;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const std::int64_t change = change_of(terms_[j]);
      const Change size(static_cast<Change>(std::abs(change)));
      sum += weights[j] * (squared_ ? Cost(size * size) : Cost(size));
    }
    return sum;
  }

  bool squared_;
  bool convex_ = true;
  std::set<std::size_t> outside_;
  std::vector<std::vector<std::int64_t>> terms_;
  std::vector<Rational> weights_;
  std::vector<double> rough_;
};

/// The exact maximum over 0..count-1: rough costs, which are good to 1e-14, find the few candidates.
template <class Rough, class Exact>
Rational exact_maximum(std::size_t count, const Rough& rough, const Exact& exact) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, rough(i));
  Rational worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (rough(i) >= most * (1 - 1e-11)) worst = std::max(worst, exact(i));
  }
  return worst;
}

}  // namespace

std::vector<std::int64_t> inside_terms(const Column& column, const Transform& transform) {
  const EncodedNumber number = encoded_number(column, transform);
  const std::vector<std::int64_t>& adds = number.values.adds;
  std::vector<std::int64_t> terms(adds.size());
  bool clear = number.below >= 0 && number.above >= 0;
  bool any = false;
  for (std::size_t l = 0; clear && l < adds.size(); ++l) {
    terms[l] = number.inside(l) ? 1 : 0;
    any = any || terms[l] == 1;
    for (const std::int64_t level : {number.below, number.above})
      clear = clear && (terms[l] == 0 || adds[l] != adds[static_cast<std::size_t>(level)]);
  }
  if (!clear || !any) {
    throw Error(ErrorCode::bad_value,
                {"the records inside of column '", from_study(column.name),
                 "' cannot be counted: values outside must be clamped or mapped, and the values next to them "
                 "must differ from them in the sum; take a coarser grid"});
  }
  return terms;
}

std::vector<std::int64_t> level_terms(const LevelSum& sum, const Schema& schema) {
  if (sum.power == 0) return inside_terms(schema.at(sum.column), sum.transform);
  std::vector<std::int64_t> terms = level_values(schema.at(sum.column), sum.transform).adds;
  const std::int64_t last = terms.back();
  for (std::int64_t& k : terms) {
    if (sum.mirrored) {
      k = last - k;
    } else if (sum.power == 2) {
      k *= k;
    }
  }
  return terms;
}

Rational worst_level(const std::vector<WeighedSum>& sums, const Schema& schema, Currency currency) {
  const LevelCosts costs(sums, schema, currency);
  // Looking at every level would be slow where all cost the same, as in a binomial column.
  if (costs.convex()) return std::max(costs.exact(0), costs.exact(costs.levels() - 1));
  return exact_maximum(
      costs.levels(), [&](std::size_t l) { return costs.rough(l); },
      [&](std::size_t l) { return costs.exact(l); });
}

Rational worst_pair(const std::vector<WeighedSum>& sums, const Schema& schema, Currency currency) {
  const LevelCosts costs(sums, schema, currency);
  if (mutant(28)) return costs.exact(0, costs.levels() - 1);
  Rational worst = 0;
  for (const std::size_t end : costs.outside()) {
    worst = std::max(worst, exact_maximum(
                                costs.levels(), [&](std::size_t l) { return costs.rough(end, l); },
                                [&](std::size_t l) { return costs.exact(end, l); }));
  }
  return worst;
}

}  // namespace postern::model
