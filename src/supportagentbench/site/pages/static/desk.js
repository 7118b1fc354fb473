/* Your desk: the arithmetic of board/loss.py, on the same counts, for the reader's own mix and prices. */
(() => {
  "use strict";
  var SAB = window.SAB, data = null, fresh = null, bySlug = {}, names = [];
  var one = (id) => document.getElementById(id);
  var all = (selector) => [...document.querySelectorAll(selector)];
  var calls = one("calls");
  function begin(found) {
    data = found;
    names = data.mistakes.map((mistake) => mistake.name);
    for (const agent of data.agents) bySlug[agent.slug] = agent;
    fresh = { tickets: data.tickets, person: data.person, worth: data.worth, cheats: null, preset: data.order[0], mix: {}, prices: {}, versus: "", order: "", calls: data.fees };
  }

  /* How a figure is printed: as number.py prints it, halves to the even side. */
  function rounded(value, digits) {
    var scale = 10 ** digits, whole = Math.floor(value * scale);
    return value * scale - whole === 0.5 ? ((whole + whole % 2) / scale).toFixed(digits) : value.toFixed(digits);
  }
  const whole = (value) => rounded(value, 0).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  function money(value) {
    if (value >= 100) return "$" + whole(value);
    return "$" + (value >= 0.01 || !value ? rounded(value, 2) : value.toFixed(4));
  }
  const signed = (value) => {
    var cents = +rounded(Math.abs(value), 2);
    return (cents && value < 0 ? "−" : "") + money(cents);
  };
  function about(value) {
    var step = 10 ** Math.max(0, String(Math.floor(value)).length - 2);
    return money(Math.floor(value / step + 0.5) * step);
  }
  function percent(value) {
    var text = (100 * value).toFixed(1);
    if (value < 1 && text === "100.0") text = "99.9";
    if (value > 0 && text === "0.0") text = "0.1";
    return text.replace(/\.0$/, "") + "%";
  }

  const add = (list, part) => list.reduce((sum, one, at) => sum + part(one, at), 0);
  /* The weighted sum of the kinds' means, and its variance. */
  function monthly(values, worst, desk) {
    var total = 0, spread = 0, freedom = 0, heaviest = 0, missing = !desk.parts;
    data.kinds.forEach((kind, number) => {
      var part = desk.mix[kind.name];
      if (!part || missing) return;
      var known = values.filter((value, at) => data.cases[at] === number && value !== null), count = known.length;
      if (!count) { missing = true; return; }
      var mean = add(known, (value) => value) / count;
      var apart = add(known, (value) => (value - mean) * (value - mean));
      if (count === 1) apart = worst[number] * worst[number];
      var weight = desk.tickets * part / desk.parts;
      total += weight * mean;
      spread += weight * weight * apart / Math.max(1, count - 1) / count;
      freedom += count - 1;
      heaviest = Math.max(heaviest, weight / count * worst[number]);
    });
    return missing ? null : { value: total, spread: spread + data.imagined * heaviest * heaviest, freedom };
  }
  const half = (found, quantile, more) => quantile[Math.min(Math.max(found.freedom, 1), data.freedom) - 1] * Math.sqrt(found.spread + more);
  function interval(found, most, dollars) {
    var by = found && half(found, data.double, 0);
    return found && { value: found.value + dollars, low: Math.max(0, found.value - by) + dollars, high: Math.min(most, found.value + by) + dollars };
  }
  const each = (agent, measure) => agent.made.map((runs, at) => runs.length ? measure(runs, at) : null);
  /* Of several mistakes in one conversation the dearest counts. */
  const dearest = (made, prices) => made.map((nth) => names[nth]).reduce((best, name) => best && prices[best] >= prices[name] ? best : name, "");
  const price = (made, prices) => made.length ? prices[dearest(made, prices)] : 0;
  const costs = (agent, prices) => each(agent, (runs) => add(runs, (made) => price(made, prices)) / runs.length);
  const rates = (agent, mistake, prices) => each(agent, (runs) => runs.filter((made) => dearest(made, prices) === mistake).length / runs.length);
  function worst(desk, more) {
    return data.kinds.map((kind) => {
      return Math.max(0, ...kind.mistakes.map((name) => desk.prices[name])) + more;
    });
  }
  const ones = () => data.kinds.map(() => 1);
  function most(agent, desk, more) {
    var highest = worst(desk, 0);
    agent.made.forEach((runs, at) => {
      highest[data.cases[at]] = Math.max(highest[data.cases[at]], ...runs.map((made) => price(made, desk.prices)));
    });
    return add(data.kinds, (kind, at) => desk.tickets * desk.mix[kind.name] / desk.parts * (highest[at] + more));
  }
  const perTicket = (agent, desk) => desk.calls ? agent.cost || 0 : 0;
  function loss(agent, desk) {
    return interval(monthly(costs(agent, desk.prices), worst(desk, 0), desk), most(agent, desk, 0), desk.tickets * perTicket(agent, desk));
  }
  function handovers(agent, desk) {
    var values = each(agent, (runs, at) => agent.handed[at] / runs.length);
    return interval(monthly(values, ones(), desk), desk.tickets, 0);
  }
  function badMonth(agent, desk) {
    var squares = {}, limits = worst(desk, 0);
    Object.keys(desk.prices).forEach((name) => { squares[name] = desk.prices[name] * desk.prices[name]; });
    var found = monthly(costs(agent, desk.prices), limits, desk), luck = monthly(costs(agent, squares), limits, desk);
    return found && found.value + half(found, data.single, luck.value) + desk.tickets * perTicket(agent, desk);
  }
  function saving(agent, desk) {
    var needless = rates(agent, data.needless, desk.prices), lost = costs(agent, desk.prices), limits = worst(desk, desk.person);
    var values = each(agent, (runs, at) => lost[at] + desk.person * (agent.handed[at] / runs.length - needless[at]));
    var spent = interval(monthly(values, limits, desk), most(agent, desk, desk.person), desk.tickets * perTicket(agent, desk)), people = desk.tickets * desk.person;
    return spent && { value: people - spent.value, low: people - spent.high, high: people - spent.low };
  }
  /* How much more an agent loses than another, tested by flipping the sign of each case's difference. */
  function gap(agent, other, desk) {
    var first = costs(agent, desk.prices), second = costs(other, desk.prices), extra = perTicket(agent, desk) - perTicket(other, desk), parts = [], missing = !desk.parts;
    data.kinds.forEach((kind, number) => {
      var part = desk.mix[kind.name], found = [];
      if (!part || missing) return;
      data.cases.forEach((one, at) => {
        if (one === number && first[at] !== null && second[at] !== null) found.push(first[at] - second[at] + extra);
      });
      if (!found.length) missing = true;
      found.forEach((value) => { parts.push(desk.tickets * part / desk.parts / found.length * value); });
    });
    return missing ? null : { value: add(parts, (part) => part), p: chance(parts) };
  }
  function chance(parts) {
    var all = add(parts, (part) => Math.abs(part)), seen = 0, total = 0, p = 0, at;
    if (!all) return 1;
    var steps = parts.map((part) => {
      var step = Math.floor(data.grid * Math.abs(part) / all + 0.5);
      seen += part > 0 ? step : -step;
      total += step;
      return step;
    });
    var ways = new Float64Array(total + 1);
    ways[0] = 1;
    steps.forEach((step) => {
      if (!step) return;
      for (at = total; at >= step; at--) ways[at] = (ways[at] + ways[at - step]) * 0.5;
      for (at = step - 1; at >= 0; at--) ways[at] *= 0.5;
    });
    for (at = 0; at <= total; at++) if (Math.abs(2 * at - total) >= Math.abs(seen)) p += ways[at];
    return p;
  }
  function times(agent, desk, mistake) {
    var found = monthly(rates(agent, mistake, desk.prices), ones(), desk);
    return found && found.value;
  }
  function endangered(agent, desk) {
    var found = monthly(each(agent, (runs, at) => agent.endangered[at] / runs.length), ones(), desk);
    return found && found.value;
  }
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
  function pairs(text) {
    var found = {};
    (text || "").split(",").forEach((part) => {
      var at = part.lastIndexOf(":"), value = parseFloat(part.slice(at + 1));
      if (at > 0 && isFinite(value) && value >= 0) found[part.slice(0, at)] = value;
    });
    return found;
  }
  const listed = (values) => Object.keys(values).map((name) => name + ":" + values[name]).join(",");
  function fromAddress(given) {
    var state = given || SAB.state(), tickets = parseFloat(state.t), person = parseFloat(state.h), worth = parseFloat(state.v), cheats = parseFloat(state.ch);
    return {
      tickets: isFinite(tickets) && tickets > 0 ? tickets : fresh.tickets,
      person: isFinite(person) && person >= 0 ? person : fresh.person,
      worth: isFinite(worth) && worth >= 0 ? worth : fresh.worth,
      cheats: cheats >= 0 && cheats <= 100 ? cheats : null,
      preset: data.presets[state.p] ? state.p : fresh.preset,
      mix: pairs(state.m), prices: pairs(state.c),
      versus: bySlug[state.vs] ? state.vs : fresh.versus,
      order: state.o === "board" || state.o === "handovers" ? state.o : "",
      calls: data.fees && state.calls ? state.calls === "1" : fresh.calls,
    };
  }
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
  function deskOf(choice) {
    var desk = { tickets: choice.tickets, person: choice.person, worth: choice.worth, mix: { ...data.presets[choice.preset] }, prices: {}, calls: choice.calls };
    data.kinds.forEach((kind) => { if (choice.mix[kind.name] !== undefined) desk.mix[kind.name] = choice.mix[kind.name]; });
    if (choice.cheats !== null) desk.mix = withCheats(desk.mix, choice.cheats / 100);
    desk.parts = add(data.kinds, (kind) => desk.mix[kind.name]);
    var ratio = { "": 1, person: data.person ? choice.person / data.person : 1, goods: data.worth ? choice.worth / data.worth : 1 };
    data.mistakes.forEach((mistake) => {
      var own = choice.prices[mistake.name];
      desk.prices[mistake.name] = own === undefined ? mistake.dollars * ratio[mistake.scales] : own;
    });
    return desk;
  }
  function abuseShare(mix) {
    var whole = add(data.kinds, (kind) => mix[kind.name]);
    return whole ? add(data.kinds, (kind) => kind.abuse ? mix[kind.name] : 0) / whole : 0;
  }
  function withCheats(mix, cheats) {
    var share = abuseShare(mix), found = {};
    if (!(share > 0 && share < 1)) return mix;
    var more = cheats / share, less = (1 - cheats) / (1 - share);
    data.kinds.forEach((kind) => { found[kind.name] = mix[kind.name] * (kind.abuse ? more : less); });
    return found;
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
      return { agent, loss: loss(agent, desk), handovers: handovers(agent, desk), saving: saving(agent, desk), month: badMonth(agent, desk) };
    });
    var byLoss = inOrder(rows, valueOf("loss")), ranked = byLoss.filter((row) => row.agent.ranked && row.loss), found = SAB.isReady && SAB.isReady() && SAB.recommend(), pick = found && found.pick ? rows.find((row) => row.agent.slug === found.pick.agent.slug) : null, other = bySlug[choice.versus] || (pick || byLoss[0]).agent;
    var tests = Math.max(1, ranked.length - 1), end = ranked.reduce((high, row) => Math.max(high, row.loss.high), 0) || 1;
    rows.forEach((row) => {
      var line = document.querySelector('.losses tr[data-slug="' + row.agent.slug + '"]'), cell = (name) => line.querySelector("[data-cell=" + name + "]");
      var found = row.agent === other ? null : gap(row.agent, other, desk);
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
      var often = times(bySlug[link.closest("tr").dataset.slug], desk, link.dataset.times);
      link.textContent = often === null ? "–" : whole(often);
    });
    all("[data-endangered]").forEach((link) => {
      var often = endangered(bySlug[link.closest("tr").dataset.slug], desk);
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
    if (pick.month !== null) found.push(`A bad month (one in ${data.oneIn}) costs more than ${about(pick.month)}.`);
    return found;
  }
  function turning(recommended, pick, desk) {
    var rival = recommended.rival && bySlug[recommended.rival.agent.slug], turn = rival ? turningPoint(rival, pick, desk) : NaN;
    if (isNaN(turn)) return [];
    return [(turn > abuseShare(desk.mix) ? `Above ${percent(turn)} cheats, ${rival.name} costs more` : `Below ${percent(turn)} cheats, ${rival.name} would cost less`) + ` than ${pick.name}.`];
  }
  function mainCause(row, desk) {
    var most = { price: 0 }, part = (price, cause) => { if (price > most.price) most = { price, cause }; };
    data.mistakes.forEach((mistake) => { part(times(row.agent, desk, mistake.name) * desk.prices[mistake.name], mistake.cause); });
    part(desk.tickets * perTicket(row.agent, desk), "model calls");
    return most.price ? [(2 * most.price > row.loss.value ? "Most" : "The largest part") + ` of what ${row.agent.name} costs, ${about(most.price)}, is ${most.cause}.`] : [];
  }
  /* The share of abuse at which two cost the same. */
  function turningPoint(agent, other, desk) {
    var [without, only] = [false, true].map((abuse) => {
      var part = { ...desk, mix: {}, parts: 0 };
      data.kinds.forEach((kind) => { part.parts += part.mix[kind.name] = kind.abuse === abuse ? desk.mix[kind.name] : 0; });
      var mine = loss(agent, part), theirs = loss(other, part);
      return mine && theirs ? mine.value - theirs.value : NaN;
    });
    return without < 0 && only > 0 ? without / (without - only) : NaN;
  }
  function said(desk) {
    if (!desk.parts) return "The mix is empty. Give at least one kind of ticket a share.";
    var groups = {};
    data.kinds.forEach((kind) => { groups[kind.group] = (groups[kind.group] || 0) + desk.mix[kind.name]; });
    return whole(desk.tickets) + " tickets per month: " + Object.keys(groups).map((group) => {
      return group.toLowerCase() + " " + percent(groups[group] / desk.parts);
    }).join(", ") + "." + (data.worth ? " Goods cost " + money(desk.worth) + "." : "") + " A person costs " + money(desk.person) + " per ticket.";
  }

  /* What other pages ask: an agent's month at a desk, and how far apart two are. */
  SAB.desk = {
    begin, deskOf, choice: fromAddress,
    bill(slug, desk) {
      var found = loss(bySlug[slug], desk), saved = desk.person ? saving(bySlug[slug], desk) : null;
      return found && { total: found.value, saving: saved && saved.value };
    },
    gap: (one, other, desk) => gap(bySlug[one], bySlug[other], desk),
  };
  if (!one("desk-data")) return;
  begin(JSON.parse(one("desk-data").textContent));
  var choice = fromAddress();
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
  function restore() { choice = fromAddress(); fill(choice); show(choice); }
  addEventListener("hashchange", restore);
  addEventListener("sab-choice", restore);
  restore();
})();
