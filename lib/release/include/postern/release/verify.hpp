#pragma once

#include <string>
#include <vector>

#include "postern/release/release.hpp"

namespace postern::release {

struct Check {
  std::string name;  ///< "cost", "shape", "noise", "signature", ...
  bool passed = false;
  std::string detail;  ///< what was claimed and what was recomputed
};

/// Recomputes sensitivity and cost from study + model + adjacency + unit and compares with what the document
/// claims. (A document that parse_document accepts is well formed; this says whether it is true.)
[[nodiscard]] std::vector<Check> verify(const Release& release);
/// Whether this very key signed the document: the owner's public key (PEM), which the reader got elsewhere.
/// Throws signature_invalid if it is none.
[[nodiscard]] Check verify_key(const Release& release, const std::string& public_key_pem);
[[nodiscard]] bool all_passed(const std::vector<Check>& checks);

}  // namespace postern::release
