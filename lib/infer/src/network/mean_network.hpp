#pragma once

#include <optional>

#include "postern/infer/model_file.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// The network at the means of all its tables, as a BIF file.
[[nodiscard]] std::optional<ModelFile> mean_network(const model::Study& study, const Posterior& posterior);

}  // namespace postern::infer
