#include "statistic/products/cost.hpp"

#include <algorithm>
#include <iterator>

namespace postern::model {
namespace {

// Levels are whole numbers up to 2^20, so products of three of them, and sums of a few such, fit 64 bits;
// weights are as long as they are.

constexpr std::size_t kCoarseBits = 192;

/// sum += weight * factor, without a temporary.
void add(Integer& sum, const Integer& weight, std::int64_t factor) {
  if (factor >= 0) {
    mpz_addmul_ui(sum.get_mpz_t(), weight.get_mpz_t(), static_cast<unsigned long>(factor));
  } else {
    mpz_submul_ui(sum.get_mpz_t(), weight.get_mpz_t(), static_cast<unsigned long>(-factor));
  }
}
void add(ProductCost::Range& sum, const Integer& weight, std::int64_t least, std::int64_t most) {
  add(sum.least, weight, least);
  add(sum.most, weight, most);
}

struct Squares {
  std::int64_t least;
  std::int64_t most;
};
/// k^2 for k from lo to hi.
Squares squares_between(std::int64_t lo, std::int64_t hi) {
  const auto [least, most] = std::minmax({lo * lo, hi * hi});
  return {lo < 0 && hi > 0 ? 0 : least, most};
}

/// The most of 4 c h + h^2 for h from lo - c to hi - c: that is (2c + h)^2 - 4c^2, largest at an end.
std::int64_t most_of_higher_terms(std::int64_t c, std::int64_t lo, std::int64_t hi) {
  return squares_between(lo + c, hi + c).most - 4 * c * c;
}

/// (y + 1)^4 - y^4 for odd = 2y + 1
std::int64_t step_of_fourth_power(std::int64_t odd) { return (odd * odd + 1) / 2 * odd; }

Integer common_denominator(const CoupledSums& sums) {
  Integer common = 1;
  for (const Rational& weight : sums.linear()) common = lcm(common, weight.get_den());
  for (const auto& [pair, weight] : sums.quadratic()) common = lcm(common, weight.get_den());
  return common;
}

std::size_t bits(const std::vector<Integer>& weights) {
  std::size_t most = 0;
  for (const Integer& weight : weights) most = std::max(most, mpz_sizeinbase(weight.get_mpz_t(), 2));
  return most;
}

}  // namespace

ProductCost::ProductCost(const CoupledSums& sums, const std::vector<LevelEnds>& ends, Currency currency)
    : squared_(currency == Currency::zcdp) {
  const std::size_t d = ends.size();
  const Integer common = common_denominator(sums);
  const auto whole = [&](const Rational& w) { return Integer(w.get_num() * (common / w.get_den())); };
  unit_ = Rational(Integer(1), common);
  for (std::size_t i = 0; i < d; ++i) {
    far_.push_back(ends[i].reach());
    whole_.hi.push_back(ends[i].reach());
    whole_.lo.push_back(-std::min(-ends[i].least, ends[i].most));
    fine_.sums.push_back(whole(sums.linear()[i]));
  }
  fine_.squares.resize(d);
  fine_.products.resize(d * d);
  for (const auto& [pair, weight] : sums.quadratic()) {
    const auto [i, j] = pair;
    if (i == j) {
      fine_.squares[i] = whole(weight);
    } else {
      fine_.products[i * d + j] = fine_.products[j * d + i] = whole(weight);
    }
  }
  const std::size_t length = std::max({bits(fine_.sums), bits(fine_.squares), bits(fine_.products)});
  shift_ = std::max(length, kCoarseBits) - kCoarseBits;
  coarse_ = rounded_up(fine_);
}

ProductCost::Weights ProductCost::rounded_up(const Weights& weights) const {
  Weights out = weights;
  for (auto* list : {&out.sums, &out.squares, &out.products}) {
    for (Integer& weight : *list) mpz_cdiv_q_2exp(weight.get_mpz_t(), weight.get_mpz_t(), shift_);
  }
  return out;
}

Integer ProductCost::sum(const Weights& weights, const std::vector<std::int64_t>& y) const {
  Integer total = 0;
  Integer once;
  const auto add_change = [&](const Integer& weight, std::int64_t change) {
    if (squared_) {
      once = 0;
      add(once, weight, change);
      add(total, once, change);
    } else {
      add(total, weight, change);
    }
  };
  for (std::size_t i = 0; i < size(); ++i) {
    add_change(weights.sums[i], far_[i] - y[i]);
    add_change(weights.squares[i], far_[i] * far_[i] - y[i] * y[i]);
    for (std::size_t j = 0; j < i; ++j)
      add_change(weights.products[i * size() + j], far_[i] * far_[j] - y[i] * y[j]);
  }
  return total;
}

ProductCost::Range ProductCost::steps(std::size_t i, std::int64_t first, std::int64_t last,
                                      const VectorBox& box) const {
  if (squared_) return squared_steps(i, first, last, box);
  // -(a_i + a_ii (2 y_i + 1) + sum_j a_ij y_j)
  Range out{-fine_.sums[i], -fine_.sums[i]};
  add(out, fine_.squares[i], -(2 * last + 1), -(2 * first + 1));
  for (std::size_t j = 0; j < size(); ++j) add(out, fine_.products[i * size() + j], -box.hi[j], -box.lo[j]);
  return out;
}

/// a_ii ((y_i + 1)^4 - y_i^4) + (2 y_i + 1) (a_i + sum_j a_ij y_j^2 - 2 a_ii K_i^2)
///   - 2 K_i (a_i + sum_j a_ij K_j y_j),
/// term by term. k^4 is convex, so that its steps rise.
ProductCost::Range ProductCost::squared_steps(std::size_t i, std::int64_t first, std::int64_t last,
                                              const VectorBox& box) const {
  Range out{0, 0};
  Range factor{fine_.sums[i], fine_.sums[i]};
  add(factor, fine_.squares[i], -2 * far_[i] * far_[i], -2 * far_[i] * far_[i]);
  add(out, fine_.sums[i], -2 * far_[i], -2 * far_[i]);
  for (std::size_t j = 0; j < size(); ++j) {
    const Integer& weight = fine_.products[i * size() + j];
    const Squares other = squares_between(box.lo[j], box.hi[j]);
    const std::int64_t pull = -2 * far_[i] * far_[j];
    add(factor, weight, other.least, other.most);
    add(out, weight, pull * box.hi[j], pull * box.lo[j]);
  }
  const std::int64_t low = 2 * first + 1;
  const std::int64_t high = 2 * last + 1;
  add(out, fine_.squares[i], step_of_fourth_power(low), step_of_fourth_power(high));
  const Integer corners[] = {factor.least * low, factor.least * high, factor.most * low, factor.most * high};
  const auto [least, most] = std::minmax_element(std::begin(corners), std::end(corners));
  out.least += *least;
  out.most += *most;
  return out;
}

bool ProductCost::convex(std::size_t i, const VectorBox& box) const {
  if (!squared_) return sgn(fine_.squares[i]) == 0;
  // Half of cost(y + e_i) - 2 cost(y) + cost(y - e_i), at its least.
  Integer bend = fine_.sums[i];
  add(bend, fine_.squares[i], 6 * squares_between(box.lo[i], box.hi[i]).least + 1 - 2 * far_[i] * far_[i]);
  for (std::size_t j = 0; j < size(); ++j)
    add(bend, fine_.products[i * size() + j], squares_between(box.lo[j], box.hi[j]).least);
  return sgn(bend) >= 0;
}

Majorant ProductCost::majorant(const VectorBox& box) const {
  Majorant out;
  for (std::size_t i = 0; i < size(); ++i) out.centre.push_back(box.lo[i] + (box.hi[i] - box.lo[i]) / 2);
  out.at = sum(coarse_, out.centre);
  out.slope.resize(size());
  out.bend.resize(size());
  out.twist.resize(size() * size());
  set_slopes(out);
  if (squared_) {
    set_squared_bends(out, box);
  } else {
    set_plain_bends(out);
  }
  return out;
}

void ProductCost::set_slopes(Majorant& out) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t c = out.centre[i];
    Integer& slope = out.slope[i];
    add(slope, coarse_.sums[i], squared_ ? -2 * (far_[i] - c) : -1);
    add(slope, coarse_.squares[i], squared_ ? -4 * c * (far_[i] * far_[i] - c * c) : -2 * c);
    for (std::size_t j = 0; j < size(); ++j) {
      const std::int64_t b = out.centre[j];
      add(slope, coarse_.products[i * size() + j], squared_ ? -2 * b * (far_[i] * far_[j] - c * b) : -b);
    }
  }
}

