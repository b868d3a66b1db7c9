#include "statistic/products/lattice_points.hpp"

#include <algorithm>
#include <optional>

namespace postern::model {
namespace {

Integer whole_number(std::int64_t value) { return Integer(static_cast<long>(value)); }

/// The whole number nearest to a value, within lo..hi.
std::int64_t nearest(const Rational& value, std::int64_t lo, std::int64_t hi) {
  const Integer rounded = floor(value + Rational(1, 2));
  if (rounded <= whole_number(lo)) return lo;
  if (rounded >= whole_number(hi)) return hi;
  return rounded.get_si();
}

/// x N x - g x for the wide columns of a box; the quadratic is its `at` less this. x counts from the centre.
struct Loss {
  std::vector<std::size_t> columns;
  std::vector<std::int64_t> lo, hi;
  std::vector<Rational> matrix;  ///< N at i * size + j
  std::vector<Rational> pull;    ///< g

  [[nodiscard]] std::size_t size() const { return columns.size(); }
  [[nodiscard]] const Rational& entry(std::size_t i, std::size_t j) const { return matrix[i * size() + j]; }
  /// d/dx_i
  [[nodiscard]] Rational rise(const std::vector<Rational>& x, std::size_t i) const {
    Rational sum = 0;
    for (std::size_t j = 0; j < size(); ++j) sum += entry(i, j) * x[j];
    return 2 * sum - pull[i];
  }
};

/// The column where a step loses most comes last, and is walked first: what the others lose beside it is
/// little.
Loss loss_of(const Majorant& quadratic, const VectorBox& box) {
  Loss out;
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (!box.single(i)) out.columns.push_back(i);
  }
  std::stable_sort(out.columns.begin(), out.columns.end(),
                   [&](std::size_t i, std::size_t j) { return quadratic.bend[i] > quadratic.bend[j]; });
  for (const std::size_t i : out.columns) {
    out.lo.push_back(box.lo[i] - quadratic.centre[i]);
    out.hi.push_back(box.hi[i] - quadratic.centre[i]);
    out.pull.emplace_back(quadratic.slope[i]);
  }
  for (const std::size_t i : out.columns) {
    for (const std::size_t j : out.columns) {
      out.matrix.push_back(i == j ? Rational(-quadratic.bend[i])
                                  : Rational(-quadratic.twist[i * box.size() + j]) / 2);
    }
  }
  return out;
}

/// N = U' D U with a unit upper triangle U, so that x N x = sum_i pivot_i (x_i + sum_{j>i} U_ij x_j)^2.
struct CompletedSquares {
  std::vector<Rational> pivot;
  std::vector<Rational> factor;  ///< U at i * size + j
};

/// Nothing unless all pivots are positive.
std::optional<CompletedSquares> complete_squares(const Loss& loss) {
  const std::size_t n = loss.size();
  CompletedSquares out{std::vector<Rational>(n), loss.matrix};
  auto& u = out.factor;
  for (std::size_t p = 0; p < n; ++p) {
    out.pivot[p] = u[p * n + p];
    if (sgn(out.pivot[p]) <= 0) return std::nullopt;
    for (std::size_t i = p + 1; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) u[i * n + j] -= u[p * n + i] * u[p * n + j] / out.pivot[p];
    }
    for (std::size_t j = p; j < n; ++j) u[p * n + j] /= out.pivot[p];
  }
  return out;
}

/// A whole x that no change of one column improves, by changing one at a time.
std::vector<Rational> settle(const Loss& loss) {
  constexpr int kSweeps = 64;  // only a start: any x will do
  std::vector<Rational> x(loss.size());
  bool moved = true;
  for (int sweep = 0; moved && sweep < kSweeps; ++sweep) {
    moved = false;
    for (std::size_t i = 0; i < loss.size(); ++i) {
      const Rational best = x[i] - loss.rise(x, i) / (2 * loss.entry(i, i));
      const std::int64_t to = nearest(best, loss.lo[i], loss.hi[i]);
      if (x[i] == whole_number(to)) continue;
      x[i] = whole_number(to);
      moved = true;
    }
  }
  return x;
}

/// A point from which the loss cannot fall by more than the columns at an end allow:
/// loss(x) = loss(from) + sum_i rise_i (x_i - from_i) + (x - from) N (x - from), every term of the first sum
/// being at least 0 in the box. Columns not held at an end have no rise.
struct Footing {
  std::vector<Rational> from;
  std::vector<Rational> rise;
};

/// Solves N x = g / 2 in the columns that are not held.
void solve_free(const Loss& loss, const std::vector<int>& held, std::vector<Rational>& x) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    if (held[i] == 0) free.push_back(i);
  }
  const std::size_t n = free.size();
  std::vector<Rational> right(n);
  std::vector<Rational> m(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    right[a] = loss.pull[free[a]] / 2;
    for (std::size_t j = 0; j < loss.size(); ++j) {
      if (held[j] != 0) right[a] -= loss.entry(free[a], j) * x[j];
    }
    for (std::size_t b = 0; b < n; ++b) m[a * n + b] = loss.entry(free[a], free[b]);
  }
  for (std::size_t p = 0; p < n; ++p) {  // positive definite: no pivoting
    for (std::size_t a = p + 1; a < n; ++a) {
      const Rational ratio = m[a * n + p] / m[p * n + p];
      for (std::size_t b = p; b < n; ++b) m[a * n + b] -= ratio * m[p * n + b];
      right[a] -= ratio * right[p];
    }
  }
  for (std::size_t p = n; p-- > 0;) {
    for (std::size_t b = p + 1; b < n; ++b) right[p] -= m[p * n + b] * x[free[b]];
    x[free[p]] = right[p] / m[p * n + p];
  }
}

