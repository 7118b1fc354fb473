/* The finder: an index of all conversations, filters over it, and the list of those that pass. */
(() => {
  "use strict";
  const SAB = window.SAB, make = SAB.make, by = (id) => document.getElementById(id), words = JSON.parse(by("words").textContent);
  const spaced = (name) => name.replace(/_/g, " "), whole = (count) => count.toLocaleString("en-US");
  const el = (name, kids, more) => {
    const [tag, ...classes] = name.split(".");
    return make(tag, { class: classes.join(" ") || null, ...more }, [kids || []].flat(3).filter((kid) => kid || kid === 0));
  };
  const FILTERS = ["counted", "habit", "bucket", "trap", "use", "of", "harm", "finding", "agent", "among", "q", "set", "outcome", "after", "disagree", "messages", "cost"];
  const GROUPS = ["ranked", "tested", "dummies"], DIGITS = [..."0123456789"], WORST = ["bad", "fair", "none", "good"];
  const PAGE = 200, BATCH = 12, KEPT = 60;
  const R = SAB.reader = { words, by, el, spaced, whole, FILTERS, index: null, now: {}, hits: [], ask: null };
  let index = null, facets = [], inside = [], listed = 0, search = null, usualTitle = null;

  /* The index: columns decoded once, and the rows of every case and agent. */
  SAB.index = (raw) => {
    let place = 0;
    const letters = new Map(raw.outcomes.map((one, at) => [one.letter, at])), places = (list) => new Map(list.map((one, at) => [one.id, at]));
    R.index = index = { ...raw, size: raw.agent.length, case: raw.case.map((jump) => (place += jump)), run: [...raw.run].map((one) => one.charCodeAt(0) - 48),
      outcome: [...raw.outcome].map((letter) => letters.get(letter)), caseAt: places(raw.cases), agentAt: places(raw.agents), groups: new Map(),
      kinds: new Map(raw.findings.map((one) => [one.check, one])) };
    for (let row = 0; row < index.size; row++) {
      const key = groupOf(index.case[row], index.agent[row]), rows = index.groups.get(key);
      if (rows) rows.push(row); else index.groups.set(key, [row]);
    }
    facets = makeFacets();
  };
  const groupOf = (caseAt, agentAt) => caseAt * index.agents.length + agentAt;
  const runsOf = R.runsOf = (caseAt, agentAt) => index.groups.get(groupOf(caseAt, agentAt)) || [];
  const rowAt = R.rowAt = (caseAt, agentAt, run) => runsOf(caseAt, agentAt).find((row) => index.run[row] === run);
  const outcomeOf = R.outcomeOf = (row) => index.outcomes[index.outcome[row]];
  const agentOf = R.agentOf = (row) => index.agents[index.agent[row]];
  const caseOf = R.caseOf = (row) => index.cases[index.case[row]];
  R.titleOf = (id) => (index.cases[index.caseAt.get(id)] || { title: spaced(id) }).title;
  R.nameOf = (id, side) => R.now.blind ? side.toUpperCase() : (index.agents[index.agentAt.get(id)] || { name: id }).name;
  R.mark = (grade) => el("span.mark." + grade, index.marks[grade], { "aria-hidden": "true" });

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

  /* An address without filters lists the ranked agents on headline cases; one that opens a conversation, that agent. */
  const USUAL = R.USUAL = { among: "ranked", ...(words.page === "case" ? { set: "core" } : {}) };
  R.withDefaults = (state) => {
    if (FILTERS.some((key) => state[key])) return state;
    const agent = state.a && !state.b && index.agentAt.has(state.a) ? state.a : "";
    return agent ? { ...state, agent } : { ...state, ...USUAL };
  };

  /* The filters that a state of the address sets, and how many conversations it lists. */
  const isSet = (state, key) => state[key] && !(["among", "set"].includes(key) && state[key] === "all");
  function activeTests(state) {
    const least = (key) => ({ key, test: (row) => index[key][row] >= Number(state[key]) });
    return [...facets.filter((facet) => isSet(state, facet.key)).map((facet) => {
      const chosen = facet.values.indexOf(state[facet.key]), pass = facet.lists.map((list) => list.includes(chosen));
      return { key: facet.key, facet, test: (row) => pass[facet.codes[row]] };
    }), least("messages"), least("cost"), { key: "q", test: searcher(state.q || "") }].filter((one) => isSet(state, one.key));
  }
  const countOf = SAB.count = (state) => {
    const active = activeTests(state);
    return index.agent.reduce((all, _, row) => all + active.every((one) => one.test(row)), 0);
  };

  /* What the list is a part of, as the page that counts it says: all that a figure is about, or all that is
     left without the filter that says how it went. null: the number was told without a whole. */
  const NARROWING = ["habit", "outcome", "finding", "after", "disagree", "q", "messages", "cost"];
  const totalOf = SAB.total = (state) => {
    const [, name, part] = /^(.*?)(\.no|\.open|\.all)?$/.exec(state.counted || ""), { of } = index.habits.find((one) => one.name === state.habit) || {};
    if (state.habit && of != null && !state.q) return of || null;
    const rest = { ...state, ...Object.fromEntries(NARROWING.map((key) => [key, ""])) };
    if (NARROWING.some((key) => state[key]) || !index.metrics.some((one) => one.name === name && one.is_share)) return countOf(rest);
    return countOf({ ...rest, counted: name + ".all" }) + (part === ".open" ? countOf(rest) : 0);
  };

  /* What the list is, as a title: the traps that an agent fell for. */
  SAB.heading = (state, hits) => {
    const { counted, agent, among = "all", blind } = state, count = whole(hits), said = words.lists[counted], extra = ["bucket", "trap", "use", "of", "harm"].filter((key) => state[key]);
    const named = (key) => facets.filter((facet) => facet.key === key).map(({ said: texts, values }) => texts[values.indexOf(state[key]) + 1])[0];
    const who = blind ? "the agent" : agent ? R.nameOf(agent) : words.who[among] || "any agent", kinds = extra.map(named).filter(Boolean);
    if (said && !NARROWING.some((key) => state[key])) return [count + " " + said[hits === 1 ? 0 : 1] + " " + said[2].replace("{who}", who), ...kinds].join(" · ");
    const others = facets.filter(({ key }) => isSet(state, key) && !(key === "among" && state.among === "ranked") && !(blind && key === "agent")).map(({ key }) => named(key)).filter(Boolean);
    return count + (hits === 1 ? " conversation" : " conversations") + (others.length ? ": " + others.join(" · ") : state.q ? " with “" + state.q + "”" : "");
  };

  /* One pass over all rows: which pass, and how many each other choice of one filter would let pass. */
  function filter() {
    for (const facet of facets) facet.counts.fill(0);
    const active = activeTests(R.now), free = Object.fromEntries(active.map((one) => [one.key, 0]));
    R.hits = [];
    inside = [];
    for (let row = 0; row < index.size; row++) {
      let failed = null, fails = 0;
      for (const one of active) if (!one.test(row)) { failed = one; if (++fails > 1) break; }
      if (fails > 1) continue;
      if (!fails) { R.hits.push(row); for (const facet of facets) facet.counts[facet.codes[row]]++; }
      else { free[failed.key]++; if (failed.facet) failed.facet.counts[failed.facet.codes[row]]++; }
      if (!fails || failed.key === "q") inside.push(row);
    }
    R.hits.sort((one, other) => WORST.indexOf(outcomeOf(one).grade) - WORST.indexOf(outcomeOf(other).grade)); /* What went wrong comes first. */
    for (const facet of facets) {
      const sums = [facet.counts.reduce((all, one) => all + one, 0), ...facet.values.map(() => 0)], chosen = R.now[facet.key];
      facet.lists.forEach((list, code) => { for (const at of list) sums[at + 1] += facet.counts[code]; });
      facet.said.forEach((text, at) => {
        const option = facet.select.options[at];
        option.textContent = text + " (" + whole(sums[at]) + ")";
        if (facet.key === "agent" && at) option.hidden = !sums[at] && option.value !== chosen;
      });
      facet.select.value = chosen || facet.select.options[0].value;
    }
    return free;
  }

  /* Search looks at cases, agents, and the text of what has been loaded. */
  const texts = new Map();
  function searcher(query) {
    const has = (text, word) => text.toLowerCase().includes(word);
    const tests = query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => [word,
      index.cases.map((one) => has(one.id + " " + spaced(one.id) + " " + one.title, word)), index.agents.map((one) => !R.now.blind && has(one.id + " " + one.name, word))]);
    return (row) => tests.every(([word, cases, agents]) => cases[index.case[row]] || agents[index.agent[row]] || (texts.get(row) || "").includes(word));
  }
  const isUnread = (row) => !texts.has(row) && index.missing[row] !== "1";
  function drawInside() {
    by("inside").hidden = !R.now.q || (!search && !inside.some(isUnread));
    by("inside-bar").hidden = !search;
    by("inside-go").textContent = search ? "Stop: " + whole(search.done) + " of " + whole(search.all) + " read" : "Search inside these " + whole(inside.length);
  }
  R.searchInside = async () => {
    if (search) { search = null; return R.drawFound(); }
    const left = [...new Set(inside.filter(isUnread).map((row) => caseOf(row).id + "/" + agentOf(row).id))];
    const job = search = { done: 0, all: left.length }, query = R.now.q;
    while (job.done < job.all && search === job && R.now.q === query) {
      await Promise.all(left.slice(job.done, job.done + BATCH).map((name) => R.load(...name.split("/")).catch(() => null)));
      job.done = Math.min(job.done + BATCH, job.all);
      by("inside-bar").value = job.done / job.all;
      R.drawFound();
    }
    if (search === job) search = null;
    R.drawFound();
    by("said").textContent = whole(R.hits.length) + " found";
  };

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
  R.load = (caseId, agent) => {
    const name = caseId + "/" + agent, file = "data/t/" + [caseId, agent].map(encodeURIComponent).join("/") + ".js";
    if (bundles.has(name)) return Promise.resolve(bundles.get(name));
    return new Promise((done, fail) => {
      const script = make("script", { src: file });
      script.onload = () => { script.remove(); if (bundles.has(name)) done(bundles.get(name)); else fail(Error(file + " exists but cannot be read.")); };
      script.onerror = () => { script.remove(); fail(Error(file + " is missing from this folder.")); };
      document.head.append(script);
    });
  };

  /* The list, in pages. */
  R.drawFound = () => {
    const now = R.now, free = filter();
    R.ask = wanted();
    const total = totalOf(now), twins = R.hits.filter((row) => caseOf(row).twin_of).length, hits = R.hits.length;
    const counts = whole(hits) + (total === null ? "" : " of " + whole(total)) + " conversations" + (twins && twins < hits ? ", " + whole(twins) + " of them honest twins" : "");
    const named = facets.filter(({ key }) => isSet(now, key) && now[key] !== USUAL[key] && !(now.blind && key === "agent")).map(({ key, said, values }) => said[values.indexOf(now[key]) + 1]).filter(Boolean).join(" · ");
    by("found").textContent = counts;
    /* A mean has no hits: what lowers the share of rules kept is a click away. */
    const kept = /^adherence(:.*)\.all$/.exec(now.counted || ""), broken = kept && { counted: "breaks" + kept[1], case: "" }, breaking = kept ? countOf({ ...now, ...broken }) : 0;
    by("filtered").replaceChildren(named, breaking ? el("span", [". ", el("a", "Those in which a rule was broken: " + whole(breaking), { href: R.link(broken) })]) : "");
    by("found-short").textContent = counts + (named && ": " + named);
    const isUsual = FILTERS.every((key) => (now[key] || "") === (USUAL[key] || ""));
    by("clear").hidden = isUsual;
    usualTitle ??= by("of-list").textContent;
    by("of-list").textContent = isUsual ? usualTitle : SAB.heading(now, hits);
    by("intro").classList.toggle("filtered", !isUsual);
    by("who").hidden = !!now.blind;
    for (const key of ["q", "messages", "cost"]) if (document.activeElement !== by("by-" + key)) by("by-" + key).value = now[key] || "";
    drawInside();
    const at = R.ask ? R.hits.indexOf(R.ask.row) : -1;
    if (at >= 0) listed = Math.floor(at / PAGE);
    drawList(R.hits.length ? null : nothing(free));
  };
  R.fromTheFirst = () => { listed = 0; };
  R.turnPage = (step) => { listed += step; drawList(null); by("list").scrollTop = 0; };
  function drawList(none) {
    const list = by("list");
    list.replaceChildren(...(none ? [none] : R.hits.slice(listed * PAGE, (listed + 1) * PAGE).map(entry)));
    const chosen = list.querySelector("[aria-current]");
    if (chosen) requestAnimationFrame(() => chosen.scrollIntoView({ block: "nearest" }));
    by("pager").hidden = R.hits.length <= PAGE;
    by("back").disabled = !listed;
    by("on").disabled = (listed + 1) * PAGE >= R.hits.length;
  }
  function entry(row) {
    const now = R.now, outcome = outcomeOf(row), text = (now.q && texts.get(row)) || "", at = text.indexOf((now.q || "").toLowerCase());
    return make("li", {}, [make("a", { href: R.hrefOf(row), "aria-current": R.ask && R.ask.row === row ? "true" : null }, [R.mark(outcome.grade), make("span", {}, [caseOf(row).title,
      make("small", {}, [(now.blind ? "" : agentOf(row).name + ", ") + "run " + index.run[row] + ": " + outcome.words +
        (text && at >= 0 ? " · …" + text.slice(Math.max(0, at - 30), at + 40) + "…" : "")])])])]);
  }

  /* An empty list says what it means and leads on: to the rest of what the figure is about, or to other agents. */
  function nothing(free) {
    const now = R.now, counted = now.counted || words.figures[now.outcome] || "";
    const [name, part] = counted.split(/(\.no)?$/), metric = index.metrics.find((one) => one.name === name);
    const who = now.blind || !now.agent ? "" : R.nameOf(now.agent), to = (changes, text) => [el("a", text, { href: R.link({ ...changes, case: "" }) })];
    const rest = { outcome: "", counted: part ? name : name + ".no" }, left = metric ? countOf({ ...now, ...rest }) : 0;
    const others = who ? countOf({ ...now, agent: "", among: "ranked" }) : 0;
    if (left) {
      const [none, such] = words.none[counted] || [];
      return el("li.none", [who && none ? who + " " + none : (who ? who + ": n" : "N") + "one under “" + metric.words + (part ? ": no" : "") + "”", ". Read the ", to(rest, whole(left) + " " + (such || "others")),
        others > 0 && [", or the ", to({ agent: "", among: "ranked" }, whole(others) + " of others")], "."]);
    }
    const drop = Object.keys(free).sort((one, other) => free[other] - free[one])[0];
    if (!free[drop]) return el("li.none", "No conversation matches, even with any one filter removed. Clear the filters to start again.");
    const label = document.querySelector("label[for=by-" + drop + "]").textContent;
    return el("li.none", ["No conversation matches. Without “" + label + "” there are " + whole(free[drop]) + ". ", el("button", "Remove it", { "data-do": "drop", "data-drop": drop })]);
  }

  /* What the address asks for: the row to read, and the one beside it. */
  function wanted() {
    const now = R.now, at = index.caseAt.get(now.case);
    if (at === undefined) return null;
    const first = R.hits.find((row) => index.case[row] === at) ?? index.case.indexOf(at);
    const pick = (id, run, not) => {
      const rows = runsOf(at, index.agentAt.get(id));
      return rows.find((row) => index.run[row] === Number(run)) ?? rows.find((row) => row !== not);
    };
    const a = now.a || now.agent || agentOf(first).id, row = pick(a, now.run);
    return { a, row, other: now.b && pick(now.b, now.run2 || (now.b === a ? 0 : index.run[row]), row) };
  }
})();
