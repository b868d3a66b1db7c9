#include "statistic/moments/cost.hpp"

#include <algorithm>
#include <optional>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"

namespace postern::model {
namespace {

/// What a change of a sum of products of w by 1 costs (by D: times |D|, or D^2), part by part.
struct PartWeights {
  Rational x = 0;
  Rational y = 0;
  Rational x_squares = 0;
  Rational y_square = 0;
  Rational centred_x_squares = 0;
  Rational centred_y_square = 0;
  Rational xx = 0;
  Rational xy = 0;

  Rational& of(const Moments& moments) {
    switch (moments.part) {
      case MomentPart::x:
        return x;
      case MomentPart::y:
        return y;
      case MomentPart::x_squares:
        return moments.centred ? centred_x_squares : x_squares;
      case MomentPart::y_square:
        return moments.centred ? centred_y_square : y_square;
      case MomentPart::xx:
        return xx;
      case MomentPart::xy:
        return xy;
    }
    return x;
  }
};

/// The feature columns by what a record can do to their entries.
struct Features {
  long numbers = 0;
  long switches = 0;    ///< categories of two levels: one entry, 0 or 1
  long categories = 0;  ///< of more: a record moves from one entry to another

  [[nodiscard]] long all() const { return numbers + switches + categories; }
};

bool same_columns(const Moments& a, const Moments& b) {
  return a.features == b.features && a.target == b.target && a.steps == b.steps;
}

/// Choosing pairs out of `count`.
long pairs_of(long count) { return count * (count - 1) / 2; }

/// The largest a + b z + c z^2 for 0 <= z <= end lies at one of these.
std::vector<Rational> tops(const Rational& b, const Rational& c, const Rational& end) {
  std::vector<Rational> out{0, end};
  if (sgn(c) < 0) {
    const Rational top = -b / (2 * c);
    if (top > 0 && top < end) out.push_back(top);
  }
  return out;
}

/// The relaxed cost of a pair of records of n features that are numbers and a target, as a function of the
/// sum s of a_i and of a_y = t (cost.md): f = constant + s (bs + cross t) + css s^2 + t (bt + ctt t).
class RelaxedPair {
 public:
  RelaxedPair(const PartWeights& w, long n) : n_(n) {
    constant_ = 2 * w.x * n + 2 * w.y;
    bs_ = -2 * w.x + 2 * w.xy + 2 * w.xx * (n - 1) + 4 * w.x_squares;
    css_ = -2 * w.xx;
    bt_ = -2 * w.y + 2 * w.xy * n + 4 * w.y_square;
    ctt_ = -4 * w.y_square;
    cross_ = -4 * w.xy;
    const Rational of_squares = 2 * w.xx - 4 * w.x_squares;  // of the sum of a_i^2, in s^2 / n .. s
    if (sgn(of_squares) > 0) {
      bs_ += of_squares;
    } else if (n > 0) {
      css_ += of_squares / n;
    }
  }
  /// Over 0 <= s <= n, 0 <= t <= 1: on an edge, or where no slope is left.
  [[nodiscard]] Rational most() const {
    Rational best = at(0, 0);
    const auto offer = [&](const Rational& s, const Rational& t) { best = std::max(best, at(s, t)); };
    for (const int t : {0, 1}) {
      for (const Rational& s : tops(bs_ + cross_ * t, css_, n_)) offer(s, t);
    }
    for (const long s : {0L, n_}) {
      for (const Rational& t : tops(bt_ + cross_ * s, ctt_, 1)) offer(s, t);
    }
    const Rational determinant = 4 * css_ * ctt_ - cross_ * cross_;
    if (sgn(determinant) > 0) {
      const Rational s = (cross_ * bt_ - 2 * ctt_ * bs_) / determinant;
      const Rational t = (cross_ * bs_ - 2 * css_ * bt_) / determinant;
      if (s >= 0 && s <= n_ && t >= 0 && t <= 1) offer(s, t);
    }
    return best;
  }

 private:
  [[nodiscard]] Rational at(const Rational& s, const Rational& t) const {
    return constant_ + s * (bs_ + cross_ * t) + css_ * s * s + t * (bt_ + ctt_ * t);
  }

