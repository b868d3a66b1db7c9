#include "postern/infer/engine_choice.hpp"

#include <vector>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

namespace postern::infer {

EngineChoice parse_engine(const std::string& text) {
  if (text == "auto") return EngineChoice::automatic;
  if (text == "exact") return EngineChoice::exact;
  if (text == "augment") return EngineChoice::augment;
  if (text == "gibbs") return EngineChoice::gibbs;
  if (text == "naive") return EngineChoice::naive;
  const std::vector<std::string> known{"auto", "exact", "augment", "gibbs", "naive"};
  const auto nearest = model::nearest_name(text, known);
  throw Error(ErrorCode::bad_option, {"there is no engine '", from_option(text),
                                      "'; this version has auto, exact, augment, gibbs and naive",
                                      from_option(nearest ? "; did you mean " + *nearest + "?" : "")});
}

}  // namespace postern::infer
