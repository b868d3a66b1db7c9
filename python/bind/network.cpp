#include "network.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "postern/core/error.hpp"
#include "postern/graph/bif.hpp"
#include "postern/graph/query.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace postern::bind {
namespace {

/// A network file with what its questions need.
struct Network {
  explicit Network(graph::BifNetwork parsed)
      : file(std::move(parsed)), dag(file.dag()), sizes(file.sizes()) {}
  graph::BifNetwork file;
  graph::Dag dag;
  graph::Sizes sizes;
};

using Levels = std::vector<std::pair<std::string, std::string>>;

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

graph::Seen find(const Network& network, const std::string& variable, const std::string& level) {
  const auto& all = network.file.variables;
  const auto named = [&](const graph::BifVariable& one) { return one.name == variable; };
  const auto v = std::find_if(all.begin(), all.end(), named);
  if (v == all.end()) {
    throw Error(ErrorCode::bad_option, {"the network has no variable ", from_option(variable),
                                        "; its variables: ", from_document(listed(network.file.names()))});
  }
  const auto at = std::find(v->levels.begin(), v->levels.end(), level);
  if (at == v->levels.end()) {
    throw Error(ErrorCode::bad_option, {from_document(v->name), " has no level ", from_option(level),
                                        "; its levels: ", from_document(listed(v->levels))});
  }
  return {static_cast<std::uint32_t>(v - all.begin()), static_cast<std::uint32_t>(at - v->levels.begin())};
}

using Posteriors = nb::typed<nb::dict, std::string, nb::typed<nb::dict, std::string, double>>;

Posteriors posteriors(const Network& network, const Levels& given) {
  graph::Evidence evidence;
  for (const auto& [variable, level] : given) evidence.push_back(find(network, variable, level));
  graph::NetworkAnswer answer;
  {
    const nb::gil_scoped_release released;
    answer = graph::posteriors(network.dag, network.sizes, network.file.tables(), evidence);
  }
  if (answer.tables.empty() && !network.file.variables.empty()) {
    throw Error(
        ErrorCode::bad_option,
        {"the network gives this evidence probability 0, so nothing follows from it; leave some of it "
         "out"});
  }
  Posteriors out;
  for (std::size_t v = 0; v < answer.tables.size(); ++v) {
    const graph::BifVariable& variable = network.file.variables[v];
    nb::dict levels;
    for (std::size_t k = 0; k < variable.levels.size(); ++k)
      levels[nb::str(variable.levels[k].c_str(), variable.levels[k].size())] = answer.tables[v][k];
    out[nb::str(variable.name.c_str(), variable.name.size())] = levels;
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> edges(const Network& network) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const graph::BifVariable& variable : network.file.variables) {
    for (const std::uint32_t parent : variable.parents)
      out.emplace_back(network.file.variables[parent].name, variable.name);
  }
  return out;
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<Network>(m, "Network")
      .def_prop_ro("name", [](const Network& of) { return of.file.name; })
      .def_prop_ro("variables", [](const Network& of) { return of.file.names(); })
      .def_prop_ro("levels",
                   [](const Network& of) {
                     std::vector<std::vector<std::string>> out;
                     for (const graph::BifVariable& variable : of.file.variables)
                       out.push_back(variable.levels);
                     return out;
                   })
      .def_prop_ro("edges", &edges)
      .def("posteriors", &posteriors, "evidence"_a)
      .def("to_bif", [](const Network& of) { return graph::write_bif(of.file); });
  m.def(
      "parse_network",
      [](const std::string& text, const std::string& file) { return Network(graph::parse_bif(text, file)); },
      "text"_a, "file"_a);
}

}  // namespace postern::bind
