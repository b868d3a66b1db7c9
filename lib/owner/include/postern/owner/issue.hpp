#pragma once

#include <optional>
#include <string>

#include "postern/owner/gate.hpp"
#include "postern/release/release.hpp"

namespace postern::owner {

/// A release that passed the gate, and the document to publish. Its charge stands whatever becomes of it.
struct Issued {
  release::Release release;
  std::string document;
};

/// Passes the gate with fresh entropy, and signs if a key is given (PEM; prove it first with
/// read_signing_key, since a fault here is paid for). The document has been read back by the strict reader.
/// The caller publishes it, then notes it in the ledger.
[[nodiscard]] Issued issue(const GateRequest& request, const std::optional<std::string>& signing_key,
                           Ledger& ledger, const Measure& measure);

/// What the book must know of a published document. Throws what parse_document throws.
[[nodiscard]] PublishedFact published_fact(const std::string& document);

}  // namespace postern::owner
