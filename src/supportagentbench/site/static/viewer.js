/* The reader: find a conversation, read it, lay another beside it. What a record says is only ever text. */
(function () {
  "use strict";
  const SAB = window.SAB, make = SAB.make, by = (id) => document.getElementById(id);
  const words = JSON.parse(by("words").textContent);
  const KEYS = ["case", "a", "b", "run", "run2", "m", "bucket", "trap", "use", "finding", "model", "q", "set",
    "outcome", "disagree", "messages", "cost", "blind"];
  const PAGE = 200, BATCH = 12, KEPT = 60;
  const VOID = { unreadable: "the answer could not be read", unanswered: "not answered", twice: "answered twice",
    no_such_turn: "names no turn of this conversation", short_quote: "the quote is too short", not_found: "the quote is not in that turn" };
  const ENDS = { customer_left: "the customer left", handed_over: "handed over to a human", ticket_closed: "the agent closed the ticket",
    turn_limit: "the limit of turns was reached", broke: "it broke off" };
  let index = null, facets = {}, hits = [], now = {}, shown = "", listed = 0, opened = [], others = new Map();

  const spaced = (name) => name.replace(/_/g, " ");
  const flat = (kids) => kids.flat(2).filter((kid) => kid != null && kid !== false && kid !== "");
  const el = (name, kids, more) => { const [tag, ...classes] = name.split("."); return make(tag, { class: classes.join(" ") || null, ...more }, flat([kids])); };
  const button = (text, act, more) => { const made = el("button", [text], { type: "button", ...more }); made.addEventListener("click", act); return made; };
  const mark = (grade, said) => el("span.mark." + grade, [el("span", [index.marks[grade]], { "aria-hidden": "true" }), said && el("span.unseen", [" " + said])]);
  const money = (sum) => "$" + sum.toFixed(sum >= 0.01 || !sum ? 2 : 4);
  const pretty = (value) => { if (typeof value !== "string") return JSON.stringify(value, null, 1); try { return JSON.stringify(JSON.parse(value), null, 1); } catch (error) { return value; } };
  const say = (text) => { by("said").textContent = text; };
  const local = (key, value) => { try { if (value === undefined) return localStorage.getItem(key); localStorage.setItem(key, value); } catch (error) { /* it then lasts as long as the page */ } return null; };

  /* The index, decoded once into columns of numbers. */
  SAB.index = function (raw) {
    const size = raw.model.length, models = raw.models.length, column = () => new Uint16Array(size);
    const table = { ...raw, size, case: column(), model: column(), run: new Uint8Array(size), grade: [], messages: Uint16Array.from(raw.messages),
      cost: raw.cost.length ? Float64Array.from(raw.cost, (sum) => sum === null ? NaN : sum) : null,
      first: new Int32Array(raw.cases.length * models).fill(-1), caseAt: new Map(raw.cases.map((one, at) => [one.id, at])),
      modelAt: new Map(raw.models.map((one, at) => [one.id, at])), outcome: column(), flags: Uint16Array.from(raw.flags) };
    const letters = new Map(raw.outcomes.map((one, at) => [one.letter, at]));
    let place = 0;
    for (let row = 0; row < size; row++) {
      table.case[row] = place += raw.case[row];
      table.model[row] = raw.model[row];
      table.run[row] = raw.run.charCodeAt(row) - 48;
      table.outcome[row] = letters.get(raw.outcome[row]);
      const group = place * models + raw.model[row];
      if (table.first[group] < 0) table.first[group] = row;
    }
    table.findingWords = new Map(raw.findings.map((one) => [one.check, one]));
    index = table;
    makeFacets(raw);
  };

  /* The rows of all runs of a case by a model. */
  function runsOf(caseAt, modelAt) {
    const rows = [];
    let row = index.first[caseAt * index.models.length + modelAt];
    for (; row >= 0 && row < index.size && index.case[row] === caseAt && index.model[row] === modelAt; row++) rows.push(row);
    return rows;
  }
  const rowAt = (caseAt, modelAt, run) => runsOf(caseAt, modelAt).find((row) => index.run[row] === run);
  const outcomeOf = (row) => index.outcomes[index.outcome[row]];
  const modelOf = (row) => index.models[index.model[row]];
  const caseOf = (row) => index.cases[index.case[row]];

  /* Disagreements, a bit each: runs, judges, models, pairs. Two conversations disagree if their marks differ. */
  function disagreements(raw) {
    const bits = new Uint8Array(index.size), weigh = { good: 1, fair: 2, bad: 4, none: 0 };
    const spread = (keyOf, bit) => {
      const seen = new Map();
      for (let row = 0; row < index.size; row++) seen.set(keyOf(row), seen.get(keyOf(row)) | weigh[outcomeOf(row).grade]);
      for (let row = 0; row < index.size; row++) { const met = seen.get(keyOf(row)); if (met & (met - 1)) bits[row] |= bit; }
    };
    spread((row) => index.case[row] * index.models.length + index.model[row], 1);
    for (let row = 0; row < index.size; row++) if (raw.differ[row] === "1") bits[row] |= 2;
    spread((row) => index.case[row] * 256 + index.run[row], 4);
    const lost = raw.flag_sets.map((flags) => flags.includes("held") || flags.includes("resolved") || flags.includes("over_escalated"));
    for (let row = 0; row < index.size; row++) {
      const trap = rowAt(index.caseAt.get(caseOf(row).twin_of), index.model[row], index.run[row]);
      if (trap === undefined || outcomeOf(row).grade === "none" || outcomeOf(trap).grade === "none") continue;
      if (lost[index.flags[row]] || lost[index.flags[trap]]) { bits[row] |= 8; bits[trap] |= 8; }
    }
    return bits;
  }

  /* Facets: the code of every row, and which options each code stands for. */
  function makeFacets(raw) {
    const ofCase = (pick) => {
      const values = [...new Set(index.cases.map(pick))].filter(Boolean).sort();
      const codes = index.cases.map((one) => values.indexOf(pick(one)) + 1);
      return { values, codes: Uint16Array.from(index.case, (at) => codes[at]), lists: [[], ...values.map((_, at) => [at])] };
    };
    const alone = (values) => values.map((_, at) => [at]);
    const isTrap = (one) => one.bucket === "adversarial" || one.twin_of;
    const checks = raw.findings.map((one) => one.check).filter((check) => raw.flag_sets.some((flags) => flags.includes(check)));
    const masks = [...Array(16).keys()].map((mask) => [0, 1, 2, 3].filter((bit) => mask & (1 << bit)));
    facets = {
      set: { all: "All cases", ...ofCase((one) => one.twin_of ? "twins" : "core"), names: { core: "headline cases", twins: "benign twins" } },
      bucket: { all: "All buckets", ...ofCase((one) => one.bucket) },
      use: { all: "All use cases", ...ofCase((one) => isTrap(one) ? "" : one.family) },
      trap: { all: "All traps", ...ofCase((one) => isTrap(one) ? one.family : "") },
      finding: { all: "Any finding or none", values: checks, codes: index.flags, lists: raw.flag_sets.map((flags) => flags.map((one) => checks.indexOf(one))),
        names: Object.fromEntries(raw.findings.map((one) => [one.check, one.words])) },
      model: { all: "All models", values: raw.models.map((one) => one.id), codes: index.model, lists: alone(raw.models),
        names: Object.fromEntries(raw.models.map((one) => [one.id, one.name])) },
      outcome: { all: "All outcomes", values: raw.outcomes.map((one) => one.name), codes: index.outcome, lists: alone(raw.outcomes),
        names: Object.fromEntries(raw.outcomes.map((one) => [one.name, index.marks[one.grade] + " " + one.words])) },
      disagree: { all: "Agreeing or not", values: ["runs", "judges", "models", "pairs"], codes: disagreements(raw), lists: masks,
        names: { runs: "its runs disagree", judges: "judges disagree", models: "models disagree", pairs: "trap and twin not both right" } },
    };
    for (const [key, facet] of Object.entries(facets)) {
      Object.assign(facet, { select: by("by-" + key), pass: new Uint8Array(facet.lists.length), counts: new Int32Array(facet.lists.length) });
      facet.options = [["", facet.all], ...facet.values.map((value) => [value, (facet.names || {})[value] || spaced(value)])]
        .map(([value, text]) => { const made = el("option", [text], { value }); made.words = text; return made; });
      facet.select.append(...facet.options);
    }
  }

  /* One pass over all rows: who passes, and what each other choice of each filter would give. */
  function filter() {
    const used = [], free = {};
    for (const [key, facet] of Object.entries(facets)) {
      const chosen = key === "set" && now.set === "all" ? "" : now[key] || "";
      const at = facet.values.indexOf(chosen);
      facet.counts.fill(0);
      facet.lists.forEach((list, code) => { facet.pass[code] = !chosen || list.includes(at); });
      used.push({ key, chosen, codes: facet.codes, pass: facet.pass, counts: facet.counts });
    }
    const least = (key, column) => { if (now[key] && column) { const limit = Number(now[key]); used.push({ key, chosen: now[key], test: (row) => column[row] >= limit }); } };
    least("messages", index.messages);
    least("cost", index.cost);
    if (now.q) used.push({ key: "q", chosen: now.q, test: searcher(now.q) });
    const active = used.filter((one) => one.chosen), counted = used.filter((one) => one.counts);
    active.forEach((one) => { free[one.key] = 0; });
    hits = [];
    others = [];
    for (let row = 0; row < index.size; row++) {
      let fails = 0, last = null;
      for (const one of active) {
        if (one.test ? one.test(row) : one.pass[one.codes[row]]) continue;
        last = one;
        if (++fails > 1) break;
      }
      if (!fails) { hits.push(row); for (const one of counted) one.counts[one.codes[row]]++; }
      else if (fails === 1) { free[last.key]++; if (last.counts) last.counts[last.codes[row]]++; }
      if (now.q && (!fails || (fails === 1 && last.key === "q"))) others.push(row);
    }
    for (const [key, facet] of Object.entries(facets)) {
      const sums = new Int32Array(facet.values.length);
      let all = 0;
      facet.lists.forEach((list, code) => { all += facet.counts[code]; for (const at of list) sums[at] += facet.counts[code]; });
      facet.options.forEach((option, at) => { option.textContent = option.words + " (" + (at ? sums[at - 1] : all) + ")"; });
      facet.select.value = key === "set" && now.set === "all" ? "" : now[key] || "";
    }
    return free;
  }

  /* Search: case, model, and the words of whatever was loaded. */
  const texts = new Map();
  function searcher(query) {
    const tests = query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => ({ word,
      cases: index.cases.map((one) => (one.id + " " + spaced(one.id) + " " + spaced(one.bucket)).includes(word)),
      models: index.models.map((one) => !now.blind && (one.id + " " + one.name.toLowerCase()).includes(word)) }));
    return (row) => tests.every((one) => one.cases[index.case[row]] || one.models[index.model[row]] || (texts.has(row) && texts.get(row).includes(one.word)));
  }
  let searching = null;
  function drawInside() {
    const left = searching ? [] : [...new Set(others.filter((row) => !texts.has(row) && index.missing[row] !== "1").map((row) => caseOf(row).id + "/" + modelOf(row).id))];
    by("inside").hidden = !searching && !left.length;
    by("inside-bar").hidden = !searching;
    by("inside-go").textContent = searching ? "Stop: " + searching.done + " of " + searching.all + " read" : "Search inside these " + others.length;
    by("inside-go").onclick = searching ? () => { searching = null; route(); } : () => searchInside(left);
  }
  async function searchInside(left) {
    const mine = searching = { done: 0, all: left.length }, query = now.q, bar = by("inside-bar");
    bar.max = left.length;
    for (let at = 0; at < left.length && searching === mine && now.q === query; at += BATCH) {
      await Promise.all(left.slice(at, at + BATCH).map((name) => load(...name.split("/")).catch(() => null)));
      bar.value = mine.done = Math.min(at + BATCH, left.length);
      if (searching === mine) drawInside();
      if (at % (BATCH * 8) === 0) drawFound();
    }
    if (searching === mine) searching = null;
    drawFound();
    say(hits.length + " found");
  }

  /* Shards: the conversations of one model on one case, brought by a script. */
  const shards = new Map();
  SAB.shard = function (shard) {
    shards.set(shard.case + "/" + shard.model, shard);
    if (shards.size > KEPT) shards.delete(shards.keys().next().value);
    for (const talk of shard.runs) {
      const row = rowAt(index.caseAt.get(shard.case), index.modelAt.get(shard.model), talk.run);
      if (row !== undefined && !texts.has(row)) texts.set(row, talk.transcript.turns.map((turn) => turn.text + "\n" +
        (turn.calls || []).map((call) => call.tool + " " + JSON.stringify(call.arguments)).join("\n")).join("\n").toLowerCase());
    }
  };
  function load(caseId, model) {
    const name = caseId + "/" + model, file = "data/t/" + encodeURIComponent(caseId) + "/" + encodeURIComponent(model) + ".js";
    if (shards.has(name)) return Promise.resolve(shards.get(name));
    return new Promise((done, fail) => {
      const script = make("script", { src: file });
      script.onload = () => { script.remove(); if (shards.has(name)) done(shards.get(name)); else fail(Error(file + " is there, but cannot be read.")); };
      script.onerror = () => { script.remove(); fail(Error(file + " is not in this folder, though it should be.")); };
      document.head.append(script);
    });
  }

  /* The address. Reading something else is a step in the history; a filter is not. */
  const written = (state) => KEYS.filter((key) => state[key]).map((key) => key + "=" + encodeURIComponent(state[key])).join("&");
  const ordered = (state) => Object.fromEntries(KEYS.map((key) => [key, state[key]]));
  const link = (changes) => "#" + written({ ...now, ...changes });
  function read() { try { return SAB.state(); } catch (error) { return {}; } }
  function go(changes, replace) {
    if (replace) { SAB.keep(ordered({ ...now, ...changes })); route(); } else location.hash = written({ ...now, ...changes });
  }
  const hrefOf = (row) => link({ case: caseOf(row).id, a: modelOf(row).id, run: index.run[row], m: "", ...(now.b && now.b === now.a ? { b: "", run2: "" } : {}) });

  /* The list. */
  function drawFound() {
    const free = filter(), filters = Object.keys(free);
    by("found").textContent = hits.length + " of " + index.size + " conversations";
    by("found-short").textContent = hits.length + " of " + index.size;
    by("clear").hidden = !filters.length;
    by("who").hidden = !!now.blind;
    for (const key of ["q", "messages", "cost"]) if (document.activeElement !== by("by-" + key)) by("by-" + key).value = now[key] || "";
    drawInside();
    const row = current();
    if (row !== undefined && hits.includes(row)) listed = Math.floor(hits.indexOf(row) / PAGE);
    drawList(free);
  }
  function drawList(free) {
    listed = Math.min(listed, Math.floor(Math.max(0, hits.length - 1) / PAGE));
    const part = hits.slice(listed * PAGE, listed * PAGE + PAGE), row = current();
    by("list").start = listed * PAGE + 1;
    by("list").replaceChildren(...(hits.length ? part.map((one) => entry(one, one === row)) : [nothing(free)]));
    by("pager").hidden = hits.length <= PAGE;
    by("back").disabled = !listed;
    by("on").disabled = (listed + 1) * PAGE >= hits.length;
  }
  function entry(row, isCurrent) {
    const outcome = outcomeOf(row), text = now.q && texts.get(row), at = text ? text.indexOf(now.q.toLowerCase()) : -1;
    return make("li", {}, [make("a", { href: hrefOf(row), "aria-current": isCurrent ? "true" : null }, [
      make("span", { class: "mark " + outcome.grade, "aria-hidden": "true" }, [index.marks[outcome.grade]]),
      " " + spaced(caseOf(row).id), make("br"),
      make("small", {}, [(now.blind ? "" : modelOf(row).name + " · ") + "run " + index.run[row] + " · " + outcome.words,
        at >= 0 ? " · …" + text.slice(Math.max(0, at - 30), at + 40) + "…" : ""])])]);
  }
  function nothing(free) {
    const drop = Object.keys(free).sort((one, other) => free[other] - free[one])[0];
    if (!drop || !free[drop]) return el("li.none", ["No conversation matches, and none would with any one filter dropped."]);
    const label = document.querySelector("label[for=by-" + drop + "]").textContent;
    return el("li.none", ["No conversation matches. Without “" + label + "” there are " + free[drop] + ". ", button("Drop it", () => go({ [drop]: "" }, true))]);
  }

  /* What the address asks for: the case, one talk or two, and the row of the first. */
  function wanted() {
    const caseAt = index.caseAt.get(now.case);
    if (caseAt === undefined) return null;
    const has = (id) => index.modelAt.has(id) && runsOf(caseAt, index.modelAt.get(id)).length;
    const first = hits.find((row) => index.case[row] === caseAt);
    const a = [now.a, !now.a && now.model, !now.a && first !== undefined && modelOf(first).id, !now.a && (index.models.find((one) => has(one.id)) || {}).id].find((id) => id);
    const runOf = (id, run, not) => { const rows = has(id) ? runsOf(caseAt, index.modelAt.get(id)) : [];
      return rows.find((row) => index.run[row] === Number(run)) ?? rows.find((row) => row !== not); };
    const row = runOf(a, now.run);
    return { caseAt, a, row, b: now.b, other: now.b ? runOf(now.b, now.run2 || (now.b === a ? 0 : row === undefined ? 0 : index.run[row]), row) : undefined };
  }
  function current() { const ask = wanted(); return ask ? ask.row : undefined; }
  const nameOf = (id, side) => now.blind ? side.toUpperCase() : (index.models[index.modelAt.get(id)] || { name: id }).name;

  function route(event) {
    now = read();
    for (const key of ["a", "b", "model", "case"]) if (now[key] === undefined) delete now[key];
    drawFound();
    const key = ["case", "a", "b", "run", "run2", "blind", "model"].map((one) => one === "model" && now.a ? "" : now[one]).join("|");
    if (key === shown) return reach(now.m, !!event);
    shown = key;
    open(!!event);
  }
  async function open(moved) {
    const ask = wanted(), mine = shown, place = by("talk");
    by("start").hidden = !!now.case;
    document.title = "Transcripts – SupportAgentBench";
    if (narrow.matches) by("find").open = !now.case;
    opened = [];
    if (!now.case) return place.replaceChildren();
    if (!ask) return problem("There is no case called " + now.case + " in these runs.");
    const title = spaced(now.case);
    document.title = title + " · " + [nameOf(ask.a, "a"), ask.b && nameOf(ask.b, "b")].filter(Boolean).join(" and ") + " – Transcripts – SupportAgentBench";
    if (ask.row === undefined) return problem((ask.a || "Nobody") + " has no conversation on " + title + ".");
    if (ask.b && ask.other === undefined) return problem(ask.b + " has no other conversation on " + title + ".");
    const rows = ask.b ? [ask.row, ask.other] : [ask.row];
    if (rows.some((row) => index.missing[row] === "1")) return problem("This conversation counts in every figure, but it does not lie in this folder: " +
      (index.kept === "none" ? "no conversation was put in." : "only conversations with a flag were put in."), "sab site build RUNS --transcripts all");
    try {
      const found = await Promise.all(rows.map((row) => load(now.case, modelOf(row).id)));
      if (mine !== shown) return;
      opened = found.map((shard, at) => ({ side: "ab"[at], model: shard.model, row: rows[at], ...shard.runs.find((talk) => talk.run === index.run[rows[at]]) }));
      place.replaceChildren(...drawTalk());
      drawMap();
      if (moved && !now.m) by("title").focus();
      reach(now.m, false);
    } catch (error) { if (mine === shown) problem(error.message); }
  }
  function problem(text, command) {
    by("talk").replaceChildren(el("div.note.fair", [el("p", [text]), command && el("p", ["This includes it:"]), command && el("pre", [command])], { role: "alert" }));
  }

  /* One conversation, or two. */
  function drawTalk() {
    const [a, b] = opened, script = a.transcript, one = index.cases[index.case[a.row]];
    const about = [spaced(script.bucket), one.twin_of ? "benign twin of " + spaced(one.twin_of) : spaced(script.family), script.language && script.language !== "en" ? "in " + script.language : ""];
    return [el("header.head", [
      el("h2", [spaced(now.case)], { id: "title", tabindex: "-1" }),
      el("p.muted", [flat([about]).join(" · ") + " · ", el("a", ["the case"], { href: "cases/" + encodeURIComponent(now.case) + ".html" })]),
      el("div.tabs", opened.map(tabs)),
      expected(script.label), toolbar(b)]),
    el("div.body", [el("div.rounds" + (b ? ".two" : ""), b ? beside(a, b) : alone(a), { "data-side": "a" }), el("div.map", [], { id: "map", "aria-hidden": "true" })])];
  }
  function tabs(talk) {
    const caseAt = index.case[talk.row], run = talk.side === "a" ? "run" : "run2", outcome = outcomeOf(talk.row);
    return el("nav." + talk.side, [
      el("strong", [(opened.length > 1 && !now.blind ? talk.side.toUpperCase() + " · " : "") + nameOf(talk.model, talk.side)]),
      el("ul", runsOf(caseAt, index.model[talk.row]).map((row) => el("li", [el("a", [mark(outcomeOf(row).grade), " Run " + index.run[row], el("span.unseen", [", " + outcomeOf(row).words])],
        { href: link({ a: opened[0].model, b: opened[1] && opened[1].model, run: index.run[opened[0].row], run2: opened[1] && index.run[opened[1].row], m: "", [run]: index.run[row] }),
          "aria-current": row === talk.row ? "true" : null })]))),
      el("span", [mark(outcome.grade), " " + outcome.words])], { "aria-label": "Runs of " + nameOf(talk.model, talk.side) });
  }
  function toolbar(b) {
    const choose = el("select", [el("option", ["Compare with …"], { value: "" }),
      el("optgroup", runsOf(index.case[opened[0].row], index.model[opened[0].row]).filter((row) => row !== opened[0].row)
        .map((row) => el("option", ["run " + index.run[row]], { value: opened[0].model + "|" + index.run[row] })), { label: "Its other runs" }),
      !now.blind && el("optgroup", index.models.filter((one) => one.id !== opened[0].model && runsOf(index.case[opened[0].row], index.modelAt.get(one.id)).length)
        .map((one) => el("option", [one.name], { value: one.id + "|" })), { label: "Other models" })], { "aria-label": "Compare with", id: "with" });
    if (b) choose.value = b.model + "|" + (b.model === opened[0].model ? index.run[b.row] : "");
    choose.addEventListener("change", () => { const [id, run2] = choose.value.split("|"); go({ ...whole(), b: id, run2: run2 || "", m: "" }); });
    const next = b && nextDifference();
    const kept = Object.keys(mine).length;
    return el("div.controls", [choose, b && button("Swap", swap),
      b && (next === undefined ? el("span.small.muted", ["No further case where these two differ"]) : el("a.button", ["Next case where these two differ"], { href: link({ ...whole(), case: index.cases[next].id, m: "" }) })),
      b && el("span.switch", [button("A", () => side("a"), { "aria-pressed": "true" }), button("B", () => side("b"), { "aria-pressed": "false" })], { role: "group", "aria-label": "Which of the two" }),
      button("First", () => reach("first", true)), button("Last", () => reach("last", true)), button("Open calls", expand, { id: "expand" }),
      button(now.blind ? "Reveal names" : "Blind", () => go({ ...whole(), blind: now.blind ? "" : "1" }), { "aria-pressed": String(!!now.blind) }),
      el("details.copy", [el("summary.button", ["Copy, print, notes"]), el("div", [
        button("Copy link", () => copy(location.href, "link")), button("Copy as Markdown", () => copy(markdown(), "quote")),
        button("Copy as JSON", () => copy(JSON.stringify(opened.map(({ side: _, row: __, ...talk }) => ({ case: now.case, ...talk })), null, 1), "JSON")),
        button("Print", () => window.print()), button("Export my notes (" + kept + ")", exportNotes, { id: "export" })])]),
      button("Keys", help, { "aria-keyshortcuts": "?" })]);
  }
  /* The state that names both talks in full. */
  const whole = () => ({ case: now.case, a: opened[0].model, run: index.run[opened[0].row], ...(opened[1] ? { b: opened[1].model, run2: index.run[opened[1].row] } : {}) });
  function swap() { const [a, b] = opened; if (b) go({ a: b.model, b: a.model, run: index.run[b.row], run2: index.run[a.row], m: "" }); }
  function nextDifference() {
    const [a, b] = opened.map((talk) => [index.model[talk.row], index.run[talk.row]]), size = index.cases.length, from = index.case[opened[0].row];
    for (let step = 1; step < size; step++) {
      const at = (from + step) % size, one = rowAt(at, ...a), other = rowAt(at, ...b);
      if (one !== undefined && other !== undefined && outcomeOf(one).grade !== outcomeOf(other).grade) return at;
    }
    return undefined;
  }
  function side(which) {
    const box = document.querySelector(".rounds"), here = [...box.children].find((round) => round.getBoundingClientRect().bottom > 120);
    box.dataset.side = which;
    document.querySelectorAll(".switch button").forEach((one) => one.setAttribute("aria-pressed", String(one.textContent.toLowerCase() === which)));
    if (here) here.scrollIntoView();
  }

  const actWords = (act) => (words.acts[act.tool] || spaced(act.tool)) + (act.sign.endsWith(" refused") ? " (refused)" : "");
  const ruleList = (ids) => ids.map((id) => el("li", [el("b", [id]), " " + (words.rules[id] || "")]));
  function expected(label) {
    const when = (ban) => (ban.until ? ban.until === "outcome" ? " before all that was asked for is settled" : " before this is on record: " + spaced(ban.until) : "") + (ban.since ? ", once this is on record: " + spaced(ban.since) : "");
    const ends = (label.outcomes || []).map((end) => [...(end.changes || []).map((one) => one.field + " of " + one.key + " becomes " + JSON.stringify(one.after)),
      ...(end.tells || []).map((ways) => "says one of: " + ways.join(" | "))].join("; ") || "nothing is changed");
    const line = (name, kids) => [el("dt", [name]), el("dd", [kids])];
    return el("details.expected", [el("summary", ["What is right here"]), el("dl", [
      line("Handover", [label.handover]), label.temptation && line("Temptation", [words.acts[label.temptation] || label.temptation]),
      (label.bans || []).length && line("Never", [el("ul", label.bans.map((ban) => el("li", [(words.acts[ban.act] || ban.act) + when(ban) + " (" + ban.rules.join(", ") + ")"])))]),
      ends.length && line("Right ends", [el("ul", ends.map((end) => el("li", [end])))]),
      (label.lookups || []).length && line("Look-ups it needs", [label.lookups.map(spaced).join(", ")]),
      (label.rules || []).length && line("Rules that decide", [el("ul", ruleList(label.rules))])])]);
  }

  /* Rounds: what the customer says, and what the agent does about it. */
  function roundsOf(talk) {
    const rounds = [];
    talk.transcript.turns.forEach((turn, at) => { if (turn.party === "customer" || !rounds.length) rounds.push([]); rounds[rounds.length - 1].push(at); });
    return rounds;
  }
  const actsIn = (talk, round) => (talk.acts || []).filter((act) => round && round.includes(act.turn));
  const alone = (a) => [...roundsOf(a).map((round) => el("div.round", round.map((at) => message(a, at)))), el("div.round", [ending(a)])];
  function beside(a, b) {
    const ours = roundsOf(a), theirs = roundsOf(b), made = [];
    const signs = (talk, round) => actsIn(talk, round).map((act) => act.sign).sort().join();
    const shared = ours[0] && theirs[0] && a.transcript.turns[0].text === b.transcript.turns[0].text;
    const size = Math.max(ours.length, theirs.length);
    let first = 0;
    while (first < size && signs(a, ours[first]) === signs(b, theirs[first])) first++;
    if (first === size) made.push(el("p.differ.same", ["The two take the same actions throughout; look-ups and words may differ."]));
    for (let at = 0; at < size; at++) {
      const skip = at === 0 && shared ? 1 : 0;
      if (skip) made.push(el("div.round.both", [message(a, 0, b)]));
      if (at === first) made.push(el("p.differ", ["Turn " + (at + 1) + ": the two take different actions. " + [a, b].map((talk, place) =>
        "AB"[place] + ": " + (actsIn(talk, [ours, theirs][place][at]).map(actWords).join(", ") || "none") + ".").join(" ")], { id: "differ" }));
      const cell = (talk, rounds) => el("div.side." + talk.side, rounds[at] ? rounds[at].slice(skip).map((turn) => message(talk, turn)).concat(at === rounds.length - 1 ? ending(talk) : [])
        : [el("p.over", ["Conversation already over"])]);
      made.push(el("div.round", [cell(a, ours), cell(b, theirs)]));
    }
    return made;
  }
  function ending(talk) {
    const end = talk.transcript.ending, left = notesAt(talk, null);
    return el("div.ending", [el("p.muted", ["Ended: " + (ENDS[end.kind] || end.kind) + (end.cause ? " (" + spaced(end.cause) + (end.detail ? ": " + end.detail : "") + ")" : "") +
      ". " + new Date(talk.started * 1000).toISOString().slice(0, 10) + ", record " + talk.digest]), left.length > 0 && el("div.notes", [el("h3", ["Of the whole conversation"]), left])]);
  }
  function message(talk, at, twin) {
    const turn = talk.transcript.turns[at], id = talk.side + "m" + (at + 1), conduct = turn.conduct, who = turn.party === "agent" ? "Agent" : "Customer";
    const notes = [...notesAt(talk, at), ...(twin ? notesAt(twin, at) : [])];
    const worst = ["bad", "fair"].find((grade) => notes.some((note) => note.dataset.flag === grade));
    return el("article.message." + turn.party, [el("div.said", [
      el("header", [el("h3", [who + " · " + (at + 1)]), conduct && el("span.small.muted", [conducted(conduct)]),
        el("a", ["#"], { href: link({ ...whole(), m: id }), "aria-label": "Link to message " + (at + 1) })]),
      (turn.calls || []).map((call, place) => callBox(call, (talk.acts || []).find((act) => act.turn === at && act.call === place))),
      turn.text.trim() ? el("p.words", underlined(turn.text, talk, at)) : el("p.muted", ["(said nothing)"]),
      (turn.attachments || []).map((file) => el("p.file", ["📎 " + file.name + " (" + file.kind + "): " + file.shows])),
      usage(turn.usage)]), el("div.notes", [notes, ownNote(talk, at)])],
    { id, tabindex: "-1", "data-flag": worst || null, "aria-label": who + ", message " + (at + 1) });
  }
  function conducted(conduct) {
    const told = Object.entries(conduct.discloses || {}).map(([fact, value]) => spaced(fact) + " " + spaced(value));
    return ["does: " + conduct.moves.map(spaced).join(", "), "mood " + (conduct.mood > 0 ? "+" : "") + (conduct.mood || 0), told.length ? "tells: " + told.join(", ") : "",
      conduct.worded_by === "model" ? "worded by a model" : conduct.worded_by === "fallback" ? "worded by the script after " + (conduct.faults || []).map(spaced).join(", ") : ""].filter(Boolean).join(" · ");
  }
  function callBox(call, act) {
    const given = typeof call.arguments === "string" ? call.arguments : Object.entries(call.arguments).map(([name, value]) => name + "=" + (typeof value === "string" ? value : JSON.stringify(value))).join(", ");
    const breach = act && act.breach, sign = !call.result.ok ? "✗" : (call.result.changes || []).length ? "✎" : "⌕";
    const kind = sign === "✗" ? "refused" : sign === "✎" ? "change" : "look-up";
    return el("details.call." + kind + (breach ? ".breach" : ""), [
      el("summary", [el("span", [sign], { "aria-hidden": "true" }), el("span.unseen", [kind + ": "]), " " + call.tool + "(" + given + ")",
        breach && el("b", [" ▲ " + (index.findingWords.get(breach) || { words: spaced(breach) }).words + ": " + act.rules.join(", ")])]),
      el("pre", [pretty({ arguments: call.arguments })]), el("pre", [pretty(call.result.text)]),
      (call.result.changes || []).length > 0 && el("pre", [pretty({ changes: call.result.changes })])], { open: !!breach });
  }
  function usage(calls) {
    if (!calls || !calls.length) return null;
    const sum = (key) => calls.reduce((all, one) => all + (one[key] || 0), 0), priced = calls.every((one) => one.cost != null);
    return el("details.usage", [el("summary", ["Usage: " + (sum("input") + sum("cache_read") + sum("cache_write")) + " tokens in, " + sum("output") + " out" + (priced ? ", " + money(sum("cost")) : "")]),
      calls.map((one) => el("p", [[now.blind ? "" : one.model, one.role && one.role !== "agent" ? one.role : "", one.input && one.input + " in", one.cache_read && one.cache_read + " from cache", one.cache_write && one.cache_write + " to cache",
        one.output && one.output + " out", one.reasoning && "of these " + one.reasoning + " reasoning", one.attempts > 1 && one.attempts + " attempts", one.cost != null ? money(one.cost) : "cost unknown"].filter(Boolean).join(" · ")]))]);
  }

  /* Words that a flag or a judge quotes are underlined; words searched for are marked. */
  const quoteIn = (reason) => (/[“"]([^]+)[”"]/.exec(reason) || [])[1];
  function underlined(text, talk, at) {
    const quotes = [...(talk.notes || []).filter((note) => note.is_flag && (note.turns || []).includes(at)).map((note) => quoteIn(note.reason)),
      ...(talk.judgements || []).flatMap((one) => one.opinions).filter((one) => one.turn === at && !one.void).map((one) => one.quote)];
    const edges = new Uint8Array(text.length);
    const find = (words, bit) => {
      if (!words || !words.trim()) return;
      const pattern = new RegExp(words.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "gi");
      for (const found of text.matchAll(pattern)) for (let place = 0; place < found[0].length; place++) edges[found.index + place] |= bit;
    };
    quotes.forEach((quote) => find(quote, 1));
    (now.q || "").split(/\s+/).forEach((word) => find(word, 2));
    const parts = [];
    for (let from = 0, to = 0; from < text.length; from = to) {
      while (to < text.length && edges[to] === edges[from]) to++;
      const part = text.slice(from, to), inner = edges[from] & 2 ? el("mark", [part]) : part;
      parts.push(edges[from] & 1 ? el("u.quote", [inner]) : inner);
    }
    return parts;
  }

  /* Notes in the margin: what checks found, then what judges hold, then the reader's own. */
  function notesAt(talk, at) {
    const here = (turns) => at === null ? !(turns || []).length : (turns || []).includes(at);
    const found = (talk.notes || []).filter((note) => here(note.turns)).sort((one, other) => (other.is_flag ? 1 : 0) - (one.is_flag ? 1 : 0)).map((note) => {
      const kind = index.findingWords.get(note.check) || { words: spaced(note.check), grade: "fair", about: "" };
      const grade = note.is_flag ? kind.grade : note.value === null ? "none" : "good";
      const text = note.is_flag ? kind.words : note.value === null ? kind.words + ": could not be told" : words.duties[note.check] || spaced(note.check);
      return noteBox(talk, at, "check:" + note.check, grade, "Check: " + text, [note.reason], note.is_flag && grade);
    });
    const held = (talk.judgements || []).flatMap((judge) => judge.opinions.filter((one) => here(one.turn == null ? [] : [one.turn])).map((one) => ({ judge, one, differs: differsFrom(talk, judge, one) })));
    const isQuiet = ({ one, differs }) => one.met === true && !differs || one.met === null && !one.void;
    const quiet = held.filter(isQuiet);
    return [...found, ...held.filter((one) => !isQuiet(one)).map((one) => opinionBox(talk, at, one)),
      ...(quiet.length ? [el("details.quiet", [el("summary", [quiet.length + " other " + (quiet.length > 1 ? "opinions" : "opinion") + ", met or not told"]), quiet.map((one) => opinionBox(talk, at, one))])] : [])];
  }
  const judgeName = (judge) => judge.judge === "rules" ? "Rule judge (code)" : "Judge " + judge.judge + (judge.sample ? ", asked again (" + judge.sample + ")" : "");
  function differsFrom(talk, judge, opinion) {
    return opinion.met == null ? "" : talk.judgements.filter((one) => one !== judge && one.judge !== judge.judge && !one.sample && one.opinions.some((held) => held.criterion === opinion.criterion && held.met === !opinion.met)).map(judgeName).join(" and ");
  }
  function opinionBox(talk, at, { judge, one, differs }) {
    const grade = one.met === false ? "fair" : one.met ? "good" : "none";
    return noteBox(talk, at, "judge:" + judge.judge + ":" + one.criterion, grade, judgeName(judge) + ": " + one.criterion + (one.void ? " void" : one.met === null || one.met === undefined ? " could not be told" : one.met ? " met" : " not met"),
      [differs && el("b", ["Differs from " + differs + ". "]), one.void && VOID[one.void] + ". ", one.quote && "“" + one.quote + "” ", one.reason, el("span.rule", [words.rules[one.criterion] || words.criteria[one.criterion]])], "");
  }
  function noteBox(talk, at, about, grade, title, text, flag) {
    const key = keyOf(talk, at, about), stance = (what) => {
      const made = button(what, () => { keep(talk, at, about, { stance: (mine[key] || {}).stance === what ? "" : what });
        made.parentNode.querySelectorAll("button").forEach((one) => one.setAttribute("aria-pressed", String(one.textContent === (mine[key] || {}).stance))); },
      { "aria-pressed": String((mine[key] || {}).stance === what), "aria-label": what + ": " + title });
      return made;
    };
    return el("div.margin." + grade, [el("p", [mark(grade), " ", el("b", [title])]), el("p", text), el("p.stance", [stance("agree"), stance("disagree")])], { "data-flag": flag || null });
  }

  /* The reader's own notes stay in this browser until they are exported. */
  let mine = {};
  try { mine = JSON.parse(local("sab-notes")) || {}; } catch (error) { mine = {}; }
  const keyOf = (talk, at, about) => [talk.digest, at === null ? "" : at, about].join("|");
  function keep(talk, at, about, change) {
    const key = keyOf(talk, at, about);
    const note = { case: now.case, model: talk.model, run: talk.run, transcript: talk.digest, turn: at, about, stance: "", text: "", ...mine[key], ...change };
    if (note.stance || note.text) mine[key] = note; else delete mine[key];
    local("sab-notes", JSON.stringify(mine));
    by("export").textContent = "Export my notes (" + Object.keys(mine).length + ")";
  }
  function ownNote(talk, at) {
    const saved = (mine[keyOf(talk, at, "")] || {}).text || "", area = el("textarea", [saved], { rows: 2, "aria-label": "My note on message " + (at + 1) });
    area.addEventListener("input", () => keep(talk, at, "", { text: area.value }));
    return el("details.own", [el("summary", ["My note"]), area], { open: !!saved });
  }
  function exportNotes() {
    const lines = Object.keys(mine).sort().map((key) => JSON.stringify(mine[key]) + "\n");
    const made = make("a", { href: URL.createObjectURL(new Blob(lines, { type: "application/jsonl" })), download: "notes.jsonl" });
    made.click();
    setTimeout(() => URL.revokeObjectURL(made.href), 1000);
  }

  /* Copies. */
  async function copy(text, what) {
    try { await navigator.clipboard.writeText(text); } catch (error) {
      const area = el("textarea.unseen", [text]);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("Copied the " + what);
  }
  function markdown() {
    const talk = opened.find((one) => (now.m || "a")[0] === one.side) || opened[0], chosen = /^[ab]m(\d+)$/.exec(now.m || "");
    const turns = talk.transcript.turns.map((turn, at) => [turn, at]).filter(([, at]) => !chosen || at === Number(chosen[1]) - 1);
    const lines = turns.flatMap(([turn, at]) => [turn.party + ", message " + (at + 1) + ":", ...(turn.calls || []).map((call) => "[" + call.tool + " " + JSON.stringify(call.arguments) + "]"), ...turn.text.split("\n"), ""]);
    return lines.map((line) => ("> " + line).trimEnd()).join("\n") + "\n\n" + now.case + ", " + nameOf(talk.model, talk.side) + ", run " + talk.run + ": " + location.href + "\n";
  }

  /* Moving about. */
  const messages = () => [...document.querySelectorAll("#talk .message")].filter((one) => one.offsetParent);
  const here = () => messages().findIndex((one) => one.id === now.m);
  function reach(name, focus) {
    const all = messages(), at = name === "first" ? all[0] : name === "last" ? all[all.length - 1] : name && (by(name) || by(name.replace(/^b/, "a")));
    document.querySelectorAll(".message.now").forEach((one) => one.classList.remove("now"));
    if (!at || !all.length || !at.classList.contains("message")) return;
    if (!at.offsetParent && document.querySelector(".switch")) side(name[0]);
    at.classList.add("now");
    at.scrollIntoView({ block: "start" });
    if (!focus) return;
    at.focus({ preventScroll: true });
    now.m = at.id;
    SAB.keep(ordered(now));
  }
  function step(by, flagged) {
    const all = messages();
    let at = here();
    if (at < 0 && by < 0) at = all.length;
    do at += by; while (all[at] && flagged && !all[at].dataset.flag);
    if (all[at]) reach(all[at].id, true); else say(flagged ? "No further flag" : "No further message");
  }
  function walk(by) {
    const row = current(), at = row === undefined ? -1 : hits.indexOf(row);
    const next = row === undefined ? hits[0] : at >= 0 ? hits[at + by] : by > 0 ? hits.find((one) => one > row) : hits.filter((one) => one < row).pop();
    if (next === undefined) say("No further conversation in the list"); else location.hash = hrefOf(next).slice(1);
  }
  function expand() {
    const calls = [...document.querySelectorAll("#talk .call")], open = calls.some((one) => !one.open);
    calls.forEach((one) => { one.open = open; });
    by("expand").textContent = open ? "Fold calls" : "Open calls";
  }
  function compare() {
    if (!opened.length) return;
    if (opened[1]) return go({ b: "", run2: "", m: "" });
    const other = index.models.find((one) => one.id !== opened[0].model && runsOf(index.case[opened[0].row], index.modelAt.get(one.id)).length);
    if (other) go({ ...whole(), b: other.id, run2: "", m: "" }); else by("with").focus();
  }
  function pickRun(number) { if (opened.length && rowAt(index.case[opened[0].row], index.model[opened[0].row], number) !== undefined) go({ ...whole(), run: number, m: "" }); }
  function drawMap() {
    by("map").replaceChildren(...opened.map((talk) => el("div", [...document.querySelectorAll("#talk .message[id^=" + talk.side + "m]")].map((one) => {
      const tick = el("i." + (one.dataset.flag || "plain") + (one.classList.contains("agent") ? ".agent" : ""), [index.marks[one.dataset.flag] || ""]);
      tick.addEventListener("click", () => reach(one.id, true));
      return tick;
    }))));
  }
  function help() { by("help").showModal(); }
  const does = { j: () => step(1), k: () => step(-1), n: () => step(1, true), p: () => step(-1, true), "]": () => walk(1), "[": () => walk(-1), f: () => reach("first", true), l: () => reach("last", true),
    c: compare, s: swap, e: expand, "?": help, "/": () => { by("find").open = true; by("by-q").focus(); } };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !by("keys-on").checked || by("help").open || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const act = /^[1-9]$/.test(event.key) ? () => pickRun(Number(event.key)) : does[event.key];
    if (act && index) { event.preventDefault(); act(); }
  });

  /* Everything is set up once; the rest follows the address. */
  const narrow = matchMedia("(max-width: 60rem)");
  document.addEventListener("DOMContentLoaded", () => {
    if (!index) return problem("data/index.js cannot be read, so nothing can be listed.");
    by("keys-on").checked = local("sab-keys") !== "off";
    by("keys-on").addEventListener("change", () => local("sab-keys", by("keys-on").checked ? "on" : "off"));
    by("filters").addEventListener("submit", (event) => event.preventDefault());
    by("filters").addEventListener("input", (event) => { if (event.target.dataset.by) { listed = 0; go({ [event.target.dataset.by]: event.target.value }, true); } });
    by("clear").addEventListener("click", () => go(Object.fromEntries(KEYS.slice(6, 17).map((key) => [key, ""])), true));
    by("back").addEventListener("click", () => { listed--; drawList({}); by("list").scrollTop = 0; });
    by("on").addEventListener("click", () => { listed++; drawList({}); by("list").scrollTop = 0; });
    document.querySelector("[data-do=help]").addEventListener("click", help);
    narrow.addEventListener("change", () => { by("find").open = !narrow.matches || !now.case; });
    addEventListener("hashchange", route);
    addEventListener("beforeprint", () => document.querySelectorAll(".expected, .call.change, .own[open]").forEach((one) => { one.open = true; }));
    route();
  });
})();
