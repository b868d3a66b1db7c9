#include "postern/owner/measure.hpp"

#include <map>

#include "postern/core/mutant.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/sequences.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/model/statistic/moments.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/owner/contribution.hpp"
#include "postern/owner/count.hpp"

#include "fourier_kernel.hpp"
#include "moment_kernel.hpp"
#include "product_kernel.hpp"
#include "score_kernel.hpp"

namespace postern::owner {
namespace {

Accelerated measure_products(const Records& records, const model::Schema& schema,
                             const model::Statistic& statistic, int threads) {
  const auto* product = statistic.as<model::ProductSum>();
  if (product == nullptr) return std::nullopt;
  return {
      {sum_products({records.column(product->first), model::level_ends(schema.at(product->first)).least},
                    {records.column(product->second), model::level_ends(schema.at(product->second)).least},
                    records.rows(), threads)}};
}

std::uint32_t level_at(const CodedColumn& column, std::size_t row) {
  return std::visit([row](const auto& codes) { return std::uint32_t{codes[row]}; }, column);
}

/// Person by person: their rows stand together, in the order of time.
void add_people(model::PeopleTally& tally, const std::vector<const CodedColumn*>& columns,
                const CodedColumn& first, std::size_t rows) {
  Wiped<std::uint32_t> person;
  for (std::size_t row = 0; row < rows; ++row) {
    if (level_at(first, row) != 0 && !person.empty() && !mutant(110)) {
      tally.add_person(person);
      person.clear();
    }
    for (const CodedColumn* column : columns) person.push_back(level_at(*column, row));
  }
  if (!person.empty()) tally.add_person(person);
}

/// Record by record (or person by person), as the statistic defines itself.
std::vector<Int128> measure_by_definition(const Records& records, const model::Schema& schema,
                                          const model::Statistic& statistic) {
  const std::unique_ptr<model::Tally> tally = statistic.kind().tally(statistic, schema);
  const std::vector<std::string> names = statistic.kind().columns(statistic);
  std::vector<const CodedColumn*> columns;
  for (const std::string& name : names) columns.push_back(&records.column(name));
  if (auto* people = dynamic_cast<model::PeopleTally*>(tally.get())) {
    add_people(*people, columns, records.column(kFirstOfPerson), records.rows());
    return tally->values();
  }
  Wiped<std::uint32_t> levels(names.size());
  for (std::size_t row = 0; row < records.rows(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) levels[c] = level_at(*columns[c], row);
    tally->add(levels, 1);
  }
  return tally->values();
}

/// The tables whose counts say what a statistic is.
std::vector<std::vector<std::string>> tables_of(const model::Statistic& statistic) {
  if (statistic.kind().of_counts()) return {statistic.kind().columns(statistic)};
  if (const auto* fourier = statistic.as<model::FourierCoefficients>()) return fourier->families;
  if (const auto* scores = statistic.as<model::PairScores>()) return candidate_tables(*scores);
  if (const auto* scores = statistic.as<model::CliqueScores>()) return candidate_tables(*scores);
  return {};
}

}  // namespace

std::vector<std::vector<Int128>> measure(const Records& records, const model::Schema& schema,
                                         const model::Measurement& measurement, int threads) {
  KeptCounts kept;
  return measure(records, schema, measurement, threads, kept);
}

std::vector<std::vector<Int128>> measure(const Records& records, const model::Schema& schema,
                                         const model::Measurement& measurement, int threads,
                                         KeptCounts& tables) {
  std::vector<std::vector<std::string>> wanted;
  for (const model::Block& block : measurement.blocks) {
    for (std::vector<std::string>& table : tables_of(block.statistic)) wanted.push_back(std::move(table));
  }
  tables.count(wanted, records, schema, threads);
  const auto counts = [&](const std::vector<std::string>& columns) { return tables.of(columns); };
  FourierKernel kernel(schema, counts);
  MomentKernel moment_kernel(records, schema, threads);
  std::vector<std::vector<Int128>> out;
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    if (kind.of_counts()) {
      out.push_back(kind.from_counts(block.statistic, schema, tables.of(kind.columns(block.statistic))));
    } else if (const auto* fourier = block.statistic.as<model::FourierCoefficients>()) {
      out.push_back(kernel.measure(*fourier));
    } else if (const auto* moments = block.statistic.as<model::Moments>()) {
      out.push_back(moment_kernel.measure(*moments));
    } else if (Accelerated scores = measure_scores(block.statistic, counts)) {
      out.push_back(std::move(*scores));
    } else if (Accelerated fast = measure_products(records, schema, block.statistic, threads)) {
      out.push_back(std::move(*fast));
    } else {
      out.push_back(measure_by_definition(records, schema, block.statistic));
    }
  }
  return out;
}

}  // namespace postern::owner
