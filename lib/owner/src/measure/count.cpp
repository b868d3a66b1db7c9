#include "postern/owner/count.hpp"

#include <algorithm>
#include <functional>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/model/encoded_number.hpp"

#include "count_kernel.hpp"
#include "count_plan.hpp"
#include "product_kernel.hpp"

namespace postern::owner {
namespace {

using Table = std::vector<std::int64_t>;

// Rows worked on at a time, so that fused codes stay in the nearest cache.
constexpr std::size_t kBlock = 4096;
// Fewer rows than this are not worth a thread, nor are copies of a table beyond this much memory.
constexpr std::size_t kRowsPerThread = std::size_t{1} << 16;
constexpr std::size_t kMostCells = std::size_t{1} << 27;

struct Columns {
  std::vector<const CodedColumn*> codes;
  std::vector<std::uint32_t> levels;
};

Columns find_columns(const Records& records, const model::Schema& schema,
                     std::span<const std::string> names) {
  Columns columns;
  for (const std::string& name : names) {
    columns.codes.push_back(&records.column(name));
    columns.levels.push_back(schema.at(name).levels());
    if (records.levels(name) != columns.levels.back()) {
      throw Error(ErrorCode::internal, {"the column '", from_study(name), "' was read under another study"});
    }
  }
  return columns;
}

/// The codes of one side of a job for a block of rows: the column itself, or several fused.
class Side {
 public:
  Side(const Columns& columns, const std::vector<std::size_t>& members)
      : columns_(columns), members_(members) {}
  [[nodiscard]] const std::vector<std::size_t>& members() const { return members_; }
  const std::uint8_t* codes(std::size_t begin, std::size_t count) {
    if (members_.size() == 1) {
      if (const auto* bytes = std::get_if<Wiped<std::uint8_t>>(columns_.codes[members_[0]])) {
        return bytes->data() + begin;
      }
    }
    fused_.assign(count, 0);
    for (const std::size_t c : members_)
      fuse(*columns_.codes[c], columns_.levels[c], begin, count, fused_.data());
    return fused_.data();
  }

 private:
  const Columns& columns_;
  const std::vector<std::size_t>& members_;
  Wiped<std::uint8_t> fused_;
};

bool is_narrow(const CountJob& job) {
  return job.left_levels <= 256 && job.right_levels <= 256 && job.cells() <= kNarrowCells;
}

/// Counts rows [begin, end) for one job whose codes need more than a byte.
void count_wide(const Columns& columns, const CountJob& job, std::size_t begin, std::size_t end,
                Table& table) {
  Wiped<std::uint64_t> cells;
  for (std::size_t at = begin; at < end; at += kBlock) {
    const std::size_t count = std::min(kBlock, end - at);
    cells.assign(count, 0);
    for (const auto* side : {&job.left, &job.right}) {
      for (const std::size_t c : *side) fuse(*columns.codes[c], columns.levels[c], at, count, cells.data());
    }
    for (const std::uint64_t cell : cells) ++table[cell];
  }
}

/// A job under way: whose codes it counts, and how many there were.
struct Running {
  std::size_t job;
  std::size_t left;
  std::size_t right;
  NarrowCounter counter;
};

/// Counts rows [begin, end) for the narrow jobs in one pass; a group of columns is fused once for all of
/// them.
void count_narrow(const Columns& columns, const std::vector<CountJob>& jobs, std::size_t begin,
                  std::size_t end, std::vector<Table>& tables) {
  std::vector<Side> sides;
  std::vector<Running> running;
  const auto side_of = [&](const std::vector<std::size_t>& members) {
    const auto found =
        std::find_if(sides.begin(), sides.end(), [&](const Side& side) { return side.members() == members; });
    const auto place = static_cast<std::size_t>(found - sides.begin());
    if (found == sides.end()) sides.emplace_back(columns, members);
    return place;
  };
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (!is_narrow(jobs[j])) continue;
    const std::size_t left = side_of(jobs[j].left);
    running.push_back(
        {j, left, side_of(jobs[j].right), NarrowCounter(jobs[j].left_levels, jobs[j].right_levels)});
  }
  std::vector<const std::uint8_t*> codes(sides.size());
  for (std::size_t at = begin; at < end && !running.empty(); at += kBlock) {
    const std::size_t count = std::min(kBlock, end - at);
    for (std::size_t s = 0; s < sides.size(); ++s) codes[s] = sides[s].codes(at, count);
    for (Running& run : running) run.counter.add(codes[run.left], codes[run.right], count);
  }
  for (Running& run : running) run.counter.finish(tables[run.job]);
}

/// One table for each job, over rows [begin, end).
std::vector<Table> count_range(const Columns& columns, const std::vector<CountJob>& jobs, std::size_t begin,
                               std::size_t end) {
  std::vector<Table> tables;
  tables.reserve(jobs.size());
  for (const CountJob& job : jobs) {
    tables.emplace_back(job.cells(), 0);
    if (!is_narrow(job)) count_wide(columns, job, begin, end, tables.back());
  }
  count_narrow(columns, jobs, begin, end, tables);
  return tables;
}

std::vector<Table> count_jobs(const Columns& columns, const std::vector<CountJob>& jobs, std::size_t rows,
                              int threads) {
  std::size_t cells = 1;
  for (const CountJob& job : jobs) cells += job.cells();
  const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : default_threads());
  const std::size_t parts =
      std::max<std::size_t>(1, std::min({wanted, rows / kRowsPerThread, kMostCells / cells}));
  std::vector<std::vector<Table>> partial(parts);
  parallel_for(parts, threads, [&](std::size_t p) {
    partial[p] = count_range(columns, jobs, rows * p / parts, rows * (p + 1) / parts);
  });
  for (std::size_t p = 1; p < parts; ++p) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      std::transform(partial[0][j].begin(), partial[0][j].end(), partial[p][j].begin(), partial[0][j].begin(),
                     std::plus<>());
    }
  }
  return std::move(partial[0]);
}

}  // namespace

