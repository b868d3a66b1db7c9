#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "postern/model/plan.hpp"

#include "audit/claim.hpp"
#include "audit/runs.hpp"
#include "common.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

// The one extension that links both sides, as the program does: it takes a study and makes up its records.
namespace postern::bind {

NB_MODULE(_rehearsal, m) {
  bind_common(m);
  nb::class_<app::AuditRow>(m, "AuditRow")
      .def_ro("what", &app::AuditRow::what)
      .def_prop_ro("loss", [](const app::AuditRow& row) { return unit_name(row.currency); })
      .def_ro("claim", &app::AuditRow::claim)
      .def_ro("limit", &app::AuditRow::limit)
      .def_prop_ro("bound", [](const app::AuditRow& row) { return row.found.lower; })
      .def_ro("computed", &app::AuditRow::computed)
      .def("passed", &app::AuditRow::passed);
  m.attr("alpha") = app::kAuditAlpha;
  m.def(
      "recommended_runs", [](const model::NoisePlan& plan) { return app::recommended_runs(plan.cost); },
      "plan"_a);
  m.def("usual_runs", &app::usual_runs, "study"_a, "plan"_a);
  m.def(
      "audit_runs",
      [](const model::Study& study, const model::NoisePlan& plan, std::size_t runs) {
        return interruptible([&](const Conversation& conversation) {
          return app::audit_runs(study, plan, runs, conversation);
        });
      },
      "study"_a, "plan"_a, "runs"_a);
}

}  // namespace postern::bind
