#include "rehearse.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "postern/core/error.hpp"
#include "postern/owner/count.hpp"
#include "postern/owner/csv.hpp"
#include "postern/owner/gate.hpp"
#include "postern/release/noise_law.hpp"

#include "audit_claim.hpp"
#include "describe.hpp"
#include "made_up_records.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kRunsPerLedger = 500;  // a rehearsal ledger adds up its rows at every charge

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
    const std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::string path_;
};

owner::Measured measure_file(const std::string& path, const model::Study& study,
                             const model::Measurement& measurement) {
  const owner::Records records = owner::CsvFile(path, study.schema, model_columns(study.model)).read(1);
  owner::Measured out{static_cast<std::int64_t>(records.rows()), {}};
  for (const model::Block& block : measurement.blocks) {
    out.blocks.push_back(owner::measure(records, study.schema, block.statistic, 1));
  }
  return out;
}

/// One coordinate that differs between the neighbours.
struct Difference {
  std::size_t block = 0;
  std::size_t coordinate = 0;
  std::int64_t change = 0;
  double on_neighbour = 0;
  release::NoiseLaw law;
};

std::vector<Difference> differences(const owner::Measured& d, const owner::Measured& neighbour,
                                    const model::Measurement& measurement) {
  std::vector<Difference> found;
  for (std::size_t b = 0; b < d.blocks.size(); ++b) {
    const release::NoiseLaw law = release::noise_law(measurement.blocks[b].noise);
    for (std::size_t j = 0; j < d.blocks[b].size(); ++j) {
      const Int128 here = d.blocks[b][j];
      const Int128 there = neighbour.blocks[b][j];
      if (here == there) continue;
      found.push_back({b, j, static_cast<std::int64_t>(here - there), static_cast<double>(there), law});
    }
  }
  return found;
}

/// What is looked at in a release: its projection on the difference, and the log likelihood ratio of the
/// neighbours under the claimed law (the sharper of the two when the law is as claimed).
struct Sight {
  double projection = 0;
  double ratio = 0;
};

Sight look_at(const release::Release& release, const std::vector<Difference>& direction) {
  Sight sight;
  for (const Difference& d : direction) {
    const auto y = static_cast<double>(release.blocks[d.block].values[d.coordinate]);
    const auto change = static_cast<double>(d.change);
    sight.projection += change * y;
    sight.ratio +=
        release::log_pmf(d.law, y - d.on_neighbour - change) - release::log_pmf(d.law, y - d.on_neighbour);
  }
  return sight;
}

/// The gate, passed again and again by the same made-up records. A rehearsal ledger pays.
class Rehearsal {
 public:
  Rehearsal(const model::Study& study, const model::NoisePlan& plan, const owner::Measured& measured)
      : study_(study), plan_(plan), measured_(measured), ledger_(new_ledger()) {}
  release::Release run() {
    if (++runs_ % kRunsPerLedger == 0) ledger_ = new_ledger();
    return owner::pass_gate({study_, plan_, false}, ledger_, entropy_,
                            [&](const model::Measurement&) { return measured_; });
  }

 private:
  [[nodiscard]] owner::Ledger new_ledger() const {
    const Rational budget = plan_.cost.exact() * static_cast<long>(kRunsPerLedger + 1);
    return owner::Ledger::rehearsal(
        {study_.dataset, study_.privacy, Spend::ceil(plan_.cost.currency(), budget)});
  }
  const model::Study& study_;
  const model::NoisePlan& plan_;
  const owner::Measured& measured_;
  owner::Ledger ledger_;
  owner::Entropy entropy_;
  std::size_t runs_ = 0;
};

/// What a threshold may see of the claim, with the allowance for Gaussian noise on a lattice.
double visible_claim(const model::NoisePlan& plan, const std::vector<Difference>& direction) {
  std::vector<LatticeShift> shifts;
  for (const Difference& d : direction) shifts.push_back({d.change, d.law});
  const double excess = lattice_excess(shifts);
  return plan.cost.exact().get_d() * excess * excess;  // rho goes with mu^2
}

/// The better of the two bounds, each at half of alpha.
assess::AuditBound judge(const std::vector<Sight>& d, const std::vector<Sight>& neighbour,
                         Currency currency) {
  const auto column = [](const std::vector<Sight>& sights, double Sight::*member) {
    std::vector<double> values;
    for (const Sight& sight : sights) values.push_back(sight.*member);
    return values;
  };
  assess::AuditBound best;
  for (double Sight::*member : {&Sight::projection, &Sight::ratio}) {
    const assess::AuditBound bound =
        assess::audit_lower_bound(column(d, member), column(neighbour, member), currency, kAuditAlpha / 2);
    if (bound.lower > best.lower) best = bound;
  }
  return best;
}

}  // namespace

std::vector<AuditRow> rehearse(const model::Study& study, const model::NoisePlan& plan, std::size_t runs,
                               const Conversation& conversation) {
  const ScratchFolder folder;
  const std::vector<NeighbourPair> pairs = neighbour_pairs(study);
  std::vector<AuditRow> rows;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const owner::Measured here = measure_file(folder.write("d.csv", pairs[i].on_d), study, plan.measurement);
    const owner::Measured there =
        measure_file(folder.write("neighbour.csv", pairs[i].on_neighbour), study, plan.measurement);
    const std::vector<Difference> direction = differences(here, there, plan.measurement);
    if (direction.empty()) continue;  // the study's policies make these two alike: nothing can leak
    Rehearsal left(study, plan, here);
    Rehearsal right(study, plan, there);
    std::vector<Sight> d(runs);
    std::vector<Sight> neighbour(runs);
    for (std::size_t r = 0; r < runs; ++r) {
      conversation.check();
      d[r] = look_at(left.run(), direction);
      neighbour[r] = look_at(right.run(), direction);
      const double done = static_cast<double>(i) + static_cast<double>(r + 1) / static_cast<double>(runs);
      conversation.report("rehearsing releases", done / static_cast<double>(pairs.size()));
    }
    rows.push_back(
        {pairs[i].what, visible_claim(plan, direction), judge(d, neighbour, plan.cost.currency())});
  }
  return rows;
}

}  // namespace postern::app
