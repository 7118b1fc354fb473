/* Cost: the arithmetic of board/loss.py and board/desk.py, on the same counts, for any mix and prices. */
(() => {
  "use strict";
  const SAB = (window.SAB = window.SAB || {}), PART_OF = { unresolved: "unsolved", needless: "needless", missed: "missed" }, bySlug = {};
  let data = null, fresh = null, names = [];
  /* The mistakes of each run of a case: desk.py packs them into letters. */
  const unpacked = (packed) => packed === "-" ? [] : packed.split(",").map((made) => [...made].map((letter) => letter.charCodeAt() - 65));
  function begin(found) {
    data = found;
    names = data.mistakes.map((mistake) => mistake.name);
    for (const agent of data.agents) bySlug[agent.slug] = { ...agent, made: agent.made.split(";").map(unpacked) };
    fresh = { tickets: data.tickets, person: data.person, worth: data.worth, cheats: null, preset: data.order[0], mix: {}, prices: {}, versus: "", order: "", calls: data.fees };
  }

  /* How a figure is printed: as number.py prints it, halves to the even side. */
  function rounded(value, digits) {
    let scale = 10 ** digits, whole = Math.floor(value * scale);
    return value * scale - whole === 0.5 ? ((whole + whole % 2) / scale).toFixed(digits) : value.toFixed(digits);
  }
  const whole = (value) => rounded(value, 0).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  function money(value) {
    if (value >= 100) return "$" + whole(value);
    return "$" + (value >= 0.01 || !value ? rounded(value, 2) : value.toFixed(4));
  }
  function percent(value) {
    let text = (100 * value).toFixed(1);
    if (value < 1 && text === "100.0") text = "99.9";
    if (value > 0 && text === "0.0") text = "0.1";
    return text.replace(/\.0$/, "") + "%";
  }

  const add = (list, part) => list.reduce((sum, one, at) => sum + part(one, at), 0);
  /* The weighted sum of the kinds' means, and its variance. */
  function monthly(values, worst, desk) {
    let total = 0, spread = 0, freedom = 0, heaviest = 0, missing = !desk.parts;
    data.kinds.forEach((kind, number) => {
      let part = desk.mix[kind.name];
      if (!part || missing) return;
      let known = values.filter((value, at) => data.cases[at] === number && value !== null), count = known.length;
      if (!count) { missing = true; return; }
      let mean = add(known, (value) => value) / count;
      let apart = add(known, (value) => (value - mean) * (value - mean));
      if (count === 1) apart = worst[number] * worst[number];
      let weight = desk.tickets * part / desk.parts;
      total += weight * mean;
      spread += weight * weight * apart / Math.max(1, count - 1) / count;
      freedom += count - 1;
      heaviest = Math.max(heaviest, weight / count * worst[number]);
    });
    return missing ? null : { value: total, spread: spread + data.imagined * heaviest * heaviest, freedom };
  }
  const half = (found, quantile, more) => quantile[Math.min(Math.max(found.freedom, 1), data.freedom) - 1] * Math.sqrt(found.spread + more);
  function interval(found, most, dollars) {
    let by = found && half(found, data.double, 0);
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
    let highest = worst(desk, 0);
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
    let values = each(agent, (runs, at) => (agent.handed[at] || 0) / runs.length);
    return interval(monthly(values, ones(), desk), desk.tickets, 0);
  }
  function badMonth(agent, desk) {
    let squares = {}, limits = worst(desk, 0);
    Object.keys(desk.prices).forEach((name) => { squares[name] = desk.prices[name] * desk.prices[name]; });
    let found = monthly(costs(agent, desk.prices), limits, desk), luck = monthly(costs(agent, squares), limits, desk);
    return found && found.value + half(found, data.single, luck.value) + desk.tickets * perTicket(agent, desk);
  }
  function saving(agent, desk) {
    let needless = rates(agent, data.needless, desk.prices), lost = costs(agent, desk.prices), limits = worst(desk, desk.person);
    let values = each(agent, (runs, at) => lost[at] + desk.person * ((agent.handed[at] || 0) / runs.length - needless[at]));
    let spent = interval(monthly(values, limits, desk), most(agent, desk, desk.person), desk.tickets * perTicket(agent, desk)), people = desk.tickets * desk.person;
    return spent && { value: people - spent.value, low: people - spent.high, high: people - spent.low };
  }
  /* How much more an agent loses than another, tested by flipping the sign of each case's difference. */
  function gap(agent, other, desk) {
    let first = costs(agent, desk.prices), second = costs(other, desk.prices), extra = perTicket(agent, desk) - perTicket(other, desk), parts = [], missing = !desk.parts;
    data.kinds.forEach((kind, number) => {
      let part = desk.mix[kind.name], found = [];
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
    let all = add(parts, (part) => Math.abs(part)), seen = 0, total = 0, p = 0, at;
    if (!all) return 1;
    let steps = parts.map((part) => {
      let step = Math.floor(data.grid * Math.abs(part) / all + 0.5);
      seen += part > 0 ? step : -step;
      total += step;
      return step;
    });
    let ways = new Float64Array(total + 1);
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
    let found = monthly(rates(agent, mistake, desk.prices), ones(), desk);
    return found && found.value;
  }
  function endangered(agent, desk) {
    let found = monthly(each(agent, (runs, at) => (agent.endangered[at] || 0) / runs.length), ones(), desk);
    return found && found.value;
  }
  /* What the agent's month is spent on; of several mistakes in a conversation the dearest counts. */
  function segments(agent, desk) {
    const found = loss(agent, desk), parts = { fees: desk.tickets * perTicket(agent, desk), unsolved: 0, needless: 0, missed: 0, given: 0 };
    if (!found) return null;
    names.forEach((name) => { parts[PART_OF[name] || "given"] += times(agent, desk, name) * desk.prices[name]; });
    return { ...parts, total: found.value, low: found.low, high: found.high };
  }
  const often = (agent, desk, part) => add(names.filter((name) => (PART_OF[name] || "given") === part), (name) => times(agent, desk, name));
  /* What it costs if nobody cheats, and if everybody does: between the two, cost is a line. */
  function ends(agent, desk) {
    const found = [false, true].map((abuse) => {
      const part = { ...desk, mix: {}, parts: 0 };
      data.kinds.forEach((kind) => { part.parts += part.mix[kind.name] = kind.abuse === abuse ? desk.before[kind.name] : 0; });
      const lost = loss(agent, part);
      return lost && lost.value;
    });
    return found.includes(null) ? null : found;
  }

  /* A desk, as the address describes it. */
  function pairs(text) {
    let found = {};
    (text || "").split(",").forEach((part) => {
      let at = part.lastIndexOf(":"), value = parseFloat(part.slice(at + 1));
      if (at > 0 && isFinite(value) && value >= 0) found[part.slice(0, at)] = value;
    });
    return found;
  }
  function fromAddress(given) {
    let state = given || SAB.state(), tickets = parseFloat(state.t), person = parseFloat(state.h), worth = parseFloat(state.v), cheats = parseFloat(state.ch);
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
  function deskOf(choice) {
    let desk = { tickets: choice.tickets, person: choice.person, worth: choice.worth, mix: { ...data.presets[choice.preset] }, prices: {}, calls: choice.calls };
    data.kinds.forEach((kind) => { if (choice.mix[kind.name] !== undefined) desk.mix[kind.name] = choice.mix[kind.name]; });
    desk.before = desk.mix; /* with no cheats, their kinds are still in proportion here */
    if (choice.cheats !== null) desk.mix = withCheats(desk.mix, choice.cheats / 100);
    desk.parts = add(data.kinds, (kind) => desk.mix[kind.name]);
    let ratio = { "": 1, person: data.person ? choice.person / data.person : 1, goods: data.worth ? choice.worth / data.worth : 1 };
    data.mistakes.forEach((mistake) => {
      let own = choice.prices[mistake.name];
      desk.prices[mistake.name] = own === undefined ? mistake.dollars * ratio[mistake.scales] : own;
    });
    return desk;
  }
  function abuseShare(mix) {
    let whole = add(data.kinds, (kind) => mix[kind.name]);
    return whole ? add(data.kinds, (kind) => kind.abuse ? mix[kind.name] : 0) / whole : 0;
  }
  function withCheats(mix, cheats) {
    let share = abuseShare(mix), found = {};
    if (!(share > 0 && share < 1)) return mix;
    let more = cheats / share, less = (1 - cheats) / (1 - share);
    data.kinds.forEach((kind) => { found[kind.name] = mix[kind.name] * (kind.abuse ? more : less); });
    return found;
  }

  /* Every function takes an agent by its name in links. */
  const of = (measure) => (slug, ...rest) => measure(bySlug[slug], ...rest);
  SAB.desk = {
    begin, deskOf, choice: fromAddress, abuseShare, fresh: () => fresh, data: () => data, agent: (slug) => bySlug[slug],
    loss: of(loss), handovers: of(handovers), saving: of(saving), badMonth: of(badMonth), times: of(times), endangered: of(endangered), segments: of(segments), often: of(often), ends: of(ends),
    fees: of((agent, desk) => desk.tickets * perTicket(agent, desk)),
    gap: (one, other, desk) => gap(bySlug[one], bySlug[other], desk),
    bill(slug, desk) {
      const found = loss(bySlug[slug], desk), saved = desk.person ? saving(bySlug[slug], desk) : null;
      return found && { total: found.value, low: found.low, high: found.high, saving: saved && saved.value, saved, people: saved ? desk.tickets * desk.person - saved.value - found.value : 0, alone: saved ? desk.tickets * desk.person : 0, fees: desk.tickets * perTicket(bySlug[slug], desk) };
    },
  };
  SAB.print = { money, whole, percent };
})();
