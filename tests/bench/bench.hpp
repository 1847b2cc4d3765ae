// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What every bench program shares: its command line, its output, and reading tables.
//   bench_<group> [NAME...] [--data DIR] [--repeat N]   measures all names that begin with a NAME
//   bench_<group> --list                                 NAME<TAB>what, a line each
// One line of JSON per figure, without schema, machine and commit, which tests/bench/run adds.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// A flat or nested JSON object, in the order in which it was filled.
class Json {
  public:
    Json& set(std::string_view key, double value);  // NaN and infinity become null
    Json& set(std::string_view key, std::string_view value);
    Json& set(std::string_view key, const char* value) { return set(key, std::string_view(value)); }
    Json& set(std::string_view key, const Json& value);
    std::string text() const { return "{" + body_ + "}"; }

  private:
    void raw(std::string_view key, const std::string& value);
    std::string body_;
};

// Values are NaN where they do not apply.
struct Result {
    double value;
    std::string unit;
    double median;
    double min;
    double max;
    std::string peer;  // what the ratio is taken with; empty: nothing
    double ratio;
    Json detail;
};
// A figure measured once: median, min and max are the value.
Result single(double value, std::string unit, Json detail);

struct Options {
    std::string data;  // the folder that holds data/ and cases/; empty: not given
    unsigned repeat = 1;
};

struct Figure {
    std::string name;
    std::string what;
    std::function<Result(const Options&)> measure;  // throws std::exception where it cannot
};

// The program's main: exit 0 measured, 2 usage, 4 a figure could not be measured.
int run(int argc, char** argv, const std::vector<Figure>& figures);

// Rows of a comma-separated file with a header line, by column name; no quoting. Throws if the file
// cannot be read or a row has another number of columns.
using Row = std::map<std::string, std::string>;
std::vector<Row> read_csv(const std::string& path);
double number(const Row& row, const std::string& column);

double mean(const std::vector<double>& values);
double median(std::vector<double> values);

}  // namespace bench
