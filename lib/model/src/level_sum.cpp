#include "level_sum.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/mutant.hpp"
#include "postern/model/encoded_number.hpp"

namespace postern::model {
namespace {

/// Terms of every level for each sum, and the price of a change of each sum.
class Prices {
 public:
  Prices(const std::vector<WeighedSum>& sums, const Schema& schema, Currency currency)
      : squared_(currency == Currency::zcdp) {
    for (const WeighedSum& weighed : sums) {
      terms_.push_back(level_terms(*weighed.sum, schema));
      if (mutant(27) && weighed.sum->transform.kind != Transform::Kind::identity) centre(terms_.back());
      weights_.push_back(weighed.weight);
      rough_.push_back(weighed.weight.get_d());
      const Transform& first = sums.front().sum->transform;
      const Transform& here = weighed.sum->transform;
      one_transform_ = one_transform_ && here.kind == first.kind && here.exponent == first.exponent;
    }
  }
  [[nodiscard]] std::size_t levels() const { return terms_.front().size(); }
  /// Whether all sums are functions of the same k.
  [[nodiscard]] bool one_transform() const { return one_transform_; }

  /// What the change costs when a record's level goes from `from` to `to`, or comes from nowhere.
  [[nodiscard]] Rational exact(std::size_t from, std::size_t to) const {
    return price<Rational, Integer>(weights_, [&](const auto& terms) { return terms[to] - terms[from]; });
  }
  [[nodiscard]] Rational exact(std::size_t added) const {
    return price<Rational, Integer>(weights_, [&](const auto& terms) { return terms[added]; });
  }
  [[nodiscard]] double rough(std::size_t from, std::size_t to) const {
    return price<double, double>(rough_, [&](const auto& terms) { return terms[to] - terms[from]; });
  }
  [[nodiscard]] double rough(std::size_t added) const {
    return price<double, double>(rough_, [&](const auto& terms) { return terms[added]; });
  }

 private:
  /// Mutant 27: the cost counts from the middle of the range, the sum from its end.
  static void centre(std::vector<std::int64_t>& terms) {
    const std::int64_t middle = (terms.front() + terms.back()) / 2;
    for (std::int64_t& term : terms) term -= middle;
  }
  template <class Price, class Change, class Of>
  [[nodiscard]] Price price(const std::vector<Price>& weights, const Of& change_of) const {
    Price sum = 0;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const std::int64_t change = change_of(terms_[j]);
      const Change size(static_cast<Change>(std::abs(change)));
      sum += weights[j] * (squared_ ? Price(size * size) : Price(size));
    }
    return sum;
  }

  bool squared_;
  bool one_transform_ = true;
  std::vector<std::vector<std::int64_t>> terms_;
  std::vector<Rational> weights_;
  std::vector<double> rough_;
};

/// The exact maximum over 0..count-1: rough prices, which are good to 1e-14, find the few candidates.
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

std::vector<std::int64_t> level_terms(const LevelSum& sum, const Schema& schema) {
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
  const Prices prices(sums, schema, currency);
  // Convex in k. Looking at every level would be slow where all cost the same, as in a binomial column.
  if (prices.one_transform()) return std::max(prices.exact(0), prices.exact(prices.levels() - 1));
  return exact_maximum(
      prices.levels(), [&](std::size_t l) { return prices.rough(l); },
      [&](std::size_t l) { return prices.exact(l); });
}

Rational worst_pair(const std::vector<WeighedSum>& sums, const Schema& schema, Currency currency) {
  const Prices prices(sums, schema, currency);
  if (mutant(28)) return prices.exact(0, prices.levels() - 1);
  Rational worst = 0;
  for (const std::size_t end : {std::size_t{0}, prices.levels() - 1}) {
    worst = std::max(worst, exact_maximum(
                                prices.levels(), [&](std::size_t l) { return prices.rough(end, l); },
                                [&](std::size_t l) { return prices.exact(end, l); }));
  }
  return worst;
}

}  // namespace postern::model
