/* The reader: find a conversation, read it, compare it with another. Recorded text is only ever shown as text. */
(() => {
  "use strict";
  const SAB = window.SAB, make = SAB.make, by = (id) => document.getElementById(id);
  const words = JSON.parse(by("words").textContent);
  const FILTERS = ["counted", "habit", "bucket", "trap", "use", "of", "harm", "finding", "agent", "among", "q", "set", "outcome", "after", "disagree", "messages", "cost"];
  const KEYS = ["case", "a", "b", "run", "run2", "m", ...FILTERS, "blind"];
  const MORE = ["counted", "habit", "of", "harm", "among", "set", "after", "disagree", "messages", "cost"], GROUPS = ["ranked", "tested", "dummies"], DIGITS = [..."0123456789"];
  const PAGE = 200, BATCH = 12, KEPT = 60, titled = document.title;
  let index = null, facets = [], hits = [], open = [], listed = 0, now = {}, ask = null, shown = "";

  const spaced = (name) => name.replace(/_/g, " "), whole = (count) => count.toLocaleString("en-US");
  const el = (name, kids, more) => {
    const [tag, ...classes] = name.split(".");
    return make(tag, { class: classes.join(" ") || null, ...more }, [kids || []].flat(3).filter((kid) => kid || kid === 0));
  };
  const mark = (grade) => el("span.mark." + grade, index.marks[grade], { "aria-hidden": "true" });
  const say = (text) => { by("said").textContent = text; };
  const opened = (text) => { try { return JSON.parse(text); } catch (error) { return text; } };
  const stored = (key, value) => {
    try {
      if (value === undefined) return localStorage.getItem(key);
      localStorage.setItem(key, value);
    } catch (error) { /* it then lasts as long as the page */ }
    return null;
  };

  /* The index: columns decoded once, and the rows of every case and agent. */
  SAB.index = (raw) => {
    let place = 0;
    const letters = new Map(raw.outcomes.map((one, at) => [one.letter, at])), places = (list) => new Map(list.map((one, at) => [one.id, at]));
    index = { ...raw, size: raw.agent.length, case: raw.case.map((jump) => (place += jump)), run: [...raw.run].map((one) => one.charCodeAt(0) - 48),
      outcome: [...raw.outcome].map((letter) => letters.get(letter)), caseAt: places(raw.cases), agentAt: places(raw.agents), groups: new Map(),
      kinds: new Map(raw.findings.map((one) => [one.check, one])) };
    for (let row = 0; row < index.size; row++) {
      const key = groupOf(index.case[row], index.agent[row]), rows = index.groups.get(key);
      if (rows) rows.push(row); else index.groups.set(key, [row]);
    }
    facets = makeFacets();
  };
  const groupOf = (caseAt, agentAt) => caseAt * index.agents.length + agentAt;
  const runsOf = (caseAt, agentAt) => index.groups.get(groupOf(caseAt, agentAt)) || [];
  const rowAt = (caseAt, agentAt, run) => runsOf(caseAt, agentAt).find((row) => index.run[row] === run);
  const outcomeOf = (row) => index.outcomes[index.outcome[row]];
  const agentOf = (row) => index.agents[index.agent[row]];
  const caseOf = (row) => index.cases[index.case[row]];
  const titleOf = (id) => (index.cases[index.caseAt.get(id)] || { title: spaced(id) }).title;

  /* A facet: a code for every row, the options of each code, and how often each code occurs. */
  function makeFacets() {
    const ofCase = (key, pick) => {
      const values = [...new Set(index.cases.map(pick))].filter(Boolean).sort(), codes = index.cases.map((one) => values.indexOf(pick(one)) + 1);
      return { key, values, codes: index.case.map((at) => codes[at]), lists: [[], ...values.map((_, at) => [at])] };
    };
    const named = (key, list, id, codes, text) => ({ key, values: list.map((one) => one[id]), codes, lists: list.map((_, at) => [at]),
      names: Object.fromEntries(list.map((one) => [one[id], text(one)])) });
    const isTrap = (one) => one.bucket === "adversarial" || !!one.twin_of;
    const checks = index.findings.filter((one) => index.issue_sets.some((flags) => flags.includes(one.check)));
    const finding = named("finding", checks, "check", index.issues, (one) => one.words);
    const made = [ofCase("set", (one) => one.twin_of ? "twins" : "core"), ofCase("bucket", (one) => one.bucket),
      ofCase("use", (one) => !isTrap(one) && one.family), ofCase("trap", (one) => isTrap(one) && one.family),
      { ...finding, lists: index.issue_sets.map((flags) => flags.map((one) => finding.values.indexOf(one))) },
      named("agent", index.agents, "id", index.agent, (one) => one.name),
      named("outcome", index.outcomes, "name", index.outcome, (one) => index.marks[one.grade] + " " + one.words),
      { key: "disagree", values: ["runs", "judges", "agents", "pairs"], codes: [...index.disagree].map((digit) => parseInt(digit, 16)),
        lists: [...Array(16).keys()].map((mask) => [0, 1, 2, 3].filter((bit) => mask & (1 << bit))) },
      { ...ofCase("of", (one) => one.id), names: Object.fromEntries(index.cases.map((one) => [one.id, one.title])) },
      { ...ofCase("harm", (one) => one.harm), names: Object.fromEntries(index.harms.map((one) => [one.name, one.words])) },
      { ...named("habit", index.habits, "name", index.habit, (one) => one.words), lists: index.habit_sets },
      { key: "among", values: GROUPS, codes: index.agent, lists: index.agents.map((one) => one.among.map((group) => GROUPS.indexOf(group))) },
      { key: "after", values: DIGITS.slice(1), codes: [...index.unsafe_turn].map(Number), lists: DIGITS.map((_, at) => at ? [at - 1] : []) }, countedFacet()];
    for (const facet of made) {
      const used = new Set(facet.lists.flat());
      facet.select = by("by-" + facet.key);
      facet.select.append(...facet.values.map((value, at) => el("option", (facet.names || index.case_types)[value] || words[value] || spaced(value),
        { value, hidden: !used.has(at) || value.endsWith(".all") || null })));
      facet.said = [...facet.select.options].map((option) => option.textContent);
      facet.counts = facet.lists.map(() => 0);
    }
    return made;
  }

  /* What figures count: of each figure its hits, its misses, what code could not decide, and all it is about. */
  function countedFacet() {
    const size = index.metrics.length, seen = new Map(), lists = [];
    const codes = index.hits.map((hit, row) => {
      const key = [hit, index.tried[row], index.undecided[row]].join();
      if (!seen.has(key)) {
        const [hits, tried, open] = key.split(",").map((at) => index.metric_sets[at]);
        seen.set(key, lists.push([...hits, ...tried.filter((one) => index.metrics[one].is_share && !hits.includes(one)).map((one) => size + one),
          ...open.map((one) => 2 * size + one), ...tried.map((one) => 3 * size + one)]) - 1);
      }
      return seen.get(key);
    });
    const parts = Object.entries({ "": "", ".no": ": no", ".open": ": undecided", ".all": ": all" });
    const named = parts.flatMap(([part, say]) => index.metrics.map((one) => [one.name + part, one.words + say]));
    return { key: "counted", values: named.map(([value]) => value), codes, lists, names: Object.fromEntries(named) };
  }

  /* The filters that a state of the address sets, and how many conversations it lists. */
  function activeTests(state) {
    const least = (key) => ({ key, test: (row) => index[key][row] >= Number(state[key]) });
    return [...facets.filter((facet) => state[facet.key]).map((facet) => {
      const chosen = facet.values.indexOf(state[facet.key]), pass = facet.lists.map((list) => list.includes(chosen));
      return { key: facet.key, facet, test: (row) => pass[facet.codes[row]] };
    }), least("messages"), least("cost"), { key: "q", test: searcher(state.q || "") }].filter((one) => state[one.key]);
  }
  const countOf = SAB.count = (state) => {
    const active = activeTests(state);
    return index.agent.reduce((all, _, row) => all + active.every((one) => one.test(row)), 0);
  };

  /* One pass over all rows: which pass, and how many each other choice of one filter would let pass. */
  let inside = [];
  function filter() {
    for (const facet of facets) facet.counts.fill(0);
    const active = activeTests(now);
    const free = Object.fromEntries(active.map((one) => [one.key, 0]));
    hits = [];
    inside = [];
    for (let row = 0; row < index.size; row++) {
      let failed = null, fails = 0;
      for (const one of active) if (!one.test(row)) { failed = one; if (++fails > 1) break; }
      if (fails > 1) continue;
      if (!fails) { hits.push(row); for (const facet of facets) facet.counts[facet.codes[row]]++; }
      else { free[failed.key]++; if (failed.facet) failed.facet.counts[failed.facet.codes[row]]++; }
      if (!fails || failed.key === "q") inside.push(row);
    }
    for (const facet of facets) {
      const sums = [facet.counts.reduce((all, one) => all + one, 0), ...facet.values.map(() => 0)];
      facet.lists.forEach((list, code) => { for (const at of list) sums[at + 1] += facet.counts[code]; });
      facet.said.forEach((text, at) => { facet.select.options[at].textContent = text + " (" + whole(sums[at]) + ")"; });
      facet.select.value = now[facet.key] || "";
    }
    return free;
  }

  /* Search looks at cases, agents, and the text of what has been loaded. */
  const texts = new Map();
  let search = null;
  function searcher(query) {
    const has = (text, word) => text.toLowerCase().includes(word);
    const tests = query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => [word,
      index.cases.map((one) => has(one.id + " " + spaced(one.id) + " " + one.title, word)), index.agents.map((one) => !now.blind && has(one.id + " " + one.name, word))]);
    return (row) => tests.every(([word, cases, agents]) => cases[index.case[row]] || agents[index.agent[row]] || (texts.get(row) || "").includes(word));
  }
  const isUnread = (row) => !texts.has(row) && index.missing[row] !== "1";
  function drawInside() {
    by("inside").hidden = !now.q || (!search && !inside.some(isUnread));
    by("inside-bar").hidden = !search;
    by("inside-go").textContent = search ? "Stop: " + whole(search.done) + " of " + whole(search.all) + " read" : "Search inside these " + whole(inside.length);
  }
  async function searchInside() {
    if (search) { search = null; return drawFound(); }
    const left = [...new Set(inside.filter(isUnread).map((row) => caseOf(row).id + "/" + agentOf(row).id))];
    const job = search = { done: 0, all: left.length }, query = now.q;
    while (job.done < job.all && search === job && now.q === query) {
      await Promise.all(left.slice(job.done, job.done + BATCH).map((name) => load(...name.split("/")).catch(() => null)));
      job.done = Math.min(job.done + BATCH, job.all);
      by("inside-bar").value = job.done / job.all;
      drawFound();
    }
    if (search === job) search = null;
    drawFound();
    say(whole(hits.length) + " found");
  }

  /* Bundles: the conversations of one agent on one case, loaded by a script. */
  const bundles = new Map();
  SAB.bundle = (bundle) => {
    bundles.set(bundle.case + "/" + bundle.agent, bundle);
    if (bundles.size > KEPT) bundles.delete(bundles.keys().next().value);
    for (const conversation of bundle.runs) {
      const said = conversation.transcript.turns.flatMap((turn) => [turn.text, ...(turn.calls || []).map((call) => call.tool + JSON.stringify(call.arguments))]);
      texts.set(rowAt(index.caseAt.get(bundle.case), index.agentAt.get(bundle.agent), conversation.run), said.join("\n").toLowerCase());
    }
  };
  function load(caseId, agent) {
    const name = caseId + "/" + agent, file = "data/t/" + [caseId, agent].map(encodeURIComponent).join("/") + ".js";
    if (bundles.has(name)) return Promise.resolve(bundles.get(name));
    return new Promise((done, fail) => {
      const script = make("script", { src: file });
      script.onload = () => { script.remove(); if (bundles.has(name)) done(bundles.get(name)); else fail(Error(file + " exists but cannot be read.")); };
      script.onerror = () => { script.remove(); fail(Error(file + " is missing from this folder.")); };
      document.head.append(script);
    });
  }

  /* The address. Opening a conversation adds to the history; a filter does not. */
  const link = (changes) => {
    const next = { ...now, ...changes };
    return "#" + KEYS.filter((key) => next[key]).map((key) => key + "=" + encodeURIComponent(next[key])).join("&");
  };
  const keep = () => SAB.keep(Object.fromEntries(KEYS.map((key) => [key, now[key]])));
  const go = (changes) => { location.hash = link(changes); };
  const refine = (changes) => { listed = 0; Object.assign(now, changes); keep(); route(); };
  const hrefOf = (row) => link({ case: caseOf(row).id, a: agentOf(row).id, run: index.run[row], m: "", ...(now.b === now.a ? { b: "", run2: "" } : {}) });

  /* The list. */
  function drawFound() {
    const free = filter();
    ask = wanted();
    by("found").textContent = by("found-short").textContent = whole(hits.length) + " of " + whole(index.size) + " conversations";
    by("clear").hidden = !Object.keys(free).length;
    const more = facets.filter(({ key }) => MORE.includes(key) && now[key]).map(({ key, said, values }) => said[values.indexOf(now[key]) + 1]);
    by("more").firstElementChild.textContent = ["More filters", ...more].join(" · ");
    by("who").hidden = !!now.blind;
    for (const key of ["q", "messages", "cost"]) if (document.activeElement !== by("by-" + key)) by("by-" + key).value = now[key] || "";
    drawInside();
    const at = ask ? hits.indexOf(ask.row) : -1;
    if (at >= 0) listed = Math.floor(at / PAGE);
    drawList(hits.length ? null : nothing(free));
  }
  function drawList(none) {
    const list = by("list");
    list.replaceChildren(...(none ? [none] : hits.slice(listed * PAGE, (listed + 1) * PAGE).map(entry)));
    const chosen = list.querySelector("[aria-current]");
    if (chosen) requestAnimationFrame(() => chosen.scrollIntoView({ block: "nearest" }));
    by("pager").hidden = hits.length <= PAGE;
    by("back").disabled = !listed;
    by("on").disabled = (listed + 1) * PAGE >= hits.length;
  }
  function entry(row) {
    const outcome = outcomeOf(row), text = (now.q && texts.get(row)) || "", at = text.indexOf((now.q || "").toLowerCase());
    return make("li", {}, [make("a", { href: hrefOf(row), "aria-current": ask && ask.row === row ? "true" : null }, [
      make("span", { class: "mark " + outcome.grade, "aria-hidden": "true" }, [index.marks[outcome.grade]]), " " + caseOf(row).title + " · run " + index.run[row], make("br"),
      make("small", {}, [(now.blind ? "" : agentOf(row).name + " · ") + outcome.words +
        (text && at >= 0 ? " · …" + text.slice(Math.max(0, at - 30), at + 40) + "…" : "")])])]);
  }
  /* An empty list says what it means and leads on: to the rest of what the figure is about, or to other agents. */
  function nothing(free) {
    const [name, part] = (now.counted || "").split(/(\.no)?$/), metric = index.metrics.find((one) => one.name === name);
    const who = now.blind || !now.agent ? "" : nameOf(now.agent), to = (changes, text) => [el("a", text, { href: link({ ...changes, case: "" }) })];
    const rest = { counted: part ? name : name + ".no" }, left = metric ? countOf({ ...now, ...rest }) : 0, others = who ? countOf({ ...now, agent: "" }) : 0;
    if (left) {
      const [none, such] = words.none[now.counted] || [];
      return el("li.none", [who && none ? who + " " + none : (who ? who + ": n" : "N") + "one under “" + metric.words + (part ? ": no" : "") + "”", ". Read the ", to(rest, whole(left) + " " + (such || "others")),
        others > 0 && [", or the ", to({ agent: "" }, whole(others) + " of other agents")], "."]);
    }
    const drop = Object.keys(free).sort((one, other) => free[other] - free[one])[0];
    if (!free[drop]) return el("li.none", "No conversation matches, even with any one filter removed.");
    const label = document.querySelector("label[for=by-" + drop + "]").textContent;
    return el("li.none", ["No conversation matches. Without “" + label + "” there are " + whole(free[drop]) + ". ", el("button", "Remove it", { "data-do": "drop", "data-drop": drop })]);
  }

  /* What the address asks for: the row to read, and the one beside it. */
  function wanted() {
    const at = index.caseAt.get(now.case);
    if (at === undefined) return null;
    const first = hits.find((row) => index.case[row] === at) ?? index.case.indexOf(at);
    const pick = (id, run, not) => {
      const rows = runsOf(at, index.agentAt.get(id));
      return rows.find((row) => index.run[row] === Number(run)) ?? rows.find((row) => row !== not);
    };
    const a = now.a || now.agent || agentOf(first).id, row = pick(a, now.run);
    return { a, row, other: now.b && pick(now.b, now.run2 || (now.b === a ? 0 : index.run[row]), row) };
  }
  const nameOf = (id, side) => now.blind ? side.toUpperCase() : (index.agents[index.agentAt.get(id)] || { name: id }).name;

  function route(event) {
    try { now = SAB.state(); } catch (error) { now = {}; }
    if (now.set === "all") delete now.set;
    drawFound();
    const key = [now.case, now.b, now.run2, now.blind, ask && ask.a, ask && ask.row].join("|");
    if (key !== shown) { shown = key; read(!!event); } else if (event) reach(now.m, true);
  }
  function fold() { by("find").open = !narrow.matches || (!now.case && FILTERS.some((key) => now[key])); }
  async function read(moved) {
    const asked = shown;
    open = [];
    by("start").hidden = !!now.case;
    by("tools").hidden = true;
    fold();
    const who = ask && nameOf(ask.a, "a") + (now.b ? " and " + nameOf(now.b, "b") : "");
    document.title = [now.case && titleOf(now.case), who, titled].filter(Boolean).join(" · ");
    for (const id of ["head", "rounds", "map"]) by(id).replaceChildren();
    const why = now.case && problem(), warn = (text) => by("head").replaceChildren(el("div.note.fair", text, { role: "alert" }));
    if (why) return warn(why);
    if (!now.case) return;
    const rows = now.b ? [ask.row, ask.other] : [ask.row];
    try {
      const found = await Promise.all(rows.map((row) => load(now.case, agentOf(row).id)));
      if (asked !== shown) return;
      open = rows.map((row, at) => ({ side: "ab"[at], agent: agentOf(row).id, row, ...found[at].runs.find((conversation) => conversation.run === index.run[row]) }));
      draw();
      if (moved && !now.m) by("title").focus();
      reach(now.m, false);
    } catch (error) { if (asked === shown) warn(error.message); }
  }
  function problem() {
    if (!ask) return "These runs have no case named " + now.case + ".";
    const lacks = ask.row === undefined ? ask.a : now.b && ask.other === undefined ? now.b : "";
    if (lacks) return lacks + " has no such conversation for " + titleOf(now.case) + ".";
    if (![ask.row, ask.other].some((row) => index.missing[row] === "1")) return "";
    const kept = index.kept === "none" ? "no conversation" : "only conversations with issues";
    return [el("p", "This conversation counts in every figure but is not in this folder, which includes " + kept + ". To include all:"),
      el("pre", "sab site build RUNS --transcripts all")];
  }

  /* One conversation, or two. */
  function draw() {
    const [a, b] = open, script = a.transcript, twin = caseOf(a.row).twin_of;
    const about = [script.bucket, twin && "honest twin of " + titleOf(twin), script.language && "in " + script.language];
    by("head").replaceChildren(el("h2", titleOf(now.case), { id: "title", tabindex: "-1" }),
      el("p.muted", [spaced(about.filter((one) => one).join(" · ")) + " · ", el("code", now.case), " · ", el("a", "the " + words.page, { href: words.page + "s/" + encodeURIComponent(now.case) + ".html" })]),
      ...open.map(tabs), expected(script.label));
    by("rounds").className = b ? "two" : "one";
    by("rounds").replaceChildren(...(b ? beside(a, b) : roundsOf(a).map((round) => el("div.round", round.map((at) => message(a, at)))).concat(ending(a))));
    by("map").replaceChildren(...open.map((conversation) => el("div", [...document.querySelectorAll(".message[id^=" + conversation.side + "m]")].map((one) =>
      el("i." + one.className.split(" ")[1] + "." + (one.dataset.issue || "plain"), index.marks[one.dataset.issue], { "data-do": "reach", "data-to": one.id })))));
    drawTools();
  }
  function tabs(conversation) {
    const run = conversation.side === "a" ? "run" : "run2", outcome = outcomeOf(conversation.row), name = nameOf(conversation.agent, conversation.side);
    const tab = (row) => el("a", [mark(outcomeOf(row).grade), " Run " + index.run[row], el("span.unseen", ", " + outcomeOf(row).words)],
      { href: link({ ...both(), m: "", [run]: index.run[row] }), "aria-current": row === conversation.row ? "true" : null });
    return el("nav.tabs", [el("strong", (open[1] && !now.blind ? conversation.side.toUpperCase() + " · " : "") + name),
      el("ul", runsOf(index.case[conversation.row], index.agent[conversation.row]).map((row) => el("li", tab(row)))),
      el("span", [mark(outcome.grade), " " + outcome.words])], { "aria-label": "Runs of " + conversation.side + ", " + name });
  }
  function drawTools() {
    const [a, b] = open, caseAt = index.case[a.row], next = b && nextDifference();
    const option = (id, run, text) => el("option", text, { value: id + "|" + run });
    const runs = runsOf(caseAt, index.agent[a.row]).filter((row) => row !== a.row);
    const agents = index.agents.filter((one, at) => one.id !== a.agent && runsOf(caseAt, at).length);
    by("with").replaceChildren(el("option", "Compare with …", { value: "" }),
      el("optgroup", runs.map((row) => option(a.agent, index.run[row], "run " + index.run[row])), { label: "Its other runs" }),
      el("optgroup", agents.map((one) => option(one.id, "", one.name)), { label: "Other agents" }));
    by("with").value = b ? b.agent + "|" + (b.agent === a.agent ? index.run[b.row] : "") : "";
    document.querySelectorAll(".if-two").forEach((one) => { one.hidden = !b; });
    by("next").hidden = !next;
    if (next) by("next").href = link({ ...both(), case: next, m: "" });
    by("with").hidden = !!now.blind;
    by("blind").textContent = now.blind ? "Reveal names" : "Blind";
    by("tools").hidden = false;
    countNotes();
  }
  /* The state that names both conversations in full. */
  const both = () => ({ a: open[0].agent, run: index.run[open[0].row], ...(open[1] ? { b: open[1].agent, run2: index.run[open[1].row] } : {}) });
  function nextDifference() {
    const [a, b] = open.map((conversation) => [index.agent[conversation.row], index.run[conversation.row]]), from = index.case[open[0].row];
    const order = [...index.cases.keys()].map((step) => (from + 1 + step) % index.cases.length).slice(0, -1);
    const grade = (row) => row === undefined ? "" : outcomeOf(row).grade;
    const at = order.find((one) => grade(rowAt(one, ...a)) && grade(rowAt(one, ...b)) && grade(rowAt(one, ...a)) !== grade(rowAt(one, ...b)));
    return at === undefined ? "" : index.cases[at].id;
  }
  const actName = (tool) => words.acts[tool] || spaced(tool);
  function expected(label) {
    const when = (ban) => (ban.until === "outcome" ? " before every request is settled" : ban.until ? " before this is known: " + spaced(ban.until) : "") +
      (ban.since ? ", once this is known: " + spaced(ban.since) : "");
    const end = (one) => [...(one.changes || []).map((change) => change.field + " of " + change.key + " becomes " + JSON.stringify(change.after)),
      ...(one.tells || []).map((statement) => "the customer is told " + statement.about)].join("; ") || "no change";
    const line = (name, list) => list && list.length > 0 && [el("dt", name), list.map((one) => el("dd", one))];
    return el("details.expected", [el("summary", "Correct handling"), el("dl", [
      line("Handover", [label.handover]), line("Temptation", label.temptation && [actName(label.temptation)]),
      line("Forbidden", (label.bans || []).map((ban) => actName(ban.act) + when(ban) + " (" + ban.rules.join(", ") + ")")),
      line("Correct outcomes", (label.outcomes || []).map(end)), line("Required look-ups", (label.lookups || []).map(spaced)),
      line("Deciding rules", (label.rules || []).map((id) => [el("b", id), " " + (words.rules[id] || "")]))])]);
  }

  /* Rounds: a customer message and the agent's reply. */
  function roundsOf(conversation) {
    const rounds = [];
    conversation.transcript.turns.forEach((turn, at) => {
      if (turn.party === "customer" || !rounds.length) rounds.push([]);
      rounds[rounds.length - 1].push(at);
    });
    return rounds;
  }
  function beside(a, b) {
    const pair = [a, b].map((conversation) => ({ conversation, rounds: roundsOf(conversation) })), made = [], size = Math.max(...pair.map((one) => one.rounds.length));
    const acts = ({ conversation, rounds }, at) => (conversation.acts || []).filter((act) => (rounds[at] || []).includes(act.turn));
    const signs = (at) => pair.map((one) => acts(one, at).map((act) => act.sign).sort().join());
    const said = (act) => actName(act.tool) + (act.sign.endsWith(" refused") ? " (refused)" : "");
    const [opening, other] = [a, b].map((conversation) => conversation.transcript.turns[0]), shared = opening && other && opening.text === other.text;
    const first = [...Array(size).keys()].findIndex((at) => signs(at)[0] !== signs(at)[1]);
    if (first < 0) made.push(el("p.differ.same", "The two take the same actions throughout; look-ups and words may differ."));
    for (let at = 0; at < size; at++) {
      const skip = at === 0 && shared ? 1 : 0;
      if (skip) made.push(el("div.round", message(a, 0, b)));
      const each = pair.map((one, place) => "AB"[place] + ": " + (acts(one, at).map(said).join(", ") || "none") + ". ");
      if (at === first) made.push(el("p.differ", ["Message " + (1 + Math.max(...pair.map(({ rounds }) => (rounds[at] || [0]).at(-1)))) + ": the two take different actions. ", each], { id: "differ" }));
      made.push(el("div.round.columns", pair.map(({ conversation, rounds }) => el("div.side." + conversation.side, rounds[at] ?
        [rounds[at].slice(skip).map((turn) => message(conversation, turn)), at === rounds.length - 1 && ending(conversation)] : el("p.over", "Conversation already over")))));
    }
    return made;
  }
  function ending(conversation) {
    const end = conversation.transcript.ending, notes = notesAt(conversation, null), day = new Date(conversation.started * 1000).toISOString().slice(0, 10);
    const cause = end.cause ? " (" + spaced(end.cause) + ", " + (end.detail || "") + ")" : "";
    return el("div.ending", [el("p.muted", "Ended: " + (words.ends[end.kind] || end.kind) + cause + ". " + day + ", record " + conversation.digest + "."),
      conversation.transcript.unlisted && el("p.muted", conversation.transcript.unlisted + " more calls came outside their turns. None was carried out."),
      notes.length > 0 && el("div.notes", [el("h3", "About the whole conversation"), notes])]);
  }
  const whose = { agent: "Agent", customer: "Customer", note: "Internal note", system: "System" };
  function message(conversation, at, twin) {
    const turn = conversation.transcript.turns[at], id = conversation.side + "m" + (at + 1), who = whose[turn.party];
    const notes = [notesAt(conversation, at), twin ? notesAt(twin, at) : []].flat(), own = (mine[keyOf(conversation, at, "")] || {}).text || "";
    const said = el("div.said", [
      el("header", [el("h3", who + " · " + (at + 1)), turn.conduct && el("span.small.muted", conducted(turn.conduct)),
        el("a", "#", { href: link({ ...both(), m: id }), "aria-label": "Link to message " + (at + 1) })]),
      stepped(turn, (turn.calls || []).map((call, place) => callBox(call, (conversation.acts || []).find((act) => act.turn === at && act.call === place) || {}))),
      turn.sender && el("p.words.muted", "From: " + turn.sender.name + " <" + turn.sender.email + ">"),
      turn.text.trim() ? el("p.words", underlined(turn.text, conversation, at)) : el("p.muted", "(said nothing)"),
      (conversation.transcript.refused || []).filter((call) => call.turn === at).map(outside),
      (turn.attachments || []).map((file) => el("p.words.muted", "📎 " + file.name + " (" + file.kind + "): " + file.shows)), usage(turn.usage || []),
      turn.party === "agent" && again(conversation, (at + 1) / 2)]);
    const area = el("textarea", own, { rows: 2, "aria-label": "My note on message " + (at + 1), ...place(conversation, at, "") });
    return el("article.message." + turn.party, [said, el("div.notes", [notes, el("details.own", [el("summary", "My note"), area], { open: !!own })])],
      { id, tabindex: "-1", "data-issue": ["bad", "fair"].find((grade) => notes.some((one) => one.dataset.issue === grade)), "aria-label": who + ", message " + (at + 1) });
  }
  /* The command that replays this decision; it names the agent. */
  const again = ({ agent, run }, reply) => words.again[agent] && !now.blind && el("details.usage", [el("summary", "Decide again"), "RUNS is the folder of the runs.",
    el("pre", words.again[agent].join(run + " --at " + now.case + ":" + reply)), el("button", "Copy", { "data-do": "command" })]);
  function conducted(conduct) {
    const told = Object.entries(conduct.discloses || {}).map((pair) => spaced(pair.join(" "))).join(", ");
    return [conduct.moves.map(spaced).join(", "), "mood " + (conduct.mood > 0 ? "+" : "") + (conduct.mood || 0),
      told && "tells " + told, conduct.worded_by && "worded by " + conduct.worded_by,
      conduct.faults && "after " + conduct.faults.map(spaced).join(", ")].filter(Boolean).join(" · ");
  }
  /* Which model call asked for which tool calls, where the record says so; a model call without any wrote the reply. */
  function stepped(turn, boxes) {
    const calls = turn.calls || [], steps = (turn.usage || []).map((one) => one.step).filter(Boolean);
    if (!steps.length || !calls.some((call) => call.step)) return boxes;
    const some = (step) => boxes.filter((_, place) => (calls[place].step || 0) === step);
    return [...some(0), ...steps.flatMap((step) => [el("p.step.small.muted", "Model call " + step + (some(step).length ? "" : " wrote the reply")), ...some(step)]),
      ...boxes.filter((_, place) => calls[place].step && !steps.includes(calls[place].step))];
  }
  /* A call as a sentence in the words of its shop: parts in brackets go where the call lacks their argument. */
  const plain = (value) => typeof value === "string" ? value : JSON.stringify(value);
  const worded = (value) => /^[a-z]+(_[a-z]+)+$/.test(value) ? spaced(value) : plain(value);
  function told({ tool, arguments: given, result }) {
    const has = (name) => given && given[name] != null && given[name] !== "", all = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
    const filled = (text) => text.replace(/\{(\w+)\}/g, (_, name) => has(name) ? worded(given[name]) : "?");
    if (!result.ok) return "Tried to " + actName(tool);
    const sentence = Object.hasOwn(words.told, tool) && words.told[tool];
    if (sentence) return filled(sentence.replace(/\[([^\]]*)\]/g, (_, part) => all(part).every(has) ? part : ""));
    const name = actName(tool), values = typeof given === "string" ? given : Object.values(given || {}).map(plain).join(", ");
    return name[0].toUpperCase() + name.slice(1) + (values && ": " + values);
  }
  /* A call that came outside its turn: the desk did not carry it out. */
  const outside = (call) => el("details.call.refused", [el("summary", [el("span", "✗", { "aria-hidden": "true" }), el("span.unseen", "refused: "), " ",
    el("span.told", "Tried to " + actName(call.tool)), ". Not carried out: it came " + { late: "after this reply",
      foreign: "through the desk of this message during message " + (call.during + 1), surplus: "after all calls that are allowed" }[call.why]]),
  el("pre", JSON.stringify(call, null, 1))]);
  function callBox(call, act) {
    const { ok, facts, refusal = "", changes = [] } = call.result, [sign, kind] = !ok ? ["✗", "refused"] : changes.length ? ["✎", "change"] : ["⌕", "look-up"];
    const done = ok && changes.length && facts && typeof facts.done === "string" ? facts.done : "";
    return el("details.call." + kind + (act.breach ? ".breach" : ""), [
      el("summary", [el("span", sign, { "aria-hidden": "true" }), el("span.unseen", kind + ": "), " ", el("span.told", told(call)),
        !ok && el("span", ". Refused" + (refusal && ": " + plain(refusal))),
        done && el("span.done", done),
        act.breach && el("b", "▲ " + kindOf(act.breach).words + ", " + act.rules.join(", "))]),
      el("pre", JSON.stringify({ tool: call.tool, arguments: call.arguments, result: ok ? facts : refusal, ...(changes.length ? { changes } : {}) }, null, 1))]);
  }
  function usage(calls) {
    const sum = (...keys) => calls.reduce((all, one) => keys.reduce((some, key) => some + (one[key] || 0), all), 0), cost = sum("cost");
    const priced = calls.every((one) => one.cost != null) ? ", $" + cost.toFixed(cost < 0.01 ? 4 : 2) : "";
    return calls.length > 0 && el("details.usage", [
      el("summary", "Usage: " + whole(sum("input", "cache_read", "cache_write")) + " tokens in, " + whole(sum("output")) + " out" + priced),
      el("pre", JSON.stringify(calls, (key, value) => now.blind && key === "model" ? undefined : value, 1))]);
  }

  /* Words that an issue or a judge quotes are underlined; search words are highlighted. */
  function underlined(text, conversation, at) {
    const drawn = new Uint8Array(text.length), parts = [];
    const draw = (phrase, bit) => {
      const pattern = (phrase || "").trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
      if (!pattern) return;
      for (const found of text.matchAll(new RegExp(pattern, "gi"))) for (let on = 0; on < found[0].length; on++) drawn[found.index + on] |= bit;
    };
    for (const note of conversation.notes) if ((note.is_issue || note.standing) && (note.turns || []).includes(at)) draw(note.quote, 1);
    for (const judge of conversation.judgements || []) for (const one of [...judge.opinions, ...(judge.findings || [])]) if (one.turn === at && !one.void) draw(one.quote, 1);
    for (const word of (now.q || "").split(" ")) draw(word, 2);
    for (let from = 0, to = 0; from < text.length; from = to) {
      while (to < text.length && drawn[to] === drawn[from]) to++;
      const part = text.slice(from, to), inner = drawn[from] & 2 ? el("mark", part) : part;
      parts.push(drawn[from] & 1 ? el("u.quote", inner) : inner);
    }
    return parts;
  }

  /* Notes in the margin: findings of checks, then opinions of judges, then the reader's own. */
  const kindOf = (check) => index.kinds.get(check) || { words: spaced(check), grade: "fair" };
  const judgeName = (one) => one.judge === "rules" ? "Rule-based judge" : "Judge " + one.judge + (one.sample ? ", asked again" : "");
  function notesAt(conversation, at) {
    const isHere = (turns) => at === null ? !turns.length : turns.includes(at);
    const cards = new Map();
    for (const note of conversation.notes.filter((note) => isHere(note.turns || [])).sort((one, other) => other.is_issue - one.is_issue)) {
      const kind = kindOf(note.check), grade = note.is_issue ? kind.grade : note.value && !note.standing ? "good" : "none", turns = note.turns || [];
      const text = note.standing ? kind.words + ": " + note.standing : note.is_issue ? kind.words : note.value ? words.duties[note.check] || kind.words : kind.words + ": undecided";
      const times = turns.length > 1 ? at === turns[0] ? " (" + turns.length + " times)" : " (again)" : "", key = note.reason + note.is_issue;
      const card = cards.get(key) || cards.set(key, { check: note.check, grade, flag: note.is_issue ? grade : null, said: [], reason: at === null || at === turns[0] ? note.reason : "" }).get(key);
      if (grade === "bad") card.grade = grade;
      if (!card.said.includes(text + times)) card.said.push(text + times);
    }
    const found = [...cards.values()].map((card) => noteBox(place(conversation, at, "check:" + card.check), card.grade, "Check: " + card.said.join(", "), card.reason, card.flag && card.grade));
    const quiet = [], loud = [], isAt = (one) => isHere(conversation.transcript.turns[one.turn] ? [one.turn] : []);
    for (const judge of conversation.judgements || []) for (const one of (judge.findings || []).filter(isAt)) loud.push(findingBox(conversation, at, judge, one));
    (conversation.judgements || []).forEach((judge, number) => judge.opinions.filter(isAt).forEach((one) => {
      const denies = (held) => held.criterion === one.criterion && one.met != null && held.met === !one.met;
      const differs = conversation.judgements.slice(0, number).filter((other) => other.judge !== judge.judge && other.opinions.some(denies));
      (one.void || one.met === false || differs.length ? loud : quiet).push(opinionBox(conversation, at, judge, one, differs.map(judgeName).join(" and ")));
    }));
    return [...found, ...loud, ...(quiet.length ? [el("details.quiet", [el("summary", quiet.length + " more (passed or undecided)"), quiet])] : [])];
  }
  function findingBox(conversation, at, judge, one) {
    const check = one.question.split(":")[0], held = one.void ? "void" : words.says[one.says];
    return noteBox(place(conversation, at, "judge:" + judge.judge + ":" + one.question), one.says === "confirm" ? "fair" : "none",
      judgeName(judge) + ": " + kindOf(check).words + " " + held, evidence(one));
  }
  /* A judge's words: why an answer is void, the quote, the reason. */
  const evidence = (one) => [one.void && words.voids[one.void] + ". ", one.quote && "“" + one.quote + "” ", one.reason];
  function opinionBox(conversation, at, judge, one, differs) {
    const [grade, held] = one.void ? ["none", "void"] : one.met === null ? ["none", "undecided"] : one.met ? ["good", "passed"] : ["fair", "failed"];
    const rule = words.rules[one.criterion] || words.criteria[one.criterion];
    return noteBox(place(conversation, at, "judge:" + judge.judge + ":" + one.criterion), grade, judgeName(judge) + ": " + one.criterion + " " + held,
      [differs && el("b", "Differs from " + differs + ". "), ...evidence(one),
        grade === "fair" && el("span.rule", rule)]);
  }
  function noteBox(where, grade, title, text, flag) {
    const stance = (mine[where["data-key"]] || {}).stance;
    const choice = (what) => el("button", what, { type: "button", "data-do": "stance", "aria-pressed": String(stance === what), "aria-label": what + ": " + title });
    return el("div.margin." + grade, [el("p", [mark(grade), " ", el("b", title)]), el("p", text),
      el("p.stance", [choice("agree"), choice("disagree")], where)], { "data-issue": flag });
  }

  /* The reader's own notes stay in this browser until they are exported. */
  let mine = opened(stored("sab-notes")) || {};
  const keyOf = (conversation, at, about) => [conversation.digest, at, about].join("|");
  const place = (conversation, at, about) => ({ "data-key": keyOf(conversation, at, about),
    "data-note": JSON.stringify({ case: now.case, agent: conversation.agent, run: conversation.run, transcript: conversation.digest, turn: at, about }) });
  function note(where, change) {
    const key = where.dataset.key, made = { ...JSON.parse(where.dataset.note), ...mine[key], ...change };
    if (made.stance || made.text) mine[key] = made; else delete mine[key];
    stored("sab-notes", JSON.stringify(mine));
    countNotes();
  }
  function countNotes() { by("export").textContent = "Export my notes (" + Object.keys(mine).length + ")"; }
  function markdown() {
    const conversation = open.find((one) => (now.m || "")[0] === one.side) || open[0], only = Number((now.m || "").slice(2)) - 1;
    const lines = conversation.transcript.turns.flatMap((turn, at) => only >= 0 && at !== only ? [] : [turn.party + ", message " + (at + 1) + ":",
      ...(turn.calls || []).map((call) => "[" + call.tool + " " + JSON.stringify(call.arguments) + "]"), ...turn.text.split("\n"), ""]);
    return lines.map((line) => ("> " + line).trimEnd()).join("\n") + "\n\n" + titleOf(now.case) + " (" + now.case + "), " + nameOf(conversation.agent, conversation.side) + ", run " + conversation.run + ": " + location.href + "\n";
  }
  const copy = (text) => navigator.clipboard.writeText(text).then(() => say("Copied"), () => say("Copying is blocked by this browser"));

  /* Moving about. */
  const messages = () => [...document.querySelectorAll(".message")].filter((one) => one.offsetParent);
  function reach(name, focus) {
    const at = name && (by(name) || by(name.replace("b", "a")));
    document.querySelectorAll(".message.now").forEach((one) => one.classList.remove("now"));
    if (!at || !at.classList.contains("message")) return;
    if (!at.offsetParent) side(at.id[0]);
    at.classList.add("now");
    at.scrollIntoView();
    if (!focus) return;
    at.focus({ preventScroll: true });
    now.m = at.id;
    keep();
  }
  function step(by, isFlagged) {
    const all = messages(), from = all.findIndex((one) => one.id === now.m);
    let at = from < 0 && by < 0 ? all.length : from;
    do at += by; while (all[at] && isFlagged && !all[at].dataset.issue);
    if (all[at]) reach(all[at].id, true); else say("No further " + (isFlagged ? "issue" : "message"));
  }
  function walk(by) {
    const at = ask ? hits.indexOf(ask.row) : -1, after = ask ? hits.findIndex((row) => row > ask.row) : 0;
    const next = hits[at >= 0 ? at + by : by > 0 ? after : (after < 0 ? hits.length : after) - 1];
    if (next === undefined) say("No further conversation in the list"); else location.hash = hrefOf(next);
  }
  /* On a phone one of the two is shown; the round in view stays in view. */
  function side(which) {
    const here = [...by("rounds").children].find((round) => round.getBoundingClientRect().bottom > 120);
    by("rounds").dataset.side = which;
    for (const one of ["a", "b"]) by("side-" + one).setAttribute("aria-pressed", String(one === which));
    if (here) here.scrollIntoView();
  }
  function compare() {
    if (open[1]) return go({ b: "", run2: "", m: "" });
    const other = [...by("with").options].find((option) => option.parentNode.label === "Other agents");
    if (other) go({ ...both(), b: other.value.split("|")[0], m: "" }); else by("with").focus();
  }
  function pickRun(run) { if (rowAt(index.case[open[0].row], index.agent[open[0].row], run) !== undefined) go({ ...both(), run, m: "" }); }
  function expand() {
    const calls = [...document.querySelectorAll(".call")], all = calls.some((one) => !one.open);
    for (const one of calls) one.open = all;
  }
  function exportNotes() {
    const lines = Object.keys(mine).sort().map((key) => JSON.stringify(mine[key]) + "\n");
    make("a", { href: URL.createObjectURL(new Blob(lines)), download: "notes.jsonl" }).click();
  }
  const acts = {
    next: () => step(1), previous: () => step(-1), flag: () => step(1, true), unflag: () => step(-1, true), on: () => walk(1), back: () => walk(-1),
    first: () => reach((messages()[0] || {}).id, true), last: () => reach((messages().pop() || {}).id, true), compare, expand, export: exportNotes,
    swap: () => open[1] && go({ a: open[1].agent, b: open[0].agent, run: index.run[open[1].row], run2: index.run[open[0].row], m: "" }),
    blind: () => go({ ...both(), blind: now.blind ? "" : "1" }), a: () => side("a"), b: () => side("b"), print: () => print(), help: () => by("help").showModal(),
    search: () => { by("find").open = true; by("by-q").focus(); }, inside: searchInside, link: () => copy(location.href), markdown: () => copy(markdown()),
    command: (one) => copy(one.previousSibling.textContent),
    json: () => copy(JSON.stringify(open.map(({ side: _, row: __, ...conversation }) => ({ case: now.case, ...conversation })), null, 1)),
    clear: () => refine(Object.fromEntries(FILTERS.map((key) => [key, ""]))), drop: (one) => refine({ [one.dataset.drop]: "" }),
    page: (one) => { listed += Number(one.dataset.by); drawList(null); by("list").scrollTop = 0; }, reach: (one) => reach(one.dataset.to, true),
    stance: (one) => {
      note(one.parentNode, { stance: one.getAttribute("aria-pressed") === "true" ? "" : one.textContent });
      for (const other of one.parentNode.children) other.setAttribute("aria-pressed", String(other.textContent === (mine[one.parentNode.dataset.key] || {}).stance));
    },
  };
  const keys = { j: "next", k: "previous", n: "flag", p: "unflag", "]": "on", "[": "back", f: "first", l: "last", c: "compare", s: "swap", e: "expand", "/": "search", "?": "help" };

  /* Set up once; the rest follows the address. */
  const narrow = matchMedia("(max-width: 60rem)");
  document.addEventListener("DOMContentLoaded", () => {
    if (!index) return by("head").append(el("p.note.fair", "data/index.js cannot be read, so no conversation can be listed."));
    const isOn = by("keys-on");
    isOn.checked = stored("sab-keys") !== "off";
    isOn.addEventListener("change", () => stored("sab-keys", isOn.checked ? "on" : "off"));
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isOn.checked || by("help").open || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
      const run = Number(event.key);
      if (run ? !open.length : !keys[event.key]) return;
      event.preventDefault();
      if (run) pickRun(run); else acts[keys[event.key]]();
    });
    document.addEventListener("click", (event) => { const one = event.target.closest("[data-do]"); if (one) acts[one.dataset.do](one); });
    by("filters").addEventListener("submit", (event) => event.preventDefault());
    by("filters").addEventListener("input", (event) => refine({ [event.target.id.slice(3)]: event.target.value }));
    by("rounds").addEventListener("input", (event) => note(event.target, { text: event.target.value }));
    by("with").addEventListener("change", () => { const [b, run2] = by("with").value.split("|"); go({ ...both(), b, run2, m: "" }); });
    narrow.addEventListener("change", fold);
    addEventListener("hashchange", route);
    addEventListener("beforeprint", () => document.querySelectorAll(".expected").forEach((one) => { one.open = true; }));
    route();
  });
})();
