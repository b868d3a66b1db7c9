#include "postern/infer/model_file.hpp"

#include "postern/infer/kind.hpp"
#include "postern/release/document.hpp"
#include "postern/release/rounds.hpp"

namespace postern::infer {

std::optional<ModelFile> mean_model(const Posterior& posterior) {
  if (posterior.documents.empty()) return std::nullopt;
  const release::Release release = release::settled(release::parse_any_document(posterior.documents.front()));
  return kind_of(release.study.model).mean_model(release.study, posterior);
}

}  // namespace postern::infer
