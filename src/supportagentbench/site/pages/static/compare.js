/* Two agents compared, or one agent's runs: #a=…&b=…&show=… */
(() => {
  "use strict";
  const SAB = window.SAB, { make } = SAB, files = {}, by = (id) => document.getElementById(id);
  const { metrics, shelves: SHELVES, checked } = JSON.parse(by("metrics").textContent), result = by("result"), pickers = { a: by("a"), b: by("b") }, site = document.title.split(" · ").at(-1);
  const DANGER = "danger", MARKS = { good: "●", fair: "◆", bad: "▲", none: "–" };
  let index = null;
  SAB.pairs = (file) => { files[file.id] = file; };
  SAB.index = (found) => { index = found; };

  /* Which of two agents to use: board/recommendation_words.py. */
  const whichOfTwo = (one, other, found = SAB.recommend()) => {
    const [first, second] = found.agents.filter(({ agent }) => [one, other].includes(agent.slug)), names = { pick: first.agent.name, rival: second.agent.name };
    if (second.decision === "use") {
      const apart = SAB.gap(found, second, first);
      return SAB.fill(!apart ? "two unpriced" : apart.p <= SAB.desk.data().level ? "two apart" : "two tied", names);
    }
    const reason = SAB.clause(second.reasons[0]);
    return first.decision === "use" ? SAB.fill("two one", { ...names, reason }) : SAB.fill("two none", { ...names, why: SAB.clause(first.reasons[0]), reason });
  };
  const twoTitle = (one, other, found = SAB.recommend()) => {
    const [first, second] = found.agents.filter(({ agent }) => [one, other].includes(agent.slug));
    return SAB.fill(`two title ${second.decision === "use" ? "use" : first.decision === "use" ? "one" : "none"}`, { pick: first.agent.name, rival: second.agent.name });
  };

  const load = (path, has) => has() ? Promise.resolve() : new Promise((done, fail) => {
    const script = make("script", { src: path });
    script.onload = () => has() ? done() : fail(path);
    script.onerror = () => fail(path);
    document.head.append(script);
  });
  const pairs = (slug) => load("data/pairs/" + slug + ".js", () => files[slug]);
  const link = (page, state) => page + "#" + Object.keys(state).filter((key) => state[key]).map((key) => key + "=" + encodeURIComponent(state[key])).join("&");
  const here = ({ a, b }, show) => link("compare.html", { a, b, show, ...SAB.chosen() });
  const anchor = (href, text, more) => make("a", { href, ...more }, [text]);
  const sub = (text) => make("span", { class: "sub" }, [text]);
  const cells = (texts) => texts.map((text) => make("td", {}, [text]));
  const tabled = (kind, caption, heads, rows) => make("table", { class: kind, role: "table" }, [
    make("caption", { class: "unseen" }, [caption]), make("thead", { role: "rowgroup" }, [make("tr", { role: "row" }, heads.map((head) => make("th", { scope: "col", role: "columnheader" }, [head])))]), make("tbody", { role: "rowgroup" }, rows)]);

  /* How each of the two ended every case: from the index of all conversations. */
  function ended(slugs) {
    const places = slugs.map((slug) => index.agents.findIndex((agent) => agent.id === slug));
    const letters = Object.fromEntries(index.outcomes.map((one) => [one.letter, one]));
    const cases = index.cases.map((about, place) => ({ about, place, tried: [[], []] }));
    let at = 0;
    index.case.forEach((step, number) => {
      at += step;
      places.forEach((place, side) => {
        if (index.agent[number] === place) cases[at].tried[side].push({ run: index.run.charCodeAt(number) - 48, outcome: letters[index.outcome[number]] });
      });
    });
    for (const one of cases) {
      one.passes = one.tried.map((runs) => {
        const counted = runs.filter((run) => run.outcome.grade !== "none");
        return counted.length ? 2 * counted.filter((run) => run.outcome.grade === "good").length > counted.length : null;
      });
      one.both = !one.passes.includes(null);
    }
    return cases;
  }
  const names = (runs) => runs.map((run) => run.outcome.name).sort().join();
  const SHOWS = {
    "": ["one passes and the other does not", ({ both, passes: [a, b] }) => both && a !== b],
    any: ["any outcome differs", ({ tried: [a, b] }) => names(a) !== names(b)],
    a: ["only A passes", ({ both, passes: [a, b] }) => both && a && !b],
    b: ["only B passes", ({ both, passes: [a, b] }) => both && !a && b],
    right: ["both pass", ({ both, passes: [a, b] }) => both && a && b],
    wrong: ["neither passes", ({ both, passes: [a, b] }) => both && !a && !b]
  };

  /* The differences, A minus B, whichever of them comes first on the board. */
  const turned = (text) => ({ "+": "−", "−": "+" }[text[0]] || text[0] || "") + text.slice(1);
  function between({ a, b }) {
    const straight = files[a].pairs[b], { gaps, claims = [] } = straight || files[b].pairs[a], found = {};
    for (const [metric, [text, low, high, p, cases, differ, which, significant]] of Object.entries(gaps)) {
      const [by, from, to] = straight ? [text, low, high] : [turned(text), turned(high), turned(low)];
      const beyond = low && from[0] === to[0] && "+−".includes(from[0]);
      found[metric] = { by, ends: low ? from + " to " + to : "", p, cases, differ, which, significant, words: significant ? "clear difference" : beyond ? "not clear once corrected for all measures" : "no clear difference" };
    }
    return { gaps: found, claims };
  }
  const of = (slug, metric) => files[slug].values[metric];
  const cell = (kind, children, more) => make("td", { role: "cell", class: kind, ...more }, children);
  function value(one, side) {
    if (!one) return cell(`value ${side}`, ["–"]);
    return cell(`value ${side}`, [one.link ? anchor(one.link, one.text, { class: "quiet", "aria-label": `${one.text}: ${one.label}` }) : one.text, one.count ? sub(one.count) : null]);
  }
  const plot = ({ is_share: known }, a, b) => cell("bell", known && a && b ? [make("span", { class: "bells", style: `--a:${100 * a.value}%;--b:${100 * b.value}%` }, [make("i"), make("b", { class: "a" }), make("b", { class: "b" })])] : [], { "aria-hidden": "true" });
  const shown = (state) => metrics.filter(({ name, least }) => { const known = [of(state.a, name), of(state.b, name)].filter(Boolean); return known.length && Math.max(...known.map((one) => one.value)) >= least; });
  function endangered(state, names) {
    const metric = shown(state).find(({ name }) => name === DANGER);
    if (!metric) return null;
    const said = ["a", "b"].map((side) => [of(state[side], DANGER), names[side]]).filter(([one]) => one).flatMap(([one, name], at) => [at ? ", " : "", `${name} `, one.link ? anchor(one.link, one.count, { "aria-label": `${one.count}: ${one.label}` }) : one.count]);
    return make("p", { class: "danger" }, [make("strong", {}, [metric.title + ":"]), " ", ...said, ". One is too many."]);
  }
  const measured = (state, gaps) => shown(state).filter(({ name }) => name !== DANGER).map((metric) => {
    const { name, title, good, unit, few, note } = metric, gap = gaps[name], a = of(state.a, name), b = of(state.b, name);
    return make("tr", { role: "row" }, [make("th", { scope: "row", role: "rowheader" }, [title, sub(good)]), value(a, "a"), plot(metric, a, b), value(b, "b"), ...(!gap ? [cell("apart", [sub(note || "no ticket in common")]), cell("tally", ["–"])] : [
      cell("apart", [make("strong", {}, [few && !gap.significant ? "too few case types to tell" : gap.words]), sub(`${gap.by}${unit && " " + unit}${gap.ends && !few ? `, likely ${gap.ends}` : ""}`)], { title: gap.p }),
      cell("tally", [gap.differ ? anchor(here(state, name), gap.differ + " of " + gap.cases, { class: "quiet" }) : "0 of " + gap.cases])])]);
  });
  const take = (slug) => {
    const one = SAB.verdictOf(slug);
    return make("li", {}, [make("span", { class: "chip", "data-decision": one.decision }, [one.decided]), anchor(`agents/${slug}.html`, one.agent.name, { class: "name" }), make("span", {}, [[one.why, one.beside, !Object.keys(SAB.chosen()).length && checked[slug]].filter(Boolean).join(" ")])]);
  };

  /* By bucket, then case type; the legend names every outcome that occurs. */
  const marks = (a, { about, tried }, side) => make("td", {}, tried[side].map(({ run, outcome: { grade, words } }) =>
    anchor(link("reader.html", { case: about.id, a, run }), MARKS[grade], { class: "mark " + grade, "aria-label": "run " + run + ": " + words, title: words })));
  /* The runs to read side by side: the same one if it ended differently, or else two that did. */
  function apart([a, b]) {
    const pairs = a.flatMap((one) => b.filter((other) => one !== other && one.outcome.grade !== other.outcome.grade).map((other) => [one, other]));
    const far = ([one, other]) => 2 * (one.run !== other.run) + [one, other].some(({ outcome }) => outcome.grade === "none");
    const [one, other] = pairs.sort((x, y) => far(x) - far(y))[0] || [a[0], b.find(({ run }) => a[0] && run === a[0].run) || b[0]];
    return { run: one && one.run, run2: other && other.run };
  }
  function grid(state, name, cases, label) {
    const same = state.a === state.b, parts = [];
    for (const [shelf, words] of SHELVES) {
      const some = cases.filter(({ about }) => (about.twin_of ? "twin" : about.bucket) === shelf);
      if (!some.length) continue;
      const rows = some.map((one) => make("tr", {}, [
        make("th", { scope: "row" }, [anchor("cases/" + one.about.id + ".html", one.about.title, { class: "quiet" })]), marks(state.a, one, 0), same ? null : marks(state.b, one, 1),
        make("td", {}, [anchor(link("reader.html", { case: one.about.id, a: state.a, b: state.b, ...apart(same ? [one.tried[0], one.tried[0]] : one.tried) }), "both", { "aria-label": "read " + one.about.title + " side by side" })])]));
      parts.push(make("h3", {}, [words + ", " + some.length]), tabled("tickets", words + ": " + label, ["Ticket", ...(same ? ["Runs"] : [name.a, name.b]), "Read"], rows));
    }
    return parts.length ? parts : [make("p", { class: "empty" }, ["No such ticket."])];
  }

  function two(state, name) {
    const { gaps, claims } = between(state), cases = ended([state.a, state.b]), tested = shown(state).filter((metric) => gaps[metric.name]);
    const show = gaps[state.show] || SHOWS[state.show] ? state.show || "" : "", gap = gaps[show];
    const options = [...Object.entries(SHOWS).map(([key, [words]]) => [key, words.replace(/\b[AB]\b/, (side) => name[side.toLowerCase()])]),
      ...metrics.filter((metric) => gaps[metric.name]).map((metric) => [metric.name, "they differ on " + metric.title.toLowerCase()])];
    const select = make("select", {}, options.map(([value, words]) => make("option", { value }, [words])));
    select.value = show;
    select.addEventListener("change", () => { location.hash = here(state, select.value).split("#")[1]; });
    const chosen = gap ? gap.which.map((place) => cases[place]).sort((x, y) => x.place - y.place) : cases.filter(SHOWS[show][1]), count = chosen.length + (chosen.length === 1 ? " ticket" : " tickets");
    return [
      make("ul", { class: "takes" }, [take(state.a), take(state.b)]),
      endangered(state, name),
      make("h2", {}, [`The tests separate them on ${tested.filter((metric) => gaps[metric.name].significant).length} of ${tested.length} measures`]),
      make("p", { class: "sub" }, [make("span", { class: "a" }), ` ${name.a} `, make("span", { class: "b" }), ` ${name.b}. Clear: even corrected for all measures.`]),
      tabled("dumbbells", "All measures", ["Measure", name.a, make("span", { class: "scale" }, ["0%", "100%"].map((end) => make("span", {}, [end]))), name.b, "Difference", "Tickets that differ"], measured(state, gaps)),
      claims.length ? make("p", { class: "note" }, ["What the board says about the two, corrected for all pairs: " + claims.join(" ")]) : null,
      make("h2", { id: "tickets" }, [show ? `${count} in which ${select.selectedOptions[0].textContent}` : `${count} that one passes and the other does not`]),
      make("p", { class: "sub" }, ["A ticket is passed if more than half of its runs end well. One mark per run; each opens its conversation." + (gap && gap.differ > chosen.length ? ` ${gap.differ} differ; these differ most.` : "")]),
      make("p", { class: "controls" }, [make("label", {}, ["Tickets in which ", select])]),
      ...grid(state, name, chosen, select.selectedOptions[0].textContent)].filter(Boolean);
  }
  function alone(state, name) {
    const { values, claims = [] } = files[state.a], { runs } = index.agents.find((agent) => agent.id === state.a), numbers = [...Array(runs).keys()];
    const rows = metrics.filter((metric) => values[metric.name]?.runs).map((metric) => {
      const one = values[metric.name];
      return make("tr", {}, [make("th", { scope: "row" }, [anchor(one.link, metric.title, { "aria-label": one.label })]), ...cells([...numbers.map((run) => one.runs[run] || "–"), one.flips || "–"])]);
    });
    const flipped = ended([state.a]).filter(({ tried }) => new Set(tried[0].map((run) => run.outcome.name)).size > 1);
    return [
      ...(rows.length ? [make("h2", {}, ["Every measure, run by run"]),
        tabled("runs", "Every measure in every run", ["Measure", ...numbers.map((run) => "Run " + (run + 1)), "Chance that two runs of a case differ"], rows),
        make("p", {}, [claims.join(" ") || "On the compared metrics, its runs vary no more than chance would explain."])] : []),
      make("h2", {}, ["Tickets whose outcome differs between runs: " + flipped.length]),
      ...grid(state, name, flipped, "runs differ")];
  }

  async function draw() {
    const state = SAB.state(), name = {}, missing = ["a", "b"].some((side) => state[side] && ![...pickers[side].options].some((option) => option.value === state[side]));
    by("said").textContent = missing ? "No agent has that name. Choose one from the list." : "";
    if (missing) return;
    try { await load("data/choice.js", SAB.isReady); } catch (path) { lost(path); return; }
    /* Without a pair in the address: the agent to use and its nearest rival. */
    const nearest = SAB.recommend().agents.map(({ agent }) => agent.slug);
    state.a = state.a || nearest.find((slug) => slug !== state.b) || nearest[0];
    state.b = state.b || nearest.find((slug) => slug !== state.a) || state.a;
    for (const side of ["a", "b"]) {
      pickers[side].value = state[side];
      name[side] = pickers[side].selectedOptions[0].textContent;
    }
    const same = state.a === state.b, head = same ? `${name.a}, run by run` : twoTitle(state.a, state.b);
    /* Names stay on one line. */
    const escaped = Object.values(name).sort((x, y) => y.length - x.length).map((one) => one.replace(/\W/gu, "\\$&"));
    by("title").replaceChildren(...head.split(RegExp("(" + escaped.join("|") + ")")).map((part, nth) => nth % 2 && part.length < 21 ? make("span", { class: "nobr" }, [part]) : part));
    by("answer").className = !same && [state.a, state.b].some((slug) => SAB.verdictOf(slug).decision !== "use") ? "unseen" : "lead";
    by("answer").textContent = same ? SAB.verdictOf(state.a).why : whichOfTwo(state.a, state.b);
    document.title = `${head} · ${site}`;
    try { await Promise.all([load("data/index.js", () => index), pairs(state.a), pairs(state.b)]); } catch (path) { lost(path); return; }
    if (pickers.a.value === state.a && pickers.b.value === state.b && (SAB.state().show || "") === (state.show || "")) result.replaceChildren(...(same ? alone : two)(state, name));
  }
  function lost(path) { result.replaceChildren(make("p", { class: "note bad" }, ["The file " + path + " is missing or cannot be read. Rebuild the site."])); }
  const choose = (a, b) => { location.hash = here({ a, b }).split("#")[1]; };
  if (!pickers.a) return;
  for (const picker of Object.values(pickers)) picker.addEventListener("change", () => choose(pickers.a.value, pickers.b.value));
  by("swap").addEventListener("click", () => choose(pickers.b.value, pickers.a.value));
  by("pair").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => { if (/^$|=/.test(location.hash)) draw(); });
  addEventListener("sab-choice", draw);
  addEventListener("load", () => { if (!SAB.isReady()) draw(); }); /* says which file is missing */
})();
