// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// How far the forecasts of core/forecast are from what was measured, on public tables: Gavel's
// throughputs, Pollux's and Sia's profiles. Every forecast goes through forecast_epoch(), with the
// table's rows as epoch records and the row in question hidden.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "bench.hpp"
#include "forecast_trial.hpp"

namespace bench {
namespace {

using Known = std::vector<const Measured*>;

// The rows of a table that pass.
template <class Filter>
Known those(const std::vector<Measured>& table, Filter filter) {
    Known known;
    for (const Measured& measured : table) {
        if (filter(measured)) known.push_back(&measured);
    }
    return known;
}

const std::vector<std::string> gavel_columns{"physical", "simulation"};

bool is_same_cell(const Measured& a, const Measured& b) {
    return a.model == b.model && a.batch == b.batch && a.placement == b.placement;
}

// Single-device rows: scale factor 1.
std::vector<Measured> on_one_device(std::vector<Measured> table) {
    std::erase_if(table, [](const Measured& m) { return m.placement.devices_per_node != 1; });
    return table;
}

std::vector<Measured> read_cells(const Options& options, const std::string& column) {
    return on_one_device(read_gavel(options, column, true));
}

// Every cell hidden in turn.
std::vector<Trial> cell_trials(const std::vector<Measured>& cells,
                               const std::vector<Measured>& others = {}) {
    std::vector<Trial> trials;
    for (const Measured& hidden : cells) {
        Known known = those(cells, [&](const Measured& m) { return !is_same_cell(m, hidden); });
        for (const Measured& other : others) known.push_back(&other);
        trials.push_back(forecast_hidden(hidden, known));
    }
    return trials;
}

// A table stays alive as long as its trials point into it.
struct Part {
    std::string name;
    std::vector<Measured> table;
    std::vector<Trial> trials;
};

double worst_mean_pct(const std::vector<Part>& parts) {
    double worst = 0;
    for (const Part& part : parts) worst = std::max(worst, 100 * mean(errors_of(part.trials)));
    return worst;
}

Json details(const std::vector<Part>& parts) {
    Json detail;
    for (const Part& part : parts) detail.set(part.name, summary(part.trials));
    return detail;
}

// Means by model, so that the models on which constants were chosen can be told from the others.
Json by_model(const std::vector<Trial>& trials) {
    std::map<std::string, std::vector<double>> errors;
    for (const Trial& trial : trials) errors[trial.measured->model].push_back(trial.error);
    Json json;
    for (const auto& [model, of_model] : errors) json.set(model, 100 * mean(of_model));
    return json;
}

// The halves of Gavel's models: constants were chosen on each in turn (core/forecast/
// model_surface.cpp), then between the two.
Json by_half(const std::vector<Trial>& trials) {
    const std::set<std::string> first{"A3C", "LM", "ResNet-18", "Transformer"};
    std::vector<double> errors[2];
    for (const Trial& trial : trials) {
        errors[first.contains(trial.measured->model) ? 0 : 1].push_back(trial.error);
    }
    Json json;
    json.set("a3c_lm_resnet18_transformer", 100 * mean(errors[0]));
    json.set("cyclegan_recommendation_resnet50", 100 * mean(errors[1]));
    return json;
}

std::vector<Part> cell_parts(const Options& options) {
    std::vector<Part> parts;
    for (const std::string& column : gavel_columns) {
        parts.push_back({column, read_cells(options, column), {}});
        parts.back().trials = cell_trials(parts.back().table);
    }
    return parts;
}

Result gavel_cell(const Options& options) {
    const std::vector<Part> parts = cell_parts(options);
    Json detail = details(parts);
    double median_pct = 0;
    for (const Part& part : parts) {
        median_pct = std::max(median_pct, 100 * median(errors_of(part.trials)));
        detail.set(part.name + "_by_model_mean_pct", by_model(part.trials));
        detail.set(part.name + "_by_half_mean_pct", by_half(part.trials));
        std::vector<Measured> scaled = read_gavel(options, part.name, true);
        std::erase_if(scaled, [](const Measured& m) { return m.placement.devices_per_node == 1; });
        detail.set(part.name + "_with_other_scale_factors_known",
                   summary(cell_trials(part.table, scaled)));
    }
    detail.set("median_pct", median_pct);
    const auto held_out = on_one_device(read_shockwave(options));
    detail.set("held_out_shockwave", summary(cell_trials(held_out)));
    return single(worst_mean_pct(parts), "%", detail);
}

// Batches of a model on a type, ascending.
std::vector<std::uint64_t> batches_of(const std::vector<Measured>& cells,
                                      const std::string& model,
                                      const std::string& type) {
    std::set<std::uint64_t> batches;
    for (const Measured& m : cells) {
        if (m.model == model && m.placement.node_class == type) batches.insert(m.batch);
    }
    return {batches.begin(), batches.end()};
}

// On `type` every model is known at its batch number `turn` (counted round) only.
std::vector<Trial> newtype_trials(const std::vector<Measured>& cells,
                                  const std::string& type,
                                  std::size_t turn) {
    const auto is_known = [&](const Measured& m) {
        if (m.placement.node_class != type) return true;
        const auto batches = batches_of(cells, m.model, type);
        return m.batch == batches[turn % batches.size()];
    };
    const Known known = those(cells, is_known);
    std::vector<Trial> trials;
    for (const Measured& m : cells) {
        if (!is_known(m)) trials.push_back(forecast_hidden(m, known));
    }
    return trials;
}

// A turn for each of the most batches that a model has; models with fewer repeat some, which the
// averages of a model's turns leave as they are.
constexpr std::size_t newtype_turns = 20;  // divisible by 4 and 5, the numbers of batches

std::vector<Part> newtype_parts(const Options& options) {
    std::vector<Part> parts;
    for (const std::string& column : gavel_columns) {
        for (const std::string type : {"k80", "p100", "v100"}) {
            parts.push_back({column + "_" + type, read_cells(options, column), {}});
            Part& part = parts.back();
            for (std::size_t turn = 0; turn < newtype_turns; ++turn) {
                const auto trials = newtype_trials(part.table, type, turn);
                part.trials.insert(part.trials.end(), trials.begin(), trials.end());
            }
        }
    }
    return parts;
}

// The types of a column together: the column is the data set.
std::vector<Part> newtype_by_column(const std::vector<Part>& by_type) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < by_type.size(); i += 3) {
        parts.push_back({gavel_columns[i / 3], {}, {}});
        for (std::size_t j = i; j < i + 3; ++j) {
            const auto& more = by_type[j].trials;
            parts.back().trials.insert(parts.back().trials.end(), more.begin(), more.end());
        }
    }
    return parts;
}

