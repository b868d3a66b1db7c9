#pragma once

#include <string>

#include "postern/core/sha256.hpp"
#include "postern/owner/ledger.hpp"

#include "files.hpp"

namespace postern::app {

/// What the book must know of a published document.
[[nodiscard]] inline owner::PublishedFact published_fact(const ReleaseFile& file) {
  return {file.release.release_id, file.release.ledger.seq, file.release.ledger.head,
          to_hex(sha256(file.bytes))};
}

/// Why the book may lack a document's charge, and what to do.
[[nodiscard]] inline std::string why_not_held(const owner::Ledger& ledger, const ReleaseFile& file) {
  if (ledger.terms().dataset != file.release.study.dataset) {
    return "the ledger is of dataset '" + ledger.terms().dataset + "', the release of '" +
           file.release.study.dataset + "': give the ledger of that dataset";
  }
  return "the ledger is of the same dataset but did not pay for this release: it is a second ledger, or was "
         "rolled back to an older copy; a dataset has one ledger, the one that paid";
}

}  // namespace postern::app
