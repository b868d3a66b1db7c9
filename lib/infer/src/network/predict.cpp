#include "predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "postern/core/special.hpp"
#include "postern/graph/compiled_network.hpp"
#include "postern/graph/network.hpp"

namespace postern::infer {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// A table in the product that a target's law is proportional to, all other variables of it known.
struct KnownFactor {
  std::size_t first = 0;  ///< cell at the target's first level
  std::size_t step = 0;   ///< from one level of the target to the next
};

class NetworkPredictor : public Predictor {
 public:
  NetworkPredictor(NetworkStructure shape, SomeDraws draws, std::size_t target,
                   std::unique_ptr<const StarPosterior> exact)
      : shape_(std::move(shape)),
        draws_(std::move(draws)),
        target_(static_cast<std::uint32_t>(target)),
        exact_(std::move(exact)) {
    first_.push_back(0);
    for (std::uint32_t v = 0; v < shape_.dag.size(); ++v)
      first_.push_back(first_.back() + graph::table_cells(shape_.dag, shape_.sizes, v));
    logs_.resize(draws_.values.size());
    std::transform(draws_.values.begin(), draws_.values.end(), logs_.begin(),
                   [](double x) { return std::log(x); });
  }

  [[nodiscard]] std::size_t draws() const override { return draws_.draws; }
  [[nodiscard]] bool exact() const override { return exact_ != nullptr; }
  [[nodiscard]] std::string how() const override {
    return exact_ ? "exact posterior predictive" : Predictor::how();
  }
  [[nodiscard]] std::unique_ptr<Worker> worker() const override;
  [[nodiscard]] std::optional<std::vector<double>> predictive(
      std::span<const std::int32_t> record) const override {
    if (!exact_) return std::nullopt;
    std::vector<std::int32_t> filled(record.begin(), record.end());
    std::vector<double> out(shape_.sizes[target_]);
    if (shape_.dag.parents(target_).empty()) {
      filled[target_] = -1;
      return exact_->class_probabilities(filled);
    }
    for (std::size_t level = 0; level < out.size(); ++level) {
      filled[target_] = static_cast<std::int32_t>(level);
      out[level] = exact_->log_predictive(filled);
    }
    const double whole = log_sum_exp(out);
    for (double& x : out) x = std::exp(x - whole);
    return out;
  }

 private:
  class Reader;

  /// Variables whose tables matter: ancestors of the target or of a level that is known.
  [[nodiscard]] std::vector<bool> relevant(std::span<const std::int32_t> record) const {
    graph::Variables known{target_};
    for (std::uint32_t v = 0; v < record.size(); ++v) {
      if (v != target_ && record[v] >= 0) known.push_back(v);
    }
    return shape_.dag.ancestral(known);
  }

  /// The tables that hold the target; nothing where one of those that matter holds another variable that is
  /// not known, and elimination is needed.
  [[nodiscard]] std::optional<std::vector<KnownFactor>> known_factors(
      std::span<const std::int32_t> record) const {
    const std::vector<bool> matters = relevant(record);
    std::vector<KnownFactor> out;
    for (std::uint32_t v = 0; v < record.size(); ++v) {
      if (!matters[v]) continue;
      if (v != target_ && record[v] < 0) return std::nullopt;
      KnownFactor factor{first_[v], 0};
      std::size_t step = 1;
      const graph::Variables family = shape_.dag.family(v);
      for (std::size_t i = family.size(); i-- > 0; step *= shape_.sizes[family[i]]) {
        if (family[i] == target_) {
          factor.step = step;
        } else {
          factor.first += step * static_cast<std::size_t>(record[family[i]]);
        }
      }
      if (factor.step > 0) out.push_back(factor);
    }
    return out;
  }

  NetworkStructure shape_;
  SomeDraws draws_;
  std::uint32_t target_;
  std::unique_ptr<const StarPosterior> exact_;
  std::vector<std::size_t> first_;  ///< cell of each table, and how many there are
  std::vector<double> logs_;        ///< of the draws
};

class NetworkPredictor::Reader : public Worker {
 public:
  explicit Reader(const NetworkPredictor& of)
      : of_(of), sum_(of.draws()), most_(of.draws()), tables_(of.first_.back()) {}

  void conditional(std::span<const std::int32_t> record, std::span<double> out) override {
    if (const auto factors = of_.known_factors(record)) {
      multiply(*factors, out);
    } else {
      eliminate(record, out);
    }
  }

 private:
  /// Draw by draw the product of the factors over the target's levels, normalised.
  void multiply(const std::vector<KnownFactor>& factors, std::span<double> out) {
    const std::size_t draws = of_.draws();
    const std::size_t levels = of_.shape_.sizes[of_.target_];
    std::fill(out.begin(), out.end(), 0);
    for (std::size_t level = 0; level < levels; ++level) {
      double* const into = out.data() + level * draws;
      for (const KnownFactor& factor : factors) {
        const double* const from = of_.logs_.data() + (factor.first + level * factor.step) * draws;
        for (std::size_t d = 0; d < draws; ++d) into[d] += from[d];
      }
    }
    normalise(out);
  }

