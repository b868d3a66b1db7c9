#pragma once

#include <string>

#include "postern/core/json_value.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

/// {"epsilon": "1/10"} or {"rho": "1/200"}.
[[nodiscard]] JsonValue cost_json(const Spend& cost);
/// {"l1": "2"} (Delta_1) or {"l2_squared": "2"} (Delta_2^2).
/// `method`: how the cost was found, where there are two ways (model::cost_method).
[[nodiscard]] JsonValue sensitivity_json(Currency currency, const Rational& value, std::string_view method);
[[nodiscard]] JsonValue statistic_json(const model::Statistic& statistic);
/// Statistic, shape and noise of a block; a published block adds its values.
[[nodiscard]] JsonObject block_json(const model::Block& block, const model::Schema& schema);

/// Sizes of a table's columns; [1] for a single count.
[[nodiscard]] JsonValue shape_json(const model::Statistic& statistic, const model::Schema& schema);

/// {"shares": {"sum": "2"}}: what a request says beside its mechanism. Nothing where it says nothing more, as
/// in documents that were written before there were requests.
[[nodiscard]] JsonObject request_json(const model::Request& request);

/// {"at_most": 3, "rule": "..."}: what a plan fixes of rounds.
[[nodiscard]] JsonValue rounds_json(const model::RoundsPlan& plan);

/// The inverses. Throw release_malformed, release_limit, release_inconsistent.
[[nodiscard]] Spend read_cost(const JsonValue& value, const std::string& where, Currency currency);
[[nodiscard]] model::RoundsPlan read_rounds(const JsonValue& value, const std::string& where);
/// Fills mechanism, sensitivity and blocks, and which rounds there were. @pre out.study, out.cost and the
/// plan of out.rounds are read.
void read_measurements(const JsonValue& value, const std::string& where, Release& out);

/// Delta_1 (pure) or Delta_2^2 (zCDP) of the whole measurement: its cost at lambda = 1, or twice that at
/// sigma2 = 1.
[[nodiscard]] Rational sensitivity_of(model::Measurement measurement, const model::Study& study);
/// "exact", "bound", or nothing: how the cost of the measurement is found (model::cost_method).
[[nodiscard]] std::string method_of(const model::Measurement& measurement, const model::Study& study);

}  // namespace postern::release
