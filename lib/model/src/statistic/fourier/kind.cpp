#include <algorithm>
#include <map>

#include "postern/core/error.hpp"
#include "postern/model/helmert.hpp"
#include "postern/model/statistic/fourier.hpp"

#include "statistic/fourier/cost.hpp"

namespace postern::model {
namespace {

std::vector<std::string> columns_of(const FourierCoefficients& coefficients) {
  std::vector<std::string> names;
  std::map<std::string_view, bool> seen;
  for (const std::vector<std::string>& family : coefficients.families) {
    for (const std::string& name : family) {
      if (seen.emplace(name, true).second) names.push_back(name);
    }
  }
  return names;
}

/// Counts the cells of the families' tables, and transforms them at the end.
class FourierTally : public Tally {
 public:
  FourierTally(const FourierCoefficients& coefficients, const Schema& schema)
      : terms_(fourier_terms(coefficients, schema)) {
    const std::vector<std::string> names = columns_of(coefficients);
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) places[names[i]] = i;
    for (const std::vector<std::string>& family : coefficients.families) {
      const graph::Domain domain = schema.domain(family);
      Family& one = families_.emplace_back();
      one.sizes = domain.sizes();
      one.counts.assign(domain.cells(), 0);
      for (const std::string& name : family) one.places.push_back(places[name]);
    }
  }
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    for (Family& family : families_) {
      std::size_t cell = 0;
      for (std::size_t i = 0; i < family.sizes.size(); ++i)
        cell = cell * family.sizes[i] + levels[family.places[i]];
      family.counts[cell] += count;
    }
  }
  [[nodiscard]] std::vector<Int128> values() const override {
    std::vector<std::vector<Int128>> tables;
    for (const Family& family : families_) {
      tables.push_back(family.counts);
      helmert_transform<Int128>(tables.back(), family.sizes);
    }
    std::vector<Int128> out;
    for (const FourierTerm& term : terms_) out.push_back(tables[term.family][term.cell]);
    return out;
  }

 private:
  struct Family {
    std::vector<std::uint32_t> sizes;
    std::vector<std::size_t> places;  ///< of its columns among the levels
    std::vector<Int128> counts;
  };
  std::vector<FourierTerm> terms_;
  std::vector<Family> families_;
};

class FourierKind : public StatisticKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return columns_of(statistic.get<FourierCoefficients>());
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    return {static_cast<std::uint32_t>(fourier_terms(statistic.get<FourierCoefficients>(), schema).size())};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    return std::make_unique<FourierTally>(statistic.get<FourierCoefficients>(), schema);
  }
  [[nodiscard]] const CostRule& cost_rule() const override { return fourier_rule(); }
  [[nodiscard]] std::size_t most_in_document() const override { return 256; }

  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    const auto& coefficients = statistic.get<FourierCoefficients>();
    const std::size_t families = coefficients.families.size();
    return "Fourier coefficients of " + std::to_string(families) + (families == 1 ? " family" : " families") +
           (coefficients.scale == 0 ? "" : ", scale " + std::to_string(coefficients.scale));
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return "signed records";
  }
  [[nodiscard]] TermRange record_range(const Statistic& statistic, const Schema& schema) const override {
    const auto& coefficients = statistic.get<FourierCoefficients>();
    std::vector<graph::Domain> domains;
    for (const std::vector<std::string>& family : coefficients.families)
      domains.push_back(schema.domain(family));
    TermRange out{0, 0};
    for (const FourierTerm& term : fourier_terms(coefficients, schema)) {
      TermRange one{1, 1};
      for (const std::uint32_t c : domains[term.family].levels_of(term.cell)) {
        if (c == 0) continue;
        const double least = -static_cast<double>(c);
        const auto [lo, hi] = std::minmax({one.lo, one.hi, one.lo * least, one.hi * least});
        one = {lo, hi};
      }
      out = {std::min(out.lo, one.lo), std::max(out.hi, one.hi)};
    }
    return out;
  }
  /// "coefficient of smoker (no against yes) x age (18-29, 30-44 against 45+)"
  [[nodiscard]] std::string coordinate_text(const Statistic& statistic, const Schema& schema,
                                            std::size_t coordinate) const override {
    const auto& coefficients = statistic.get<FourierCoefficients>();
    const FourierTerm term = fourier_terms(coefficients, schema).at(coordinate);
    const std::vector<std::string>& family = coefficients.families[term.family];
    const std::vector<std::uint32_t> contrasts = schema.domain(family).levels_of(term.cell);
    std::string out;
    for (std::size_t i = 0; i < family.size(); ++i) {
      if (contrasts[i] == 0) continue;
      const Column& column = schema.at(family[i]);
      out += (out.empty() ? "coefficient of " : " x ") + column.name + " (" + column.label(0);
      if (contrasts[i] == 2) out += ", " + column.label(1);
      if (contrasts[i] > 2) out += " to " + column.label(contrasts[i] - 1);
      out += " against " + column.label(contrasts[i]) + ")";
    }
    return out;
  }

  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "fourier"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    FourierCoefficients out{node.text_rows("families", 0),
                            static_cast<std::int32_t>(node.integer("scale", -1'000, 1'000))};
    return out;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& coefficients = statistic.get<FourierCoefficients>();
    JsonArray families;
    for (const std::vector<std::string>& family : coefficients.families)
      families.push_back(json_texts(family));
    return json_object({{"families", json_array(std::move(families))},
                        {"kind", json_text("fourier")},
                        {"scale", json_integer(coefficients.scale)}});
  }
};

}  // namespace

const StatisticKind& kind_of(const FourierCoefficients& /*coefficients*/) {
  static const FourierKind kind;
  return kind;
}

}  // namespace postern::model
