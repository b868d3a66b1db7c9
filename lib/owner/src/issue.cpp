#include "postern/owner/issue.hpp"

#include <utility>

#include "postern/core/sha256.hpp"
#include "postern/release/document.hpp"
#include "postern/release/signature.hpp"

namespace postern::owner {

Issued issue(const GateRequest& request, const std::optional<std::string>& signing_key, Ledger& ledger,
             const Measure& measure) {
  Entropy entropy;
  Issued out{pass_gate(request, ledger, entropy, measure), {}};
  if (signing_key) release::sign(out.release, *signing_key);
  out.document = release::to_document(out.release);
  return out;
}

PublishedFact published_fact(const std::string& document) {
  const release::Release release = release::parse_document(document);
  return {release.release_id, release.ledger.seq, release.ledger.head, to_hex(sha256(document))};
}

}  // namespace postern::owner
