#include "postern/assess/truth.hpp"

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"

namespace postern::assess {

std::vector<double> parse_truth(const std::string& text, const model::Study& study) {
  if (!study.model.kind().has_posterior())
    throw Error(ErrorCode::bad_option, {"at: a study of quantiles has no parameters to assume"});
  return infer::kind_of(study.model).truth(text, study);
}

}  // namespace postern::assess
