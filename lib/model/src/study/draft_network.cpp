#include "postern/model/column.hpp"
#include "postern/model/study_draft.hpp"

#include "study/draft_text.hpp"

namespace postern::model {
namespace {

std::string list(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + toml_text(item);
  return "[" + out + "]";
}

/// Refuses what no study can declare: an empty name, a level that begins with a space.
void check_variable(const graph::BifVariable& variable) {
  Column column;
  column.name = variable.name;
  column.values = Categories{variable.levels};
  column.outside = MapTo{0};
  check_column(column);
}

}  // namespace

std::string draft_network_study(const std::string& name, const graph::BifNetwork& network) {
  std::string text = draft_head(name, "from the variables, levels and edges of a network");
  text +=
      "\n# Every column with the values it may take. A number may have integer = [0, 120] and cuts = [18, "
      "65]\n# in place of categories. An empty or unreadable field counts as the value named by `missing`, "
      "or "
      "else\n# as the first.\n";
  std::string edges;
  for (const graph::BifVariable& variable : network.variables) {
    check_variable(variable);
    text += "\n[columns." + toml_key(variable.name) + "]\ncategories = " + list(variable.levels) + "\n";
    for (const std::uint32_t parent : variable.parents)
      edges += "    [" + toml_text(network.variables[parent].name) + ", " + toml_text(variable.name) + "],\n";
  }
  return text + "\n[model]\nkind  = \"bayes-net\"\nedges = [\n" + edges +
         "]\nprior = \"learned\"    # by the release; or { dirichlet = \"0.5\" } of every cell; or { bdeu = "
         "10 }\n";
}

}  // namespace postern::model