  /// Draw by draw from logarithms to probabilities; no number where all are impossible.
  void normalise(std::span<double> out) {
    const std::size_t draws = sum_.size();
    std::vector<double>& most = most_;
    std::copy_n(out.begin(), draws, most.begin());
    const auto for_each_level = [&](const auto& work) {
      for (std::size_t first = 0; first < out.size(); first += draws) work(out.data() + first);
    };
    for_each_level([&](const double* at) {
      for (std::size_t d = 0; d < draws; ++d) most[d] = std::max(most[d], at[d]);
    });
    std::fill(sum_.begin(), sum_.end(), 0);
    for_each_level([&](double* at) {
      for (std::size_t d = 0; d < draws; ++d) at[d] = std::exp(at[d] - most[d]);
      for (std::size_t d = 0; d < draws; ++d) sum_[d] += at[d];
    });
    for_each_level([&](double* at) {
      for (std::size_t d = 0; d < draws; ++d) at[d] /= sum_[d];
    });
  }

  /// A question for each set of fields that are known, compiled once.
  struct Question {
    graph::CompiledNetwork network;
    graph::CompiledNetwork::Workspace work;
  };
  Question& question(const graph::Variables& known) {
    const auto found = questions_.find(known);
    if (found != questions_.end()) return found->second;
    graph::CompiledNetwork network(of_.shape_.dag, of_.shape_.sizes, {{{of_.target_}}, known, false},
                                   graph::kPropagationBytes, of_.shape_.names);
    graph::CompiledNetwork::Workspace work = network.workspace();
    return questions_.emplace(known, Question{std::move(network), std::move(work)}).first->second;
  }

  void eliminate(std::span<const std::int32_t> record, std::span<double> out) {
    graph::Variables known;
    std::vector<std::uint32_t> levels;
    for (std::uint32_t v = 0; v < record.size(); ++v) {
      if (v == of_.target_ || record[v] < 0) continue;
      known.push_back(v);
      levels.push_back(static_cast<std::uint32_t>(record[v]));
    }
    Question& asked = question(known);
    const std::size_t draws = of_.draws();
    std::vector<double> answer(of_.shape_.sizes[of_.target_]);
    const auto tables = graph::split_tables(of_.shape_.dag, of_.shape_.sizes, tables_);
    for (std::size_t d = 0; d < draws; ++d) {
      for (std::size_t cell = 0; cell < tables_.size(); ++cell)
        tables_[cell] = of_.draws_.values[cell * draws + d];
      const double log = asked.network.run(tables, levels, asked.work, answer);
      for (std::size_t level = 0; level < answer.size(); ++level)
        out[level * draws + d] = std::isinf(log) ? kNoNumber : answer[level];
    }
  }

  const NetworkPredictor& of_;
  std::vector<double> sum_;
  std::vector<double> most_;
  std::vector<double> tables_;
  std::map<graph::Variables, Question> questions_;
};

std::unique_ptr<Predictor::Worker> NetworkPredictor::worker() const {
  return std::make_unique<Reader>(*this);
}

class NetworkRecordSampler : public RecordSampler {
 public:
  explicit NetworkRecordSampler(NetworkStructure shape) : shape_(std::move(shape)) {
    std::size_t first = 0;
    for (std::uint32_t v = 0; v < shape_.dag.size(); ++v) {
      first_.push_back(first);
      first += graph::table_cells(shape_.dag, shape_.sizes, v);
    }
  }

  [[nodiscard]] std::vector<double> ready(std::span<const double> theta) const override {
    return {theta.begin(), theta.end()};
  }
  void draw(std::span<const double> ready, std::span<std::uint32_t> levels, Rng& rng) const override {
    for (const std::uint32_t v : shape_.dag.order()) {
      std::size_t row = 0;
      for (const std::uint32_t parent : shape_.dag.parents(v))
        row = row * shape_.sizes[parent] + levels[parent];
      const double* const p = ready.data() + first_[v] + row * shape_.sizes[v];
      double u = rng.uniform();
      std::uint32_t level = 0;
      for (; level + 1 < shape_.sizes[v] && u >= p[level]; ++level) u -= p[level];
      levels[v] = level;
    }
  }

 private:
  NetworkStructure shape_;
  std::vector<std::size_t> first_;
};

}  // namespace

std::unique_ptr<const Predictor> network_predictor(NetworkStructure shape, SomeDraws draws,
                                                   std::size_t target,
                                                   std::unique_ptr<const StarPosterior> exact) {
  return std::make_unique<NetworkPredictor>(std::move(shape), std::move(draws), target, std::move(exact));
}

std::unique_ptr<const RecordSampler> network_record_sampler(NetworkStructure shape) {
  return std::make_unique<NetworkRecordSampler>(std::move(shape));
}

}  // namespace postern::infer
