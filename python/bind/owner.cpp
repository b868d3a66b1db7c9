#include <exception>
#include <memory>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "postern/core/error.hpp"
#include "postern/model/budget.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/columns.hpp"
#include "postern/owner/csv.hpp"
#include "postern/owner/found_ledger.hpp"
#include "postern/owner/issue.hpp"
#include "postern/owner/ledger.hpp"
#include "postern/owner/signing_key.hpp"
#include "postern/owner/source.hpp"
#include "postern/release/document.hpp"
#include "postern/release/rounds.hpp"

#include "check.hpp"
#include "common.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace postern::bind {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

/// Opened records: their columns were checked, nothing of them was read. Python can hand it on, and no more.
struct Source {
  owner::Measure measure;
};

/// What Python opens when the gate asks for it, which is after the charge. What goes wrong then is not told:
/// it might quote a record.
Source open_later(const nb::typed<nb::callable, Source()>& open) {
  // Shared, so that a copy of the Measure counts no reference without the interpreter's lock.
  return {[held = std::make_shared<const nb::callable>(open)](const model::Measurement& measurement) {
    owner::Measure measure;
    {
      const nb::gil_scoped_acquire locked;
      try {
        measure = nb::cast<const Source&>((*held)()).measure;
      } catch (const std::exception&) {
        throw Error(ErrorCode::input_unreadable, {"the table could not be read to its end"});
      }
    }
    return measure(measurement);
  }};
}

/// What makes the tables of rounds, in Python: it gets the release so far as a document, and only that.
using RoundTable = nb::typed<nb::callable, std::vector<std::int64_t>(std::string)>;

release::Fit fit_later(const std::optional<RoundTable>& table) {
  if (!table) return {};
  // Shared, so that a copy of the Fit counts no reference without the interpreter's lock.
  return [held = std::make_shared<const nb::callable>(*table)](const release::Release& so_far) {
    const std::string document = release::to_document(so_far);
    const nb::gil_scoped_acquire locked;
    const auto made = nb::cast<std::vector<std::int64_t>>((*held)(document));
    return std::vector<Int128>(made.begin(), made.end());
  };
}

void bind_ledger(nb::module_& m) {
  nb::class_<owner::Balance>(m, "Balance")
      .def_prop_ro("dataset", [](const owner::Balance& b) { return b.terms.dataset; })
      .def_prop_ro("currency", [](const owner::Balance& b) { return to_text(b.terms.privacy.currency); })
      .def_prop_ro("budget", [](const owner::Balance& b) { return b.terms.budget.text(); })
      .def_prop_ro("spent", [](const owner::Balance& b) { return b.spent.text(); })
      .def_prop_ro("left", [](const owner::Balance& b) { return b.left.text(); })
      .def_ro("charges", &owner::Balance::charges)
      .def_ro("published", &owner::Balance::published)
      .def_ro("record_set", &owner::Balance::record_set);
  nb::class_<owner::ChargeRow>(m, "ChargeRow")
      .def_ro("seq", &owner::ChargeRow::seq)
      .def_ro("release_id", &owner::ChargeRow::release_id)
      .def_prop_ro("cost", [](const owner::ChargeRow& row) { return row.cost.text(); })
      .def_ro("mechanism", &owner::ChargeRow::mechanism)
      .def_ro("record_set", &owner::ChargeRow::record_set)
      .def_ro("at", &owner::ChargeRow::at)
      .def_ro("published", &owner::ChargeRow::published);
  nb::class_<owner::Ledger>(m, "Ledger")
      .def_static(
          "create",
          [](const std::string& path, const model::Study& study, const std::string& budget, bool another) {
            owner::FoundLedger found = owner::found_ledger(
                path,
                {study.dataset, study.privacy, model::parse_amount(study.privacy.currency, "budget", budget)},
                another);
            return std::pair(std::move(found.ledger), std::move(found.note));
          },
          "path"_a, "study"_a, "budget"_a, "another"_a, Unlocked())
      .def_static(
          "open", [](const std::string& path) { return owner::Ledger::open(path); }, "path"_a, Unlocked())
      .def("check_terms", &owner::Ledger::check_terms, "study"_a, Unlocked())
      .def("balance", &owner::Ledger::balance, Unlocked())
      .def("charges", &owner::Ledger::charges, Unlocked())
      .def("verify_chain", &owner::Ledger::verify_chain, Unlocked())
      .def("backup", &owner::Ledger::backup, "path"_a, Unlocked())
      .def_prop_ro("charges_made", &owner::Ledger::charges_made)
      .def(
          "holds",
          [](const owner::Ledger& ledger, const std::string& document) {
            return owner::holds(ledger, owner::published_fact(document));
          },
          "document"_a, Unlocked())
      .def(
          "reconcile",
          [](owner::Ledger& ledger, const std::string& document) {
            return owner::reconcile(ledger, {owner::published_fact(document)});
          },
          "document"_a, Unlocked())
      .def("record_published", &owner::Ledger::record_published, "release_id"_a, "document_sha256"_a,
           Unlocked())
      .def(
          "new_records",
          [](owner::Ledger& ledger) {
            owner::Entropy entropy;
            ledger.new_records(entropy);
          },
          Unlocked())
      .def("export_lines", &owner::Ledger::export_lines, Unlocked());
}