std::vector<std::int64_t> count_table(const Records& records, const model::Schema& schema,
                                      std::span<const std::string> names, int threads) {
  const Columns columns = find_columns(records, schema, names);
  const std::size_t cells = schema.domain(names).cells();
  CountJob job;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const bool left = job.right.empty() && job.left_levels * columns.levels[c] <= 256;
    (left ? job.left : job.right).push_back(c);
    (left ? job.left_levels : job.right_levels) *= columns.levels[c];
  }
  std::vector<Table> tables = count_jobs(columns, {job}, records.rows(), threads);
  tables[0].resize(cells);
  return std::move(tables[0]);
}

std::vector<std::vector<std::int64_t>> count_pairs(const Records& records, const model::Schema& schema,
                                                   std::span<const std::string> names, int threads) {
  const Columns columns = find_columns(records, schema, names);
  const std::vector<CountJob> jobs = plan_pairs(columns.levels);
  const std::vector<Table> tables = count_jobs(columns, jobs, records.rows(), threads);
  std::vector<Table> pairs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      const auto has = [&](const CountJob& job, std::size_t c) {
        return std::count(job.left.begin(), job.left.end(), c) +
                   std::count(job.right.begin(), job.right.end(), c) >
               0;
      };
      const auto job = std::find_if(jobs.begin(), jobs.end(),
                                    [&](const CountJob& it) { return has(it, i) && has(it, j); });
      pairs.push_back(
          marginal(*job, tables[static_cast<std::size_t>(job - jobs.begin())], columns.levels, i, j));
    }
  }
  return pairs;
}

Int128 sum_levels(std::span<const std::int64_t> counts, std::span<const std::int64_t> terms) {
  Int128 sum = 0;
  for (std::size_t level = 0; level < counts.size(); ++level)
    sum += Int128{counts[level]} * Int128{terms[level]};
  return sum;
}

std::vector<Int128> measure(const Records& records, const model::Schema& schema,
                            const model::Statistic& statistic, int threads) {
  if (const auto* table = std::get_if<model::Table>(&statistic)) {
    const auto counts = count_table(records, schema, table->columns, threads);
    return {counts.begin(), counts.end()};
  }
  if (std::holds_alternative<model::RecordCount>(statistic)) return {static_cast<Int128>(records.rows())};
  if (const auto* sum = std::get_if<model::LevelSum>(&statistic)) {
    const std::string name[] = {sum->column};
    return {sum_levels(count_table(records, schema, name, threads), model::level_terms(*sum, schema))};
  }
  if (const auto* product = std::get_if<model::ProductSum>(&statistic)) {
    const std::string names[] = {product->first, product->second};
    const Columns columns = find_columns(records, schema, names);
    return {sum_products({*columns.codes[0], model::level_ends(schema.at(names[0])).least},
                         {*columns.codes[1], model::level_ends(schema.at(names[1])).least}, records.rows(),
                         threads)};
  }
  if (const auto* scores = std::get_if<model::RankScores>(&statistic)) {
    const std::string name[] = {scores->column};
    const auto ranked = model::rank_scores(*scores, count_table(records, schema, name, threads));
    return {ranked.begin(), ranked.end()};
  }
  const auto& one = std::get<model::LevelCount>(statistic);
  const std::string name[] = {one.column};
  return {Int128{count_table(records, schema, name, threads).at(one.level)}};
}

}  // namespace postern::owner
