/* Two agents compared, or one agent's runs: #a=…&b=…&show=… */
(() => {
  "use strict";
  const SAB = window.SAB, { make } = SAB, files = {}, by = (id) => document.getElementById(id);
  const metrics = JSON.parse(by("metrics").textContent), result = by("result"), pickers = { a: by("a"), b: by("b") }, title = document.title;
  const MARKS = { good: "●", fair: "◆", bad: "▲", none: "–" };
  const SHELVES = { resolvable: "Resolvable", must_escalate: "Must escalate", adversarial: "Traps", twin: "Honest twins" };
  let index = null;
  SAB.pairs = (file) => { files[file.id] = file; };
  SAB.index = (found) => { index = found; };

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
  const tabled = (caption, heads, rows) => make("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption }, [make("table", {}, [
    make("caption", {}, [caption]), make("thead", {}, [make("tr", {}, heads.map((head) => make("th", { scope: "col" }, [head])))]), make("tbody", {}, rows)])]);

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
      found[metric] = { by, ends: low ? from + " to " + to : "–", p, cases, differ, which, significant };
    }
    return { gaps: found, claims };
  }
  function value(slug, metric) {
    const one = files[slug].values[metric];
    return one ? make("td", {}, [anchor(one.link, one.text, { "aria-label": one.text + ": " + one.label }), sub(one.count + "; " + one.new_cases)]) : make("td", { title: "nothing to count" }, ["–"]);
  }
  const measured = (state, gaps) => metrics.map(({ name, title, good, unit, few }) => {
    const gap = gaps[name], row = [make("th", { scope: "row" }, [title, sub(good)]), value(state.a, name), value(state.b, name)];
    return make("tr", {}, row.concat(!gap ? cells(["–", "no case in common", "–"]) : [
      make("td", { class: "number" }, [gap.by + (unit && " " + unit), sub(gap.ends)]),
      make("td", { class: "number" }, [make("strong", {}, [gap.significant ? "significant" : few ? "too few case types to compare" : "no significant difference"]), sub(gap.p)]),
      make("td", { class: "number" }, [gap.differ ? anchor(here(state, name), gap.differ + " of " + gap.cases) : "0 of " + gap.cases])]));
  });

  /* Which of the two for what: the metrics whose difference is significant, then those where none was or could be found. */
  function answer({ a, b }, name, gaps) {
    const found = { a: [], b: [], none: [], few: [] };
    for (const { name: metric, title, good, few } of metrics) {
      const gap = gaps[metric], text = (slug) => (files[slug].values[metric] || { text: "–" }).text, words = title.toLowerCase();
      if (!gap) continue;
      if (!gap.significant) { found[few ? "few" : "none"].push(words); continue; }
      const first = (gap.by[0] === "+") === (good === "higher is better");
      found[first ? "a" : "b"].push(words + " (" + text(first ? a : b) + " against " + text(first ? b : a) + ")");
    }
    const side = (one) => found[one].length > 0 && make("li", {}, [make("strong", {}, [name[one]]), " for " + found[one].join(", ") + "."]);
    const rest = (list, head) => list.length > 0 && make("p", {}, [head + list.join(", ") + "."]);
    const sides = [side("a"), side("b")].filter(Boolean);
    const verdict = (slug) => { const one = SAB.verdictOf(slug); return make("li", {}, [make("strong", {}, [one.decided + ": "]), [one.why, one.beside].filter(Boolean).join(" ")]); };
    return [make("p", { class: "lead", id: "answer" }, [SAB.whichOfTwo(a, b)]), make("ul", { id: "verdicts" }, [verdict(a), verdict(b)]),
      sides.length ? make("ul", { id: "sides" }, sides) : make("p", {}, ["The tests find no significant difference on any metric."]),
      sides.length && rest(found.none, "No significant difference: "), rest(found.few, "Too few case types to compare: ")].filter(Boolean);
  }

  /* By bucket, then case type; the legend names every outcome that occurs. */
  const marks = (a, { about, tried }, side) => make("td", {}, tried[side].map(({ run, outcome: { grade, words } }) =>
    anchor(link("reader.html", { case: about.id, a, run }), MARKS[grade], { class: "mark " + grade, "aria-label": "run " + run + ": " + words, title: words })));
  function grid(state, cases, label) {
    const same = state.a === state.b, used = new Map(), parts = [];
    for (const [shelf, name] of Object.entries(SHELVES)) {
      const some = cases.filter(({ about }) => (about.twin_of ? "twin" : about.bucket) === shelf);
      if (!some.length) continue;
      const rows = some.map((one, at) => {
        const { id, family } = one.about, is_new = !at || some[at - 1].about.family !== family;
        for (const { outcome } of one.tried.flat()) used.set(outcome.name, MARKS[outcome.grade] + " " + outcome.words);
        return make("tr", {}, [
          make("td", {}, [is_new ? index.case_types[family] : ""]), make("th", { scope: "row" }, [anchor("cases/" + id + ".html", one.about.title)]),
          marks(state.a, one, 0), same ? null : marks(state.b, one, 1),
          make("td", {}, [anchor(link("reader.html", { case: id, a: state.a, b: state.b, run: 1 }), "read side by side", { "aria-label": "read " + one.about.title + " side by side" })])]);
      });
      parts.push(make("h4", {}, [name + ", " + some.length]), tabled(name + ": " + label, ["Case type", "Case", ...(same ? ["Runs"] : ["A", "B"]), "Read"], rows));
    }
    return [make("p", { class: "small muted" }, [used.size ? "One mark per run: " + [...used.values()].join("; ") + "." : "No such case."]), ...parts];
  }

  function two(state, name) {
    const { gaps, claims } = between(state), cases = ended([state.a, state.b]), cores = cases.filter(({ both, about }) => both && !about.twin_of);
    const show = gaps[state.show] || SHOWS[state.show] ? state.show : "", gap = gaps[show];
    const options = [...Object.entries(SHOWS).map(([key, [words]]) => [key, words]),
      ...metrics.filter((metric) => gaps[metric.name]).map((metric) => [metric.name, "they differ on " + metric.title.toLowerCase()])];
    const select = make("select", {}, options.map(([value, words]) => make("option", { value }, [words])));
    select.value = show;
    select.addEventListener("change", () => { location.hash = here(state, select.value).split("#")[1]; });
    const counts = ["right", "wrong", "a", "b"].map((key) => make("li", {}, [name[key] ? "only " + name[key] + " passes: " : SHOWS[key][0] + ": ",
      anchor(here(state, key), cores.filter(SHOWS[key][1]).length + " of " + cores.length)]));
    const chosen = gap ? gap.which.map((place) => cases[place]).sort((x, y) => x.place - y.place) : cases.filter(SHOWS[show][1]);
    return [
      make("h2", {}, [name.a + " or " + name.b + "?"]),
      ...answer(state, name, gaps),
      make("h3", {}, ["Where their outcomes differ"]),
      make("p", {}, ["An agent passes a case if more than half of its runs end well. Results on the " + cores.length + " headline cases that both have and code can decide:"]),
      make("ul", {}, counts),
      make("p", { class: "controls" }, [make("label", {}, ["Cases in which ", select]), chosen.length + (gap && gap.differ > chosen.length ? " of " + gap.differ + ", largest differences first" : "")]),
      ...grid(state, chosen, select.selectedOptions[0].textContent),
      make("h3", {}, ["Every metric"]),
      make("p", {}, ["A is ", make("strong", {}, [name.a]), ", B is ", make("strong", {}, [name.b]), ". Values are as on the board, with counts and the 95% interval for new cases; the difference is A minus B over the cases both have."]),
      tabled("All metrics", ["Metric", "A", "B", "A − B", "Difference", "Cases that differ"], measured(state, gaps)),
      claims.length ? make("p", { class: "note" }, ["What the board says about the two, corrected for all pairs: " + claims.join(" ")]) : make("p", {}, ["The board, which corrects for all pairs at once, makes no claim about the two."])];
  }
  function alone(state, name) {
    const { values, claims = [] } = files[state.a], { runs } = index.agents.find((agent) => agent.id === state.a), numbers = [...Array(runs).keys()];
    const rows = metrics.filter((metric) => values[metric.name]).map((metric) => {
      const one = values[metric.name];
      return make("tr", {}, [make("th", { scope: "row" }, [anchor(one.link, metric.title, { "aria-label": one.label })]), ...cells([...numbers.map((run) => one.runs[run] || "–"), one.flips || "–"])]);
    });
    const flipped = ended([state.a]).filter(({ tried }) => new Set(tried[0].map((run) => run.outcome.name)).size > 1);
    return [
      make("h2", {}, [name.a + ", run by run"]),
      tabled("Every metric in every run", ["Metric", ...numbers.map((run) => "Run " + (run + 1)), "Chance that two runs of a case differ"], rows),
      make("p", {}, [claims.join(" ") || "On the compared metrics, its runs vary no more than chance would explain."]),
      make("h3", {}, ["Cases whose outcome differs between runs: " + flipped.length]),
      ...grid(state, flipped, "runs differ")];
  }

  async function draw() {
    const state = SAB.state(), name = {};
    for (const side of ["a", "b"]) {
      pickers[side].value = state[side] || "";
      if (pickers[side].selectedIndex < 0) pickers[side].value = "";
      name[side] = pickers[side].value && pickers[side].selectedOptions[0].textContent;
    }
    by("start").hidden = Boolean(name.a && name.b);
    result.hidden = !by("start").hidden;
    document.title = result.hidden ? title : name.a + " and " + name.b + " · " + title;
    by("said").textContent = state.a && !name.a || state.b && !name.b ? "No agent has that name. Choose one from the list." : "";
    if (result.hidden) return;
    try {
      await Promise.all([load("data/index.js", () => index), load("data/choice.js", SAB.isReady), pairs(state.a), pairs(state.b)]);
    } catch (path) {
      result.replaceChildren(make("p", { class: "note bad" }, ["The file " + path + " is missing or cannot be read. Rebuild the site."]));
      return;
    }
    const now = SAB.state();
    if (now.a === state.a && now.b === state.b && now.show === state.show) result.replaceChildren(...(state.a === state.b ? alone : two)(state, name));
  }
  const choose = (a, b) => { location.hash = here({ a, b }).split("#")[1]; };
  for (const picker of Object.values(pickers)) picker.addEventListener("change", () => choose(pickers.a.value, pickers.b.value));
  by("swap").addEventListener("click", () => choose(pickers.b.value, pickers.a.value));
  by("pair").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => { if (/^$|=/.test(location.hash)) draw(); });
  addEventListener("sab-choice", draw);
  addEventListener("load", () => { if (!SAB.isReady()) draw(); }); /* says which file is missing */
})();
