#include "audit_runs.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/noise/noisy_value.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/source.hpp"
#include "postern/release/choice.hpp"
#include "postern/release/noise_law.hpp"

#include "audit_claim.hpp"
#include "made_up_records.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kBatch = 250;  // runs a ledger: it adds up its rows at every charge

/// A folder of made-up records that goes away with its owner.
class ScratchFolder {
 public:
  ScratchFolder() : path_((std::filesystem::temp_directory_path() / "postern-audit-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) {
      throw Error(ErrorCode::output_unwritable,
                  {"no temporary folder can be made; set TMPDIR to one that can be written"});
    }
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::string path_;
};

/// One coordinate that differs between the neighbours.
struct Difference {
  std::size_t block = 0;
  std::size_t coordinate = 0;
  std::int64_t change = 0;
  double on_neighbour = 0;
  release::NoiseLaw law;
};

/// A choice whose scores differ between the neighbours.
struct ScoreDifference {
  std::size_t block = 0;
  std::vector<double> log_odds;  ///< of each candidate: log P(chosen | d) / P(chosen | neighbour)
};

/// All that differs between two neighbours.
struct Direction {
  std::vector<Difference> coordinates;
  std::vector<ScoreDifference> choices;
  [[nodiscard]] bool empty() const { return coordinates.empty() && choices.empty(); }
};

ScoreDifference compare_scores(std::size_t block, const std::vector<Int128>& here,
                               const std::vector<Int128>& there, double scale) {
  ScoreDifference out{block, release::choice_log_probabilities(here, scale)};
  const std::vector<double> other = release::choice_log_probabilities(there, scale);
  for (std::size_t i = 0; i < other.size(); ++i) out.log_odds[i] -= other[i];
  return out;
}

Direction differences(const owner::Measured& d, const owner::Measured& neighbour,
                      const model::Measurement& measurement) {
  Direction found;
  for (std::size_t b = 0; b < d.blocks.size(); ++b) {
    const model::Noise& noise = measurement.blocks[b].noise;
    if (noise.kind == model::NoiseKind::exponential) {
      if (d.blocks[b] != neighbour.blocks[b]) {
        found.choices.push_back(compare_scores(b, d.blocks[b], neighbour.blocks[b], noise.parameter.get_d()));
      }
      continue;
    }
    const release::NoiseLaw law = release::noise_law(measurement.blocks[b].noise);
    for (std::size_t j = 0; j < d.blocks[b].size(); ++j) {
      const Int128 here = d.blocks[b][j];
      const Int128 there = neighbour.blocks[b][j];
      if (here == there) continue;
      found.coordinates.push_back(
          {b, j, static_cast<std::int64_t>(here - there), static_cast<double>(there), law});
    }
  }
  return found;
}

/// What is looked at in a release: its projection on the difference, and the log likelihood ratio of the
/// neighbours under the claimed law (the sharper of the two when the law is as claimed).
struct RunStatistic {
  double projection = 0;
  double ratio = 0;
};

RunStatistic look_at(const release::Release& release, const Direction& direction) {
  RunStatistic statistic;
  for (const ScoreDifference& choice : direction.choices) {
    const double odds = choice.log_odds[static_cast<std::size_t>(release.blocks[choice.block].values[0])];
    statistic.projection += odds;
    statistic.ratio += odds;
  }
  for (const Difference& d : direction.coordinates) {
    const auto y = static_cast<double>(release.blocks[d.block].values[d.coordinate]);
    const auto change = static_cast<double>(d.change);
    statistic.projection += change * y;
    statistic.ratio +=
        release::log_pmf(d.law, y - d.on_neighbour - change) - release::log_pmf(d.law, y - d.on_neighbour);
  }
  return statistic;
}

/// The gate, passed again and again by the same made-up records. A rehearsal ledger pays for one batch.
class Rehearsal {
 public:
  Rehearsal(const model::Study& study, const model::NoisePlan& plan, const owner::Measured& measured)
      : study_(study),
        plan_(plan),
        measured_(measured),
        ledger_(owner::Ledger::rehearsal(
            {study.dataset, study.privacy,
             Spend::ceil(plan.cost.currency(), plan.cost.exact() * static_cast<long>(kBatch))})) {}
  release::Release run() {
    return owner::pass_gate({study_, plan_, false, infer::round_fit(study_)}, ledger_, entropy_,
                            [&](const model::Measurement&) { return measured_; });
  }

