// How large a table a study may declare: sixteen columns, 2^22 cells.

#include <gtest/gtest.h>

#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"
#include "postern/model/study_error.hpp"

#include "small_studies.hpp"

namespace postern::model {
namespace {

Study table_of(std::size_t columns, std::uint32_t levels) {
  Study study = small_study({});
  std::vector<Column> declared;
  std::vector<std::string> names;
  std::size_t cells = 1;
  for (std::size_t c = 0; c < columns; ++c) {
    names.push_back("c" + std::to_string(c));
    declared.push_back(plain_column(names.back(), levels));
    cells *= levels;
  }
  study.schema = Schema(declared);
  study.model = Categorical{names, std::vector<Rational>(cells, Rational(1))};
  return study;
}

TEST(TableLimits, SixteenColumnsAndNoMore) {
  EXPECT_NO_THROW(check_study(table_of(16, 2)));
  EXPECT_THROW(check_study(table_of(17, 1)), StudyError);
}

TEST(TableLimits, FourMillionCellsAndNoMore) {
  EXPECT_NO_THROW(check_study(table_of(2, 2048)));
  EXPECT_THROW(check_study(table_of(2, 2049)), StudyError);
}

}  // namespace
}  // namespace postern::model
