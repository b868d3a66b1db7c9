#include "postern/assess/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/assess/simulate.hpp"
#include "postern/assess/truth.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kind.hpp"

#include "mechanism_bound.hpp"

namespace postern::assess {
namespace {

using Tables = std::vector<std::vector<std::int64_t>>;

constexpr std::size_t kMostStudies = 40;
constexpr std::size_t kFewestCompared = 5;
constexpr double kWork = 2e8;  ///< about so many steps for all studies together
constexpr std::int64_t kTestRecords = 2000;

/// Records counted in the families' tables.
Tables count(const model::SimulatedRecords& records, const infer::NetworkProblem& network) {
  Tables out;
  for (const infer::NetworkFamily& family : network.families) out.emplace_back(family.alpha.size(), 0);
  records.for_each([&](std::span<const std::uint32_t> levels, std::int64_t number) {
    for (std::size_t v = 0; v < out.size(); ++v) {
      std::size_t cell = 0;
      for (const std::uint32_t u : network.families[v].variables) cell = cell * network.sizes[u] + levels[u];
      out[v][cell] += number;
    }
  });
  return out;
}

/// Means of all cells given the counts.
std::vector<double> means(const infer::NetworkProblem& network, const Tables& counts) {
  std::vector<double> out;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    const std::size_t levels = network.sizes[v];
    for (std::size_t at = 0; at < counts[v].size(); at += levels) {
      double sum = 0;
      for (std::size_t l = at; l < at + levels; ++l)
        sum += network.families[v].alpha[l] + static_cast<double>(counts[v][l]);
      for (std::size_t l = at; l < at + levels; ++l)
        out.push_back((network.families[v].alpha[l] + static_cast<double>(counts[v][l])) / sum);
    }
  }
  return out;
}

/// The divergence of one network's law of a record from the true one's, in nats; rows of the tables are as
/// frequent as in `test`.
double divergence(const infer::NetworkProblem& network, const Tables& test, std::span<const double> truth,
                  std::span<const double> other) {
  double out = 0;
  std::size_t cell = 0;
  for (std::size_t v = 0; v < test.size(); ++v) {
    const std::size_t levels = network.sizes[v];
    for (std::size_t at = 0; at < test[v].size(); at += levels, cell += levels) {
      double row = 0;
      double apart = 0;
      for (std::size_t l = 0; l < levels; ++l) {
        row += static_cast<double>(test[v][at + l]);
        if (truth[cell + l] > 0)
          apart += truth[cell + l] * std::log(truth[cell + l] / std::max(other[cell + l], 1e-300));
      }
      out += row / static_cast<double>(kTestRecords) * apart;
    }
  }
  return out;
}

/// What each mechanism loses in one simulated study, and what exact counts lose.
struct StudyLosses {
  std::vector<double> losses;
  double without_noise = 0;
  std::optional<double> plug_in_divergence;
};

class Comparison {
 public:
  Comparison(const model::Study& study, infer::NetworkProblem network, const CompareOptions& options)
      : study_(study), network_(std::move(network)), options_(options) {
    if (options.at) at_ = parse_truth(*options.at, study);
  }

  MechanismComparison run(const model::BudgetRequest& budget, const Conversation& conversation) {
    plan_all(budget);
    std::vector<StudyLosses> studies(number_of_studies());
    parallel_for(studies.size(), options_.threads, [&](std::size_t i) {
      conversation.check();
      studies[i] = simulate(i);
    });
    out_.studies = studies.size();
    for (const StudyLosses& one : studies)
      out_.without_noise += one.without_noise / static_cast<double>(studies.size());
    for (std::size_t p = 0; p < plans_.size(); ++p) summarise(p, studies);
    recommend(studies);
    return std::move(out_);
  }

 private:
  struct Planned {
    std::size_t row = 0;
    model::NoisePlan plan;
  };

  void plan_all(model::BudgetRequest budget) {
    budget.shares.clear();
    for (const model::Mechanism mechanism : study_.model.kind().mechanisms(study_)) {
      MechanismOutlook& row = out_.rows.emplace_back();
      row.mechanism = mechanism;
      budget.mechanism = std::string(to_text(mechanism));
      try {
        plans_.push_back({out_.rows.size() - 1, model::plan_for(budget, study_)});
      } catch (const Error& error) {
        // Some networks are too large for choices, or too dense for coefficients; tables can always be had.
        if (out_.rows.size() == 1) throw;
        row.refused = error.what();
        continue;
      }
      const model::NoisePlan& plan = plans_.back().plan;
      row.cost = plan.cost;
      if (const auto bound = mechanism_bound(study_, plan, network_)) {
        row.bound = bound->text;
        row.limit = bound->limit;
      }
    }
  }

