/* CFO: answers/cfo.py for the reader's own limits and desk, and its button. */
(() => {
  "use strict";
  const SAB = window.SAB, { fill, about } = SAB;
  const all = (query) => [...document.querySelectorAll(query)];
  const traps = ({ agent }) => { const [found, of] = agent.limits.unsafe || [0, 0]; return of ? fill("cfo traps", { found: found || "none", of }) : ""; };
  const saving = ({ saved, people }) => (saved && saved.value > 0 ? fill("cfo saving", { people: about(people), dollars: about(saved.value), low: about(saved.low), high: about(saved.high) }) : "");
  function words(found, invented) {
    const { pick } = found, first = pick || found.contenders.find((one) => one.decision !== "no") || found.contenders[0], demo = first && invented.includes(first.agent.slug);
    const whose = fill(found.isOwn ? "cfo own" : "cfo assumed"), opening = demo ? fill(pick ? "cfo demo" : "cfo demo none") : "";
    if (!pick) return plain(none(found, first, { opening, whose }));
    const most = pick.agent.newTraps, parts = { opening, pick: pick.agent.name, traps: traps(pick), doubt: most ? fill("cfo doubt", { most }) : "" };
    return plain(pick.bill ? fill("cfo use", { ...parts, ...costs(found, pick), whose }) : fill("cfo unpriced", { ...parts, start: SAB.start(found, pick) }));
  }
  const plain = (text) => text.replace(/\s+/g, " ");
  function none(found, first, parts) {
    const { title, lead } = SAB.which(found), bill = first && first.bill;
    const cost = bill ? fill("cfo nearest", { dollars: about(bill.total), low: about(bill.low), high: about(bill.high), saving: saving(bill) }) : "";
    return fill("cfo none", { ...parts, title, lead: lead.join(" "), cost, change: first ? SAB.verdictOf(first.agent.slug, found).change : "" });
  }
  function costs(found, pick) {
    const { desk } = found, { bill, agent } = pick, parts = SAB.desk.segments(agent.slug, desk), part = SAB.most(found, pick);
    return { tickets: SAB.print.whole(desk.tickets), dollars: about(bill.total), low: about(bill.low), high: about(bill.high), fees: desk.calls ? fill("cfo fees") : "", saving: saving(bill),
      cause: cause(part, parts, SAB.desk.often(agent.slug, desk, part)), cheaper: SAB.cheaper(found), start: SAB.start(found, pick) };
  }
  function cause(part, parts, count) {
    if (!parts[part]) return "";
    return fill("cfo cause", { part: 2 * parts[part] > parts.total ? "Most" : "Much", cause: fill(`cfo cause ${part}`, { count: about(count).slice(1) }) });
  }
  addEventListener("sab-verdicts", ({ detail }) => all("[data-cfo]").forEach((place) => { place.textContent = words(detail, place.dataset.cfo.split(" ")); }));
  all("[data-copy-cfo]").forEach((button) => {
    const usual = button.textContent;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(document.querySelector("[data-cfo]").textContent.trim()); } catch { return; }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = usual; }, 2000);
    });
  });
})();
