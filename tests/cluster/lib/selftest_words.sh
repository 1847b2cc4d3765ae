# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Mistakes in words: no cluster is started for these.
check_words() {
    check "a bad spec line is reported with its place" spec_mistakes
    check "a bad command line exits with 2" line_mistakes
}

# Each of these specs must be refused at the line given, and the message must hold the words given.
spec_mistakes() {
    local rest=' cpus=1 weight=1 memory=100' status=0
    spec_refused ":1: unknown word 'clas'" "clas a nodes=n1$rest" || status=1
    spec_refused ":1: class 'a' lacks cpus=" 'class a nodes=n1' || status=1
    spec_refused ":1: 'quota=0'" "class a nodes=n1$rest quota=0" || status=1
    spec_refused ":1: 'cpus=-1'" 'class a nodes=n1 cpus=-1' || status=1
    spec_refused ":1: unknown setting 'color=red'" "class a nodes=n1$rest color=red" || status=1
    spec_refused "bad range '3-1'" "class a nodes=n[3-1]$rest" || status=1
    spec_refused "cannot be read at 'n[1-2'" "class a nodes=n[1-2$rest" || status=1
    spec_refused 'cannot be read' "class a nodes=\$(id)$rest" || status=1
    spec_refused ":2: node 'n1' is already" "class a nodes=n1$rest"$'\n'"class b nodes=n1$rest" || status=1
    spec_refused ":3: partition 'p' names the node 'n2'" "class a nodes=n1$rest"$'\n\n''partition p nodes=n2' || status=1
    spec_refused 'no class line' '# nothing' || status=1
    return "$status"
}

spec_refused() {
    local output
    printf '%s\n' "$2" >"$work/bad.spec"
    output=$("$cluster" start --spec "$work/bad.spec" --dir "$work/bad" 2>&1)
    [[ $? == 1 && $output == *"$1"* && ! -e $work/bad ]] || { echo "expected $1, got: $output" && return 1; }
}

line_mistakes() {
    local line status=0
    for line in '' nonsense 'start --nonsense' 'start --spec' 'stop' 'run' 'start --owner me' 'start --conf-line x' \
        'start -- true' 'start --plugin-dir /nonexistent'; do
        # shellcheck disable=SC2086 # words
        "$cluster" $line >/dev/null 2>&1
        [[ $? == 2 ]] || { echo "'cluster $line' did not exit with 2" && status=1; }
    done
    return "$status"
}
