#include "statistic/fourier/cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "postern/core/mutant.hpp"
#include "postern/graph/elimination.hpp"
#include "postern/graph/propagation.hpp"
#include "postern/model/helmert.hpp"
#include "postern/model/statistic/fourier.hpp"

namespace postern::model {
namespace {

constexpr double kMostStates = 1 << 24;          // of all cliques together
constexpr double kMostWork = 1 << 28;            // states x coefficients, of all families together
const Integer kExactDoubles = Integer(1) << 53;  // NOLINT(cert-err58-cpp): whole numbers below are exact

using Levels = std::array<std::uint32_t, 2>;  // of the record that leaves and the one that comes

/// What may happen at one column of r levels, up to an exchange of levels 0 and 1 in both records, which
/// changes no |change| (cost.md). Where records are added or removed there is one record.
std::vector<Levels> column_states(std::uint32_t r, bool add_remove) {
  const auto exchanged = [](std::uint32_t level) { return level < 2 ? 1 - level : level; };
  std::vector<Levels> out;
  for (std::uint32_t a = 0; a < r; ++a) {
    for (std::uint32_t b = 0; b < (add_remove ? 1 : r); ++b) {
      const Levels here{a, add_remove ? a : b};
      const Levels there{exchanged(here[0]), exchanged(here[1])};
      if (r == 1 || here <= there) out.push_back(here);
    }
  }
  return out;
}

/// The families that have coefficients, with the weights of the cells of their transformed tables.
struct WeighedFamily {
  graph::Domain domain;
  graph::Variables variables;
  std::vector<double> weights;  ///< whole numbers, in units of FourierCost::unit_
};

class FourierCost {
 public:
  FourierCost(std::span<const WeighedStatistic> statistics, const Schema& schema, const PrivacyPolicy& policy)
      : add_remove_(policy.adjacency == Adjacency::add_remove || mutant(75)),
        squared_(policy.currency == Currency::zcdp) {
    set_unit(statistics);
    for (const WeighedStatistic& one : statistics) add(one, schema);
    tree_ = affordable_elimination();
  }
  [[nodiscard]] bool exact() const { return tree_.has_value(); }
  [[nodiscard]] Rational worst() const {
    return exact() ? Rational(eliminated() * unit_) : Rational(bound_ * unit_);
  }

 private:
  /// The largest rational of which all weights are whole multiples.
  void set_unit(std::span<const WeighedStatistic> statistics) {
    Integer multiple = 1;
    for (const WeighedStatistic& one : statistics) multiple = lcm(multiple, one.weight.get_den());
    Integer divisor = 0;
    for (const WeighedStatistic& one : statistics)
      divisor = gcd(divisor, Integer(one.weight.get_num() * (multiple / one.weight.get_den())));
    unit_ = Rational(divisor, multiple);
    unit_.canonicalize();
  }

  std::uint32_t variable(const std::string& name, const Schema& schema) {
    const auto [found, added] = numbers_.emplace(name, static_cast<std::uint32_t>(states_.size()));
    if (added) states_.push_back(column_states(schema.at(name).levels(), add_remove_));
    return found->second;
  }

  WeighedFamily& family(const std::vector<std::string>& columns, const Schema& schema) {
    const auto [found, added] = families_.try_emplace(columns);
    if (added) {
      found->second.domain = schema.domain(columns);
      found->second.weights.assign(found->second.domain.cells(), 0);
      for (const std::string& name : columns) found->second.variables.push_back(variable(name, schema));
    }
    return found->second;
  }

  void add(const WeighedStatistic& one, const Schema& schema) {
    const auto& coefficients = one.statistic->get<FourierCoefficients>();
    const Integer weight(Rational(one.weight / unit_).get_num());
    Integer changes = 0;
    WeighedFamily* into = nullptr;
    std::optional<std::uint32_t> last;
    for (const FourierTerm& term : fourier_terms(coefficients, schema)) {
      if (last != term.family) into = &family(coefficients.families[term.family], schema);
      last = term.family;
      into->weights[term.cell] += weight.get_d();
      changes += most_change(into->domain.levels_of(term.cell));
    }
    bound_ += weight * changes;
  }

