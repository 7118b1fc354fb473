/* Your desk: the arithmetic of board/loss.py, on the same counts, for the reader's own mix and prices. */
(function () {
  "use strict";
  var SAB = window.SAB, data = JSON.parse(document.getElementById("desk-data").textContent);
  var form = document.getElementById("desk"), one = function (id) { return document.getElementById(id); };
  var all = function (selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); };
  var calls = one("calls"), bySlug = {};
  data.agents.forEach(function (agent) { bySlug[agent.slug] = agent; });
  var fresh = { tickets: data.tickets, preset: Object.keys(data.presets)[0], mix: {}, prices: {}, versus: data.agents[0].slug,
    order: "", calls: calls ? calls.checked : false };

  /* How a figure is printed: as number.py prints it, halves to the even side. */
  function rounded(value, digits) {
    var scale = Math.pow(10, digits), whole = Math.floor(value * scale);
    return value * scale - whole === 0.5 ? ((whole + whole % 2) / scale).toFixed(digits) : value.toFixed(digits);
  }
  function whole(value) { return rounded(value, 0).replace(/\B(?=(\d{3})+(?!\d))/g, ","); }
  function money(value) {
    if (value >= 100) return "$" + whole(value);
    return "$" + (value >= 0.01 || value === 0 ? rounded(value, 2) : value.toFixed(4));
  }
  function percent(value) {
    var text = (100 * value).toFixed(1);
    if (value < 1 && text === "100.0") text = "99.9";
    if (value > 0 && text === "0.0") text = "0.1";
    return text.replace(/\.0$/, "") + "%";
  }

  /* The weighted sum of the kinds' means, and its interval, no further than what is possible. */
  function monthly(values, worst, desk, quantile, least, most) {
    var total = 0, spread = 0, freedom = 0, missing = !desk.parts;
    data.kinds.forEach(function (kind, number) {
      var part = desk.mix[kind.name];
      if (!part || missing) return;
      var known = values.filter(function (value, at) { return data.cases[at] === number && value !== null; });
      if (!known.length) { missing = true; return; }
      var mean = known.reduce(function (sum, value) { return sum + value; }, 0) / known.length;
      var apart = known.reduce(function (sum, value) { return sum + (value - mean) * (value - mean); }, 0);
      apart += data.imagined * worst[number] * worst[number];
      var weight = desk.tickets * part / desk.parts;
      total += weight * mean;
      spread += weight * weight * apart / (known.length - 1 + data.imagined) / known.length;
      freedom += known.length - 1;
    });
    var half = quantile[Math.min(Math.max(freedom, 1), data.freedom) - 1] * Math.sqrt(spread);
    return missing ? null : { value: total, low: Math.max(least, total - half), high: Math.min(most, total + half) };
  }
  function each(agent, measure) {
    return data.cases.map(function (number, at) { return agent.runs[at] ? measure(data.kinds[number], at) : null; });
  }
  function costs(agent, desk) {
    return each(agent, function (kind, at) {
      return kind.mistakes.reduce(function (sum, name, nth) { return sum + desk.prices[name] * agent.hits[at][nth]; }, 0) / agent.runs[at];
    });
  }
  function worst(desk) {
    return data.kinds.map(function (kind) {
      return Math.max.apply(null, kind.mistakes.map(function (name) { return desk.prices[name]; }));
    });
  }
  function ones() { return data.kinds.map(function () { return 1; }); }
  function plus(found, dollars) {
    return found && { value: found.value + dollars, low: found.low + dollars, high: found.high + dollars };
  }
  function calling(agent, desk) { return desk.calls ? (agent.cost === null ? NaN : desk.tickets * agent.cost) : 0; }
  function known(found) { return found && !isNaN(found.value) ? found : null; }
  function most(desk, limits) {
    return data.kinds.reduce(function (sum, kind, at) { return sum + desk.tickets * desk.mix[kind.name] / desk.parts * limits[at]; }, 0);
  }
  function loss(agent, desk) {
    var limits = worst(desk);
    return known(plus(monthly(costs(agent, desk), limits, desk, data.single, 0, most(desk, limits)), calling(agent, desk)));
  }
  function handovers(agent, desk) {
    var values = each(agent, function (kind, at) { return agent.handed[at] / agent.runs[at]; });
    return monthly(values, ones(), desk, data.single, 0, desk.tickets);
  }
  function difference(agent, other, desk) {
    var first = costs(agent, desk), second = costs(other, desk), limits = worst(desk), end = most(desk, limits);
    var gaps = first.map(function (value, at) { return value === null || second[at] === null ? null : value - second[at]; });
    return known(plus(monthly(gaps, limits, desk, data.several, -end, end), calling(agent, desk) - calling(other, desk)));
  }
  function times(agent, desk, mistake) {
    var found = monthly(each(agent, function (kind, at) {
      var nth = kind.mistakes.indexOf(mistake);
      return nth < 0 ? 0 : agent.hits[at][nth] / agent.runs[at];
    }), ones(), desk, data.single, 0, desk.tickets);
    return found && found.value;
  }
  function gapWords(gap) {
    if (!gap) return "–";
    var low = money(Math.abs(gap.low)), high = money(Math.abs(gap.high));
    if (gap.low > 0) return low + " to " + high + " more";
    if (gap.high < 0) return high + " to " + low + " less";
    return "no significant difference: " + low + " less to " + high + " more";
  }

  /* The reader's settings, in the form and in the address. */
  function number(input, otherwise) {
    var value = parseFloat(input.value);
    return isFinite(value) && value >= 0 ? value : otherwise;
  }
  function pairs(text) {
    var found = {};
    (text || "").split(",").forEach(function (part) {
      var at = part.lastIndexOf(":"), value = parseFloat(part.slice(at + 1));
      if (at > 0 && isFinite(value) && value >= 0) found[part.slice(0, at)] = value;
    });
    return found;
  }
  function listed(values) {
    return Object.keys(values).map(function (name) { return name + ":" + values[name]; }).join(",");
  }
  function fromAddress() {
    var state = SAB.state(), tickets = parseFloat(state.t);
    return {
      tickets: isFinite(tickets) && tickets > 0 ? tickets : fresh.tickets,
      preset: data.presets[state.p] ? state.p : fresh.preset,
      mix: pairs(state.m), prices: pairs(state.c),
      versus: bySlug[state.vs] ? state.vs : fresh.versus,
      order: state.o === "loss" || state.o === "handovers" ? state.o : "",
      calls: calls && state.calls ? state.calls === "1" : fresh.calls,
    };
  }
  function toAddress(choice) {
    SAB.keep({
      t: choice.tickets === fresh.tickets ? "" : choice.tickets,
      p: choice.preset === fresh.preset ? "" : choice.preset,
      m: listed(choice.mix), c: listed(choice.prices),
      vs: choice.versus === fresh.versus ? "" : choice.versus, o: choice.order,
      calls: choice.calls === fresh.calls ? "" : choice.calls ? "1" : "0",
    });
  }
  function deskOf(choice) {
    var desk = { tickets: choice.tickets, mix: {}, prices: {}, parts: 0, calls: choice.calls };
    data.kinds.forEach(function (kind) {
      var own = choice.mix[kind.name];
      desk.mix[kind.name] = own === undefined ? data.presets[choice.preset][kind.name] : own;
      desk.parts += desk.mix[kind.name];
    });
    Object.keys(data.prices).forEach(function (name) {
      desk.prices[name] = choice.prices[name] === undefined ? data.prices[name] : choice.prices[name];
    });
    return desk;
  }
  function fill(choice) {
    /* The form as this choice has it. */
    var desk = deskOf(choice);
    one("tickets").value = choice.tickets;
    one("preset").value = Object.keys(choice.mix).length ? "own" : choice.preset;
    one("versus").value = choice.versus;
    one("order").value = choice.order;
    if (calls) calls.checked = choice.calls;
    all("[data-price]").forEach(function (input) { input.value = desk.prices[input.dataset.price]; });
    all("[data-part]").forEach(function (input) { input.value = desk.mix[input.dataset.part]; });
  }

  /* The tables. */
  function put(cell, found, print) {
    var link = cell.querySelector("a"), note = cell.querySelector(".small");
    link.textContent = found ? print(found.value) : "–";
    if (!note && found) note = cell.appendChild(SAB.make("span", { "class": "small muted number" }));
    if (note) note.textContent = found ? print(found.low) + " to " + print(found.high) : "";
    ["value", "low", "high"].forEach(function (name) { cell.dataset[name] = found ? found[name] : ""; });
  }
  function draw(cell, found, most) {
    var at = function (value) { return Math.min(Math.max(100 * value / most, 0), 100).toPrecision(3) + "%"; };
    var dot = found && SAB.make("span", { "class": "dot none", "aria-hidden": "true" }, [SAB.make("b")]);
    if (dot) [["--v", found.value], ["--a", found.low], ["--b", found.high]].forEach(function (pair) { dot.style.setProperty(pair[0], at(pair[1])); });
    cell.replaceChildren.apply(cell, dot ? [dot] : []);
  }
  function show(choice) {
    var desk = deskOf(choice), other = bySlug[choice.versus], rows = all("#losses tbody tr");
    var found = {};
    data.agents.forEach(function (agent) { found[agent.slug] = { loss: loss(agent, desk), handovers: handovers(agent, desk) }; });
    var end = Math.max.apply(null, data.agents.map(function (agent) { return found[agent.slug].loss ? found[agent.slug].loss.high : 0; })) || 1;
    rows.forEach(function (row) {
      var agent = bySlug[row.dataset.slug], cell = function (name) { return row.querySelector("[data-cell=" + name + "]"); };
      var gap = agent === other ? null : difference(agent, other, desk);
      put(cell("loss"), found[agent.slug].loss, money);
      put(cell("handovers"), found[agent.slug].handovers, whole);
      draw(cell("dot"), found[agent.slug].loss, end);
      cell("gap").textContent = gapWords(gap);
      ["value", "low", "high"].forEach(function (name) { cell("gap").dataset[name] = gap ? gap[name] : ""; });
    });
    all("[data-times]").forEach(function (link) {
      var often = times(bySlug[link.closest("tr").dataset.slug], desk, link.dataset.times);
      link.textContent = often === null ? "–" : whole(often);
    });
    sort(choice.order, found);
    one("against").textContent = one("versus").selectedOptions[0].textContent;
    one("said").textContent = said(desk);
    one("priced").textContent = "Cost per mistake: " + all("[data-price]").map(function (input) {
      return input.dataset.title + " " + money(desk.prices[input.dataset.price]);
    }).join(", ") + ".";
    one("without").textContent = desk.calls ? "Includes the measured cost of model calls." : "Excludes the cost of model calls.";
  }
  function sort(order, found) {
    ["#losses", "#mistakes"].forEach(function (table) {
      var body = document.querySelector(table + " tbody"), rows = {};
      all(table + " tbody tr").forEach(function (row) { rows[row.dataset.slug] = row; });
      var value = function (agent) { var one = order && found[agent.slug][order]; return one ? one.value : order ? Infinity : 0; };
      data.agents.map(function (agent, at) { return [value(agent), at]; })
        .sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; })
        .forEach(function (pair) { body.append(rows[data.agents[pair[1]].slug]); });
    });
  }
  function said(desk) {
    if (!desk.parts) return "The mix is empty. Give at least one kind of ticket a share.";
    var groups = {};
    data.kinds.forEach(function (kind) { groups[kind.group] = (groups[kind.group] || 0) + desk.mix[kind.name]; });
    return whole(desk.tickets) + " tickets per month: " + Object.keys(groups).map(function (group) {
      return group.toLowerCase() + " " + percent(groups[group] / desk.parts);
    }).join(", ") + ".";
  }

  var choice = fromAddress();
  function changed() { toAddress(choice); show(choice); }
  form.addEventListener("input", function (event) {
    var input = event.target;
    if (input.id === "tickets") choice.tickets = number(input, 0) || fresh.tickets;
    else if (input.id === "preset") { choice.preset = input.value; choice.mix = {}; fill(choice); }
    else if (input.id === "versus") choice.versus = input.value;
    else if (input.id === "order") choice.order = input.value;
    else if (input.id === "calls") choice.calls = input.checked;
    else if (input.dataset.price) set(choice.prices, input.dataset.price, number(input, null), data.prices[input.dataset.price]);
    else if (input.dataset.part) {
      set(choice.mix, input.dataset.part, number(input, null), data.presets[choice.preset][input.dataset.part]);
      one("preset").value = Object.keys(choice.mix).length ? "own" : choice.preset;
    }
    changed();
  });
  function set(values, name, value, usual) {
    if (value === null || value === usual) delete values[name]; else values[name] = value;
  }
  one("reset").addEventListener("click", function () {
    history.replaceState(null, "", location.pathname + location.search);
    restore();
  });
  one("copy").addEventListener("click", function () {
    if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(function () { one("copy").textContent = "Copied"; }, function () {});
  });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  function restore() { choice = fromAddress(); fill(choice); show(choice); }
  window.addEventListener("hashchange", restore);
  restore();
})();
