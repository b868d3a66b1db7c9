#include "postern/owner/issue.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/release/document.hpp"
#include "postern/release/signature.hpp"

namespace postern::owner {
namespace {

/// A document that its readers refuse must not leave. What they say may quote it, and is not passed on.
void check_readable(const std::string& document) {
  try {
    (void)release::parse_document(document);
  } catch (const Error&) {
    throw Error(ErrorCode::internal,
                {"the release that was made breaks the limits of its own format, so it is not published"});
  }
}

}  // namespace

Issued issue(const GateRequest& request, const std::optional<std::string>& signing_key, Ledger& ledger,
             const Measure& measure) {
  Entropy entropy;
  Issued out{pass_gate(request, ledger, entropy, measure), {}};
  if (signing_key) release::sign(out.release, *signing_key);
  out.document = release::to_document(out.release);
  check_readable(out.document);
  return out;
}

PublishedFact published_fact(const std::string& document) {
  const release::Release release = release::parse_document(document);
  return {release.release_id, release.ledger.seq, release.ledger.head, to_hex(sha256(document))};
}

}  // namespace postern::owner
