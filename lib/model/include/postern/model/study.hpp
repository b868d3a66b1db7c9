#pragma once

#include <string>
#include <vector>

#include "postern/model/model.hpp"
#include "postern/model/policy.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {

/// The public facts, declared before any data is read.
struct Study {
  std::string name;
  std::string dataset;  ///< whose budget is spent; many studies may share one dataset
  PrivacyPolicy privacy;
  Schema schema;
  Model model;
  /// Read from a study of version 1 that states no prior, where one of version 2 would have the learned one.
  bool old_default_prior = false;
};

/// The columns whose levels the study's model reads.
[[nodiscard]] inline std::vector<std::string> columns_of(const Model& model) {
  return model.kind().columns(model);
}

/// Every rule that ties the parts together; a study that passes it can be released. Throws.
void check_study(const Study& study);

}  // namespace postern::model
