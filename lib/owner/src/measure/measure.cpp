#include "postern/owner/measure.hpp"

#include <algorithm>

#include "postern/model/encoded_number.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/owner/count.hpp"

#include "product_kernel.hpp"

namespace postern::owner {
namespace {

/// A statistic computed faster than by its definition; nothing where there is no such way.
using Accelerated = std::optional<std::vector<Int128>>;

Accelerated measure_products(const Records& records, const model::Schema& schema,
                             const model::Statistic& statistic, int threads) {
  const auto* product = statistic.as<model::ProductSum>();
  if (product == nullptr) return std::nullopt;
  return {
      {sum_products({records.column(product->first), model::level_ends(schema.at(product->first)).least},
                    {records.column(product->second), model::level_ends(schema.at(product->second)).least},
                    records.rows(), threads)}};
}

/// Record by record, as the statistic defines itself.
std::vector<Int128> measure_by_definition(const Records& records, const model::Schema& schema,
                                          const model::Statistic& statistic) {
  const std::unique_ptr<model::Tally> tally = statistic.kind().tally(statistic, schema);
  const std::vector<std::string> names = statistic.kind().columns(statistic);
  std::vector<const CodedColumn*> columns;
  for (const std::string& name : names) columns.push_back(&records.column(name));
  Wiped<std::uint32_t> levels(names.size());
  for (std::size_t row = 0; row < records.rows(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      levels[c] = std::visit([&](const auto& codes) { return std::uint32_t{codes[row]}; }, *columns[c]);
    tally->add(levels, 1);
  }
  return tally->values();
}

}  // namespace

std::vector<std::vector<Int128>> measure(const Records& records, const model::Schema& schema,
                                         const model::Measurement& measurement, int threads) {
  std::vector<std::vector<std::string>> tables;
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    std::vector<std::string> columns = kind.columns(block.statistic);
    if (kind.of_counts() && !columns.empty() &&
        std::find(tables.begin(), tables.end(), columns) == tables.end())
      tables.push_back(std::move(columns));
  }
  const std::vector<std::vector<std::int64_t>> counts = count_tables(records, schema, tables, threads);
  const std::vector<std::int64_t> total{static_cast<std::int64_t>(records.rows())};
  std::vector<std::vector<Int128>> out;
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    if (kind.of_counts()) {
      const std::vector<std::string> columns = kind.columns(block.statistic);
      const auto table =
          static_cast<std::size_t>(std::find(tables.begin(), tables.end(), columns) - tables.begin());
      out.push_back(kind.from_counts(block.statistic, schema, columns.empty() ? total : counts[table]));
    } else if (Accelerated fast = measure_products(records, schema, block.statistic, threads)) {
      out.push_back(std::move(*fast));
    } else {
      out.push_back(measure_by_definition(records, schema, block.statistic));
    }
  }
  return out;
}

}  // namespace postern::owner
