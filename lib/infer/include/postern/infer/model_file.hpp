#pragma once

#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// A model in a form that other programs read.
struct ModelFile {
  std::string name;  ///< network.bif
  std::string text;
};

/// The model at the posterior's means: of a Bayesian network a BIF file, of a Markov network also a UAI file
/// and a JSON file. Nothing for other kinds and for a posterior without its releases; a form that cannot hold
/// a name or level is left out.
[[nodiscard]] std::vector<ModelFile> model_files(const Posterior& posterior);

}  // namespace postern::infer
