#include "postern/infer/model_file.hpp"

#include "postern/infer/kind.hpp"
#include "postern/release/document.hpp"
#include "postern/release/rounds.hpp"

namespace postern::infer {

std::vector<ModelFile> model_files(const Posterior& posterior) {
  if (posterior.documents.empty()) return {};
  const release::Release release = release::settled(release::parse_any_document(posterior.documents.front()));
  return kind_of(release.study.model).model_files(release.study, posterior);
}

}  // namespace postern::infer
