#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/public_text.hpp"
#include "postern/core/units.hpp"
#include "postern/model/foreign.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/study.hpp"

namespace postern::release {

struct PublicCount {
  std::int64_t value = 0;
};
struct PrivateCount {
  std::int64_t at_most = 0;  ///< n is latent: uniform on 0..at_most unless the analyst says otherwise
};
using CountStatement = std::variant<PublicCount, PrivateCount>;

using model::MeasuredBlock;

/// One round of a release that was made in several.
struct Round {
  std::size_t blocks = 0;  ///< how many of Release::blocks, which holds those of all rounds in their order
  Spend cost{Currency::pure, 0};        ///< of this round, rounded up; a claim, as that of the whole
  std::optional<Rational> sensitivity;  ///< as Release::sensitivity, of this round
  /// Public integers made from this round and those before it, on which the next ones depend.
  std::vector<Int128> table;
};

/// By what rule a release was made in rounds, and which they were.
struct Rounds {
  model::RoundsPlan plan;
  std::vector<Round> made;
};

/// Where the charge stands in the gate's book.
struct LedgerStatement {
  std::uint64_t seq = 0;
  std::string head;        ///< hex MAC of the charge's row
  std::string record_set;  ///< 32 hex digits: which records; equal ids share one latent statistic
};

struct Signature {
  std::string key_id;      ///< first 16 hex digits of SHA-256 of the raw public key
  std::string public_key;  ///< 64 hex digits
  std::string value;       ///< 128 hex digits
};

/// Everything that leaves the owner, or what an analyst declares of a release made by another tool. Public.
/// No rows, no seed, no counts of clamped or dropped records.
struct Release {
  std::string release_id;          ///< 32 hex digits
  std::string created;             ///< day only, YYYY-MM-DD
  std::string software;            ///< "postern 0.1.0"
  bool counted_by_caller = false;  ///< made from a counts table: bounding and encoding are the caller's word
  model::Study study;
  model::Request request;  ///< how the budget was spent
  Spend cost{Currency::pure, 0};
  CountStatement n;
  std::vector<MeasuredBlock> blocks;
  /// Delta_1 (pure) or Delta_2^2 (zCDP) as a document claims it; `verify` checks it. Left empty, the true one
  /// is written.
  std::optional<Rational> sensitivity;
  /// "exact" or "bound" as a document claims it beside the sensitivity; empty where there is one way only.
  std::string sensitivity_method;
  std::optional<Rounds> rounds;  ///< where one charge paid for several (postern/release/rounds.hpp)
  LedgerStatement ledger;
  std::optional<Signature> signature;
  /// Made elsewhere: then this is all that is known of it, `blocks` is empty, and cost, ledger and rounds say
  /// nothing (postern/release/foreign.hpp).
  std::optional<model::Foreign> foreign;
  /// Canonical JSON of the members this version does not know (only where a reader may ignore them), or
  /// empty. Kept so that the document can be written back byte for byte and its signature checked.
  std::string extensions;
  /// The file it was read from, for messages; empty if from none. Not in the document.
  std::string source;

  /// All blocks, those of all rounds.
  [[nodiscard]] model::Measurement measurement() const;
};

/// "'a.release.json' (release 0123...)", or its id alone if it came from no file.
[[nodiscard]] Quotation name_of(const Release& release);

}  // namespace postern::release