  long n_;
  Rational constant_, bs_, css_, bt_, ctt_, cross_;
};

/// Every entry at an end, every category at a level that has one: all changes are largest at once.
Rational worst_record(const PartWeights& w, const Features& features, bool squared) {
  const long all = features.all();
  const Rational half = squared ? Rational(1, 4) : Rational(1, 2);
  return w.x * all + w.y + w.xx * pairs_of(all) + w.xy * all + w.x_squares * features.numbers + w.y_square +
         half * (w.centred_x_squares * features.numbers + w.centred_y_square);
}

/// A change by D of a product lies in -2..2 and of a square in -1..1, so that D^2 is at most 2 |D| or |D|.
PartWeights linear(PartWeights w, bool squared) {
  if (!squared) return w;
  for (Rational* weight : {&w.x, &w.y, &w.xx, &w.xy}) *weight *= 2;
  return w;
}

/// Categories and switches that are kept at a level with an entry, while the others change.
Rational with_kept(const PartWeights& w, const Features& features, long categories, long switches,
                   bool squared) {
  PartWeights now = w;
  now.x += w.xx * (categories + switches);  // an indicator that is 1 before and after is one more constant
  now.y += w.xy * (categories + switches);
  const long moved = features.categories - categories;
  const long switched = features.switches - switches;
  const long among = 2 * (pairs_of(features.categories) - pairs_of(categories)) +
                     pairs_of(features.switches) - pairs_of(switches) + moved * (switched + 2 * switches) +
                     categories * switched;
  return RelaxedPair(linear(now, squared), features.numbers).most() +
         (2 * moved + switched) * (w.x + w.xx * features.numbers + w.xy) + w.xx * among;
}

Rational worst_pair(PartWeights w, const Features& features, bool squared) {
  w.x_squares += w.centred_x_squares;  // what is taken off is the same of both records
  w.y_square += w.centred_y_square;
  Rational worst = 0;
  for (long categories = 0; categories <= features.categories; ++categories) {
    for (long switches = 0; switches <= features.switches; ++switches)
      worst = std::max(worst, with_kept(w, features, categories, switches, squared));
  }
  return worst;
}

class MomentsRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    const bool squared = policy.currency == Currency::zcdp;
    const auto& first = statistics.front().statistic->get<Moments>();
    PartWeights weights;
    for (const WeighedStatistic& one : statistics) {
      const auto& moments = one.statistic->get<Moments>();
      if (!same_columns(moments, first)) {
        throw Error(ErrorCode::bad_value,
                    {"sums of products of a regression are of the same features, target and steps"});
      }
      const Rational step = 1 / moment_unit(moments);
      weights.of(moments) += one.weight * (squared ? Rational(step * step) : step);
    }
    if (mutant(80)) weights.xx = 0;
    if (mutant(95) && !is_regression_number(schema.at(first.target))) weights.xy = 0;
    const Features features = count_features(first, schema);
    const bool add_remove = policy.adjacency == Adjacency::add_remove || mutant(81);
    return add_remove ? worst_record(weights, features, squared) : worst_pair(weights, features, squared);
  }
  [[nodiscard]] std::string_view method(std::span<const WeighedStatistic> /*statistics*/,
                                        const Schema& /*schema*/,
                                        const PrivacyPolicy& policy) const override {
    return policy.adjacency == Adjacency::add_remove ? "exact" : "bound";
  }

 private:
  static Features count_features(const Moments& moments, const Schema& schema) {
    static_cast<void>(moment_entries(moments, schema));  // refuses what cannot be
    Features out;
    for (const std::string& name : moments.features) {
      const Column& column = schema.at(name);
      if (is_regression_number(column)) {
        ++out.numbers;
      } else if (column.levels() == 2) {
        ++out.switches;
      } else {
        ++out.categories;
      }
    }
    return out;
  }
};

}  // namespace

const CostRule& moments_rule() {
  static const MomentsRule rule;
  return rule;
}

}  // namespace postern::model
