#include <algorithm>

#include "postern/model/encoded_number.hpp"
#include "postern/model/statistic/sums.hpp"

#include "statistic/products/coupled_sums.hpp"
#include "statistic/sums/rule.hpp"

namespace postern::model {
namespace {

class ProductTally : public Tally {
 public:
  ProductTally(const ProductSum& sum, const Schema& schema)
      : first_(level_ends(schema.at(sum.first)).least), second_(level_ends(schema.at(sum.second)).least) {}
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    sum_ += Int128{count} * Int128{levels[0] + first_} * Int128{levels[1] + second_};
  }
  [[nodiscard]] std::vector<Int128> values() const override { return {sum_}; }

 private:
  std::int64_t first_;  ///< the k of its first level
  std::int64_t second_;
  Int128 sum_ = 0;
};

class ProductSumKind : public StatisticKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    const auto& sum = statistic.get<ProductSum>();
    return {sum.first, sum.second};
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    check_product(statistic.get<ProductSum>(), schema);
    return {1};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    return std::make_unique<ProductTally>(statistic.get<ProductSum>(), schema);
  }
  [[nodiscard]] const CostRule& cost_rule() const override { return sums_rule(); }
  [[nodiscard]] std::size_t most_in_document() const override { return 1024; }

  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    const auto& sum = statistic.get<ProductSum>();
    return "sum of " + sum.first + " x " + sum.second;
  }
  [[nodiscard]] std::string unit(const Statistic& statistic, const Schema& schema) const override {
    const auto& sum = statistic.get<ProductSum>();
    return steps_of(grid_of(schema.at(sum.first)) * grid_of(schema.at(sum.second)));
  }

  [[nodiscard]] TermRange record_range(const Statistic& statistic, const Schema& schema) const override {
    const auto& sum = statistic.get<ProductSum>();
    const auto range = [&](const std::string& column) {
      const LevelEnds ends = level_ends(schema.at(column));
      return TermRange{static_cast<double>(ends.least), static_cast<double>(ends.most)};
    };
    const TermRange a = range(sum.first);
    const TermRange b = range(sum.second);
    const auto [least, most] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    return {least, most};
  }

  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "product-sum"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    const std::vector<std::string> columns = node.texts("columns");
    if (columns.size() != 2) node.refuse(ErrorCode::release_malformed, "columns", {"must name two columns"});
    return ProductSum{columns[0], columns[1]};
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& sum = statistic.get<ProductSum>();
    return json_object(
        {{"columns", json_texts({sum.first, sum.second})}, {"kind", json_text("product-sum")}});
  }
};

}  // namespace

const StatisticKind& kind_of(const ProductSum& /*sum*/) {
  static const ProductSumKind kind;
  return kind;
}

}  // namespace postern::model
