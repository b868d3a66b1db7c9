#include "postern/owner/count.hpp"

#include <algorithm>
#include <functional>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

#include "count_kernel.hpp"
#include "count_plan.hpp"

namespace postern::owner {
namespace {

using Table = std::vector<std::int64_t>;

// Rows worked on at a time, so that fused codes stay in the nearest cache.
constexpr std::size_t kCountedAtOnce = 4096;
// Fewer rows than this are not worth a thread, nor are copies of a table beyond this much memory.
constexpr std::size_t kCountedRowsPerThread = std::size_t{1} << 16;
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
  for (std::size_t at = begin; at < end; at += kCountedAtOnce) {
    const std::size_t count = std::min(kCountedAtOnce, end - at);
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
  for (std::size_t at = begin; at < end && !running.empty(); at += kCountedAtOnce) {
    const std::size_t count = std::min(kCountedAtOnce, end - at);
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
      std::max<std::size_t>(1, std::min({wanted, rows / kCountedRowsPerThread, kMostCells / cells}));
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

std::vector<std::vector<std::int64_t>> count_tables(const Records& records, const model::Schema& schema,
                                                    std::span<const std::vector<std::string>> tables,
                                                    int threads) {
  std::vector<std::string> names;
  std::vector<ColumnSet> wanted;
  for (const std::vector<std::string>& table : tables) {
    ColumnSet& places = wanted.emplace_back();
    for (const std::string& name : table) {
      const auto found = std::find(names.begin(), names.end(), name);
      places.push_back(static_cast<std::size_t>(found - names.begin()));
      if (found == names.end()) names.push_back(name);
    }
  }
  const Columns columns = find_columns(records, schema, names);
  const CountPlan plan = plan_tables(columns.levels, wanted);
  const std::vector<Table> counted = count_jobs(columns, plan.jobs, records.rows(), threads);
  std::vector<Table> out;
  out.reserve(tables.size());
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const std::size_t job = plan.job_of[t];
    out.push_back(marginal(plan.jobs[job], counted[job], columns.levels, wanted[t]));
  }
  return out;
}

std::vector<std::int64_t> count_table(const Records& records, const model::Schema& schema,
                                      std::span<const std::string> names, int threads) {
  const std::vector<std::string> table(names.begin(), names.end());
  return std::move(count_tables(records, schema, {&table, 1}, threads).front());
}

}  // namespace postern::owner