Result gavel_newtype(const Options& options) {
    const std::vector<Part> parts = newtype_parts(options);
    Json detail = details(parts);
    for (const Part& part : parts) {
        detail.set(part.name + "_by_model_mean_pct", by_model(part.trials));
    }
    detail.set("all_types", details(newtype_by_column(parts)));
    return single(worst_mean_pct(parts), "%", detail);
}

// Scale factors 2, 4, 8 of each model with only scale factor 1 of it known.
std::vector<Trial> scale_trials(const std::vector<Measured>& table, bool hide_model) {
    std::vector<Trial> trials;
    for (const Measured& hidden : table) {
        const auto units = [](const Measured& m) {
            return m.placement.nodes * m.placement.devices_per_node;
        };
        if (units(hidden) == 1) continue;
        const Known known = those(table, [&](const Measured& m) {
            const bool is_of_job =
                m.model == hidden.model && (hide_model || m.batch == hidden.batch);
            return !is_of_job || units(m) == 1;
        });
        trials.push_back(forecast_hidden(hidden, known));
    }
    return trials;
}

std::vector<Measured> read_scales(const Options& options, const std::string& column, bool near) {
    std::vector<Measured> table = read_gavel(options, column, near);
    if (near) return table;
    // Spread over servers; one device is the same either way, and the table has it once.
    for (const Measured& m : read_cells(options, column)) {
        const bool is_there = std::ranges::any_of(
            table, [&](const Measured& other) { return is_same_cell(m, other); });
        if (!is_there) table.push_back(m);
    }
    return table;
}

std::vector<Part> scale_parts(const Options& options) {
    std::vector<Part> parts;
    for (const std::string& column : gavel_columns) {
        parts.push_back({column, read_scales(options, column, true), {}});
        parts.back().trials = scale_trials(parts.back().table, true);
    }
    return parts;
}

