#pragma once

#include <string>

#include "postern/model/family.hpp"
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
};

/// Every rule that ties the parts together; a study that passes it can be released. Throws.
void check_study(const Study& study);

}  // namespace postern::model
