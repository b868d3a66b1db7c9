#pragma once

#include "postern/core/error.hpp"

namespace postern::release {

/// Rules of the study and of measurements speak of a study file; here they were broken by a document. `said`
/// begins the message.
template <class Work>
void as_inconsistency(Piece said, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    switch (error.code()) {
      case ErrorCode::release_malformed:
      case ErrorCode::release_limit:
      case ErrorCode::release_inconsistent:
        throw;
      default:
        break;
    }
    throw Error(ErrorCode::release_inconsistent, {said, quote(error.what(), 400)});
  }
}

}  // namespace postern::release
