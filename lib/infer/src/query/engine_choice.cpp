#include "postern/infer/engine_choice.hpp"

#include <array>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

namespace postern::infer {
namespace {

constexpr std::array kEngines{EngineChoice::automatic, EngineChoice::exact,   EngineChoice::tables,
                              EngineChoice::moments,   EngineChoice::augment, EngineChoice::gibbs,
                              EngineChoice::naive,     EngineChoice::map,     EngineChoice::bounds,
                              EngineChoice::potentials};

}  // namespace

std::string_view to_text(EngineChoice engine) {
  switch (engine) {
    case EngineChoice::automatic:
      return "auto";
    case EngineChoice::exact:
      return "exact";
    case EngineChoice::tables:
      return "tables";
    case EngineChoice::moments:
      return "moments";
    case EngineChoice::augment:
      return "augment";
    case EngineChoice::gibbs:
      return "gibbs";
    case EngineChoice::map:
      return "map";
    case EngineChoice::bounds:
      return "bounds";
    case EngineChoice::potentials:
      return "potentials";
    case EngineChoice::naive:
      break;
  }
  return "naive";
}

std::string engines_text(const std::vector<EngineChoice>& engines) {
  std::string out;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (i > 0) out += i + 1 == engines.size() ? " or " : ", ";
    out += to_text(engines[i]);
  }
  return out;
}

EngineChoice parse_engine(const std::string& text) {
  std::vector<std::string> known;
  for (const EngineChoice engine : kEngines) {
    if (text == to_text(engine)) return engine;
    known.emplace_back(to_text(engine));
  }
  const auto nearest = model::nearest_name(text, known);
  throw Error(ErrorCode::bad_option, {"there is no engine '", from_option(text), "'; take ",
                                      quote(engines_text({kEngines.begin(), kEngines.end()}), 110),
                                      from_option(nearest ? "; did you mean " + *nearest + "?" : "")});
}

}  // namespace postern::infer
