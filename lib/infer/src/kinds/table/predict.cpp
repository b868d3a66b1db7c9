#include "predict.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {
namespace {

std::vector<std::uint32_t> sizes_of(const model::Study& study) {
  std::vector<std::uint32_t> sizes;
  for (const std::string& name : model::columns_of(study.model))
    sizes.push_back(study.schema.at(name).levels());
  return sizes;
}

std::size_t cells_of(const std::vector<std::uint32_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

/// The cells' probabilities of parameters: a proportion is that of one of two cells.
template <class Take>
void for_cells(const model::Study& study, std::size_t cells, const Take& take) {
  const auto* one = study.model.as<model::Bernoulli>();
  for (std::size_t cell = 0; cell < cells; ++cell)
    take(cell, one == nullptr ? cell : 0, one != nullptr && cell != one->success);
}

class TablePredictor : public Predictor {
 public:
  TablePredictor(const Basis& basis, std::size_t target)
      : sizes_(sizes_of(basis.study())),
        target_(target),
        exact_(basis.posterior.engine == "exact" && basis.posterior.log_evidence.has_value()) {
    const SomeDraws parameters = probability_draws(basis, basis.options.draws);
    draws_ = parameters.draws;
    const std::size_t cells = cells_of(sizes_);
    cells_.resize(cells * draws_);
    mean_.resize(cells);
    for_cells(basis.study(), cells, [&](std::size_t cell, std::size_t parameter, bool rest) {
      const std::span<const double> from = parameters.of(parameter);
      for (std::size_t d = 0; d < draws_; ++d) cells_[cell * draws_ + d] = rest ? 1 - from[d] : from[d];
      const double mean = basis.posterior.summary.at(parameter).mean;
      if (!(mean >= 0 && mean <= 1 + 1e-9))
        throw Error(ErrorCode::input_unreadable, {"the posterior's summary is not one of probabilities"});
      mean_[cell] = rest ? 1 - mean : mean;
    });
  }

  [[nodiscard]] std::size_t draws() const override { return draws_; }
  [[nodiscard]] bool exact() const override { return exact_; }
  [[nodiscard]] std::string how() const override {
    return exact_ ? "exact: ratio of the cells' posterior means" : "ratio of the cells' posterior means";
  }
  [[nodiscard]] std::unique_ptr<Worker> worker() const override { return std::make_unique<Summing>(*this); }
  [[nodiscard]] std::optional<std::vector<double>> predictive(
      std::span<const std::int32_t> record) const override {
    std::vector<double> out(sizes_[target_]);
    double all = 0;
    for_each_cell(record, [&](std::size_t cell, std::size_t level) {
      out[level] += mean_[cell];
      all += mean_[cell];
    });
    if (!(all > 0)) return std::nullopt;
    for (double& x : out) x /= all;
    return out;
  }

 private:
  class Summing : public Worker {
   public:
    explicit Summing(const TablePredictor& of) : of_(of), all_(of.draws_) {}
    void conditional(std::span<const std::int32_t> record, std::span<double> out) override {
      std::fill(out.begin(), out.end(), 0);
      std::fill(all_.begin(), all_.end(), 0);
      const std::size_t draws = of_.draws_;
      of_.for_each_cell(record, [&](std::size_t cell, std::size_t level) {
        const double* const from = of_.cells_.data() + cell * draws;
        double* const into = out.data() + level * draws;
        for (std::size_t d = 0; d < draws; ++d) into[d] += from[d];
        for (std::size_t d = 0; d < draws; ++d) all_[d] += from[d];
      });
      for (std::size_t first = 0; first < out.size(); first += draws) {
        for (std::size_t d = 0; d < draws; ++d) out[first + d] /= all_[d];
      }
    }

   private:
    const TablePredictor& of_;
    std::vector<double> all_;
  };

  /// Calls take(cell, level of the target) for every cell that agrees with the record.
  template <class Take>
  void for_each_cell(std::span<const std::int32_t> record, const Take& take) const {
    std::vector<std::uint32_t> at(sizes_.size());
    const auto open = [&](std::size_t c) { return c == target_ || record[c] < 0; };
    for (std::size_t c = 0; c < at.size(); ++c) at[c] = open(c) ? 0 : static_cast<std::uint32_t>(record[c]);
    for (;;) {
      std::size_t cell = 0;
      for (std::size_t c = 0; c < at.size(); ++c) cell = cell * sizes_[c] + at[c];
      take(cell, at[target_]);
      std::size_t c = at.size();
      while (c > 0 && (!open(c - 1) || ++at[c - 1] == sizes_[c - 1])) {
        --c;
        if (open(c)) at[c] = 0;
      }
      if (c == 0) return;
    }
  }

  std::vector<std::uint32_t> sizes_;
  std::size_t target_;
  bool exact_;
  std::size_t draws_ = 0;
  std::vector<double> cells_;  ///< [cell * draws + draw]
  std::vector<double> mean_;
};

class TableRecordSampler : public RecordSampler {
 public:
  explicit TableRecordSampler(const model::Study& study) : sizes_(sizes_of(study)) {
    for_cells(study, cells_of(sizes_), [&](std::size_t, std::size_t parameter, bool rest) {
      parameters_.push_back({parameter, rest});
    });
  }

  /// Cumulative sums over the cells.
  [[nodiscard]] std::vector<double> ready(std::span<const double> theta) const override {
    std::vector<double> out;
    out.reserve(parameters_.size());
    double sum = 0;
    for (const auto& [parameter, rest] : parameters_) {
      sum += rest ? 1 - theta[parameter] : theta[parameter];
      out.push_back(sum);
    }
    return out;
  }
  void draw(std::span<const double> ready, std::span<std::uint32_t> levels, Rng& rng) const override {
    const double u = rng.uniform() * ready.back();
    const auto place = std::upper_bound(ready.begin(), ready.end(), u);
    auto cell = static_cast<std::size_t>(std::min(place, ready.end() - 1) - ready.begin());
    for (std::size_t c = sizes_.size(); c-- > 0; cell /= sizes_[c])
      levels[c] = static_cast<std::uint32_t>(cell % sizes_[c]);
  }

 private:
  struct Parameter {
    std::size_t place;
    bool rest;  ///< the probability is what the parameter leaves
  };
  std::vector<std::uint32_t> sizes_;
  std::vector<Parameter> parameters_;  ///< of each cell
};

}  // namespace

std::unique_ptr<const Predictor> table_predictor(const Basis& basis, std::size_t target) {
  return std::make_unique<TablePredictor>(basis, target);
}

std::unique_ptr<const RecordSampler> table_record_sampler(const model::Study& study) {
  return std::make_unique<TableRecordSampler>(study);
}

}  // namespace postern::infer
