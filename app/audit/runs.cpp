#include "audit/runs.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/noise/noisy_value.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/source.hpp"

#include "audit/claim.hpp"
#include "audit/direction.hpp"
#include "audit/made_up_records.hpp"
#include "audit/rounds.hpp"

namespace postern::app {
namespace {

constexpr double kRounding = 1e-7;  // of losses that are computed in doubles

/// Runs a ledger, which adds up its rows at every charge; of rounds, which take their time, fewer.
std::size_t batch_size(const model::NoisePlan& plan) { return plan.rounds ? 25 : 250; }

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

/// The gate, passed again and again by the same made-up records. A rehearsal ledger pays for one batch.
class Rehearsal {
 public:
  Rehearsal(const model::Study& study, const model::NoisePlan& plan, const owner::Measured& measured)
      : study_(study),
        plan_(plan),
        measured_(measured),
        ledger_(owner::Ledger::rehearsal(
            {study.dataset, study.privacy,
             Spend::ceil(plan.cost.currency(), plan.cost.exact() * static_cast<long>(batch_size(plan)))})) {}
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

std::vector<double> column(const std::vector<RunStatistic>& statistics, double RunStatistic::*member) {
  std::vector<double> values;
  values.reserve(statistics.size());
  for (const RunStatistic& statistic : statistics) values.push_back(statistic.*member);
  return values;
}

/// The better of the two bounds, each at half of alpha.
assess::AuditBound judge(const std::vector<RunStatistic>& d, const std::vector<RunStatistic>& neighbour,
                         Currency currency) {
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
  std::function<owner::Measured()> here,
      there;            ///< read anew: what is measured again is not shared by threads
  Direction direction;  ///< of the first round
  std::vector<RunStatistic> d, neighbour;
  RoundsLoss rounds;
};

RoundsLoss run_batch(const model::Study& study, const model::NoisePlan& plan, std::size_t batch, Trial& trial,
                     const Conversation& conversation) {
  const owner::Measured here = trial.here();
  const owner::Measured there = trial.there();
  Rehearsal left(study, plan, here);
  Rehearsal right(study, plan, there);
  RoundsLoss losses;
  const auto look = [&](const release::Release& made) {
    return plan.rounds ? look_at_rounds(made, here, there, losses) : look_at(made.blocks, trial.direction);
  };
  const std::size_t size = batch_size(plan);
  for (std::size_t r = batch * size; r < std::min((batch + 1) * size, trial.d.size()); ++r) {
    conversation.check();
    trial.d[r] = look(left.run());
    trial.neighbour[r] = look(right.run());
  }
  return losses;
}

/// Releases in rounds: what all runs show of the charge, what their laws show of it, and what the laws of a
/// single round show of its cost. Choices are not Gaussian, and rho is seen by divergences.
std::vector<AuditRow> judge_rounds(const std::string& what, const Trial& trial, const Spend& cost) {
  const Currency currency = cost.currency();
  const double claim = cost.exact().get_d();
  const std::vector<double> d = column(trial.d, &RunStatistic::ratio);
  const std::vector<double> neighbour = column(trial.neighbour, &RunStatistic::ratio);
  const auto by_law = [&](const char* of, double due, double loss) {
    return AuditRow{what + of, currency, due, due * (1 + kRounding), {.lower = loss}, true};
  };
  return {{what, currency, claim, claim,
           currency == Currency::pure ? assess::audit_lower_bound(d, neighbour, currency, kAuditAlpha)
                                      : assess::audit_renyi_bound(d, neighbour, kAuditAlpha)},
          by_law(": laws of all rounds", claim, trial.rounds.whole),
          by_law(": law of one round", trial.rounds.cost, trial.rounds.of_round)};
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
  const std::vector<NeighbourPair> pairs = neighbour_pairs(study, plan.rounds.has_value());
  // Neighbours are compared under one choice of everybody's records (contribution.md).
  const auto bound = owner::contribution_bound(study);
  const std::size_t batches = (runs + batch_size(plan) - 1) / batch_size(plan);
  std::vector<AuditRow> rows;
  std::mutex talking;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Trial trial;
    const auto read = [&](const std::string& name, const std::string& text) {
      return [&, file = folder.write(name, text)] {
        return owner::open_csv(file, study, 1, bound)(plan.measurement);
      };
    };
    trial.here = read("d.csv", pairs[i].on_d);
    trial.there = read("neighbour.csv", pairs[i].on_neighbour);
    trial.direction = differences(trial.here().blocks, trial.there().blocks, plan.measurement);
    if (trial.direction.empty()) continue;  // the study's policies make these two alike: nothing can leak
    trial.d.resize(runs);
    trial.neighbour.resize(runs);
    std::size_t finished = 0;
    parallel_for(batches, 0, [&](std::size_t batch) {
      const RoundsLoss losses = run_batch(study, plan, batch, trial, conversation);
      const std::lock_guard lock(talking);
      trial.rounds.take(losses);
      const double done =
          static_cast<double>(i) + static_cast<double>(++finished) / static_cast<double>(batches);
      conversation.report("rehearsing releases", done / static_cast<double>(pairs.size()));
    });
    if (plan.rounds) {
      for (AuditRow& row : judge_rounds(pairs[i].what, trial, plan.cost)) rows.push_back(std::move(row));
    } else {
      rows.push_back(judge_trial(pairs[i].what, trial, study, plan));
    }
  }
  return rows;
}

std::size_t usual_runs(const model::Study& study, const model::NoisePlan& plan) {
  const std::size_t enough = recommended_runs(plan.cost);
  if (!plan.rounds) return std::min<std::size_t>(enough, 100'000);
  const bool fits = study.model.kind().round_rule(study, plan.request)->takes_table();
  return std::min<std::size_t>(enough, fits ? 100 : 1000);
}

}  // namespace postern::app