Result gavel_scale(const Options& options) {
    const std::vector<Part> parts = scale_parts(options);
    Json detail = details(parts);
    for (const Part& part : parts) {
        detail.set(part.name + "_by_model_mean_pct", by_model(part.trials));
        detail.set(part.name + "_other_batches_of_the_model_known",
                   summary(scale_trials(part.table, false)));
        const auto spread = read_scales(options, part.name, false);
        detail.set(part.name + "_spread_over_servers", summary(scale_trials(spread, true)));
    }
    const auto held_out = read_shockwave(options);
    detail.set("held_out_shockwave", summary(scale_trials(held_out, true)));
    detail.set("held_out_shockwave_other_batches_of_the_model_known",
               summary(scale_trials(held_out, false)));
    return single(worst_mean_pct(parts), "%", detail);
}

// What is known beside the curve of the hidden point.
enum class Beside {
    nothing,      // only this curve: one model on one placement
    not_on_type,  // all else, but the hidden batches of the model on no placement of this type
    everything,   // all else
};

bool is_on_curve(const Measured& a, const Measured& b) {
    return a.model == b.model && a.placement == b.placement;
}

// The type's name without what makes an uneven placement a class of its own.
std::string type_of(const Measured& measured) {
    for (const std::string& type : profile_types) {
        if (measured.placement.node_class.starts_with(type)) return type;
    }
    return measured.placement.node_class;
}

struct Curve {
    std::vector<std::uint64_t> batches;
    Known points;
};

std::map<std::pair<std::string, epochcast::Placement>, Curve> curves_of(
    const std::vector<Measured>& table, const std::string& type) {
    std::map<std::pair<std::string, epochcast::Placement>, Curve> curves;
    for (const Measured& m : table) {
        if (type_of(m) != type) continue;
        Curve& curve = curves[{m.model, m.placement}];
        curve.points.push_back(&m);
        curve.batches.push_back(m.batch);
    }
    for (auto& [key, curve] : curves) std::ranges::sort(curve.batches);
    return curves;
}

// The rows to hide for some hidden batches of a curve, from a table of one model.
Known to_hide(const Known& rows,
              const Measured& on_curve,
              const std::vector<std::uint64_t>& batches,
              Beside beside) {
    const std::string type = type_of(on_curve);
    Known hidden;
    for (const Measured* m : rows) {
        if (!std::ranges::binary_search(batches, m->batch)) continue;
        const bool is_everywhere = beside == Beside::not_on_type && type_of(*m) == type;
        if (is_everywhere || is_on_curve(*m, on_curve)) hidden.push_back(m);
    }
    return hidden;
}

// The inner points of one curve, given the rows that are known beside it.
void try_curve(const Curve& curve,
               const Known& rows,
               HidingHistory& history,
               bool only_ends,
               Beside beside,
               std::vector<Trial>& trials) {
    const std::vector<std::uint64_t> inner(curve.batches.begin() + 1, curve.batches.end() - 1);
    for (const Measured* point : curve.points) {
        if (!std::ranges::binary_search(inner, point->batch)) continue;
        const auto batches = only_ends ? inner : std::vector<std::uint64_t>{point->batch};
        const Known hidden = to_hide(rows, *point, batches, beside);
        for (const Measured* row : hidden) history.hide(*row);
        trials.push_back(history.forecast(*point));
        for (const Measured* row : hidden) history.show(*row);
    }
}

// The inner points of every curve of a type. only_ends: all inner points are hidden at once. Rows
// of other models are no evidence where the model itself ran on the placement, and are left out.
std::vector<Trial> profile_trials(const std::vector<Measured>& table,
                                  const std::string& type,
                                  bool only_ends,
                                  Beside beside) {
    std::vector<Trial> trials;
    std::string model;
    Known rows;
    std::optional<HidingHistory> of_model;
    for (const auto& [key, curve] : curves_of(table, type)) {
        if (curve.batches.size() < 3) continue;
        if (beside == Beside::nothing) {
            HidingHistory alone(curve.points);
            try_curve(curve, curve.points, alone, only_ends, beside, trials);
            continue;
        }
        if (key.first != model) {
            model = key.first;
            rows = those(table, [&](const Measured& m) { return m.model == model; });
            of_model.emplace(rows);
        }
        try_curve(curve, rows, *of_model, only_ends, beside, trials);
    }
    return trials;
}