/// Whether the loss does not fall from the end where a column is held: 1 = lower, -1 = upper, 0 = not held.
bool holds(int side, const Rational& rise) { return side == 0 || sgn(rise) * side >= 0; }

Footing find_footing(const Loss& loss) {
  Footing out{settle(loss), std::vector<Rational>(loss.size())};
  std::vector<int> held(loss.size());
  for (std::size_t i = 0; i < loss.size(); ++i) {
    const int side = out.from[i] == whole_number(loss.lo[i])   ? 1
                     : out.from[i] == whole_number(loss.hi[i]) ? -1
                                                               : 0;
    held[i] = holds(side, loss.rise(out.from, i)) ? side : 0;
  }
  for (bool sound = false; !sound;) {  // every turn lets go of a column
    solve_free(loss, held, out.from);
    sound = true;
    for (std::size_t i = 0; i < loss.size(); ++i) {
      out.rise[i] = held[i] == 0 ? Rational(0) : loss.rise(out.from, i);
      if (holds(held[i], out.rise[i])) continue;
      held[i] = 0;
      sound = false;
    }
  }
  return out;
}

Rational loss_at(const Loss& loss, const std::vector<Rational>& x) {
  Rational total = 0;
  for (std::size_t i = 0; i < loss.size(); ++i) total += x[i] * (loss.rise(x, i) - loss.pull[i]) / 2;
  return total;
}

/// Goes through the columns from the last to the first, in each outwards from the best number.
class Walk {
 public:
  Walk(const Majorant& quadratic, const VectorBox& box, const Loss& loss, const CompletedSquares& squares,
       std::size_t patience, const FoundVector& found)
      : quadratic_(quadratic),
        loss_(loss),
        squares_(squares),
        footing_(find_footing(loss)),
        patience_(patience),
        found_(found),
        x_(loss.size()),
        vector_(box.lo) {}

  Listing run(const Integer& level) {
    foot_ = quadratic_.at - loss_at(loss_, footing_.from);
    room_ = foot_ - level;
    const bool complete = sgn(room_) <= 0 || descend(loss_.size(), 0);
    return {complete, steps_};
  }

 private:
  /// What column i adds to the loss, the later ones being settled: pivot (x - centre)^2 + rise (x - from).
  struct Parabola {
    Rational centre, from, pivot, rise;
    [[nodiscard]] Rational operator()(std::int64_t x) const {
      const Rational off = whole_number(x) - centre;
      return pivot * off * off + rise * (whole_number(x) - from);
    }
  };

  [[nodiscard]] Parabola parabola(std::size_t i) const {
    Rational centre = footing_.from[i];
    for (std::size_t j = i + 1; j < loss_.size(); ++j)
      centre -= squares_.factor[i * loss_.size() + j] * (whole_number(x_[j]) - footing_.from[j]);
    return {centre, footing_.from[i], squares_.pivot[i], footing_.rise[i]};
  }

  /// False if patience ran out.
  bool descend(std::size_t columns, const Rational& lost) {
    if (columns == 0) {
      report();
      return true;
    }
    const std::size_t i = columns - 1;
    const Parabola here = parabola(i);
    const std::int64_t best = nearest(here.centre - here.rise / (2 * here.pivot), loss_.lo[i], loss_.hi[i]);
    for (const std::int64_t way : {1, -1}) {
      for (std::int64_t x = way > 0 ? best : best - 1; x >= loss_.lo[i] && x <= loss_.hi[i]; x += way) {
        if (steps_ == patience_) return false;
        ++steps_;
        const Rational now = lost + here(x);
        if (now >= room_) break;
        x_[i] = x;
        if (!descend(i, now)) return false;
      }
    }
    return true;
  }

  void report() {
    for (std::size_t i = 0; i < loss_.size(); ++i)
      vector_[loss_.columns[i]] = quadratic_.centre[loss_.columns[i]] + x_[i];
    room_ = foot_ - found_(vector_);
  }

  const Majorant& quadratic_;
  const Loss& loss_;
  const CompletedSquares& squares_;
  Footing footing_;
  std::size_t patience_;
  std::size_t steps_ = 0;
  const FoundVector& found_;
  std::vector<std::int64_t> x_;
  std::vector<std::int64_t> vector_;
  Rational foot_;  ///< the quadratic at the footing
  Rational room_;  ///< what may be lost from there
};

}  // namespace

Listing list_above(const Majorant& quadratic, const VectorBox& box, const Integer& level,
                   std::size_t patience, const FoundVector& found) {
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (!box.single(i) && sgn(quadratic.bend[i]) >= 0) return {};
  }
  const Loss loss = loss_of(quadratic, box);
  const std::optional<CompletedSquares> squares = complete_squares(loss);
  if (!squares) return {};
  return Walk(quadratic, box, loss, *squares, patience, found).run(level);
}

}  // namespace postern::model
