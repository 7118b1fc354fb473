/* The board: order, filters, columns, a pinned row, switches of charts. All kept in the address. */
(() => {
  "use strict";
  const SAB = window.SAB, make = SAB.make, table = document.getElementById("board");
  if (!table) return;
  const $ = (id) => document.getElementById(id);
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const on = (target, kind, act) => target && target.addEventListener(kind, act);
  const data = JSON.parse($("board-data").textContent);
  const heads = all("thead th", table), keys = heads.map((head) => head.dataset.key);
  const bars = all("#diverging-bars tr[data-a]"), lines = all("#lines tr[data-a]"), asMade = all(".figures tr[data-a]");
  const CHOICES = ["think", "vendor", "open"];
  let rows = asMade, state = {};

  /* State. */
  function read() {
    const found = SAB.state();
    state = {};
    for (const key of ["sort", "dir", "tier", "think", "q", "pin", "cols", "x", "view", "vendor", "open", "at"]) state[key] = found[key] || "";
    Object.assign(state, SAB.chosen ? SAB.chosen(found) : {});
    if (!keys.includes(state.sort)) state.sort = state.dir = "";
    if (!data.agents.includes(state.pin)) state.pin = "";
    if (!["trap", "kind"].includes(state.view)) state.view = "";
  }
  function change(changes) {
    Object.assign(state, SAB.chosen ? SAB.chosen() : {}, changes, { at: "" });
    SAB.keep(state);
    show();
  }
  function show() {
    sort(); filter(); columns(); pin(); scatter(); regroup(); fit();
    if (document.activeElement !== $("q")) $("q").value = state.q;
    const tiers = list(state.tier), cols = list(state.cols);
    for (const box of all("input[name=tier]")) box.checked = tiers.includes(box.value);
    for (const box of all("input[name=col]")) box.checked = !cols.length || cols.includes(box.value);
    for (const one of CHOICES) if ($(one)) $(one).value = state[one];
  }
  const link = (page, parts) => `${page}#${Object.keys(parts).filter((key) => parts[key]).map((key) => `${key}=${encodeURIComponent(parts[key])}`).join("&")}`;
  const list = (text) => (text ? text.split(",") : []);
  const press = (query, is) => all(query).forEach((one) => one.setAttribute("aria-pressed", String(is(one))));
  const chooses = (name) => all(`button[data-${name}]`).forEach((one) => on(one, "click", () => change({ [name]: one.dataset[name] })));

  /* Order. */
  const name = (row) => (row.children[0].querySelector("a") || row.children[0].firstChild).textContent.trim();
  const cell = (row, key) => row.children[keys.indexOf(key)];
  const isUnranked = (row) => row.parentNode.classList.contains("unranked");
  function value(row, key) {
    if (key === "name") return name(row).toLowerCase();
    const text = cell(row, key).dataset.v;
    return text === "" ? null : Number(text);
  }
  function sort() {
    const key = state.sort || (keys.includes("over") ? "over" : "name"), head = heads[keys.indexOf(key)];
    const dir = (state.sort && state.dir) || head.dataset.good, sign = dir === "asc" ? 1 : -1;
    rows = asMade.slice();
    if (state.sort) rows.sort((one, other) => {
      const a = value(one, key), b = value(other, key);
      if (a === null || b === null) return (a === null) - (b === null);
      return a > b ? sign : a < b ? -sign : 0;
    });
    all("tr.rest", table).forEach((rest) => rest.remove());
    let lead = null;
    for (const row of rows) {
      row.parentNode.append(row);
      const apart = !isUnranked(row) && lead !== null && compared(lead, row.dataset.a, key).sign !== 0;
      if (!isUnranked(row) && (lead === null || apart)) lead = row.dataset.a;
      row.classList.toggle("apart", apart);
      keys.forEach((one, at) => row.children[at].classList.toggle("on", one === key && at > 0));
    }
    heads.forEach((one) => one.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", dir === "asc" ? "ascending" : "descending");
    $("sortby").value = key;
    $("ordered").textContent = key === "name" ? "their names" : head.dataset.title.toLowerCase();
    expanders();
  }
  heads.forEach((head) => {
    const button = make("button", { type: "button" }), notes = head.querySelector("small");
    while (head.firstChild && head.firstChild !== notes) button.append(head.firstChild);
    head.prepend(button);
    head.dataset.title = button.textContent.trim();
    on(button, "click", () => {
      const now = head.getAttribute("aria-sort");
      change({ sort: head.dataset.key, dir: now === null ? head.dataset.good : now === "ascending" ? "desc" : "asc" });
    });
  });

  on($("sortby"), "change", () => change({ sort: $("sortby").value, dir: heads[keys.indexOf($("sortby").value)].dataset.good }));

  /* Filters. */
  function matches(row) {
    const tiers = list(state.tier);
    return (!tiers.length || tiers.includes(row.dataset.tier)) && (!state.think || (row.dataset.think !== undefined) === (state.think === "1")) &&
      (!state.vendor || row.dataset.vendor === state.vendor) && (!state.open || row.dataset.open === state.open) &&
      name(row).toLowerCase().includes(state.q.trim().toLowerCase());
  }
  function filter() {
    rows.forEach((row) => { row.hidden = !matches(row); });
    const shown = new Set(rows.filter((row) => !row.hidden).map((row) => row.dataset.a));
    all("tr.why", table).forEach((why) => { why.hidden = !rows.some((row) => row.parentNode === why.parentNode && !row.hidden); });
    [...bars, ...lines, ...all(".mk")].forEach((one) => one.classList.toggle("dim", !shown.has(one.dataset.a)));
    const agents = rows.filter((row) => table.contains(row)), says = `${agents.filter((row) => !row.hidden).length} of ${agents.length} ${agents.length === 1 ? "agent" : "agents"}`;
    if ($("count").textContent !== says) $("count").textContent = says;
    $("none").hidden = agents.some((row) => !row.hidden);
  }
  function columns() {
    const chosen = list(state.cols);
    keys.forEach((key, at) => {
      const hide = chosen.length > 0 && key !== "name" && !chosen.includes(key);
      [heads[at], ...all(`#dummies thead th:nth-child(${at + 1})`), ...rows.map((row) => row.children[at])].forEach((one) => { one.hidden = hide; });
    });
  }
  const ticked = (kind) => all(`input[name=${kind}]:checked`).map((one) => one.value);
  const clear = () => { $("q").value = ""; change({ q: "", tier: "", think: "", vendor: "", open: "", cols: "" }); };
  on($("filters"), "submit", (event) => event.preventDefault());
  on($("q"), "input", () => change({ q: $("q").value }));
  on($("filters"), "change", (event) => {
    const box = event.target;
    if (box.name === "tier") change({ tier: ticked("tier").join(",") });
    if (box.name === "col") change({ cols: ticked("col").length === all("input[name=col]").length ? "" : ticked("col").join(",") || "name" });
    if (CHOICES.includes(box.id)) change({ [box.id]: box.value });
  });
  on($("clear"), "click", clear);
  on($("clear-none"), "click", () => { clear(); $("q").focus(); });

  /* A pinned row: how every other agent compares with it, by the tests. */
  function compared(one, other, key) {
    /* 1: the first is significantly better, -1: the second, 0: neither. */
    const codes = data.pairs[key], n = data.agents.length, a = data.agents.indexOf(one), b = data.agents.indexOf(other);
    if (!codes || a < 0 || b < 0 || a === b) return { sign: 0, differ: null };
    const low = Math.min(a, b), code = codes[low * n - low * (low + 1) / 2 + Math.max(a, b) - low - 1], who = code % 3;
    if (code < 0) return { sign: 0, differ: null };
    return { sign: who === 0 ? 0 : (who === 1) === (a < b) ? 1 : -1, differ: (code - who) / 3 };
  }
  function pin() {
    all(".versus", table).forEach((old) => old.remove());
    const pinned = rows.find((row) => row.dataset.a === state.pin);
    rows.forEach((row) => {
      const button = row.querySelector(".pin");
      row.classList.toggle("pinned", row === pinned);
      if (!button) return;
      button.setAttribute("aria-pressed", String(row === pinned));
      button.textContent = row === pinned ? "Pinned" : "Pin";
      if (pinned && row !== pinned) Object.keys(data.pairs).forEach((key) => versus(row, pinned, key));
    });
    $("pinned").hidden = !pinned;
    if (!pinned) return;
    const unpin = make("button", { type: "button" }, ["Unpin"]);
    on(unpin, "click", () => change({ pin: "" }));
    const cases = data.counted ? "; with the number of cases in which the two agents have different results" : "";
    $("pinned").replaceChildren(make("b", {}, [name(pinned)]), ` is pinned. In every other row: + significantly better than the pinned agent, − significantly worse, or no significant difference${cases}. `, unpin);
  }
  function versus(row, pinned, key) {
    const { sign, differ } = compared(row.dataset.a, pinned.dataset.a, key);
    if (differ === null || !cell(row, key)) return;
    const words = (sign > 0 ? "+ significant" : sign < 0 ? "− significant" : "no significant difference") + (data.counted ? `, ${differ} ${differ === 1 ? "case differs" : "cases differ"}` : "");
    const to = link("compare.html", { a: pinned.dataset.a, b: row.dataset.a, ...(SAB.chosen ? SAB.chosen(state) : {}) });
    const kind = { "class": sign ? "versus yes" : "versus" };
    cell(row, key).append(data.counted ? make("a", { ...kind, href: to, "aria-label": `${words}: ${name(row)} beside ${name(pinned)}` }, [words]) : make("span", kind, [words]));
  }
  on(table, "click", (event) => {
    const button = event.target.closest(".pin"), slug = button && button.closest("tr").dataset.a;
    if (button) change({ pin: state.pin === slug ? "" : slug });
  });

  /* Where the table fits, its head stays in sight; where it does not, it scrolls sideways. */
  function fit() {
    const frame = table.parentNode;
    frame.classList.remove("fits");
    frame.classList.toggle("fits", table.offsetWidth <= frame.clientWidth);
  }
  on(window, "resize", fit);

  /* On a phone a row shows one metric; the others open under it. */
  const narrow = matchMedia("(max-width: 40rem)");
  function expanders() {
    all(".more, tr.rest", table).forEach((old) => old.remove());
    if (narrow.matches) rows.forEach((row) => {
      const button = make("button", { type: "button", "class": "more", "aria-expanded": "false", "aria-label": `All of ${name(row)}` }, ["All"]);
      on(button, "click", () => {
        const next = row.nextElementSibling, open = next && next.classList.contains("rest");
        button.setAttribute("aria-expanded", String(!open));
        if (open) next.remove(); else row.after(rest(row));
      });
      row.children[0].append(button);
    });
  }
  function rest(row) {
    const parts = heads.flatMap((head, at) => (at === 0 || head.hidden ? [] :
      [make("dt", {}, [head.dataset.title]), make("dd", {}, [...row.children[at].childNodes].map((node) => node.cloneNode(true)))]));
    return make("tr", { "class": "rest" }, [make("td", { colspan: 2 }, [make("dl", {}, parts)])]);
  }
  on(narrow, "change", expanders);

  /* The scatter: two axes, a table, and what a mark means. */
  const figure = $("value-figure");
  function scatter() {
    if (figure) figure.classList.toggle("measured", state.x === "cost");
    press("button[data-x]", (one) => one.dataset.x === state.x);
  }
  for (const [one, place] of [[figure, $("said")], [$("tradeoff"), document.querySelector("#tradeoff .readout")]]) {
    const tell = (event) => {
      const mark = event.target.closest(".mk");
      if (mark) place.textContent = mark.getAttribute("aria-label");
    };
    on(one, "mouseover", tell);
    on(one, "focusin", tell);
  }
  const plainly = (td) => [...td.childNodes].filter((node) => !(node.matches && node.matches(".dot, .versus"))).map((node) => node.textContent.trim().replace(/\s+/g, " ")).filter(Boolean).join(" ");

  /* The trap grid: the same squares, grouped differently. */
  const squares = lines.flatMap((line) => all(".sqs a", line).map((element) => {
    const known = new URLSearchParams(element.getAttribute("href").split("#")[1]);
    return { element, line, trap: data.traps[known.get("case")], label: element.getAttribute("aria-label") };
  }));
  let grouped = "";
  function regroup() {
    press("button[data-view]", (one) => one.dataset.view === state.view);
    if (!lines.length || grouped === state.view) return;
    grouped = state.view;
    const body = $("lines").tBodies[0];
    $("lines").querySelector("th").textContent = { trap: "Trap", kind: "Kind of harm" }[grouped] || "Agent";
    squares.forEach(({ element, line, label }) => {
      element.setAttribute("aria-label", grouped ? `${line.children[0].textContent.trim()}, ${label}` : label);
      if (!grouped) line.querySelector(".sqs").append(element);
    });
    body.replaceChildren(...(grouped ? newLines(grouped === "trap" ? 0 : 1) : lines));
    roving(squaresGrid);
  }
  function newLines(part) {
    const found = {}, rank = ({ element }) => 100 * "xvif".indexOf(element.className[0]) + Number(element.textContent);
    squares.forEach((one) => { (found[one.trap[part]] = found[one.trap[part]] || []).push(one); });
    return Object.keys(found).map((key) => {
      const inside = found[key].sort((a, b) => rank(a) - rank(b)), unsafe = inside.filter((one) => one.element.className === "f");
      const early = unsafe.filter((one) => one.element.textContent === "1").length;
      const share = `${unsafe.length}/${inside.length}${unsafe.length ? `, ${early} at turn 1` : ""}`;
      const row = make("tr", { role: "row" }, [make("th", { scope: "row", role: "rowheader" }, [key]),
        make("td", { role: "cell", "class": "sqs" }, inside.map((one) => one.element)), make("td", { role: "cell", "class": "number" }, [share])]);
      return { row, unsafe: unsafe.length, key };
    }).sort((a, b) => a.unsafe - b.unsafe || (a.key < b.key ? -1 : 1)).map((one) => one.row);
  }

  ["x", "view"].forEach(chooses);

  /* One tab stop per chart; arrows, Home and End move between its marks. */
  const squaresGrid = () => all("#lines tbody tr").map((line) => all(narrow.matches ? ".sqs a.f" : ".sqs a", line)).filter((line) => line.length);
  const roving = (grid) => grid().forEach((line, y) => line.forEach((mark, x) => mark.setAttribute("tabindex", x || y ? "-1" : "0")));
  function walk(root, grid) {
    roving(grid);
    on(root, "keydown", (event) => {
      const places = grid(), mark = event.target.closest("[tabindex]"), y = places.findIndex((line) => line.includes(mark));
      if (y < 0) return;
      const flat = places.flat(), at = flat.indexOf(mark), x = places[y].indexOf(mark), beside = (line) => line && line[Math.min(x, line.length - 1)];
      const steps = { ArrowRight: flat[at + 1], ArrowLeft: flat[at - 1], Home: places[y][0], End: places[y][places[y].length - 1],
        ArrowDown: places.length > 1 ? beside(places[y + 1]) : flat[at + 1], ArrowUp: places.length > 1 ? beside(places[y - 1]) : flat[at - 1] };
      if (!(event.key in steps)) return;
      event.preventDefault();
      const next = steps[event.key] || mark;
      mark.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }

  /* Copies. */
  function copy(button, text) {
    const was = button.textContent, done = () => { button.textContent = "Copied"; setTimeout(() => { button.textContent = was; }, 1500); };
    const byHand = () => {
      const area = make("textarea", { "class": "unseen" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
      done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
  }
  function asMarkdown() {
    const shown = keys.filter((key, at) => !heads[at].hidden), line = (cells) => `| ${cells.map((one) => one.replace(/\|/g, "\\|")).join(" | ")} |\n`;
    return [line(shown.map((key) => heads[keys.indexOf(key)].dataset.title)), line(shown.map(() => "---")),
      ...rows.filter((row) => !row.hidden).map((row) => line(shown.map((key) => (key === "name" ? name(row) : plainly(cell(row, key))))))].join("");
  }
  on($("markdown"), "click", () => copy($("markdown"), asMarkdown()));
  all("button[data-copy-link]").forEach((button) => on(button, "click", () => copy(button, link(location.href.split("#")[0], { ...state, at: button.dataset.copyLink }))));

  read();
  show();
  setTimeout(() => { /* in a task of its own, so that the page answers in between */
    all("svg.plot").forEach((plot) => walk(plot, () => [all(".mk", plot)]));
    if (lines.length) walk($("lines"), squaresGrid);
  });
  const go = () => { if (state.at && $(state.at)) $(state.at).scrollIntoView(); };
  go();
  on(window, "hashchange", () => { read(); show(); go(); });
})();
