#include "statistic/products/search.hpp"

#include <algorithm>
#include <queue>

#include "postern/core/mutant.hpp"

#include "statistic/products/lattice_points.hpp"

namespace postern::model {
namespace {

/// Beside a partial vector of a listing.
constexpr std::size_t kEffortOfBox = 10;
/// Partial vectors of one box, before it is cut instead. Where the majorant is the cost itself, a cut does
/// not make it better.
constexpr std::size_t kPatience = 300;
constexpr std::size_t kPatienceWhereQuadratic = 1'000;

Integer as_integer(std::int64_t value) { return Integer(static_cast<long>(value)); }

/// The most of slope h + bend h^2 for whole h in lo..hi.
Integer most_of_parabola(const Integer& slope, const Integer& bend, std::int64_t lo, std::int64_t hi) {
  const auto at = [&](std::int64_t h) {
    const Integer x = as_integer(h);
    return Integer((slope + bend * x) * x);
  };
  Integer most = std::max(at(lo), at(hi));
  if (sgn(bend) >= 0) return most;
  const Integer top = floor(Rational(slope) / Rational(-2 * bend));  // its top is there or at the next number
  for (const Integer& h : {top, Integer(top + 1)}) {
    if (h > as_integer(lo) && h < as_integer(hi)) most = std::max(most, at(h.get_si()));
  }
  return most;
}

/// The most of twist g h for g in a..b and h in c..d.
Integer most_of_product(const Integer& twist, std::int64_t a, std::int64_t b, std::int64_t c,
                        std::int64_t d) {
  const auto [least, most] = std::minmax({a * c, a * d, b * c, b * d});
  return twist * as_integer(sgn(twist) > 0 ? most : least);
}

struct OpenBox {
  VectorBox box;
  Majorant majorant;
  Integer bound;           ///< in coarse units
  std::size_t column = 0;  ///< where it is cut
  bool to_ends = false;    ///< of a convex column only the ends are left
};
struct LessBound {
  bool operator()(const OpenBox& a, const OpenBox& b) const { return a.bound < b.bound; }
};

class Search {
 public:
  Search(const ProductCost& cost, std::size_t effort) : cost_(cost), effort_(effort) {}

  WorstPair run() {
    consider(cost_.whole());
    while (!open_.empty() && open_.top().bound > level_) {
      if (effort_ < kEffortOfBox) return {cost_.coarse_in_budget(open_.top().bound), false};
      effort_ -= kEffortOfBox;
      const OpenBox here = open_.top();
      open_.pop();
      if (!list(here)) cut(here);
    }
    return {cost_.in_budget(best_), true};
  }

 private:
  /// Looks at all vectors of a box that could be costlier, if they are few.
  bool list(const OpenBox& here) {
    if (here.to_ends) return false;
    const std::size_t patience = std::min(effort_, cost_.quadratic() ? kPatienceWhereQuadratic : kPatience);
    const Listing listing = list_above(here.majorant, here.box, level_, patience, [&](const auto& vector) {
      meet(vector);
      return level_;
    });
    effort_ -= listing.steps;
    return listing.complete;
  }

  void cut(const OpenBox& here) {
    VectorBox low = here.box;
    VectorBox high = here.box;
    const std::size_t i = here.column;
    const std::int64_t middle = here.majorant.centre[i];
    low.hi[i] = here.to_ends ? low.lo[i] : middle;
    high.lo[i] = here.to_ends ? high.hi[i] : middle + 1;
    consider(std::move(low));
    consider(std::move(high));
  }

  void meet(const std::vector<std::int64_t>& vector) {
    Integer cost = cost_(vector);
    if (cost <= best_) return;
    best_ = std::move(cost);
    level_ = cost_.coarse(best_);
  }

  /// Leaves a box open if something in it could be costlier than the best vector yet.
  void consider(VectorBox box) {
    if (!shrink(box)) return;
    OpenBox out;
    out.majorant = cost_.majorant(box);
    if (!mutant(37) || box.lo == box.hi) meet(out.majorant.centre);
    const std::vector<Integer> blame = set_bound(out, box);
    if (out.bound <= level_ || box.lo == box.hi) return;
    for (std::size_t i = 0; i < box.size(); ++i) {
      const bool ends = !box.single(i) && (mutant(37) || cost_.convex(i, box));
      if (ends < out.to_ends || (ends == out.to_ends && blame[i] <= blame[out.column])) continue;
      out.column = i;
      out.to_ends = ends;
    }
    out.box = std::move(box);
    open_.push(std::move(out));
  }

  /// Moves columns to an end where the cost rises towards it. False if every vector of the box is beaten by
  /// a neighbour outside.
  bool shrink(VectorBox& box) const {
    const VectorBox& whole = cost_.whole();
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < box.size(); ++i) {
        const bool top = box.hi[i] == whole.hi[i];
        const bool bottom = box.lo[i] == whole.lo[i];
        if (top && bottom && box.single(i)) continue;
        const auto steps = cost_.steps(i, box.lo[i] - (bottom ? 0 : 1), box.hi[i] - (top ? 1 : 0), box);
        const bool rises = sgn(steps.least) > 0;
        const bool falls = sgn(steps.most) < 0;
        if ((rises && !top) || (falls && !bottom)) return false;
        if (box.single(i)) continue;
        if (rises) box.lo[i] = box.hi[i];
        if (falls) box.hi[i] = box.lo[i];
        again = again || rises || falls;
      }
    }
    return true;
  }

  /// The most of the majorant, each of its terms at its own most. Returns what each column adds.
  static std::vector<Integer> set_bound(OpenBox& out, const VectorBox& box) {
    const std::size_t d = box.size();
    const Majorant& m = out.majorant;
    const auto lo = [&](std::size_t i) { return box.lo[i] - m.centre[i]; };
    const auto hi = [&](std::size_t i) { return box.hi[i] - m.centre[i]; };
    out.bound = m.at;
    std::vector<Integer> blame(d);
    for (std::size_t i = 0; i < d; ++i) {
      if (box.single(i)) continue;
      const Integer own = most_of_parabola(m.slope[i], m.bend[i], lo(i), hi(i));
      out.bound += own;
      blame[i] += own + 1;  // a wide column is cut before a single one
      for (std::size_t j = 0; j < i; ++j) {
        const Integer both = most_of_product(m.twist[i * d + j], lo(i), hi(i), lo(j), hi(j));
        out.bound += both;
        blame[i] += both;
        blame[j] += both;
      }
    }
    return blame;
  }

  const ProductCost& cost_;
  std::size_t effort_;
  Integer best_ = 0;   ///< cost of the worst vector met
  Integer level_ = 0;  ///< the same in coarse units, rounded down
  std::priority_queue<OpenBox, std::vector<OpenBox>, LessBound> open_;
};

}  // namespace

WorstPair find_worst_pair(const ProductCost& cost, std::size_t effort) { return Search(cost, effort).run(); }

}  // namespace postern::model
