#include "postern/core/error.hpp"

#include <sysexits.h>

namespace postern {
namespace {

struct Entry {
  std::string_view name;
  int status;
};

constexpr Entry entry(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return {"usage", EX_USAGE};
    case ErrorCode::bad_option:
      return {"bad-option", EX_USAGE};
    case ErrorCode::bad_budget:
      return {"bad-budget", EX_USAGE};
    case ErrorCode::currency_mismatch:
      return {"currency-mismatch", EX_USAGE};
    case ErrorCode::unsupported:
      return {"unsupported", EX_UNAVAILABLE};
    case ErrorCode::study_syntax:
      return {"study-syntax", EX_DATAERR};
    case ErrorCode::unknown_key:
      return {"unknown-key", EX_DATAERR};
    case ErrorCode::missing_key:
      return {"missing-key", EX_DATAERR};
    case ErrorCode::wrong_type:
      return {"wrong-type", EX_DATAERR};
    case ErrorCode::bare_float:
      return {"bare-float", EX_DATAERR};
    case ErrorCode::bad_value:
      return {"bad-value", EX_DATAERR};
    case ErrorCode::duplicate_category:
      return {"duplicate-category", EX_DATAERR};
    case ErrorCode::overlapping_cuts:
      return {"overlapping-cuts", EX_DATAERR};
    case ErrorCode::unknown_column:
      return {"unknown-column", EX_DATAERR};
    case ErrorCode::bad_prior:
      return {"bad-prior", EX_DATAERR};
    case ErrorCode::input_missing:
      return {"input-missing", EX_NOINPUT};
    case ErrorCode::input_unreadable:
      return {"input-unreadable", EX_NOINPUT};
    case ErrorCode::no_header:
      return {"no-header", EX_DATAERR};
    case ErrorCode::column_absent:
      return {"column-absent", EX_DATAERR};
    case ErrorCode::column_repeated:
      return {"column-repeated", EX_DATAERR};
    case ErrorCode::output_exists:
      return {"output-exists", EX_CANTCREAT};
    case ErrorCode::output_unwritable:
      return {"output-unwritable", EX_CANTCREAT};
    case ErrorCode::disk_full:
      return {"disk-full", EX_IOERR};
    case ErrorCode::budget_exhausted:
      return {"budget-exhausted", EX_NOPERM};
    case ErrorCode::ledger_missing:
      return {"ledger-missing", EX_NOINPUT};
    case ErrorCode::ledger_exists:
      return {"ledger-exists", EX_CANTCREAT};
    case ErrorCode::ledger_foreign:
      return {"ledger-foreign", EX_DATAERR};
    case ErrorCode::ledger_tampered:
      return {"ledger-tampered", EX_DATAERR};
    case ErrorCode::ledger_exposed:
      return {"ledger-exposed", EX_NOPERM};
    case ErrorCode::ledger_busy:
      return {"ledger-busy", EX_TEMPFAIL};
    case ErrorCode::ledger_unwritable:
      return {"ledger-unwritable", EX_NOPERM};
    case ErrorCode::ledger_mismatch:
      return {"ledger-mismatch", EX_DATAERR};
    case ErrorCode::release_malformed:
      return {"release-malformed", EX_DATAERR};
    case ErrorCode::release_not_canonical:
      return {"release-not-canonical", EX_DATAERR};
    case ErrorCode::release_version:
      return {"release-version", EX_DATAERR};
    case ErrorCode::release_limit:
      return {"release-limit", EX_DATAERR};
    case ErrorCode::release_inconsistent:
      return {"release-inconsistent", EX_DATAERR};
    case ErrorCode::signature_invalid:
      return {"signature-invalid", EX_DATAERR};
    case ErrorCode::releases_conflict:
      return {"releases-conflict", EX_DATAERR};
    case ErrorCode::engine_unsuitable:
      return {"engine-unsuitable", EX_USAGE};
    case ErrorCode::engine_limit:
      return {"engine-limit", EX_UNAVAILABLE};
    case ErrorCode::not_calibrated:
      return {"not-calibrated", EX_SOFTWARE};
    case ErrorCode::entropy_failed:
      return {"entropy-failed", EX_OSERR};
    case ErrorCode::out_of_memory:
      return {"out-of-memory", EX_OSERR};
    case ErrorCode::interrupted:
      return {"interrupted", EX_TEMPFAIL};
    case ErrorCode::internal:
      return {"internal", EX_SOFTWARE};
  }
  return {"internal", EX_SOFTWARE};
}

}  // namespace

std::string_view error_name(ErrorCode code) { return entry(code).name; }
int exit_status(ErrorCode code) { return entry(code).status; }

}  // namespace postern