std::vector<Measured> read_all_profiles(const Options& options, const std::string& kind) {
    std::vector<Measured> table;
    for (const std::string& type : profile_types) {
        const auto more = read_profiles(options, type, kind);
        table.insert(table.end(), more.begin(), more.end());
    }
    // Sia repeats some rows; a row counts once.
    std::ranges::stable_sort(
        table, {}, [](const Measured& m) { return std::tuple(m.model, m.placement, m.batch); });
    const auto repeated = std::ranges::unique(table, is_same_cell);
    table.erase(repeated.begin(), repeated.end());
    return table;
}

std::vector<Part> profile_parts(const Options& options, bool only_ends, Beside beside) {
    const std::vector<Measured> table = read_all_profiles(options, "placements");
    std::vector<Part> parts;
    for (const std::string& type : profile_types) {
        parts.push_back({type, table, {}});
        parts.back().trials = profile_trials(parts.back().table, type, only_ends, beside);
    }
    return parts;
}

Result profiles(const Options& options, bool only_ends) {
    const auto alone = profile_parts(options, only_ends, Beside::nothing);
    Json detail = details(alone);
    for (const Part& part : alone) {
        detail.set(part.name + "_by_model_mean_pct", by_model(part.trials));
    }
    const auto not_on_type = profile_parts(options, only_ends, Beside::not_on_type);
    const auto everything = profile_parts(options, only_ends, Beside::everything);
    detail.set("batch_known_on_other_types_only", details(not_on_type));
    detail.set("rest_of_table_known", details(everything));
    detail.set("worst_batch_known_on_other_types_only_pct", worst_mean_pct(not_on_type));
    detail.set("worst_rest_of_table_known_pct", worst_mean_pct(everything));
    return single(worst_mean_pct(alone), "%", detail);
}

// The value is the part farthest from 90.
Result coverage(const Options& options) {
    const std::vector<Part> newtype = newtype_parts(options);
    std::vector<Part> parts;
    const auto take = [&](const std::string& name, std::vector<Part> more) {
        for (Part& part : more) {
            part.name = name + part.name;
            parts.push_back(std::move(part));
        }
    };
    take("gavel.cell.", cell_parts(options));
    take("gavel.newtype.", newtype_by_column(newtype));
    take("gavel.scale.", scale_parts(options));
    take("profiles.three.", profile_parts(options, false, Beside::nothing));
    take("profiles.two.", profile_parts(options, true, Beside::nothing));
    take("profiles.three.rest_of_table_known.", profile_parts(options, false, Beside::everything));
    take("profiles.two.rest_of_table_known.", profile_parts(options, true, Beside::everything));
    double farthest = 90;
    double widest = 0;
    Json detail;
    for (const Part& part : parts) {
        const double pct = coverage_pct(part.trials);
        if (std::abs(pct - 90) > std::abs(farthest - 90)) farthest = pct;
        const double ratio = largest_width_ratio(part.trials);
        widest = std::max(widest, ratio);
        Json json;
        json.set("coverage_pct", pct).set("width_over_mean_error", ratio);
        detail.set(part.name, json);
    }
    detail.set("width_over_mean_error", widest);
    return single(farthest, "%", detail);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using bench::Options;
    return bench::run(
        argc,
        argv,
        {{"forecast.gavel.cell",
          "mean error, every cell (model, batch, type) of Gavel's table hidden in turn; % of the "
          "worse column, the median in detail",
          bench::gavel_cell},
         {"forecast.gavel.newtype",
          "mean error on a type where each model is known at one batch; % of the worst type",
          bench::gavel_newtype},
         {"forecast.gavel.scale",
          "mean error at scale factors 2, 4, 8 of a model known at 1 only; % of the worse column",
          bench::gavel_scale},
         {"forecast.profiles.three",
          "mean error at a batch when the other batches of the curve are known; % of the worst GPU "
          "type",
          [](const Options& o) { return bench::profiles(o, false); }},
         {"forecast.profiles.two",
          "mean error at a batch when the two end batches of the curve are known; % of the worst "
          "GPU type",
          [](const Options& o) { return bench::profiles(o, true); }},
         {"forecast.coverage",
          "measured values inside the 90 % interval; % of the data set farthest from 90",
          bench::coverage}});
}
