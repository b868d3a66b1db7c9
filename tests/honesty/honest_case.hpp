#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"
#include "postern/release/release.hpp"

#include "records.hpp"

namespace postern::honesty {

/// One fact of the population, its 90 % interval in one posterior, and what the unbiased sum says of it.
struct Fact {
  double truth = 0;
  double lower = 0;
  double upper = 0;
  /// True count / noise sd, of a fact of a table; facts of other kinds have none.
  std::optional<double> size = {};
  /// The unbiased sum and its noise interval, where that is valid.
  std::optional<double> plain_lower = {};
  std::optional<double> plain_upper = {};
  /// What the width is told in units of.
  double unit = 1;

  [[nodiscard]] bool held() const { return lower <= truth && truth <= upper; }
  [[nodiscard]] bool plain() const { return plain_lower.has_value(); }
  [[nodiscard]] bool plain_held() const { return *plain_lower <= truth && truth <= *plain_upper; }
  /// Coverage is asked of it: not of counts that noise hides.
  [[nodiscard]] bool asked() const { return !size || *size >= 1; }
};

/// A study, a population of real records, and the facts of it that the posterior is asked for.
class HonestCase {
 public:
  HonestCase() = default;
  HonestCase(const HonestCase&) = delete;
  HonestCase& operator=(const HonestCase&) = delete;
  virtual ~HonestCase() = default;
  /// As many records as there are, drawn with replacement.
  [[nodiscard]] virtual Records sample(Rng& rng) const { return resample(population, n, rng); }
  [[nodiscard]] virtual std::vector<Fact> facts(const release::Release& release,
                                                const infer::Posterior& posterior, std::size_t n) const = 0;

  std::string name;    ///< "table/adult-education-x-country"
  std::string study;   ///< study.toml
  std::string budget;  ///< in the study's currency
  bool select_tree = false;
  Records population;
  std::size_t n = 0;              ///< records of a sample
  std::size_t chain_draws = 500;  ///< of each of four chains
  int weight = 1;                 ///< CPU seconds of a release, about
  bool in_slice = false;          ///< also in the short run
};

using Cases = std::vector<std::unique_ptr<HonestCase>>;

/// The public part of a study file: n is public, or private and at most twice what it is.
[[nodiscard]] std::string study_head(const std::string& name, bool private_n, bool zcdp, std::size_t n);
/// Equal-tailed 90 % interval of draws.
struct Ends {
  double lower = 0;
  double upper = 0;
};
[[nodiscard]] Ends ends_of(std::vector<double> draws);
/// All draws of one quantity, chain after chain. Throws where there is none.
[[nodiscard]] std::vector<double> draws_of(const infer::Posterior& posterior, std::size_t quantity);
[[nodiscard]] std::size_t quantity_labelled(const infer::Posterior& posterior, const std::string& label);

/// A folder of data, and what is missing of it.
struct Sources {
  std::string census;  ///< adult.csv and the Pima table
  std::string tables;  ///< those of tools/honesty_tables
  std::vector<std::string> missing;
  std::string filter;  ///< part of the names of the cases that are run
  bool slice = false;  ///< only those of the short run
  std::map<std::string, std::optional<Records>> known = {};
  [[nodiscard]] const std::optional<Records>& read(const std::string& file);
};

void add_tables(Sources& sources, Cases& cases);
void add_trees(Sources& sources, Cases& cases);
void add_networks(Sources& sources, Cases& cases);
void add_sequences(Sources& sources, Cases& cases);
void add_regressions(Sources& sources, Cases& cases);
void add_numbers(Sources& sources, Cases& cases);
void add_components(Sources& sources, Cases& cases);

}  // namespace postern::honesty
