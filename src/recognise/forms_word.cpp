// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Lines in which the word "epoch" is followed by a number: "Epoch 3/10", "Train Epoch: 1
// [640/60000 (1%)] Loss: 2.3", "Epoch: [0][10/391] Time 0.2", "Epoch 7: 64%|##| 58/91
// [00:01<00:00",
// "| epoch 001:  450 / 1891 loss=11.5", "Epoch(train) [1][50/1000]", "epoch 3 took 12.5 s".

#include <algorithm>
#include <array>

#include "recognise/forms.hpp"
#include "recognise/sighting.hpp"

namespace epochcast {

namespace {

// Where an epoch is only spoken of.
constexpr std::string_view speaks_of_other[] = {
    "checkpoint", "saving", "saved",  "load",  "resum",      "best",   "early",
    "restor",     "config", "sanity", "from ", "until ",     "every ", "max ",
    "total ",     "per ",   "num ",   "echo ", "namespace(", "print"};
constexpr std::string_view speaks_of_evaluation[] = {
    "valid", "val ", "val:", "eval", "test", "predict"};
constexpr std::string_view speaks_of_begin[] = {"start", "begin", "running"};
constexpr std::string_view speaks_of_end[] = {
    "finish", "complete", "done", "end of", "ended", "after "};

// Words that may stand between the number of the epoch and its progress.
bool is_word_of_progress(std::string_view word) {
    constexpr std::array words = {"batch",
                                  "batches",
                                  "step",
                                  "steps",
                                  "iter",
                                  "iteration",
                                  "iters",
                                  "it",
                                  "mb",
                                  "micro_step",
                                  "train",
                                  "training",
                                  "progress"};
    return std::ranges::any_of(words, [&](const char* known) {
        return word.size() == std::string_view(known).size() && mentions(word, known);
    });
}

// One "epoch" and its number in a line.
struct Mention {
    std::string_view before;
    std::uint64_t number = 0;
    std::optional<std::uint64_t> of;
    std::string_view after;
    bool is_evaluation = false;
};

bool may_follow(char c) {
    return !(is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '$' || c == '{' ||
             c == '"' || c == '\'' || c == '\\' || c == '.');
}

// The number and the total; `scan` stands behind the word.
bool read_numbers(Scan& scan, Mention& mention) {
    if (scan.take("(train)")) {
        scan.skip_blanks();
    } else if (scan.take("(val)") || scan.take("(test)")) {
        mention.is_evaluation = true;
    }
    scan.take_any(":=#");
    scan.skip_blanks();
    scan.take_any("[(#");
    const auto number = scan.take_count();
    if (!number) return false;
    mention.number = *number;
    const std::string_view rest = scan.rest();
    const bool is_fraction = rest.size() > 1 && rest[0] == '.' && is_digit(rest[1]);
    if (is_fraction || (!rest.empty() && (is_letter(rest[0]) || rest[0] == '_'))) return false;
    Scan of = scan;
    of.take(']');
    if (of.take_any("/") || of.take(" of ")) {
        of.take('[');
        if (const auto total = of.take_count()) {
            mention.of = total;
            scan = of;
        }
    }
    scan.take(']');
    scan.take(')');
    return true;
}

std::optional<Mention> find_mention(std::string_view line) {
    constexpr std::string_view word = "epoch";
    for (std::size_t at = find_word(line, word); at != line.npos;
         at = find_word(line, word, at + 1)) {
        if (at > 0 && !may_follow(line[at - 1])) continue;
        // "f(epoch=3" is a call or a dump of settings.
        if (at > 1 && line[at - 1] == '(' && is_letter(line[at - 2])) continue;
        Mention mention;
        Scan scan(line.substr(at + word.size()));
        if (!read_numbers(scan, mention)) continue;
        mention.before = line.substr(0, at);
        mention.after = scan.rest();
        return mention;
    }
    return std::nullopt;
}

// Progress behind the number, if nothing but words of progress and punctuation stands in between.
void read_progress(std::string_view after, Sighting& sighting) {
    Scan scan(after);
    bool has_word = false;
    while (!scan.rest().empty()) {
        const char c = scan.rest()[0];
        if (is_letter(c)) {
            has_word = is_word_of_progress(scan.take_word());
            if (!has_word) return;
            continue;
        }
        if (is_digit(c)) {
            if (const auto out_of = take_out_of(scan)) {
                sighting.position = out_of->position;
                sighting.length = out_of->length;
                scan.skip_blanks();
                sighting.counts_samples = scan.rest().starts_with("(");
                return;
            }
            const auto count = scan.take_count();
            if (!count) return;
            // "64%|####" comes before the count of a bar.
            if (scan.rest().starts_with('%')) continue;
            if (has_word) sighting.position = static_cast<double>(*count);
            return;
        }
        scan.take(c);
    }
}

bool has_measure(std::string_view after) {
    return mentions_any(
        after,
        {"loss", "acc", "time", "took", "elapsed", "lr", "score", "error", "=", "wall", "ppl"});
}

// A duration that the line names as one, unit included.
std::optional<double> duration_in(std::string_view text) {
    for (const std::string_view key :
         {"epoch time", "time", "took", "elapsed", "duration", " in "}) {
        for (std::size_t at = find_word(text, key); at != text.npos;
             at = find_word(text, key, at + 1)) {
            Scan scan(text.substr(at + key.size()));
            scan.take_any(":=(");
            scan.skip_blanks();
            if (const auto seconds = scan.take_duration_s()) return seconds;
        }
    }
    Scan bracket(text.substr(std::min(text.size(), text.find('(') + 1)));
    return text.find('(') == text.npos ? std::nullopt : bracket.take_duration_s();
}

Says meaning_of(const Mention& mention, const Sighting& sighting) {
    const std::string_view before = mention.before.substr(
        mention.before.size() - std::min<std::size_t>(mention.before.size(), 40));
    Scan after(mention.after);
    while (after.take_any("|:,-")) {
    }
    const std::string_view next = without_blanks(after.rest()).substr(0, 5);
    if (mention.is_evaluation || mentions_any(before, speaks_of_evaluation) ||
        mentions_any(next, {"val", "eval", "test"})) {
        return Says::evaluation;
    }
    if (mentions_any(before, speaks_of_other)) return Says::nothing;
    if (sighting.position) return Says::progress;
    if (mentions_any(mention.after,
                     {"early stopping", "improve", "saving", "checkpoint", "learning rate"}) &&
        !value_of(mention.after, "loss")) {
        return Says::nothing;
    }
    if (mentions_any(before, speaks_of_begin) || mentions_any(mention.after, speaks_of_begin)) {
        return Says::begins;
    }
    const bool ends = mentions_any(before, speaks_of_end) || has_measure(mention.after) ||
                      mentions_any(mention.after, speaks_of_end) || sighting.stated_s;
    return ends ? Says::ends : Says::begins;
}

}  // namespace

bool read_epoch_word(std::string_view line, Sighting& sighting) {
    const auto mention = find_mention(line);
    if (!mention) return false;
    sighting.epoch = mention->number;
    sighting.epochs = mention->of;
    if (const auto bar = find_bar_end(mention->after)) {
        sighting.position = bar->done.position;
        sighting.length = bar->done.length;
        sighting.stated_s = bar->elapsed_s;
        sighting.is_bar = true;
    } else {
        read_progress(mention->after, sighting);
        if (!sighting.position) sighting.stated_s = duration_in(mention->after);
    }
    sighting.loss = loss_in(mention->after);
    sighting.says = meaning_of(*mention, sighting);
    return true;
}

bool read_epoch_time(std::string_view line, Sighting& sighting) {
    for (const std::string_view key : {"epoch time",
                                       "time for epoch",
                                       "time of epoch",
                                       "epoch took",
                                       "time per epoch",
                                       "epoch duration"}) {
        const std::size_t at = find_word(line, key);
        if (at == line.npos || at > 40 ||
            mentions_any(line.substr(0, at), {"average", "avg", "mean"})) {
            continue;
        }
        Scan scan(line.substr(at + key.size()));
        scan.take_any(":=");
        scan.skip_blanks();
        sighting.stated_s = scan.take_duration_s();
        if (!sighting.stated_s) continue;
        sighting.says = Says::time;
        return true;
    }
    return false;
}

}  // namespace epochcast
