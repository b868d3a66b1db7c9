#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "postern/core/public_text.hpp"

namespace postern {

/// Every way Postern can refuse. Closed list: each code has one stable kebab name and one sysexits class
/// (error.cpp), and both are part of the interface.
enum class ErrorCode {
  // how it was called
  usage,
  bad_option,
  bad_budget,
  currency_mismatch,
  unsupported,
  // the study
  study_syntax,
  unknown_key,
  missing_key,
  wrong_type,
  bare_float,
  bad_value,
  duplicate_category,
  overlapping_cuts,
  unknown_column,
  bad_prior,
  // files going in
  input_missing,
  input_unreadable,
  no_header,
  column_absent,
  column_repeated,
  // files coming out
  output_exists,
  output_unwritable,
  disk_full,
  // the ledger
  budget_exhausted,
  ledger_missing,
  ledger_exists,
  ledger_foreign,
  ledger_tampered,
  ledger_exposed,
  ledger_busy,
  ledger_unwritable,
  ledger_mismatch,
  // the release document
  release_malformed,
  release_not_canonical,
  release_version,
  release_limit,
  release_inconsistent,
  signature_invalid,
  // inference
  releases_conflict,
  engine_unsuitable,
  engine_limit,
  not_calibrated,
  // the machine
  entropy_failed,
  out_of_memory,
  interrupted,
  internal,
};

[[nodiscard]] std::string_view error_name(ErrorCode code);  // "budget-exhausted"
[[nodiscard]] int exit_status(ErrorCode code);              // a sysexits class

/// The one exception. Its text is public by construction, on both sides of the wall.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const PublicText& text) : std::runtime_error(text.str()), code_(code) {}
  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace postern
