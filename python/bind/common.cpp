#include "common.hpp"

#include <cmath>
#include <new>
#include <system_error>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/core/version.hpp"
#include "postern/model/budget.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/silent.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/chosen.hpp"
#include "postern/release/document.hpp"
#include "postern/release/foreign.hpp"
#include "postern/release/noise_law.hpp"
#include "postern/release/rounds.hpp"
#include "postern/release/verify.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace postern::bind {
namespace {

void raise(ErrorCode code, const char* text) {
  const nb::object type = nb::module_::import_("postern.errors").attr("Error");
  const nb::object spoken = nb::module_::import_("postern._dialect").attr("in_python")(text);
  const nb::object error = type(error_name(code), spoken);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void raise_internal() {
  raise(ErrorCode::internal,
        "a fault of the program itself stopped it; its details are not shown, because they might contain a "
        "record");
}

/// The text of a foreign exception might come from a record, so it is not shown.
void translate(const std::exception_ptr& fault, void* /*unused*/) {
  try {
    std::rethrow_exception(fault);
  } catch (const Error& error) {
    raise(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    raise(ErrorCode::out_of_memory, "there is not enough memory for this");
  } catch (const std::system_error& refused) {
    if (refused.code() == std::errc::resource_unavailable_try_again) {
      raise(ErrorCode::out_of_memory,
            "the system starts no further thread; raise the limit on processes, or free "
            "memory, and try again");
    } else {
      raise_internal();
    }
  } catch (const std::exception&) {
    raise_internal();
  }
}

/// What each block measures, in words.
std::vector<std::string> statistics_of(const model::Measurement& measurement, const model::Schema& schema) {
  std::vector<std::string> texts;
  for (const model::Block& block : measurement.blocks)
    texts.push_back(block.statistic.kind().text(block.statistic, schema));
  return texts;
}

}  // namespace

void bind_common(nb::module_& m) {
  nb::register_exception_translator(translate);
  m.attr("version") = kVersion;
  m.def("printable", &printable, "text"_a);

  nb::class_<model::Study>(m, "Study")
      .def_static(
          "parse",
          [](const std::string& text, const std::string& file_name) {
            return model::parse_study(text, file_name);
          },
          "text"_a, "file_name"_a)
      .def("document", &release::study_document)
      .def("silent_rules", &model::silent_rules)
      .def(
          "plan",
          [](const model::Study& study, const std::optional<std::string>& epsilon,
             const std::optional<std::string>& rho, const std::optional<std::string>& mechanism,
             const std::vector<std::string>& shares) {
            return model::plan_for({epsilon, rho, mechanism, shares}, study);
          },
          "epsilon"_a.none(), "rho"_a.none(), "mechanism"_a.none(), "shares"_a);

  nb::class_<model::Block>(m, "Block")
      .def_ro("size", &model::Block::size)
      .def_prop_ro("noise_sd", [](const model::Block& block) { return release::noise_sd(block.noise); });
  nb::class_<model::NoisePlan>(m, "NoisePlan")
      .def(
          "document",
          [](const model::NoisePlan& plan, const model::Study& study) {
            return release::plan_document(study, plan);
          },
          "study"_a)
      .def(
          "statistics",
          [](const model::NoisePlan& plan, const model::Study& study) {
            return statistics_of(plan.measurement, study.schema);
          },
          "study"_a)
      .def(
          "units",
          [](const model::NoisePlan& plan, const model::Study& study) {
            std::vector<std::string> units;
            for (const model::Block& block : plan.measurement.blocks)
              units.push_back(block.statistic.kind().unit(block.statistic, study.schema));
            return units;
          },
          "study"_a)
      .def_prop_ro("cost", [](const model::NoisePlan& plan) { return plan.cost.text(); })
      .def_prop_ro("in_rounds", [](const model::NoisePlan& plan) { return plan.rounds.has_value(); })
      .def_prop_ro("is_large", [](const model::NoisePlan& plan) { return model::is_large(plan.cost); })
      .def(
          "advice",
          [](const model::NoisePlan& plan, const model::Study& study, std::optional<std::int64_t> n) {
            return study.model.kind().advice(study, plan, n);
          },
          "study"_a, "n"_a.none())
      .def_prop_ro("blocks", [](const model::NoisePlan& plan) { return plan.measurement.blocks; });

  nb::class_<release::Check>(m, "Check")
      .def_ro("name", &release::Check::name)
      .def_ro("passed", &release::Check::passed)
      .def_ro("detail", &release::Check::detail);
  nb::class_<release::Release>(m, "Release")
      .def_static("parse", &release::parse_any_document, "document"_a)
      .def_static(
          "foreign",
          [](const std::string& text, const std::string& file_name) {
            model::ForeignRelease declared = model::parse_foreign(text, file_name);
            return release::to_document(
                release::foreign_release(std::move(declared.study), std::move(declared.foreign)));
          },
          "text"_a, "file_name"_a)
      .def_ro("study", &release::Release::study)
      .def_prop_ro("settled_study",
                   [](const release::Release& release) { return release::settled(release).study; })
      .def("statistics",
           [](const release::Release& release) {
             std::vector<std::string> texts = statistics_of(release.measurement(), release.study.schema);
             if (!release.foreign) return texts;
             for (const model::ForeignBlock& block : release.foreign->blocks)
               texts.push_back(block.statistic.kind().text(block.statistic, release.study.schema));
             return texts;
           })
      .def("chosen",
           [](const release::Release& release) {
             std::vector<std::pair<std::string, std::string>> pairs;
             for (release::ChosenValue& one : release::chosen_values(release))
               pairs.emplace_back(std::move(one.statistic), std::move(one.value));
             return pairs;
           })
      .def("verify", &release::verify)
      .def("verify_key", &release::verify_key, "public_key_pem"_a);
}

}  // namespace postern::bind
