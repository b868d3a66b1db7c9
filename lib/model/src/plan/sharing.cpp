#include "plan/sharing.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/statistic/table.hpp"

namespace postern::model {
namespace {

constexpr const char* kCount = "count";

/// A number of records is worth a tenth of the budget beside their sums (docs/decisions/private-n.md).
Rational share_of_count(const Rational& budget) { return budget / 10; }

NoiseKind noise_for(const Study& study) {
  return study.privacy.currency == Currency::pure ? NoiseKind::discrete_laplace
                                                  : NoiseKind::discrete_gaussian;
}

Rational share_of(const std::string& name, const Request& request) {
  const auto found = request.shares.find(name);
  return found == request.shares.end() ? Rational(1) : found->second;
}

/// What of the budget goes to the number of records.
Rational share_for_count(const Request& request, const Rational& budget) {
  Rational share = share_of_count(budget) * share_of(kCount, request);
  if (share >= budget)
    throw Error(ErrorCode::bad_option,
                {"the share of 'count' must be below 10: it is of a tenth of the budget"});
  return share;
}

void refuse_unknown(const std::vector<WantedBlock>& wanted, const Request& request, bool counts) {
  std::vector<std::string> names;
  for (const WantedBlock& one : wanted) names.push_back(one.name);
  if (counts) names.emplace_back(kCount);
  for (const auto& [name, share] : request.shares) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string all;
      for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
      throw Error(ErrorCode::bad_option, {"there is no block '", from_option(name),
                                          "' to give a share to; this study has ", quote(all, 400)});
    }
    if (sgn(share) <= 0 || share > 1'000'000 || share < Rational(1, 1'000'000)) {
      throw Error(ErrorCode::bad_option,
                  {"the share of '", from_option(name), "' must lie in 0.000001..1000000"});
    }
  }
}

/// Throws for a statistic that cannot be. To be called before a block is made: GCC 12 destroys the parts of
/// an aggregate twice if a later part of it throws.
std::size_t size_of(const WantedBlock& wanted, const Study& study) {
  return statistic_size(wanted.statistic, study.schema);
}

/// Noises some blocks so that together they cost exactly `amount`.
std::vector<Block> scaled(const std::vector<WantedBlock>& wanted, const Study& study, const Request& request,
                          const Rational& amount) {
  const bool laplace = study.privacy.currency == Currency::pure;
  std::vector<Block> blocks;
  for (const WantedBlock& one : wanted) {
    const Rational unit = one.unit * share_of(one.name, request);
    const std::size_t size = size_of(one, study);
    blocks.push_back({one.statistic, {noise_for(study), laplace ? unit : Rational(1 / unit)}, size});
  }
  const Rational unscaled = cost({blocks}, study.schema, study.privacy);
  for (Block& block : blocks) {
    if (laplace) {
      block.noise.parameter *= amount / unscaled;
    } else {
      block.noise.parameter *= unscaled / amount;
    }
  }
  return blocks;
}

}  // namespace

Rational root_below(const Rational& value) {
  const Integer scaled_up = floor(value << 160);
  Rational root(Integer(sqrt(scaled_up)), Integer(Integer(1) << 80));
  root.canonicalize();
  return root;
}

Rational unit_of(const Rational& weight, const Study& study) {
  return study.privacy.currency == Currency::pure ? weight : Rational(weight * weight);
}

std::vector<Block> share_out(const std::vector<WantedBlock>& wanted, const Study& study,
                             const Request& request, const Rational& amount) {
  refuse_unknown(wanted, request, false);
  return scaled(wanted, study, request, amount);
}

std::vector<Block> share_out_with_count(const std::vector<WantedBlock>& wanted, const Study& study,
                                        const Request& request, const Rational& budget) {
  if (study.privacy.adjacency == Adjacency::replace_one) return share_out(wanted, study, request, budget);
  refuse_unknown(wanted, request, true);
  const Rational for_count = share_for_count(request, budget);
  std::vector<Block> blocks = scaled(wanted, study, request, budget - for_count);
  blocks.push_back(scaled({{"", RecordCount{}}}, study, {}, for_count).front());
  return blocks;
}

std::vector<Block> share_choices(const std::vector<WantedBlock>& wanted, const Study& study,
                                 const Request& request, const Rational& budget) {
  refuse_unknown(wanted, request, false);
  Rational all = 0;
  for (const WantedBlock& one : wanted) all += share_of(one.name, request);
  std::vector<Block> blocks;
  for (const WantedBlock& one : wanted) {
    const std::size_t size = size_of(one, study);
    Block block{one.statistic, {NoiseKind::exponential, 1}, size};
    const Rational unscaled = cost({{block}}, study.schema, study.privacy);
    const Rational share = budget * share_of(one.name, request) / all / unscaled;
    block.noise.parameter = study.privacy.currency == Currency::pure ? share : root_below(share);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<Block> share_choices_with_count(const std::vector<WantedBlock>& wanted, const Study& study,
                                            const Request& request, const Rational& budget) {
  if (study.privacy.adjacency == Adjacency::replace_one) return share_choices(wanted, study, request, budget);
  refuse_unknown(wanted, request, true);
  const Rational for_count = share_for_count(request, budget);
  Request among_choices = request;
  among_choices.shares.erase(kCount);
  std::vector<Block> blocks = share_choices(wanted, study, among_choices, budget - for_count);
  blocks.push_back(scaled({{"", RecordCount{}}}, study, {}, for_count).front());
  return blocks;
}

}  // namespace postern::model
