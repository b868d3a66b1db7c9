#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "postern/model/plan.hpp"
#include "postern/owner/source.hpp"

#include "audit_kit.hpp"
#include "small_studies.hpp"

// Audits of studies whose unit is a person with at most k records: CSV file -> bounding -> gate, on files
// that differ in all records of one person. alpha = 1e-6 an audit; N as in gate_audit_test.cpp.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
const std::string kHeader = "id,x\n";

/// Files that are gone with the test.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "postern-people-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::string path_;
};

std::string records(std::int64_t count, const std::string& id, const std::string& level) {
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) text.append(id).append(",").append(level).append("\n");
  return text;
}

struct Files {
  std::string what, without, with;
};

/// What the newcomer brings: k records and more, alike, mixed, unusable; beside one who also has too many.
std::vector<Files> neighbours(std::int64_t k) {
  const std::string crowd = kHeader + records(1, "ann", "c0") + records(k, "bob", "c0") +
                            records(k, "bob", "c1") + records(3, "", "c2");
  const auto joins = [&](const std::string& what, const std::string& newcomer) {
    return Files{what, crowd, crowd + newcomer};
  };
  return {
      joins("k extreme records", records(k, "new", "c2")),
      joins("more than k copies", records(2 * k + 2, "new", "c2")),
      joins("more than k, mixed", records(k + 1, "new", "c2") + records(k + 1, "new", "c1")),
      joins("undeclared values", records(2 * k, "new", "zebra")),
      joins("ids of many spellings",
            records(k, "new", "c2") + records(k, " new\t", "c2") + records(k, "\"new\"", "c2")),
      joins("bad lines", records(k, "new", "c2") + records(k, "new,new", "c2")),
      {"alone", kHeader, kHeader + records(k + 1, "new", "c2")},
  };
}

struct Setting {
  std::int64_t k;
  Currency currency;
};

model::Study people_study(const Setting& setting) {
  model::Study study = model::small_study(
      {.levels = 3, .adjacency = model::Adjacency::add_remove, .currency = setting.currency});
  study.privacy.unit = model::PersonUnit{"id", setting.k};
  return study;
}

class ContributionAudit : public testing::TestWithParam<Setting> {};

TEST_P(ContributionAudit, ShowsNoMoreThanTheClaim) {
  const model::Study study = people_study(GetParam());
  const model::NoisePlan plan = model::small_plan(study, Rational(1));
  const Folder folder;
  Entropy entropy;
  for (const Files& files : neighbours(GetParam().k)) {
    const auto bound = contribution_bound(study);
    const auto read = [&](const std::string& text) {
      return open_csv(folder.write("records.csv", text), study, 1, bound)(plan.measurement);
    };
    const Measured without = read(files.without);
    const Measured with = read(files.with);
    const Neighbours pair{files.what, without.n, with.n, without.blocks, with.blocks};
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, 40, 100, entropy);
      const auto on_neighbour = run_gate(study, plan, pair, true, event, 40, 100, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, GetParam().currency, kAlpha);
      EXPECT_LE(found.lower, plan.cost.exact().get_d()) << files.what;
    }
  }
}

/// What releases of one file say, seen along a direction; every run reads the file and chooses anew.
std::vector<double> runs_of(const std::string& file, const model::Study& study, const model::NoisePlan& plan,
                            const std::vector<double>& direction, Entropy& entropy) {
  constexpr int kRuns = 2000;
  constexpr int kBatch = 250;  // a ledger adds up its rows at every charge
  std::optional<Ledger> ledger;
  std::vector<double> runs;
  for (int run = 0; run < kRuns; ++run) {
    if (run % kBatch == 0) {
      const Spend plenty(study.privacy.currency, std::int64_t{1} << 62);
      ledger.emplace(Ledger::rehearsal({study.dataset, study.privacy, plenty}));
    }
    const release::Release out = pass_gate({study, plan}, *ledger, entropy, open_csv(file, study, 1));
    double value = 0;
    for (std::size_t j = 0; j < direction.size(); ++j) {
      value += direction[j] * static_cast<double>(out.blocks[0].values[j]);
    }
    runs.push_back(value);
  }
  return runs;
}

TEST_P(ContributionAudit, HoldsOverTheChoiceOfRecords) {
  const model::Study study = people_study(GetParam());
  const model::NoisePlan plan = model::small_plan(study, Rational(1));
  const Folder folder;
  Entropy entropy;
  const Files files = neighbours(GetParam().k)[2];
  const std::string without = folder.write("without.csv", files.without);
  const std::string with = folder.write("with.csv", files.with);
  const std::vector<double> direction = {0, 1, 1};
  const auto found =
      assess::audit_lower_bound(runs_of(without, study, plan, direction, entropy),
                                runs_of(with, study, plan, direction, entropy), GetParam().currency, kAlpha);
  EXPECT_LE(found.lower, plan.cost.exact().get_d());
}

INSTANTIATE_TEST_SUITE_P(All, ContributionAudit,
                         testing::Values(Setting{1, Currency::pure}, Setting{3, Currency::pure},
                                         Setting{1, Currency::zcdp}, Setting{3, Currency::zcdp}));

}  // namespace
}  // namespace postern::owner
