#pragma once

#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {

/// `text` with the first `from` in it replaced. A test fails where there is none.
inline std::string edited(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// An edit that makes a study one that is refused, and a part of what is said.
struct StudyFault {
  const char* from;
  const char* to;
  ErrorCode code;
  const char* says;
};

/// Each edit is refused with its code, its words and a place in the file.
inline void expect_refused(const char* study, std::span<const StudyFault> faults) {
  for (const StudyFault& fault : faults) {
    SCOPED_TRACE(std::string(fault.from) + " -> " + fault.to);
    try {
      static_cast<void>(parse_study(edited(study, fault.from, fault.to), "study.toml"));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error_name(error.code()), error_name(fault.code)) << error.what();
      EXPECT_NE(std::string(error.what()).find(fault.says), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).substr(0, 11), "study.toml:");
    }
  }
}

}  // namespace postern::model
