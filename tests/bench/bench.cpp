// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "\"";
}

std::string number_text(double value) {
    if (!std::isfinite(value)) return "null";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',') {
            cells.emplace_back();
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return cells;
}

bool is_asked_for(const Figure& figure, const std::vector<std::string>& names) {
    return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
               return figure.name.starts_with(name);
           });
}

bool measure(const Figure& figure, const Options& options) {
    try {
        const Result result = figure.measure(options);
        Json line;
        line.set("name", figure.name).set("value", result.value).set("unit", result.unit);
        line.set("median", result.median).set("min", result.min).set("max", result.max);
        line.set("peer", result.peer).set("ratio", result.ratio).set("detail", result.detail);
        std::printf("%s\n", line.text().c_str());
        std::fflush(stdout);
        return true;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: not measured: %s\n", figure.name.c_str(), error.what());
        return false;
    }
}

struct Arguments {
    Options options;
    std::vector<std::string> names;
    bool list = false;
};

Arguments parse(int argc, char** argv) {
    Arguments result;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto next = [&] {
            if (i + 1 == argc) throw std::invalid_argument(argument + " needs a value");
            return std::string(argv[++i]);
        };
        if (argument == "--list") {
            result.list = true;
        } else if (argument == "--data") {
            result.options.data = next();
        } else if (argument == "--repeat") {
            result.options.repeat = static_cast<unsigned>(std::stoul(next()));
        } else if (argument.starts_with("-")) {
            throw std::invalid_argument(argument + " is not known; see bench.hpp");
        } else {
            result.names.push_back(argument);
        }
    }
    return result;
}

}  // namespace

void Json::raw(std::string_view key, const std::string& value) {
    if (!body_.empty()) body_ += ',';
    body_ += quoted(key) + ":" + value;
}

Json& Json::set(std::string_view key, double value) {
    raw(key, number_text(value));
    return *this;
}

Json& Json::set(std::string_view key, std::string_view value) {
    raw(key, quoted(value));
    return *this;
}

Json& Json::set(std::string_view key, const Json& value) {
    raw(key, value.text());
    return *this;
}

Result single(double value, std::string unit, Json detail) {
    return {value, std::move(unit), value, value, value, "", std::nan(""), std::move(detail)};
}

int run(int argc, char** argv, const std::vector<Figure>& figures) {
    Arguments arguments;
    try {
        arguments = parse(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        return 2;
    }
    bool all_measured = true;
    for (const Figure& figure : figures) {
        if (!is_asked_for(figure, arguments.names)) continue;
        if (arguments.list) {
            std::printf("%s\t%s\n", figure.name.c_str(), figure.what.c_str());
        } else {
            all_measured = measure(figure, arguments.options) && all_measured;
        }
    }
    return all_measured ? 0 : 4;
}

std::vector<Row> read_csv(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path);
    const std::vector<std::string> columns = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() != columns.size()) throw std::runtime_error("bad row in " + path);
        Row row;
        for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i]] = cells[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

double number(const Row& row, const std::string& column) {
    const auto cell = row.find(column);
    if (cell == row.end()) throw std::runtime_error("no column " + column);
    return std::stod(cell->second);
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
    if (values.empty()) return std::nan("");
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace bench