 private:
  const model::Study& study_;
  const model::NoisePlan& plan_;
  const owner::Measured& measured_;
  owner::Ledger ledger_;
  owner::Entropy entropy_;
};

/// What a threshold may see of the claim, with the allowance for Gaussian noise on a lattice.
double visible_limit(double claim, const Direction& direction) {
  std::vector<LatticeShift> shifts;
  shifts.reserve(direction.coordinates.size());
  for (const Difference& d : direction.coordinates) shifts.push_back({d.change, d.law});
  const double excess = lattice_excess(shifts);
  return claim * excess * excess;  // rho goes with mu^2
}

/// The better of the two bounds, each at half of alpha.
assess::AuditBound judge(const std::vector<RunStatistic>& d, const std::vector<RunStatistic>& neighbour,
                         Currency currency) {
  const auto column = [](const std::vector<RunStatistic>& statistics, double RunStatistic::*member) {
    std::vector<double> values;
    values.reserve(statistics.size());
    for (const RunStatistic& statistic : statistics) values.push_back(statistic.*member);
    return values;
  };
  assess::AuditBound best;
  for (double RunStatistic::*member : {&RunStatistic::projection, &RunStatistic::ratio}) {
    const assess::AuditBound bound =
        assess::audit_lower_bound(column(d, member), column(neighbour, member), currency, kAuditAlpha / 2);
    if (bound.lower > best.lower) best = bound;
  }
  return best;
}

/// Two neighbours, and what their releases looked like.
struct Trial {
  owner::Measured here, there;
  Direction direction;
  std::vector<RunStatistic> d, neighbour;
};

void run_batch(const model::Study& study, const model::NoisePlan& plan, std::size_t batch, Trial& trial,
               const Conversation& conversation) {
  Rehearsal left(study, plan, trial.here);
  Rehearsal right(study, plan, trial.there);
  const std::size_t end = std::min((batch + 1) * kBatch, trial.d.size());
  for (std::size_t r = batch * kBatch; r < end; ++r) {
    conversation.check();
    trial.d[r] = look_at(left.run(), trial.direction);
    trial.neighbour[r] = look_at(right.run(), trial.direction);
  }
}

/// A choice among candidates is no Gaussian, and a threshold can see all of its epsilon: there epsilon is
/// what is audited, also where the study is paid in rho.
AuditRow judge_trial(const std::string& what, const Trial& trial, const model::Study& study,
                     const model::NoisePlan& plan) {
  if (trial.direction.choices.empty()) {
    const Currency currency = plan.cost.currency();
    const double claim = plan.cost.exact().get_d();
    return {what, currency, claim, visible_limit(claim, trial.direction),
            judge(trial.d, trial.neighbour, currency)};
  }
  model::PrivacyPolicy pure = study.privacy;
  pure.currency = Currency::pure;
  const double claim = model::cost(plan.measurement, study.schema, pure).get_d();
  return {what, Currency::pure, claim, claim, judge(trial.d, trial.neighbour, Currency::pure)};
}

}  // namespace

std::vector<AuditRow> audit_runs(const model::Study& study, const model::NoisePlan& plan, std::size_t runs,
                                 const Conversation& conversation) {
  const ScratchFolder folder;
  const std::vector<NeighbourPair> pairs = neighbour_pairs(study);
  // Neighbours are compared under one choice of everybody's records (contribution.md).
  const auto bound = owner::contribution_bound(study);
  const std::size_t batches = (runs + kBatch - 1) / kBatch;
  std::vector<AuditRow> rows;
  std::mutex talking;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Trial trial;
    const auto read = [&](const std::string& name, const std::string& text) {
      return owner::open_csv(folder.write(name, text), study, 1, bound)(plan.measurement);
    };
    trial.here = read("d.csv", pairs[i].on_d);
    trial.there = read("neighbour.csv", pairs[i].on_neighbour);
    trial.direction = differences(trial.here, trial.there, plan.measurement);
    if (trial.direction.empty()) continue;  // the study's policies make these two alike: nothing can leak
    trial.d.resize(runs);
    trial.neighbour.resize(runs);
    std::size_t finished = 0;
    parallel_for(batches, 0, [&](std::size_t batch) {
      run_batch(study, plan, batch, trial, conversation);
      const std::lock_guard lock(talking);
      const double done =
          static_cast<double>(i) + static_cast<double>(++finished) / static_cast<double>(batches);
      conversation.report("rehearsing releases", done / static_cast<double>(pairs.size()));
    });
    rows.push_back(judge_trial(pairs[i].what, trial, study, plan));
  }
  return rows;
}

}  // namespace postern::app