/// With coarse weights the cost is this quadratic.
void ProductCost::set_plain_bends(Majorant& out) const {
  for (std::size_t i = 0; i < size(); ++i) {
    out.bend[i] = -coarse_.squares[i];
    for (std::size_t j = 0; j < size(); ++j) out.twist[i * size() + j] = -coarse_.products[i * size() + j];
  }
}

/// Cubes and fourth powers of h are at most squares of h times the most of the rest of them in the box
/// (cost.md, "A quadratic above it"); halves are rounded up.
void ProductCost::set_squared_bends(Majorant& out, const VectorBox& box) const {
  std::vector<std::int64_t> higher(size());
  for (std::size_t i = 0; i < size(); ++i)
    higher[i] = most_of_higher_terms(out.centre[i], box.lo[i], box.hi[i]);
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t c = out.centre[i];
    out.bend[i] = coarse_.sums[i];
    add(out.bend[i], coarse_.squares[i], 6 * c * c - 2 * far_[i] * far_[i] + higher[i]);
    for (std::size_t j = 0; j < size(); ++j) {
      const Integer& weight = coarse_.products[i * size() + j];
      const std::int64_t b = out.centre[j];
      add(out.bend[i], weight, b * b + (higher[j] + 1) / 2);
      add(out.twist[i * size() + j], weight, 2 * (2 * c * b - far_[i] * far_[j]));
    }
  }
}

}  // namespace postern::model
