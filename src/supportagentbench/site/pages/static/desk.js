/* Your desk: the form, the answer and the tables, for the reader's own mix and prices. */
(() => {
  "use strict";
  const SAB = window.SAB, D = SAB.desk, { money, whole, signed, percent } = SAB.print, { deskOf, abuseShare } = D;
  const one = (id) => document.getElementById(id), all = (selector) => [...document.querySelectorAll(selector)];
  D.begin(JSON.parse(one("desk-data").textContent));
  const data = D.data(), fresh = D.fresh(), calls = one("calls"), bySlug = Object.fromEntries(data.agents.map((agent) => [agent.slug, agent]));
  function gapWords(found, tests) {
    if (!found) return "–";
    var words = money(Math.abs(found.value)) + (found.value >= 0 ? " more" : " less");
    return found.p * tests <= data.level ? words : "no significant difference: " + words;
  }

  /* The reader's settings, in the form and in the address. */
  function number(input, otherwise) {
    var value = parseFloat(input.value);
    return isFinite(value) && value >= 0 ? value : otherwise;
  }
  const listed = (values) => Object.keys(values).map((name) => name + ":" + values[name]).join(",");
  function toAddress(choice) {
    SAB.keep({
      ...SAB.state(),
      t: choice.tickets === fresh.tickets ? "" : choice.tickets,
      h: choice.person === fresh.person ? "" : choice.person,
      v: choice.worth === fresh.worth ? "" : choice.worth,
      ch: choice.cheats === null ? "" : choice.cheats,
      p: choice.preset === fresh.preset ? "" : choice.preset,
      m: listed(choice.mix), c: listed(choice.prices),
      vs: choice.versus, o: choice.order,
      calls: choice.calls === fresh.calls ? "" : choice.calls ? "1" : "0",
    });
  }
  const short = (value, digits) => +value.toPrecision(digits);
  function fill(choice) {
    var desk = deskOf(choice);
    one("tickets").value = choice.tickets;
    one("person").value = choice.person;
    one("preset").value = Object.keys(choice.mix).length ? "own" : choice.preset;
    one("versus").value = choice.versus;
    one("order").value = choice.order;
    if (calls) calls.checked = choice.calls;
    if (one("worth")) one("worth").value = choice.worth;
    follow(choice, desk);
  }
  /* What follows from other fields; a field in which somebody writes is left alone. */
  function follow(choice, desk) {
    var put = (input, value) => { if (input !== document.activeElement) input.value = value; };
    if (one("cheats")) put(one("cheats"), choice.cheats === null ? short(100 * abuseShare(desk.mix), 3) : choice.cheats);
    all("[data-price]").forEach((input) => { put(input, short(desk.prices[input.dataset.price], 6)); });
    all("[data-part]").forEach((input) => { put(input, short(desk.mix[input.dataset.part], 4)); });
  }

  /* Answer and tables. */
  function put(cell, found, print) {
    var figure = cell.querySelector("a, .number"), note = cell.querySelector(".small");
    figure.textContent = found ? print(found.value) : "–";
    if (!note && found) note = cell.appendChild(SAB.make("span", { "class": "small muted number" }));
    if (note) note.textContent = found ? print(found.low) + " to " + print(found.high) : "";
    keepIn(cell, found || {}, ["value", "low", "high"]);
  }
  function keepIn(cell, found, names) {
    names.forEach((name) => { cell.dataset[name] = found[name] === undefined ? "" : found[name]; });
  }
  function draw(cell, found, most) {
    var at = (value) => Math.min(Math.max(100 * value / most, 0), 100).toPrecision(3) + "%";
    var dot = found && SAB.make("span", { "class": "dot none", "aria-hidden": "true" }, [SAB.make("b")]);
    if (dot) [["--v", found.value], ["--a", found.low], ["--b", found.high]].forEach((pair) => { dot.style.setProperty(pair[0], at(pair[1])); });
    cell.replaceChildren(...(dot ? [dot] : []));
  }
  function inOrder(rows, value) {
    return rows.map((row, at) => [!row.agent.ranked, value(row), at])
      .sort((a, b) => a[0] - b[0] || (a[1] > b[1]) - (a[1] < b[1]) || a[2] - b[2])
      .map((place) => rows[place[2]]);
  }
  const valueOf = (name) => (row) => row[name] ? row[name].value : Infinity;
  function show(choice) {
    var desk = deskOf(choice), rows = data.agents.map((agent) => {
      return { agent, loss: D.loss(agent.slug, desk), handovers: D.handovers(agent.slug, desk), saving: D.saving(agent.slug, desk), month: D.badMonth(agent.slug, desk) };
    });
    var byLoss = inOrder(rows, valueOf("loss")), ranked = byLoss.filter((row) => row.agent.ranked && row.loss), found = SAB.isReady && SAB.isReady() && SAB.recommend(), pick = found && found.pick ? rows.find((row) => row.agent.slug === found.pick.agent.slug) : null, other = bySlug[choice.versus] || (pick || byLoss[0]).agent;
    var tests = Math.max(1, ranked.length - 1), end = ranked.reduce((high, row) => Math.max(high, row.loss.high), 0) || 1;
    rows.forEach((row) => {
      var line = document.querySelector('.losses tr[data-slug="' + row.agent.slug + '"]'), cell = (name) => line.querySelector("[data-cell=" + name + "]");
      var found = row.agent === other ? null : D.gap(row.agent.slug, other.slug, desk);
      put(cell("loss"), row.loss, money);
      put(cell("handovers"), row.handovers, whole);
      put(cell("saving"), row.saving, signed);
      draw(cell("dot"), row.agent.ranked ? row.loss : null, end);
      cell("month").textContent = row.month === null ? "–" : money(row.month);
      keepIn(cell("month"), { value: row.month }, ["value"]);
      if (calls) cell("calls").textContent = row.agent.cost === null ? "–" : money(desk.tickets * row.agent.cost);
      cell("gap").textContent = gapWords(found, tests);
      keepIn(cell("gap"), found || {}, ["value", "p"]);
    });
    all("[data-times]").forEach((link) => {
      var often = D.times(link.closest("tr").dataset.slug, desk, link.dataset.times);
      link.textContent = often === null ? "–" : whole(often);
    });
    all("[data-endangered]").forEach((link) => {
      var often = D.endangered(link.closest("tr").dataset.slug, desk);
      link.textContent = often === null ? "–" : whole(often);
    });
    sort(choice.order === "board" ? rows : choice.order ? inOrder(rows, valueOf(choice.order)) : byLoss);
    all(".against").forEach((head) => { head.textContent = other.name; });
    if (found) {
      var sentences = answer(found, pick, desk);
      one("answer").replaceChildren(SAB.make("strong", {}, [sentences[0]]), [""].concat(sentences.slice(1)).join(" "));
    }
    one("said").textContent = said(desk);
    one("priced").textContent = "Cost per mistake: " + all("[data-price]").map((input) => {
      return input.dataset.title + " " + money(desk.prices[input.dataset.price]);
    }).join(", ") + ".";
    one("without").hidden = desk.calls || !calls;
  }
  function sort(rows) {
    all(".losses, .mistakes").forEach((table) => {
      var lines = {};
      for (const line of table.tBodies[0].rows) lines[line.dataset.slug] = line;
      rows.forEach((row) => { if (lines[row.agent.slug]) table.tBodies[0].append(lines[row.agent.slug]); });
    });
  }
  /* Which one, as every page says it, and what else there is to know about its cost. */
  function answer(recommended, pick, desk) {
    var said = SAB.which(recommended), found = [said.title + "."].concat(said.lead);
    if (!pick || !pick.loss) return found;
    found = found.concat(turning(recommended, pick.agent, desk), mainCause(pick, desk));
    if (pick.month !== null) found.push(`A bad month (one in ${data.oneIn}) costs more than ${SAB.about(pick.month)}.`);
    return found;
  }
  function turning(recommended, pick, desk) {
    const rival = recommended.rival && recommended.rival.agent, turn = rival ? turningPoint(D.ends(rival.slug, desk), D.ends(pick.slug, desk)) : NaN;
    if (!(turn > 0)) return [];
    return [(turn > abuseShare(desk.mix) ? `Above ${percent(turn)} cheats, ${rival.name} costs more` : `Below ${percent(turn)} cheats, ${rival.name} would cost less`) + ` than ${pick.name}.`];
  }
  function turningPoint(mine, theirs) {
    if (!mine || !theirs) return NaN;
    const without = mine[0] - theirs[0], only = mine[1] - theirs[1];
    return without < 0 && only > 0 ? without / (without - only) : NaN;
  }
  function mainCause(row, desk) {
    var most = { price: 0 }, part = (price, cause) => { if (price > most.price) most = { price, cause }; };
    data.mistakes.forEach((mistake) => { part(D.times(row.agent.slug, desk, mistake.name) * desk.prices[mistake.name], mistake.cause); });
    part(D.fees(row.agent.slug, desk), "model calls");
    return most.price ? [(2 * most.price > row.loss.value ? "Most" : "The largest part") + ` of what ${row.agent.name} costs, ${SAB.about(most.price)}, is ${most.cause}.`] : [];
  }
  function said(desk) {
    if (!desk.parts) return "The mix is empty. Give at least one kind of ticket a share.";
    var groups = {};
    data.kinds.forEach((kind) => { groups[kind.group] = (groups[kind.group] || 0) + desk.mix[kind.name]; });
    return whole(desk.tickets) + " tickets per month: " + Object.keys(groups).map((group) => {
      return group.toLowerCase() + " " + percent(groups[group] / desk.parts);
    }).join(", ") + "." + (data.worth ? " Goods cost " + money(desk.worth) + "." : "") + " A person costs " + money(desk.person) + " per ticket.";
  }

  let choice = D.choice();
  function changed() { toAddress(choice); SAB.rechoose(SAB.chosen()); follow(choice, deskOf(choice)); show(choice); }
  function enter(event) {
    var input = event.target, value = number(input, null);
    if (input.id === "tickets") choice.tickets = value || fresh.tickets;
    else if (input.id === "person") choice.person = value === null ? fresh.person : value;
    else if (input.id === "worth") choice.worth = value === null ? fresh.worth : value;
    else if (input.id === "cheats") choice.cheats = value === null || value > 100 ? null : value;
    else if (input.id === "preset") { choice.preset = input.value; choice.mix = {}; choice.cheats = null; fill(choice); }
    else if (input.id === "versus") choice.versus = input.value;
    else if (input.id === "order") choice.order = input.value;
    else if (input.id === "calls") choice.calls = input.checked;
    else if (input.dataset.price) set(choice.prices, input.dataset.price, value, undefined);
    else if (input.dataset.part) {
      /* The other shares stay as they are shown. */
      if (choice.cheats !== null) { choice.mix = deskOf(choice).mix; choice.cheats = null; }
      set(choice.mix, input.dataset.part, value, data.presets[choice.preset][input.dataset.part]);
      one("preset").value = Object.keys(choice.mix).length ? "own" : choice.preset;
    }
    changed();
  }
  function set(values, name, value, usual) {
    if (value === null || value === usual) delete values[name]; else values[name] = value;
  }
  one("reset").addEventListener("click", () => {
    history.replaceState(null, "", location.pathname + location.search);
    if (SAB.rechoose) SAB.rechoose(Object.fromEntries(["lu", "lm", "lo", "t", "h", "v", "ch", "p", "m", "c", "calls"].map((key) => [key, ""])));
    restore();
  });
  one("copy").addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(() => { one("copy").textContent = "Copied"; }, () => {});
  });
  [one("desk"), one("more")].forEach((form) => {
    form.addEventListener("input", enter);
    form.addEventListener("submit", (event) => { event.preventDefault(); });
  });
  function restore() { choice = D.choice(); fill(choice); show(choice); }
  addEventListener("hashchange", restore);
  addEventListener("sab-choice", restore);
  restore();
})();
