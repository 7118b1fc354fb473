/* The reader: opens what the address names, compares two, and moves through messages; keeps the reader's own notes. */
(() => {
  "use strict";
  const SAB = window.SAB, make = SAB.make, R = SAB.reader, { words, by, el, whole, FILTERS } = R;
  const KEYS = ["case", "a", "b", "run", "run2", "m", ...FILTERS, "blind"], titled = document.title, narrow = matchMedia("(max-width: 860px)"), unsealed = new Set();
  let open = [], shown = "";

  const say = (text) => { by("said").textContent = text; };
  const stored = (key, value) => {
    try {
      if (value === undefined) return localStorage.getItem(key);
      localStorage.setItem(key, value);
    } catch (error) { /* it then lasts as long as the page */ }
    return null;
  };

  /* The address. Opening a conversation adds to the history; a filter does not. */
  const link = R.link = (changes) => {
    const next = { ...R.now, ...changes };
    return "#" + KEYS.filter((key) => next[key]).map((key) => key + "=" + encodeURIComponent(next[key])).join("&");
  };
  const keep = () => SAB.keep(Object.fromEntries(KEYS.map((key) => [key, R.now[key]])));
  const go = (changes) => { location.hash = link(changes); };
  const refine = (changes) => { R.fromTheFirst(); Object.assign(R.now, changes); keep(); route(); };
  R.hrefOf = (row) => link({ case: R.caseOf(row).id, a: R.agentOf(row).id, run: R.index.run[row], m: "", ...(R.now.b === R.now.a ? { b: "", run2: "" } : {}) });
  /* The state that names both conversations in full. */
  const both = R.both = () => ({ a: open[0].agent, run: R.index.run[open[0].row], ...(open[1] ? { b: open[1].agent, run2: R.index.run[open[1].row] } : {}) });

  function route(event) {
    try { R.now = R.withDefaults(SAB.state()); } catch (error) { R.now = R.withDefaults({}); }
    R.drawFound();
    const { now, ask } = R, key = [now.case, now.b, now.run2, now.blind, ask && ask.a, ask && ask.row].join("|");
    if (key !== shown) { shown = key; read(!!event); } else if (event) { fold(); reach(now.m, true); }
  }
  function fold() {
    const find = by("find"), was = find.open;
    find.open = !narrow.matches || (!R.now.case && FILTERS.some((key) => R.now[key] && R.now[key] !== R.USUAL[key]));
    if (find.open && !was) find.scrollIntoView();
  }
  async function read(moved) {
    const { now, ask } = R, asked = shown;
    open = [];
    by("intro").hidden = by("start").hidden = !!now.case;
    by("tools").hidden = true;
    fold();
    const who = ask && R.nameOf(ask.a, "a") + (now.b ? " and " + R.nameOf(now.b, "b") : "");
    document.title = now.case ? [R.titleOf(now.case), who, titled.split(" · ").pop()].filter(Boolean).join(" · ") : titled;
    for (const id of ["head", "rounds", "map"]) by(id).replaceChildren();
    const why = now.case && problem(), warn = (text) => by("head").replaceChildren(el("h1", R.titleOf(now.case), { id: "title", tabindex: "-1" }), el("div.note", text, { role: "alert" }));
    if (why) return warn(why);
    if (!now.case) return;
    const rows = now.b ? [ask.row, ask.other] : [ask.row];
    try {
      const found = await Promise.all(rows.map((row) => R.load(now.case, R.agentOf(row).id)));
      if (asked !== shown) return;
      open = rows.map((row, at) => ({ side: "ab"[at], agent: R.agentOf(row).id, row, ...found[at].runs.find((conversation) => conversation.run === R.index.run[row]) }));
      draw();
      if (moved && !now.m) by("title").focus();
      reach(now.m, false);
    } catch (error) { if (asked === shown) warn(error.message); }
  }
  function problem() {
    const { now, ask } = R;
    if (!ask) return "These runs have no case named " + now.case + ".";
    const lacks = ask.row === undefined ? ask.a : now.b && ask.other === undefined ? now.b : "";
    if (lacks) return lacks + " has no such conversation for " + R.titleOf(now.case) + ".";
    if (![ask.row, ask.other].some((row) => R.index.missing[row] === "1")) return "";
    const kept = R.index.kept === "none" ? "no conversation" : "only conversations with issues";
    return [el("p", "This conversation counts in every figure but is not in this folder, which includes " + kept + ". To include all:"),
      el("pre", "sab site build RUNS --transcripts all")];
  }

  /* One conversation, or two. */
  function draw() {
    const [a, b] = open, about = R.caseOf(a.row), script = a.transcript;
    const kind = [words[about.bucket], about.twin_of && "honest twin of " + R.titleOf(about.twin_of), script.language && "in " + script.language].filter(Boolean).join(", ");
    by("head").replaceChildren(el("div.stick", [el("h1", about.title, { id: "title", tabindex: "-1" }), open.map(tabs)]),
      el("p.sub", [kind && kind[0].toUpperCase() + kind.slice(1) + " · ", el("a", "about this " + words.page, { href: words.page + "s/" + encodeURIComponent(R.now.case) + ".html" })]), R.due(a));
    by("rounds").className = b ? "two" : "one";
    if (words.dangers.includes(about.family) && !unsealed.has(about.id)) by("rounds").replaceChildren(sealed());
    else {
      by("rounds").replaceChildren(...(b ? R.beside(a, b) : R.roundsOf(a).map((round) => el("div.round", round.map((at) => R.message(a, at)))).concat(R.ending(a))));
      if (unsealed.has(about.id)) by("rounds").append(helpline());
    }
    by("map").replaceChildren(...open.map((conversation) => el("div", [...document.querySelectorAll(".message[id^=" + conversation.side + "m]")].map((one) =>
      el("i." + one.className.split(" ")[1] + "." + (one.dataset.issue || "plain"), R.index.marks[one.dataset.issue], { "data-do": "reach", "data-to": one.id })))));
    drawTools();
    measure(by("head").querySelector(".stick"));
  }
  /* A conversation about danger to life is folded until it is opened. */
  const helpline = () => el("p.small.muted", ["If you need someone to talk to: ", el("a", "findahelpline.com", { href: "https://findahelpline.com", rel: "noopener" })]);
  const sealed = () => el("div.panel.sealed", [el("h2", "A person may be in danger in this conversation"),
    el("p", "It can mention violence or suicide. The customer is simulated."),
    ...open.map((one) => el("p", [R.mark(R.outcomeOf(one.row).grade), " ", el("b", R.nameOf(one.agent, one.side)), ": " + R.outcomeOf(one.row).words + ". ", R.worstOf(one)])),
    el("p", el("button", "Open the conversation", { type: "button", "data-do": "unseal" })), helpline()]);
  function tabs(conversation) {
    const run = conversation.side === "a" ? "run" : "run2", outcome = R.outcomeOf(conversation.row), name = R.nameOf(conversation.agent, conversation.side), { index } = R;
    const tab = (row) => el("a", [R.mark(R.outcomeOf(row).grade), " " + words.run + " " + index.run[row], el("span.unseen", ", " + R.outcomeOf(row).words)],
      { href: link({ ...both(), m: "", [run]: index.run[row] }), "aria-current": row === conversation.row ? "true" : null });
    return el("nav.tabs", [el("strong", (open[1] && !R.now.blind ? conversation.side.toUpperCase() + " · " : "") + name),
      el("ul", R.runsOf(index.case[conversation.row], index.agent[conversation.row]).map((row) => el("li", tab(row)))),
      el("span.ended." + outcome.grade, outcome.words)], { "aria-label": "Runs of " + conversation.side + ", " + name });
  }
  function drawTools() {
    const [a, b] = open, { index } = R, caseAt = index.case[a.row], next = b && nextDifference();
    const option = (id, run, text) => el("option", text, { value: id + "|" + run });
    const runs = R.runsOf(caseAt, index.agent[a.row]).filter((row) => row !== a.row);
    const agents = index.agents.filter((one, at) => one.id !== a.agent && R.runsOf(caseAt, at).length);
    const group = (label, isIn) => { const some = agents.filter(isIn); return some.length > 0 && el("optgroup", some.map((one) => option(one.id, "", one.name)), { label }); };
    by("with").replaceChildren(...[el("option", "Compare with …", { value: "" }), group("Other agents", (one) => !one.among.includes("dummies")),
      runs.length > 0 && el("optgroup", runs.map((row) => option(a.agent, index.run[row], words.run.toLowerCase() + " " + index.run[row])), { label: "The same agent" }),
      group("Dummies", (one) => one.among.includes("dummies"))].filter(Boolean));
    by("with").value = b ? b.agent + "|" + (b.agent === a.agent ? index.run[b.row] : "") : "";
    document.querySelectorAll(".if-two").forEach((one) => { one.hidden = !b; });
    by("next").hidden = !next;
    if (next) by("next").href = link({ ...both(), case: next, m: "" });
    by("with").hidden = !!R.now.blind;
    by("tools").classList.toggle("two", !!b);
    by("wrong").hidden = !document.querySelector(".message[data-issue]");
    by("blind").textContent = R.now.blind ? "Reveal names" : "Hide names";
    by("tools").hidden = false;
    countNotes();
  }
  function nextDifference() {
    const { index } = R, [a, b] = open.map((conversation) => [index.agent[conversation.row], index.run[conversation.row]]), from = index.case[open[0].row];
    const order = [...index.cases.keys()].map((step) => (from + 1 + step) % index.cases.length).slice(0, -1);
    const grade = (row) => row === undefined ? "" : R.outcomeOf(row).grade;
    const at = order.find((one) => grade(R.rowAt(one, ...a)) && grade(R.rowAt(one, ...b)) && grade(R.rowAt(one, ...a)) !== grade(R.rowAt(one, ...b)));
    return at === undefined ? "" : index.cases[at].id;
  }

  /* The reader's own notes stay in this browser until they are exported. */
  try { R.notes = JSON.parse(stored("sab-notes")) || {}; } catch (error) { R.notes = {}; }
  R.keyOf = (conversation, at, about) => [conversation.digest, at, about].join("|");
  R.place = (conversation, at, about) => ({ "data-key": R.keyOf(conversation, at, about),
    "data-note": JSON.stringify({ case: R.now.case, agent: conversation.agent, run: conversation.run, transcript: conversation.digest, turn: at, about }) });
  function note(where, change) {
    const key = where.dataset.key, made = { ...JSON.parse(where.dataset.note), ...R.notes[key], ...change };
    if (made.stance || made.text) R.notes[key] = made; else delete R.notes[key];
    stored("sab-notes", JSON.stringify(R.notes));
    countNotes();
  }
  function countNotes() { by("export").textContent = "Export my notes (" + Object.keys(R.notes).length + ")"; }
  function exportNotes() {
    const lines = Object.keys(R.notes).sort().map((key) => JSON.stringify(R.notes[key]) + "\n");
    make("a", { href: URL.createObjectURL(new Blob(lines)), download: "notes.jsonl" }).click();
  }
  function markdown() {
    const { now } = R, conversation = open.find((one) => (now.m || "")[0] === one.side) || open[0], only = Number((now.m || "").slice(2)) - 1, { turns } = conversation.transcript;
    const lines = turns.flatMap((turn, at) => only >= 0 && at !== only ? [] : [turn.party + (turn.party === "customer" ? ", message " : ", answer to message ") + R.numberAt(turns, at) + ":",
      ...(turn.calls || []).map((call) => "[" + call.tool + " " + JSON.stringify(call.arguments) + "]"), ...turn.text.split("\n"), ""]);
    return lines.map((line) => ("> " + line).trimEnd()).join("\n") + "\n\n" + R.titleOf(now.case) + " (" + now.case + "), " + R.nameOf(conversation.agent, conversation.side) + ", run " + conversation.run + ": " + location.href + "\n";
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
    /* What it answers comes with it, where both fit; the title stays above them. */
    const asked = at.previousElementSibling || (at.closest(".round") || at).previousElementSibling, stuck = document.querySelector(".stick");
    const whole = asked && at.getBoundingClientRect().bottom - asked.getBoundingClientRect().top < innerHeight / 2 ? asked : at;
    measure(stuck);
    whole.scrollIntoView();
    if (!focus) return;
    at.focus({ preventScroll: true });
    R.now.m = at.id;
    keep();
  }
  /* How much of the window the bar and the title of a conversation cover. */
  function measure(stuck) {
    const bar = document.querySelector(".masthead"), top = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0, { style } = document.documentElement;
    style.setProperty("--bar", top + "px");
    style.setProperty("--stuck", (stuck ? stuck.offsetHeight : 0) + "px");
    style.scrollPaddingTop = top + "px";
  }
  function step(by, isFlagged) {
    const all = messages(), from = all.findIndex((one) => one.id === R.now.m);
    let at = from < 0 && by < 0 ? all.length : from;
    do at += by; while (all[at] && isFlagged && !all[at].dataset.issue);
    if (all[at]) reach(all[at].id, true); else say("No further " + (isFlagged ? "issue" : "message"));
  }
  function walk(by) {
    const { ask, hits } = R, at = ask ? hits.indexOf(ask.row) : -1, after = ask ? hits.findIndex((row) => row > ask.row) : 0;
    const next = hits[at >= 0 ? at + by : by > 0 ? after : (after < 0 ? hits.length : after) - 1];
    if (next === undefined) say("No further conversation in the list"); else location.hash = R.hrefOf(next);
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
    const other = [...by("with").options].find((option) => option.value && option.value.endsWith("|"));
    if (other) go({ ...both(), b: other.value.split("|")[0], m: "" }); else by("with").focus();
  }
  function pickRun(run) { if (R.rowAt(R.index.case[open[0].row], R.index.agent[open[0].row], run) !== undefined) go({ ...both(), run, m: "" }); }
  function expand() {
    const calls = [...document.querySelectorAll(".call")], all = calls.some((one) => !one.open);
    for (const one of calls) one.open = all;
  }
  const acts = {
    next: () => step(1), previous: () => step(-1), flag: () => step(1, true), unflag: () => step(-1, true), on: () => walk(1), back: () => walk(-1),
    first: () => reach((messages()[0] || {}).id, true), last: () => reach((messages().pop() || {}).id, true), compare, expand, export: exportNotes,
    swap: () => open[1] && go({ a: open[1].agent, b: open[0].agent, run: R.index.run[open[1].row], run2: R.index.run[open[0].row], m: "" }),
    blind: () => go({ ...both(), blind: R.now.blind ? "" : "1" }), a: () => side("a"), b: () => side("b"), print: () => print(), help: () => by("help").showModal(),
    search: () => { by("find").open = true; by("by-q").focus(); }, inside: R.searchInside, link: () => copy(location.href), markdown: () => copy(markdown()),
    unseal: () => { unsealed.add(R.now.case); draw(); reach(R.now.m || "am1", true); },
    command: (one) => copy(one.previousSibling.textContent),
    json: () => copy(JSON.stringify(open.map(({ side: _, row: __, ...conversation }) => ({ case: R.now.case, ...conversation })), null, 1)),
    clear: () => refine(Object.fromEntries(FILTERS.map((key) => [key, ""]))), drop: (one) => refine({ [one.dataset.drop]: "" }),
    page: (one) => R.turnPage(Number(one.dataset.by)), reach: (one) => reach(one.dataset.to, true),
    stance: (one) => {
      note(one.parentNode, { stance: one.getAttribute("aria-pressed") === "true" ? "" : one.textContent });
      for (const other of one.parentNode.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other.textContent === (R.notes[one.parentNode.dataset.key] || {}).stance));
    },
  };
  const keys = { j: "next", k: "previous", n: "flag", p: "unflag", "]": "on", "[": "back", f: "first", l: "last", c: "compare", s: "swap", e: "expand", "/": "search", "?": "help" };

  /* Set up once; the rest follows the address. */
  document.addEventListener("DOMContentLoaded", () => {
    if (!R.index) return by("head").append(el("p.note", "data/index.js cannot be read, so no conversation can be listed."));
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
    by("filters").addEventListener("input", ({ target: { id, value } }) => refine({ [id.slice(3)]: value, ...(id === "by-agent" && !value && !R.now.among ? R.USUAL : {}) }));
    by("rounds").addEventListener("input", (event) => note(event.target, { text: event.target.value }));
    by("with").addEventListener("change", () => { const [b, run2] = by("with").value.split("|"); go({ ...both(), b, run2, m: "" }); });
    narrow.addEventListener("change", fold);
    addEventListener("resize", () => measure(document.querySelector(".stick")));
    addEventListener("hashchange", route);
    route();
  });
})();
