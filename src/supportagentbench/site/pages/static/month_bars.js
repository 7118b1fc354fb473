/* Month bars: charts/month_bars.py for the reader's own desk. */
(() => {
  "use strict";
  const SAB = window.SAB, list = document.querySelector(".months"), axis = document.querySelector(".months-axis"), { PARTS } = SAB, ROOM = 1.35;
  if (!list) return;
  const titles = [...document.querySelectorAll(".spent span")].map((one) => one.textContent);
  const line = (slug) => list.querySelector(`[data-slug="${slug}"]`);
  function draw(row, name, found, most, named) {
    const bar = row.querySelector(".month-bar"), place = (dollars) => `${+(100 * dollars / most).toPrecision(4)}%`;
    row.querySelector("[data-sum]").textContent = found ? SAB.about(found.total) : "–";
    bar.replaceChildren(...SAB.ticks(most).map((dollars) => { const made = SAB.make("u"); made.style.left = place(dollars); return made; }));
    bar.setAttribute("aria-label", `${name}: unknown`);
    if (!found) return;
    PARTS.forEach((part) => { const made = SAB.make("span", { class: part }, named.includes(part) ? [titles[PARTS.indexOf(part)]] : []); made.style.width = place(found[part]); bar.append(made); });
    const range = SAB.make("i", { class: "range" });
    Object.assign(range.style, { left: place(found.low), width: place(found.high - found.low) });
    bar.append(range);
    const told = PARTS.flatMap((part, nth) => (found[part] ? [`${titles[nth]} ${SAB.about(found[part])}`] : []));
    bar.setAttribute("aria-label", `${name}: ${[...told, `likely ${SAB.about(found.low)} to ${SAB.about(found.high)}`].join(", ")}`);
  }
  addEventListener("sab-verdicts", ({ detail: { agents, desk } }) => {
    if (!desk) return;
    const shown = agents.filter(({ agent }) => line(agent.slug)).map(({ agent, decision }) => ({ agent, decision, found: SAB.desk.segments(agent.slug, desk) }));
    const most = SAB.axisEnd(Math.max(1, ...shown.map(({ found }) => (found ? found.high : 0))));
    const longest = PARTS.map((part) => shown.reduce((best, one) => ((one.found ? one.found[part] : 0) > (best ? best.found[part] : 0) ? one : best), null));
    shown.forEach((one) => {
      const named = PARTS.filter((part, nth) => longest[nth] === one && 100 * one.found[part] / most > ROOM * titles[nth].length), row = line(one.agent.slug);
      draw(row, one.agent.name, one.found, most, named);
      row.toggleAttribute("data-use", one.decision === "use");
      list.append(row);
    });
    axis.replaceChildren(...SAB.ticks(most).map((dollars) => {
      const made = SAB.make("span", {}, [SAB.thousands(dollars)]);
      made.style.left = `${100 * dollars / most}%`;
      return made;
    }));
  });
})();
