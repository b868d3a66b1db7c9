#include <algorithm>
#include <set>

#include "postern/core/error.hpp"
#include "postern/model/statistic/grid_split.hpp"

#include "statistic/counted.hpp"
#include "statistic/grid/cost.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostColumns = 16;

bool is_grid(const Rational& omega, std::int64_t points) {
  return omega >= Rational(1, 1024) && omega < Rational(1, 2) && points >= 2 && points <= kMostGridPoints;
}

bool is_prior(const Rational& records) { return abs(records) <= Integer(Integer(1) << kMostPriorBits); }

std::size_t rows_of(const GridSplit& split, const Schema& schema) {
  const std::span<const std::string> parents = std::span(split.columns).first(split.columns.size() - 1);
  return parents.empty() ? 1 : schema.domain(parents).cells();
}

void check_split(const GridSplit& split, const Schema& schema) {
  const std::uint32_t levels = schema.at(split.columns.back()).levels();
  if (levels > kMostSplitLevels) {
    throw Error(ErrorCode::bad_value,
                {"a column whose table is split has at most ", public_number(kMostSplitLevels),
                 " levels, and '", from_study(split.columns.back()), "' has ", public_number(levels),
                 "; declare coarser cuts, or release tables"});
  }
  if (split.first >= split.middle || split.middle >= split.last || split.last > levels ||
      split.row >= rows_of(split, schema))
    throw Error(ErrorCode::bad_value,
                {"there is no such split of a row of '", from_study(split.columns.back()), "'"});
  if (!is_grid(split.omega, split.points))
    throw Error(ErrorCode::bad_value, {"a grid lies in 1/1024..1/2 and has 2 to 1001 points"});
  if (!is_prior(split.prior_below) || !is_prior(split.prior_above)) {
    throw Error(ErrorCode::bad_value, {"the prior of '", from_study(split.columns.back()),
                                       "' is worth too many records for so small an amount of privacy; "
                                       "spend more, or state a weaker prior"});
  }
}

/// "smoker = no", or "age in {18-29, 30-44}" of several levels.
std::string levels_text(const std::string& name, const Column& column, std::uint32_t from, std::uint32_t to) {
  if (to == from + 1) return name + " = " + column.label(from);
  std::string out = name + " in {";
  for (std::uint32_t level = from; level < to; ++level)
    out += (level == from ? "" : ", ") + column.label(level);
  return out + "}";
}

class GridSplitKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return statistic.get<GridSplit>().columns;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    check_split(statistic.get<GridSplit>(), schema);
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& statistic, const Schema& schema,
                                                std::span<const std::int64_t> counts) const override {
    const auto& split = statistic.get<GridSplit>();
    const std::size_t levels = schema.at(split.columns.back()).levels();
    const auto row = counts.subspan(split.row * levels, levels);
    Int128 below = 0;
    Int128 above = 0;
    for (std::uint32_t l = split.first; l < split.middle; ++l) below += row[l];
    for (std::uint32_t l = split.middle; l < split.last; ++l) above += row[l];
    const auto table = grid_logs(split.omega, split.points);
    std::vector<Int128> scores;
    scores.reserve(split.points);
    for (std::size_t g = 0; g < split.points; ++g) {
      const std::int64_t in = table->logs[g];
      const std::int64_t out = table->logs[split.points - 1 - g];
      const Integer prior = floor(split.prior_below * Rational(in) + split.prior_above * Rational(out));
      scores.push_back(below * in + above * out + prior.get_si());
    }
    return scores;
  }
  [[nodiscard]] bool is_choice() const override { return true; }
  [[nodiscard]] std::size_t candidates(const Statistic& statistic, const Schema& /*schema*/) const override {
    return statistic.get<GridSplit>().points;
  }
  /// The probability, to six decimals.
  [[nodiscard]] std::string candidate(const Statistic& statistic, const Schema& /*schema*/,
                                      std::size_t index) const override {
    const auto& split = statistic.get<GridSplit>();
    const Rational point = grid_point(split.omega, split.points, index);
    Rational rounded(floor(point * 1'000'000 + Rational(1, 2)), 1'000'000);
    rounded.canonicalize();
    return to_decimal(rounded);
  }
  [[nodiscard]] const CostRule& cost_rule() const override { return grid_rule(); }
  /// "P(smoker = no | age = 18-29)"
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& schema) const override {
    const auto& split = statistic.get<GridSplit>();
    const std::string& name = split.columns.back();
    const Column& column = schema.at(name);
    std::string given;
    if (split.last - split.first < column.levels())
      given = levels_text(name, column, split.first, split.last);
    const std::span<const std::string> parents = std::span(split.columns).first(split.columns.size() - 1);
    const std::vector<std::uint32_t> levels =
        parents.empty() ? std::vector<std::uint32_t>() : schema.domain(parents).levels_of(split.row);
    for (std::size_t i = 0; i < parents.size(); ++i)
      given += (given.empty() ? "" : ", ") + parents[i] + " = " + schema.at(parents[i]).label(levels[i]);
    return "P(" + levels_text(name, column, split.first, split.middle) + (given.empty() ? "" : " | ") +
           given + ")";
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return {};
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "grid-split"; }
  [[nodiscard]] Statistic read(Node& node) const override;
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& split = statistic.get<GridSplit>();
    return json_object({{"columns", json_texts(split.columns)},
                        {"first", json_integer(split.first)},
                        {"kind", json_text("grid-split")},
                        {"last", json_integer(split.last)},
                        {"logs_sha256", json_text(grid_logs(split.omega, split.points)->sha256)},
                        {"middle", json_integer(split.middle)},
                        {"omega", json_rational(split.omega)},
                        {"points", json_integer(split.points)},
                        {"prior", json_rationals({split.prior_below, split.prior_above})},
                        {"row", json_integer(split.row)}});
  }
};

/// The grid is checked here, so that its logarithms can be compared with those that the document was made by.
Statistic GridSplitKind::read(Node& node) const {
  GridSplit split;
  split.columns = node.texts("columns");
  const std::set<std::string> distinct(split.columns.begin(), split.columns.end());
  if (distinct.empty() || distinct.size() != split.columns.size() || distinct.size() > kMostColumns)
    node.refuse(ErrorCode::release_inconsistent, "columns", {"must name one to sixteen different columns"});
  split.row = static_cast<std::uint32_t>(node.integer("row", 0, static_cast<std::int64_t>(kMaxCells)));
  split.first = static_cast<std::uint32_t>(node.integer("first", 0, kMostSplitLevels));
  split.middle = static_cast<std::uint32_t>(node.integer("middle", 0, kMostSplitLevels));
  split.last = static_cast<std::uint32_t>(node.integer("last", 0, kMostSplitLevels));
  split.omega = node.rational("omega");
  split.points = static_cast<std::uint32_t>(node.integer("points", 2, kMostGridPoints));
  const std::vector<Rational> prior = node.rationals("prior", 2);
  split.prior_below = prior[0];
  split.prior_above = prior[1];
  if (!is_grid(split.omega, split.points) || split.omega.get_den() > 1'000'000'000)
    node.refuse(ErrorCode::release_inconsistent, "omega", {"is not between 1/1024 and 1/2"});
  if (node.text("logs_sha256") != grid_logs(split.omega, split.points)->sha256)
    node.refuse(ErrorCode::release_inconsistent, "logs_sha256", {"is not that of the grid's logarithms"});
  return split;
}

}  // namespace

const StatisticKind& kind_of(const GridSplit& /*split*/) {
  static const GridSplitKind kind;
  return kind;
}

}  // namespace postern::model
