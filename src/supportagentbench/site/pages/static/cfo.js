/* CFO: answers/cfo.py for the reader's own limits and desk, and its button. */
(() => {
  "use strict";
  const SAB = window.SAB, { fill, about } = SAB, PARTS = ["fees", "unsolved", "needless", "missed", "given"];
  const all = (query) => [...document.querySelectorAll(query)];
  const traps = ({ agent }) => { const [found, of] = agent.limits.unsafe || [0, 0]; return of ? fill("cfo traps", { found: found || "none", of }) : ""; };
  function words(found, invented) {
    const first = found.pick || found.contenders.find((one) => one.decision !== "no") || found.contenders[0];
    const text = found.pick ? (found.pick.bill ? use(found, found.pick) : fill("cfo unpriced", { pick: found.pick.agent.name, traps: traps(found.pick), read: fill("cfo read fees") })) : none(found, first);
    return (first && invented.includes(first.agent.slug) ? fill("cfo demo") : "") + text.replace(/\s+/g, " ");
  }
  function none(found, first) {
    const { title, lead } = SAB.which(found);
    const bill = first && first.bill, cost = bill ? fill("cfo nearest", { dollars: about(bill.total), low: about(bill.low), high: about(bill.high), saving: bill.saving > 0 ? fill("cfo saving", { dollars: about(bill.saving), people: about(bill.people) }) : "" }) : "";
    return fill("cfo none", { title, lead: lead.join(" "), cost, change: first ? SAB.verdictOf(first.agent.slug, found).change : "" });
  }
  function use(found, pick) {
    const { desk } = found, { bill, agent } = pick, parts = SAB.desk.segments(agent.slug, desk), part = PARTS.reduce((most, name) => (parts[name] > parts[most] ? name : most));
    return fill("cfo use", { pick: agent.name, tickets: SAB.print.whole(desk.tickets), dollars: about(bill.total), low: about(bill.low), high: about(bill.high),
      fees: desk.calls ? fill("cfo fees") : "", saving: bill.saving > 0 ? fill("cfo saving", { dollars: about(bill.saving), people: about(bill.people) }) : "",
      traps: traps(pick), cause: cause(part, parts, SAB.desk.often(agent.slug, desk, part)), cheaper: SAB.cheaper(found), read: fill(`cfo read ${part}`) });
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
