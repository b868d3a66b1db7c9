#pragma once

#include <cstdint>
#include <string>

#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::owner {

/// Proof that a noise plan was paid for: its row is committed. Move-only; only the ledger makes one, and a
/// noise source consumes it, so noise without a charge does not compile.
class ChargeToken {
 public:
  ChargeToken(ChargeToken&&) = default;
  ChargeToken& operator=(ChargeToken&&) = default;
  ChargeToken(const ChargeToken&) = delete;
  ChargeToken& operator=(const ChargeToken&) = delete;

  [[nodiscard]] const model::NoisePlan& plan() const { return plan_; }
  [[nodiscard]] const model::Study& study() const { return study_; }
  [[nodiscard]] const std::string& release_id() const { return release_id_; }
  [[nodiscard]] std::uint64_t seq() const { return seq_; }
  [[nodiscard]] const std::string& head() const { return head_; }  ///< hex MAC of the row
  [[nodiscard]] const std::string& record_set() const { return record_set_; }

 private:
  friend class Ledger;
  friend struct TestTokens;  // tests/support only
  ChargeToken() = default;
  model::NoisePlan plan_;
  model::Study study_;
  std::string release_id_;
  std::uint64_t seq_ = 0;
  std::string head_;
  std::string record_set_;
};

}  // namespace postern::owner