  [[nodiscard]] std::size_t number_of_studies() const {
    double work = static_cast<double>(options_.n.value_or(study_.privacy.n_at_most.value_or(0))) *
                  static_cast<double>(network_.sizes.size());
    for (const Planned& one : plans_) {
      for (const model::Block& block : one.plan.measurement.blocks)
        work += 10 * static_cast<double>(block.size);
    }
    return static_cast<std::size_t>(
        std::clamp(kWork / work, static_cast<double>(kFewestCompared), static_cast<double>(kMostStudies)));
  }

  /// The same truth and records for every mechanism: they are drawn first, from the same stream.
  [[nodiscard]] StudyLosses simulate(std::size_t number) const {
    StudyLosses out;
    Tables test;
    for (const Planned& one : plans_) {
      Rng rng(options_.seed, static_cast<std::uint32_t>(number), Purpose::plan);
      const SimulatedStudy made = simulate_study(study_, one.plan, options_.n, at_, rng);
      if (test.empty()) {
        Rng own(options_.seed, static_cast<std::uint32_t>(number), Purpose::prediction);
        test = count(*study_.model.kind().simulate(study_, kTestRecords, made.theta(), own), network_);
        const Tables counts = count(*made.records, network_);
        out.without_noise = divergence(network_, test, made.theta(), means(network_, counts));
        if (study_.privacy.adjacency == model::Adjacency::replace_one)
          out.plug_in_divergence = plug_in_divergence(one.plan, network_, counts, made.n);
      }
      const std::vector<double> released = infer::kind_of(study_.model).plug_in(made.release);
      out.losses.push_back(divergence(network_, test, made.theta(), released) - out.without_noise);
    }
    return out;
  }

  void summarise(std::size_t p, const std::vector<StudyLosses>& studies) {
    MechanismOutlook& row = out_.rows[plans_[p].row];
    const auto number = static_cast<double>(studies.size());
    double squares = 0;
    double divergences = 0;
    for (const StudyLosses& one : studies) row.loss += one.losses[p] / number;
    for (const StudyLosses& one : studies) {
      squares += (one.losses[p] - row.loss) * (one.losses[p] - row.loss);
      divergences += one.plug_in_divergence.value_or(0) / number;
    }
    row.loss_error = std::sqrt(squares / number / std::max(number - 1, 1.0));
    if (p == 0 && divergences > 0)
      row.bound +=
          ", the posterior that ignores the noise by more than " + short_number(divergences) + " nats";
  }

  /// The least loss; tables where that is no worse than chance explains, since they are what every engine
  /// takes.
  void recommend(const std::vector<StudyLosses>& studies) {
    std::size_t best = 0;
    for (std::size_t p = 1; p < plans_.size(); ++p) {
      if (out_.rows[plans_[p].row].loss < out_.rows[plans_[best].row].loss) best = p;
    }
    const auto number = static_cast<double>(studies.size());
    double mean = 0;
    double squares = 0;
    for (const StudyLosses& one : studies) mean += (one.losses[0] - one.losses[best]) / number;
    for (const StudyLosses& one : studies) squares += std::pow(one.losses[0] - one.losses[best] - mean, 2);
    const double error = std::sqrt(squares / number / std::max(number - 1, 1.0));
    const std::string name(to_text(plans_[best].plan.request.mechanism));
    if (best > 0 && mean > 2 * error) {
      out_.recommended = plans_[best].plan.request.mechanism;
      out_.reason = "it loses " + short_number(mean) + " nats a record less than tables";
      return;
    }
    out_.recommended = plans_[0].plan.request.mechanism;
    out_.reason = best == 0
                      ? "it loses least, and its posterior accounts for the noise"
                      : name + " is better by no more than chance explains, and every engine takes tables";
  }

  const model::Study& study_;
  infer::NetworkProblem network_;
  const CompareOptions& options_;
  model::Assumed at_;
  std::vector<Planned> plans_;
  MechanismComparison out_;
};

}  // namespace

std::optional<MechanismComparison> compare_mechanisms(const model::Study& study,
                                                      const model::BudgetRequest& budget,
                                                      const CompareOptions& options,
                                                      const Conversation& conversation) {
  if (!study.model.kind().has_posterior()) return std::nullopt;
  std::optional<infer::NetworkProblem> network = infer::kind_of(study.model).network(study);
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!network || (!hidden && !options.n)) return std::nullopt;
  return Comparison(study, std::move(*network), options).run(budget, conversation);
}

}  // namespace postern::assess
