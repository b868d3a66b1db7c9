#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/core/units.hpp"
#include "postern/model/study.hpp"
#include "postern/model/transform.hpp"

namespace postern::model {

/// Counts of all cells of the table over one to three columns, row-major, zeros included.
struct Table {
  std::vector<std::string> columns;
};
/// Number of records at one level of one column (a binary column with public n needs no second cell).
struct LevelCount {
  std::string column;
  std::uint32_t level = 0;
};
/// Sum over the records of k^power, k being the integer that level_values gives the record's level; mirrored,
/// of the largest k minus k.
/// Power 0 counts the records at levels to which no value from outside the column's range is put.
struct LevelSum {
  std::string column;
  Transform transform;
  int power = 1;
  bool mirrored = false;
};
/// Sum over the records of the product of two columns' k, as LevelSum without a transform gives them. `first`
/// comes before `second` in the model.
struct ProductSum {
  std::string first;
  std::string second;
};
/// Number of records: only where n is private.
struct RecordCount {};
/// How well each level of a column serves as its quantile: not published; one level is chosen by its score.
struct RankScores {
  std::string column;
  Rational at;  ///< in (0, 1)
};
/// An integer linear statistic of the encoded records, or scores of candidates made from one.
using Statistic = std::variant<Table, LevelCount, LevelSum, RecordCount, RankScores, ProductSum>;

enum class NoiseKind { discrete_laplace, discrete_gaussian, exponential };
[[nodiscard]] std::string_view to_text(NoiseKind kind);  // "discrete-laplace", "discrete-gaussian", ...

/// Exact noise of every coordinate of a block: P(k) ~ exp(-lambda |k|), or P(k) ~ exp(-k^2 / (2 sigma^2)); or
/// a choice among candidates, P(i) ~ exp(scale score_i), whose index is published and the scores are not.
struct Noise {
  NoiseKind kind = NoiseKind::discrete_laplace;
  Rational parameter;  ///< lambda, sigma^2, or scale
};

struct Block {
  Statistic statistic;
  Noise noise;
  std::size_t size = 0;  ///< number of coordinates
};

/// What is measured and how it is noised. No values: those are in release::Measured.
struct Measurement {
  std::vector<Block> blocks;
};

[[nodiscard]] std::size_t statistic_size(const Statistic& statistic, const Schema& schema);
/// What one record at each level adds to a sum. @pre statistic_size accepts it.
[[nodiscard]] std::vector<std::int64_t> level_terms(const LevelSum& sum, const Schema& schema);

/// Exact cost: the maximum over neighbours of sum_j lambda_j |D_j| (pure) or sum_j D_j^2 / (2 sigma_j^2)
/// (zCDP); where products are summed and a record may be replaced, a bound on it that is a little larger.
/// Refuses blocks whose noise does not belong to the currency. Proofs: measurement.md and product_sum.md
/// beside the source.
[[nodiscard]] Rational cost(const Measurement& measurement, const Schema& schema,
                            const PrivacyPolicy& policy);

/// -max(0, b #{below l} - a n, a n - b #{at l or below}) for every level l, from the counts of the levels;
/// at = a/b in lowest terms.
[[nodiscard]] std::vector<std::int64_t> rank_scores(const RankScores& scores,
                                                    std::span<const std::int64_t> counts);

enum class Mechanism { laplace, gaussian, exponential };
[[nodiscard]] std::string_view to_text(Mechanism mechanism);

/// The measurement a study needs, noised so that its cost is exactly the budget. It is what the ledger
/// charges and what the noise source draws; `cost` is in whole nano-units.
struct NoisePlan {
  Mechanism mechanism = Mechanism::laplace;
  Measurement measurement;
  Spend cost{Currency::pure, 0};
};
[[nodiscard]] NoisePlan make_noise_plan(const Study& study, Mechanism mechanism, const Spend& budget);
/// The mechanism a study asks for when none is named: exponential for quantiles, else laplace for pure and
/// gaussian for zcdp.
[[nodiscard]] Mechanism default_mechanism(const Study& study);

}  // namespace postern::model
