/* Break-even: charts/break_even.py, drawn again for the reader's own desk. */
(() => {
  "use strict";
  const SAB = window.SAB, SPANS = [0.05, 0.1, 0.2, 0.5, 1], NEAR = 4, LEFT = 44, TOP = 14, BOTTOM = 44, GAP = 18, MOVED = 12;
  const all = (query) => [...document.querySelectorAll(query)], short = (value) => String(+value.toPrecision(2)), one = (value) => value.toFixed(1).replace(/\.0$/, "");
  const at = ({ ends }, share) => ends[0] + share * (ends[1] - ends[0]), low = (items, value) => items.reduce((best, item) => (best && value(best) <= value(item) ? best : item), null);
  function crossing(a, b) {
    const without = a[0] - b[0], only = a[1] - b[1];
    return without * only < 0 ? without / (without - only) : null;
  }

  /* What is drawn: the agent to use, its rival, the others. */
  function chart(found) {
    const share = found.desk ? SAB.desk.abuseShare(found.desk.mix) : NaN;
    const lines = found.desk ? found.contenders.map(({ agent, decision }) => ({ slug: agent.slug, name: agent.name, decision, role: "", ends: SAB.desk.ends(agent.slug, found.desk) })).filter((line) => line.ends) : [];
    if (!lines.length) return null;
    const pick = found.pick && lines.find((line) => line.slug === found.pick.agent.slug), [rival, meets] = pick ? rivalOf(pick, lines, share) : [null, null];
    const most = SPANS.find((span) => span >= Math.min(1, 1.1 * Math.max(share, meets || 0)));
    if (pick) pick.role = "pick";
    if (rival) rival.role = rival.decision === "use" ? "rival" : "rival refused";
    const rest = lines.filter((line) => !line.role);
    return { title: title(pick, rival, lines, most, share, meets), note: note(pick, rival ? [rival] : lines.filter((line) => line !== pick), found.desk), lines: [pick, rival, ...rest].filter(Boolean), share, most, meets };
  }
  function note(pick, compared, desk) {
    const { agents, level } = SAB.desk.data(), tests = Math.max(1, agents.filter((agent) => agent.ranked).length - 1);
    const same = pick ? compared.filter((line) => SAB.desk.gap(line.slug, pick.slug, desk)?.p * tests > level).map((line) => line.name) : [];
    return same.length ? SAB.fill("even chance", { list: same.length > 3 ? `${SAB.inWords(same.length)} agents` : SAB.listed(same) }) : SAB.fill("even measured");
  }
  function rivalOf(pick, lines, share) {
    const met = lines.map((line) => ({ line, at: crossing(line.ends, pick.ends) })).filter((one) => one.at && one.at <= NEAR * Math.max(share, SPANS[0]));
    const first = low(met, (one) => Math.abs(one.at - share));
    return first ? [first.line, first.at] : [low(lines.filter((line) => at(line, share) < at(pick, share)), (line) => at(line, share)), null];
  }
  function title(pick, rival, lines, most, share, meets) {
    if (pick && rival) {
      const side = at(rival, 0) < at(pick, 0) ? "below" : "above", here = at(rival, share) < at(pick, share) ? " here" : "";
      return SAB.fill(`even ${meets === null ? "always" : side + here}`, { pick: pick.name, rival: rival.name, share: cheating(meets || 0), own: `${short(100 * share)}%`, meets: `${short(100 * (meets || 0))}%` });
    }
    if (pick && lines.length > 1) return SAB.fill("even never", { pick: pick.name, most: `${100 * most}%` });
    const steep = low(lines, (line) => line.ends[0] - line.ends[1]), more = (steep.ends[1] - steep.ends[0]) / 100;
    return SAB.fill(more >= 1 ? "even more" : "even flat", { dollars: SAB.about(more), rival: steep.name });
  }
  const cheating = (share) => (share > 0.1 ? `${short(100 * share)}% of customers cheat` : `1 customer in ${SAB.print.whole(+(1 / Math.max(share, 1e-6)).toPrecision(2))} cheats`);

  /* How it is drawn. */
  function part(tag, attributes, words) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, typeof value === "number" ? one(value) : value);
    if (words) made.append(words);
    return made;
  }
  const text = (x, y, words, kind) => part("text", { class: kind, x, y }, words), path = (kind, ...places) => part("path", { class: kind, d: "M{} {}L{} {}".replace(/\{\}/g, () => one(places.shift())) });
  function ticks(most) {
    const power = 10 ** Math.floor(Math.log10(most / 5)), step = [1, 2, 2.5, 5, 10].map((size) => size * power).find((size) => most / size <= 5 + 1e-9);
    return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, number) => +(number * step).toPrecision(6));
  }
  const thousands = (dollars) => (dollars >= 1e6 ? `$${dollars / 1e6}M` : dollars >= 1e3 ? `$${dollars / 1e3}k` : `$${dollars}`);
  const axisEnd = (most) => { const step = ticks(most)[1]; return step * Math.ceil(most / step - 1e-9); };
  Object.assign(SAB, { ticks, axisEnd, thousands });
  function spread(places) {
    const down = [...places], up = [...places];
    for (let nth = 1; nth < places.length; nth++) down[nth] = Math.max(down[nth], down[nth - 1] + GAP);
    for (let nth = places.length - 2; nth >= 0; nth--) up[nth] = Math.min(up[nth], up[nth + 1] - GAP);
    return down.map((place, nth) => (place + up[nth]) / 2);
  }
  function draw(svg, found) {
    const [width, height, right] = svg.dataset.even.split(" ").map(Number), end = width - right, floor = height - BOTTOM;
    const top = Math.max(1, ...found.lines.flatMap((line) => [1.04 * at(line, 0), 1.04 * at(line, found.most)]));
    const x = (share) => LEFT + (end - LEFT) * share / found.most, y = (dollars) => floor - (floor - TOP) * dollars / top, late = found.share > 0.6 * found.most;
    const parts = ticks(top).flatMap((dollars) => [path("rule", LEFT, y(dollars), end, y(dollars)), text(LEFT - 8, y(dollars) + 4, thousands(dollars), "end")]);
    parts.push(...ticks(100 * found.most).map((percent) => text(x(percent / 100), floor + 18, `${percent}%`, "middle")));
    parts.push(text((LEFT + end) / 2, height - 6, "share of customers who try to cheat", "middle"), path("now", x(found.share), TOP, x(found.share), floor));
    parts.push(text(x(found.share) + (late ? -6 : 6), TOP + 10, "your desk", late ? "end" : "start"));
    for (const line of [...found.lines].reverse()) {
      const drawn = path(`line ${line.role}`, x(0), y(at(line, 0)), end, y(at(line, found.most)));
      drawn.dataset.a = line.slug;
      drawn.append(part("title", {}, line.name));
      parts.push(drawn);
    }
    parts.push(...names(found, (line) => y(at(line, found.most)), end, right));
    if (found.meets !== null) {
      const place = y(at(found.lines[0], found.meets));
      parts.push(part("circle", { class: "meets", cx: x(found.meets), cy: place, r: 5 }));
      parts.push(text(x(found.meets) + 2, place + 28 > floor ? place - 14 : place + 24, `${short(100 * found.meets)}%`, "meets"));
    }
    svg.setAttribute("aria-label", `Cost per month against the share of customers who try to cheat. ${found.title}.`);
    svg.replaceChildren(...parts);
  }
  function names(found, place, end, right) {
    let named = [];
    for (const line of found.lines) {
      const more = [...named, [place(line), line]].sort((a, b) => a[0] - b[0]), moved = spread(more.map(([y]) => y)).map((y, nth) => Math.abs(y - more[nth][0]));
      if (line.role || Math.max(...moved) <= MOVED) named = more;
    }
    const letters = Math.floor((right - 8) / (right > 100 ? 8.4 : 7.2));
    return spread(named.map(([y]) => y)).map((y, nth) => {
      const { name, role } = named[nth][1];
      return text(end + 8, y + 5, name.length <= letters ? name : `${name.slice(0, letters - 1)}…`, `name ${role}`.trim());
    });
  }
  addEventListener("sab-verdicts", ({ detail }) => {
    const found = chart(detail);
    all("[data-even-chart]").forEach((place) => { place.hidden = !found; });
    if (!found) return;
    all("[data-even]").forEach((svg) => draw(svg, found));
    for (const part of ["title", "note"]) all(`[data-even-${part}]`).forEach((place) => { place.textContent = found[part]; });
  });
})();
