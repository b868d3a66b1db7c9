#pragma once

#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// A query's answer in one posterior less its answer in another.
struct Difference {
  std::vector<double> draws;
  SummaryRow summary;
};

/// Pairs draws of two posteriors of different records at random, as independent draws may be paired. `query`
/// is a quantity of both, by name or label, or what parse_query reads. Throws releases_conflict where they
/// share a release or a record set, since their draws are not independent then; bad_option where the query
/// cannot be asked of both, or one holds a point and no draws; unsupported where one was saved without its
/// releases.
[[nodiscard]] Difference difference(const Posterior& a, const Posterior& b, const std::string& query);

}  // namespace postern::infer