void bind_records(nb::module_& m) {
  [[maybe_unused]] const nb::class_<Source> opaque(m, "Source");
  m.def(
      "open_records",
      [](const std::string& path, const std::optional<std::string>& format,
         const std::optional<std::string>& delimiter, const model::Study& study, int threads) {
        return Source{
            owner::open_records(path, owner::records_format(path, format, delimiter), study, threads)};
      },
      "path"_a, "format"_a.none(), "delimiter"_a.none(), "study"_a, "threads"_a, nb::keep_alive<0, 4>(),
      Unlocked());
  m.def(
      "open_counts",
      [](const std::string& path, const std::optional<std::string>& format,
         const std::optional<std::string>& delimiter, const model::Study& study) {
        const owner::RecordsFormat form = owner::records_format(path, format, delimiter);
        if (!form.csv) {
          throw Error(ErrorCode::bad_option,
                      {"a table of counts is a CSV file or a frame; read the file into a frame, with pandas "
                       "or polars, and give that"});
        }
        return Source{owner::open_counts(path, study, form.delimiter)};
      },
      "path"_a, "format"_a.none(), "delimiter"_a.none(), "study"_a, nb::keep_alive<0, 4>(), Unlocked());
  m.def(
      "open_arrow_stream",
      [](const nb::capsule& stream, const model::Study& study, int threads) {
        auto* handed_over = static_cast<ArrowArrayStream*>(stream.data("arrow_array_stream"));
        const nb::gil_scoped_release unlocked;
        return Source{owner::open_arrow_stream(handed_over, study, threads)};
      },
      "stream"_a, "study"_a, "threads"_a, nb::keep_alive<0, 2>());
  m.def("open_later", &open_later, "open"_a);
  m.def("check_columns", &owner::check_columns, "names"_a, "study"_a);
  m.def("read_signing_key", &owner::read_signing_key, "path"_a, "study"_a);
  m.def(
      "draft_study",
      [](const std::string& path, const std::optional<std::string>& format,
         const std::optional<std::string>& delimiter) {
        return model::draft_study(model::draft_name(path),
                                  owner::read_columns(path, owner::records_format(path, format, delimiter)));
      },
      "path"_a, "format"_a.none(), "delimiter"_a.none(), Unlocked());
  m.def(
      "draft_study_of_stream",
      [](const nb::capsule& stream, const std::string& name) {
        return model::draft_study(
            model::draft_name(name),
            owner::read_columns(static_cast<ArrowArrayStream*>(stream.data("arrow_array_stream"))));
      },
      "stream"_a, "name"_a);
  m.def(
      "draft_study_of_names",
      [](const std::vector<std::string>& columns, const std::string& name) {
        std::vector<model::DraftColumn> drafted;
        for (const std::string& column : columns) drafted.push_back({column});
        return model::draft_study(model::draft_name(name), drafted);
      },
      "columns"_a, "name"_a);
  m.def(
      "draft_study_of_network",
      [](const std::string& text, const std::string& path) {
        return model::draft_network_study(model::draft_name(path), graph::parse_bif(text, path));
      },
      "text"_a, "path"_a);
  m.def(
      "issue",
      [](const model::Study& study, const model::NoisePlan& plan, bool counted_by_caller,
         const std::optional<std::string>& signing_key, owner::Ledger& ledger, const Source& source,
         const std::optional<RoundTable>& round_table) {
        const release::Fit fit = fit_later(round_table);
        return interruptible([&](const Conversation& conversation) {
          conversation.check();
          return owner::issue({study, plan, counted_by_caller, fit}, signing_key, ledger, source.measure)
              .document;
        });
      },
      "study"_a, "plan"_a, "counted_by_caller"_a, "signing_key"_a.none(), "ledger"_a, "source"_a,
      "round_table"_a.none());
}

}  // namespace

NB_MODULE(_owner, m) {
  bind_common(m);
  bind_ledger(m);
  bind_records(m);
  bind_check(m);
}

}  // namespace postern::bind
