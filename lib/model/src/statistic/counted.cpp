#include "statistic/counted.hpp"

namespace postern::model {
namespace {

class CellTally : public Tally {
 public:
  CellTally(Statistic statistic, const Schema& schema) : statistic_(std::move(statistic)), schema_(schema) {
    const std::vector<std::string> columns = statistic_.kind().columns(statistic_);
    const graph::Domain domain = schema.domain(columns);
    sizes_ = domain.sizes();
    counts_.assign(domain.cells(), 0);
  }
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    std::size_t cell = 0;
    for (std::size_t c = 0; c < sizes_.size(); ++c) cell = cell * sizes_[c] + levels[c];
    counts_[cell] += count;
  }
  [[nodiscard]] std::vector<Int128> values() const override {
    return statistic_.kind().from_counts(statistic_, schema_, counts_);
  }

 private:
  Statistic statistic_;
  const Schema& schema_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the tally
  std::vector<std::uint32_t> sizes_;
  std::vector<std::int64_t> counts_;
};

}  // namespace

std::unique_ptr<Tally> CountedStatistic::tally(const Statistic& statistic, const Schema& schema) const {
  return std::make_unique<CellTally>(statistic, schema);
}

}  // namespace postern::model
