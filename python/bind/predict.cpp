#include "predict.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "postern/infer/basis.hpp"
#include "postern/infer/predict.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/synthesize.hpp"

#include "interruptible.hpp"
#include "view.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace postern::bind {

void bind_predict(nb::module_& m) {
  const auto table = [](std::vector<double> infer::Predictions::*numbers) {
    return [numbers](const infer::Predictions& of) {
      return view(of, of.*numbers, {of.rows, of.levels.size()});
    };
  };
  const auto column = [](std::vector<double> infer::NumberPredictions::*numbers) {
    return [numbers](const infer::NumberPredictions& of) {
      return view(of, of.*numbers, {(of.*numbers).size()});
    };
  };
  nb::class_<infer::NumberPredictions>(m, "NumberPredictions")
      .def_ro("rmse", &infer::NumberPredictions::rmse)
      .def_ro("coverage", &infer::NumberPredictions::coverage)
      .def_ro("log_score", &infer::NumberPredictions::log_score)
      .def("mean", column(&infer::NumberPredictions::mean))
      .def("low", column(&infer::NumberPredictions::low))
      .def("high", column(&infer::NumberPredictions::high));
  nb::class_<infer::Predictions>(m, "Predictions")
      .def_ro("target", &infer::Predictions::target)
      .def_ro("levels", &infer::Predictions::levels)
      .def_ro("exact", &infer::Predictions::exact)
      .def_ro("how", &infer::Predictions::how)
      .def_ro("draws", &infer::Predictions::draws)
      .def_ro("judged", &infer::Predictions::judged)
      .def_ro("log_loss", &infer::Predictions::log_loss)
      .def_ro("accuracy", &infer::Predictions::accuracy)
      .def_ro("warnings", &infer::Predictions::warnings)
      .def_ro("numbers", &infer::Predictions::numbers)
      .def("probability", table(&infer::Predictions::probability))
      .def("low", table(&infer::Predictions::low))
      .def("high", table(&infer::Predictions::high));
  m.def(
      "row_columns",
      [](const infer::Posterior& posterior) {
        return infer::row_columns(infer::basis_of(posterior).study());
      },
      "posterior"_a);
  m.def(
      "predict",
      [](const infer::Posterior& posterior, const std::vector<infer::PublicColumn>& columns,
         const std::optional<std::string>& target, std::size_t draws, int threads) {
        return interruptible([&](const Conversation& conversation) {
          const infer::Rows rows = infer::read_rows(columns, infer::basis_of(posterior).study());
          return infer::predict(posterior, rows, {target, draws, threads}, conversation);
        });
      },
      "posterior"_a, "columns"_a, "target"_a.none(), "draws"_a, "threads"_a);
}

void bind_synthesize(nb::module_& m) {
  nb::class_<infer::Synthetic>(m, "Synthetic")
      .def_prop_ro("columns", &infer::Synthetic::names)
      .def_prop_ro("numbers",
                   [](const infer::Synthetic& of) {
                     std::vector<bool> out(of.person.empty() ? 0 : 1, true);
                     for (const model::Column& column : of.columns) {
                       out.push_back(!of.options.intervals &&
                                     !std::holds_alternative<model::Categories>(column.values));
                     }
                     return out;
                   })
      .def("fields", &infer::synthetic_fields, "dataset"_a, "column"_a)
      .def("csv", &infer::synthetic_csv, "dataset"_a)
      .def("notes", &infer::synthesis_notes);
  m.def(
      "synthesize",
      [](const infer::Posterior& posterior, std::size_t records, std::size_t datasets, bool plug_in,
         bool intervals, std::uint64_t seed, int threads, std::optional<std::size_t> length) {
        return interruptible([&](const Conversation& conversation) {
          return infer::synthesize(posterior, {records, datasets, plug_in, intervals, seed, threads, length},
                                   conversation);
        });
      },
      "posterior"_a, "records"_a, "datasets"_a, "plug_in"_a, "intervals"_a, "seed"_a, "threads"_a,
      "length"_a.none());
}

}  // namespace postern::bind
