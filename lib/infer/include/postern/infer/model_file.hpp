#pragma once

#include <optional>
#include <string>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// A model in the form of other programs.
struct ModelFile {
  std::string name;  ///< network.bif
  std::string text;
};

/// The model at the posterior's means: of a Bayesian network a BIF file. Nothing for other kinds, for a
/// posterior without its releases, and where a name or level cannot be written in that form.
[[nodiscard]] std::optional<ModelFile> mean_model(const Posterior& posterior);

}  // namespace postern::infer
