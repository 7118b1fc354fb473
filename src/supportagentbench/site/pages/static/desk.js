/* Your desk: the form below the sentence, and the tables, for the reader's own mix and prices. */
(() => {
  "use strict";
  const SAB = window.SAB, D = SAB.desk, { about, rounded } = SAB, { money, whole, percent } = SAB.print, count = (value) => value && value <= 0.5 ? "under 1" : whole(value);
  const one = (id) => document.getElementById(id), all = (selector) => [...document.querySelectorAll(selector)];
  const calls = one("calls");
  let data = null, choice = null; /* known with the agents */

  function said(desk) {
    if (!desk.parts) return "The mix is empty. Give at least one kind of ticket a share.";
    const groups = {};
    data.kinds.forEach((kind) => { groups[kind.group] = (groups[kind.group] || 0) + desk.mix[kind.name]; });
    return `${whole(desk.tickets)} tickets per month: ${Object.keys(groups).map((group) => `${group.toLowerCase()} ${percent(groups[group] / desk.parts)}`).join(", ")}.`;
  }

  /* The tables. */
  function put(cell, found, print) {
    let note = cell.querySelector(".small");
    cell.querySelector("a, .number").textContent = found ? print(found.value) : "–";
    if (!note && found) note = cell.appendChild(SAB.make("span", { class: "small muted number" }));
    if (note) note.textContent = found ? `${print(found.low)} to ${print(found.high)}` : "";
    keepIn(cell, found || {}, ["value", "low", "high"]);
  }
  function keepIn(cell, found, names) { names.forEach((name) => { cell.dataset[name] = found[name] === undefined ? "" : found[name]; }); }
  function gapWords(apart, row, other, tests) {
    if (!apart || !row.loss || !other.loss) return "–";
    const more = rounded(row.loss.value) - rounded(other.loss.value), words = `$${whole(Math.abs(more))} ${more >= 0 ? "more" : "less"}`;
    return apart.p * tests <= data.level ? words : words + " (could be chance)";
  }
  const valueOf = (name) => (row) => (row[name] ? row[name].value : Infinity);
  const inOrder = (rows, value) => rows.map((row, at) => [!row.agent.ranked, value(row), at])
    .sort((a, b) => a[0] - b[0] || (a[1] > b[1]) - (a[1] < b[1]) || a[2] - b[2]).map((place) => rows[place[2]]);
  function tables(found, desk) {
    const rows = data.agents.map((agent) => ({ agent, loss: D.loss(agent.slug, desk), handovers: D.handovers(agent.slug, desk), saving: D.saving(agent.slug, desk), month: D.badMonth(agent.slug, desk) }));
    const byLoss = inOrder(rows, valueOf("loss")), other = D.agent(choice.versus) || (found.pick ? D.agent(found.pick.agent.slug) : byLoss[0].agent);
    const tests = Math.max(1, rows.filter((row) => row.agent.ranked && row.loss).length - 1);
    rows.forEach((row) => {
      const line = document.querySelector(`.losses tr[data-slug="${row.agent.slug}"]`), cell = (name) => line.querySelector(`[data-cell=${name}]`);
      const apart = row.agent.slug === other.slug ? null : D.gap(row.agent.slug, other.slug, desk);
      put(cell("loss"), row.loss, about);
      put(cell("handovers"), row.handovers, count);
      put(cell("saving"), row.saving, about);
      cell("month").textContent = row.month === null ? "–" : about(row.month);
      keepIn(cell("month"), { value: row.month }, ["value"]);
      if (calls) cell("calls").textContent = row.agent.cost === null ? "–" : about(desk.tickets * row.agent.cost);
      cell("gap").textContent = gapWords(apart, row, rows.find(({ agent }) => agent.slug === other.slug), tests);
      keepIn(cell("gap"), apart || {}, ["value", "p"]);
    });
    const often = (link, value) => { link.textContent = value === null ? "–" : count(value); }, slug = (link) => link.closest("tr").dataset.slug;
    all("[data-times]").forEach((link) => often(link, D.times(slug(link), desk, link.dataset.times)));
    all("[data-endangered]").forEach((link) => often(link, D.endangered(slug(link), desk)));
    all(".against").forEach((head) => { head.textContent = other.name; });
    sort(choice.order === "board" ? rows : choice.order ? inOrder(rows, valueOf(choice.order)) : byLoss);
  }
  function sort(rows) {
    all(".losses, .mistakes").forEach((table) => {
      const lines = Object.fromEntries([...table.tBodies[0].rows].map((line) => [line.dataset.slug, line]));
      rows.forEach((row) => { if (lines[row.agent.slug]) table.tBodies[0].append(lines[row.agent.slug]); });
    });
  }

  /* The form; a field in which somebody writes is left alone. */
  function fill(desk) {
    const set = (input, value) => { if (input && input !== document.activeElement) input.value = value; };
    set(one("preset"), Object.keys(choice.mix).length ? "own" : choice.preset);
    set(one("versus"), choice.versus);
    set(one("order"), choice.order);
    if (calls) calls.checked = choice.calls;
    all("[data-price]").forEach((input) => set(input, +desk.prices[input.dataset.price].toFixed(2)));
    all("[data-part]").forEach((input) => set(input, +desk.mix[input.dataset.part].toPrecision(2)));
  }
  addEventListener("sab-verdicts", ({ detail }) => {
    data = D.data();
    if (!choice || /^#?$|=/.test(location.hash)) choice = D.choice(); /* an anchor within the page leaves it alone */
    const { desk } = detail;
    fill(desk);
    tables(detail, desk);
    one("said").textContent = said(desk);
    one("priced").textContent = `Cost per mistake: ${all("[data-price]").map((input) => `${input.dataset.title} ${money(desk.prices[input.dataset.price])}`).join(", ")}.`;
    one("without").hidden = desk.calls || !calls;
  });
  const listed = (values) => Object.keys(values).map((name) => name + ":" + values[name]).join(",");
  function keep() {
    SAB.keep({ ...SAB.state(), vs: choice.versus, o: choice.order });
    SAB.rechoose({ ch: choice.cheats ?? "", p: choice.preset === D.fresh().preset ? "" : choice.preset, m: listed(choice.mix), c: listed(choice.prices), calls: choice.calls === D.fresh().calls ? "" : choice.calls ? "1" : "0" });
  }
  function set(values, name, value, usual) { if (value === null || value === usual) delete values[name]; else values[name] = value; }
  function enter({ target: input }) {
    const number = parseFloat(input.value), value = isFinite(number) && number >= 0 ? number : null;
    if (input.id === "preset") Object.assign(choice, { preset: input.value, mix: {}, cheats: null });
    else if (input.id === "versus") choice.versus = input.value;
    else if (input.id === "order") choice.order = input.value;
    else if (input.id === "calls") choice.calls = input.checked;
    else if (input.dataset.price) set(choice.prices, input.dataset.price, value, undefined);
    else if (input.dataset.part) {
      /* The other shares stay as they are shown. */
      if (choice.cheats !== null) Object.assign(choice, { mix: { ...D.deskOf(choice).mix }, cheats: null });
      set(choice.mix, input.dataset.part, value, data.presets[choice.preset][input.dataset.part]);
    } else return;
    keep();
  }
  for (const part of [one("more"), one("versus"), one("order")]) part.addEventListener("input", enter);
  one("more").addEventListener("submit", (event) => event.preventDefault());
  one("reset").addEventListener("click", () => {
    SAB.keep({});
    SAB.rechoose(Object.fromEntries(["lu", "lm", "lo", "t", "h", "v", "ch", "p", "m", "c", "calls"].map((key) => [key, ""])));
  });
  one("copy").addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(() => { one("copy").textContent = "Copied"; }, () => {});
  });
})();
