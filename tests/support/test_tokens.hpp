#pragma once

#include <utility>

#include "postern/model/plan.hpp"
#include "postern/owner/charge.hpp"

namespace postern::owner {

/// Charge tokens without a ledger, for tests of what comes after the charge.
struct TestTokens {
  static ChargeToken make(model::NoisePlan plan, model::Study study = {}) {
    ChargeToken token;
    token.study_ = std::move(study);
    token.plan_ = std::move(plan);
    token.release_id_ = "00000000000000000000000000000000";
    token.record_set_ = "11111111111111111111111111111111";
    token.head_ = std::string(64, '0');
    token.seq_ = 1;
    return token;
  }
};

}  // namespace postern::owner
