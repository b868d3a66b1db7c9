#include "moment_kernel.hpp"

#include <algorithm>
#include <map>

#include "postern/core/mutant.hpp"
#include "postern/core/parallel.hpp"
#include "postern/owner/count.hpp"

#include "dot_products.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kMomentRowsPerThread = std::size_t{1} << 16;

/// Where a column's integers or levels are among the sums.
struct Place {
  bool number = false;
  std::size_t at = 0;  ///< among the numbers, or among the categories
};

}  // namespace

/// All that blocks of one set of columns can ask for.
class MomentKernel::Sums {
 public:
  Sums(const Records& records, const model::Schema& schema, const model::Moments& moments, int threads)
      : of_(moments), rows_(static_cast<Int128>(records.rows())) {
    std::vector<std::string> names = moments.features;
    names.push_back(moments.target);
    for (const std::string& name : names) {
      const model::Column& column = schema.at(name);
      if (model::is_regression_number(column) || name == moments.target) {
        places_.push_back({true, numbers_.size()});
        std::vector<std::int16_t> integers = model::moment_levels(column, moments.steps);
        for (std::int16_t& one : integers) {
          if (mutant(94) && !model::is_regression_number(column)) one = static_cast<std::int16_t>(2 * one);
        }
        numbers_.push_back({&records.column(name), std::move(integers)});
      } else {
        places_.push_back({false, categories_.size()});
        categories_.push_back(&records.column(name));
        levels_.push_back(column.levels());
        names_.push_back(name);
      }
    }
    add_up(records.rows(), threads);
    count_levels(records, schema, threads);
  }
  [[nodiscard]] bool answers(const model::Moments& moments) const {
    return moments.features == of_.features && moments.target == of_.target && moments.steps == of_.steps;
  }
  /// The sum of the product of two entries, or of the second alone.
  [[nodiscard]] Int128 product(const model::MomentEntry* first, const model::MomentEntry& second) const {
    const Place b = places_[second.column];
    if (first == nullptr)
      return b.number ? Int128{total_->sums[b.at]} : of_.steps * Int128{count(b.at, second.level)};
    const Place a = places_[first->column];
    if (a.number && b.number) {
      const auto [lo, hi] = std::minmax(a.at, b.at);
      return total_->products[lo * numbers_.size() + hi];
    }
    if (a.number) return of_.steps * Int128{within(b.at, second.level, a.at)};
    if (b.number) return of_.steps * Int128{within(a.at, first->level, b.at)};
    const std::int64_t count = pairs_.at({a.at, b.at})[first->level * levels_[b.at] + second.level];
    return Int128{of_.steps} * of_.steps * count;
  }
  /// What is taken off the sum of a centred square.
  [[nodiscard]] Int128 half() const { return mutant(82) ? 0 : rows_ * (of_.steps * of_.steps / 2); }

 private:
  void add_up(std::size_t rows, int threads) {
    const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : default_threads());
    const std::size_t parts = std::max<std::size_t>(1, std::min(wanted, rows / kMomentRowsPerThread));
    std::vector<SmallSums> partial(parts, SmallSums(numbers_.size(), levels_));
    parallel_for(parts, threads, [&](std::size_t p) {
      add_rows(numbers_, categories_, rows * p / parts, rows * (p + 1) / parts, partial[p]);
    });
    for (std::size_t p = 1; p < parts; ++p) partial.front().add(partial[p]);
    total_ = std::make_unique<const SmallSums>(std::move(partial.front()));
  }
  void count_levels(const Records& records, const model::Schema& schema, int threads) {
    std::vector<std::vector<std::string>> tables;
    for (std::size_t a = 0; a < names_.size(); ++a) {
      tables.push_back({names_[a]});
      for (std::size_t b = a + 1; b < names_.size(); ++b) tables.push_back({names_[a], names_[b]});
    }
    std::vector<std::vector<std::int64_t>> counts = count_tables(records, schema, tables, threads);
    std::size_t at = 0;
    for (std::size_t a = 0; a < names_.size(); ++a) {
      counts_.push_back(std::move(counts[at++]));
      for (std::size_t b = a + 1; b < names_.size(); ++b) pairs_[{a, b}] = std::move(counts[at++]);
    }
  }
  [[nodiscard]] std::int64_t count(std::size_t category, std::uint32_t level) const {
    return counts_[category][level];
  }
  [[nodiscard]] std::int64_t within(std::size_t category, std::uint32_t level, std::size_t number) const {
    return total_->within[category][number * levels_[category] + level];
  }

  model::Moments of_;
  Int128 rows_;
  std::vector<Place> places_;  ///< one a column
  std::vector<SmallNumbers> numbers_;
  std::vector<const CodedColumn*> categories_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::string> names_;  ///< of the categories
  std::unique_ptr<const SmallSums> total_;
  std::vector<std::vector<std::int64_t>> counts_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> pairs_;
};

MomentKernel::MomentKernel(const Records& records, const model::Schema& schema, int threads)
    : records_(records), schema_(schema), threads_(threads) {}

MomentKernel::~MomentKernel() = default;

const MomentKernel::Sums& MomentKernel::sums_of(const model::Moments& moments) {
  if (!sums_ || !sums_->answers(moments))
    sums_ = std::make_unique<const Sums>(records_, schema_, moments, threads_);
  return *sums_;
}

std::vector<Int128> MomentKernel::measure(const model::Moments& moments) {
  const std::vector<model::MomentEntry> entries = model::moment_entries(moments, schema_);
  const Sums& sums = sums_of(moments);
  std::vector<Int128> out;
  for (const model::MomentPair& pair : model::moment_pairs(moments, schema_)) {
    const model::MomentEntry* first = pair.first == 0 ? nullptr : &entries[pair.first - 1];
    out.push_back(sums.product(first, entries[pair.second - 1]) - (moments.centred ? sums.half() : 0));
  }
  return out;
}

}  // namespace postern::owner
