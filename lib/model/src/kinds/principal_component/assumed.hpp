#pragma once

#include "postern/core/error.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// Components alone settle no law of records.
inline void refuse_assumed_components(const Assumed& assumed) {
  if (!assumed) return;
  throw Error(ErrorCode::unsupported,
              {"shares of variance do not say which records there were; a truth cannot be assumed for "
               "principal components"});
}

}  // namespace postern::model