  /// The most by which a record can change a coefficient: the range of a product, or its largest value.
  [[nodiscard]] unsigned long most_change(const std::vector<std::uint32_t>& contrasts) const {
    std::int64_t lo = 1;
    std::int64_t hi = 1;
    for (const std::uint32_t c : contrasts) {
      if (c == 0) continue;
      const std::int64_t least = -static_cast<std::int64_t>(c);
      std::tie(lo, hi) = std::minmax({lo, hi, lo * least, hi * least});
    }
    const std::int64_t change = add_remove_ ? std::max(-lo, hi) : hi - lo;
    return static_cast<unsigned long>(squared_ ? change * change : change);
  }

  [[nodiscard]] graph::Sizes sizes() const {
    graph::Sizes out;
    for (const std::vector<Levels>& one : states_) out.push_back(static_cast<std::uint32_t>(one.size()));
    return out;
  }

  [[nodiscard]] std::optional<graph::Elimination> affordable_elimination() const {
    if (bound_ >= kExactDoubles) return std::nullopt;
    const graph::Sizes all = sizes();
    graph::UndirectedGraph moral(all.size());
    double work = 0;
    for (const auto& [names, family] : families_) {
      moral.connect_all(family.variables);
      work += graph::cells_of(family.variables, all) * static_cast<double>(family.weights.size());
    }
    if (work > kMostWork) return std::nullopt;
    graph::Elimination out = graph::cheapest_elimination(moral, all);
    if (out.cells > kMostStates) return std::nullopt;
    return out;
  }

  /// What the states of a family's columns cost, row-major: appended to `out`.
  class Table {
   public:
    Table(const WeighedFamily& family, const FourierCost& cost, std::vector<double>& out)
        : family_(family), cost_(cost), out_(out) {
      fill(0, {1}, {cost.add_remove_ ? 0.0 : 1.0});
    }

   private:
    void fill(std::size_t depth, const std::vector<double>& left, const std::vector<double>& right) {
      if (depth == family_.variables.size()) {
        double sum = 0;
        for (std::size_t cell = 0; cell < left.size(); ++cell) {
          const double change = std::abs(left[cell] - right[cell]);
          sum += family_.weights[cell] * (cost_.squared_ ? change * change : change);
        }
        out_.push_back(sum);
        return;
      }
      for (const Levels& levels : cost_.states_[family_.variables[depth]])
        fill(depth + 1, times(left, depth, levels[0]), times(right, depth, levels[1]));
    }
    [[nodiscard]] std::vector<double> times(const std::vector<double>& products, std::size_t depth,
                                            std::uint32_t level) const {
      const std::uint32_t levels = family_.domain.sizes()[depth];
      std::vector<double> out;
      out.reserve(products.size() * levels);
      for (const double product : products) {
        for (std::uint32_t c = 0; c < levels; ++c)
          out.push_back(product * static_cast<double>(contrast(c, level)));
      }
      return out;
    }

    const WeighedFamily& family_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the table
    const FourierCost& cost_;      // NOLINT(*-avoid-const-or-ref-data-members)
    std::vector<double>& out_;     // NOLINT(*-avoid-const-or-ref-data-members)
  };

  /// The maximum over all records or pairs of them: sums of whole numbers below 2^53, so doubles hold them.
  [[nodiscard]] Integer eliminated() const {
    std::vector<graph::Variables> scopes;
    std::vector<double> costs;
    for (const auto& [names, family] : families_) {
      scopes.push_back(family.variables);
      Table(family, *this, costs);
    }
    const graph::Propagation propagation(graph::JunctionTree(*tree_, sizes()), scopes);
    graph::Propagation::Workspace work = propagation.workspace();
    std::vector<std::uint32_t> state(states_.size());
    return Integer(propagation.maximise(costs, {}, work, state));
  }

  bool add_remove_;
  bool squared_;
  Rational unit_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::vector<Levels>> states_;  ///< of each column
  std::map<std::vector<std::string>, WeighedFamily> families_;
  Integer bound_ = 0;  ///< in units of unit_
  std::optional<graph::Elimination> tree_;
};

class FourierRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    return FourierCost(statistics, schema, policy).worst();
  }
  [[nodiscard]] std::string_view method(std::span<const WeighedStatistic> statistics, const Schema& schema,
                                        const PrivacyPolicy& policy) const override {
    return FourierCost(statistics, schema, policy).exact() ? "exact" : "bound";
  }
};

}  // namespace

const CostRule& fourier_rule() {
  static const FourierRule rule;
  return rule;
}

}  // namespace postern::model
