#pragma once

#include "postern/core/sha256.hpp"
#include "postern/owner/ledger.hpp"

#include "files.hpp"

namespace postern::app {

/// What the book must know of a published document.
[[nodiscard]] inline owner::PublishedFact published_fact(const ReleaseFile& file) {
  return {file.release.release_id, file.release.ledger.seq, file.release.ledger.head,
          to_hex(sha256(file.bytes))};
}

}  // namespace postern::app
