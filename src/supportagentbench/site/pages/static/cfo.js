/* CFO: answers/cfo.py for the reader's own limits and desk, and its button. */
(() => {
  "use strict";
  const SAB = window.SAB, { fill, about } = SAB;
  const all = (query) => [...document.querySelectorAll(query)];
  const saving = ({ saved, people, alone }) => (saved && saved.value > 0 ? fill("cfo saving", { people: about(people), alone: about(alone), dollars: about(saved.value), low: about(saved.low), high: about(saved.high) }) : "");
  function words(found) {
    const { pick, example } = found, first = pick || found.contenders[0], demo = first && first.agent.invented;
    const whose = fill(found.isOwn ? "cfo own" : "cfo assumed"), opening = demo ? fill(pick ? "cfo example" : "cfo example none", { agents: example }) : "";
    if (!pick) return plain(none(found, first, { opening, whose }));
    const { name, tried, doubt } = pick.agent, parts = { opening, pick: name, tried, doubt, role: fill(demo ? "cfo role example" : "cfo role"), start: SAB.start(found, pick, demo ? "start example" : "start") };
    return plain(pick.bill ? fill("cfo use", { ...parts, ...costs(found, pick), whose }) : fill("cfo unpriced", parts));
  }
  const plain = (text) => text.replace(/ +/g, " ").replace(/ *\n\n */g, "\n\n");
  function none(found, first, parts) {
    const { title, lead } = SAB.which(found), bill = first && first.bill;
    const cost = bill ? fill("cfo nearest", { split: SAB.split(bill, found.desk), dollars: about(bill.total), low: about(bill.low), high: about(bill.high), saving: saving(bill) }) : "";
    return fill("cfo none", { ...parts, title, lead: lead.join(" "), cost, change: first ? SAB.verdictOf(first.agent.slug, found).change : "" });
  }
  function costs(found, pick) {
    const { desk } = found, { bill, agent } = pick, parts = SAB.desk.segments(agent.slug, desk), part = SAB.most(found, pick);
    return { tickets: SAB.print.whole(desk.tickets), dollars: about(bill.total), low: about(bill.low), high: about(bill.high), split: SAB.split(bill, desk), saving: saving(bill),
      cause: cause(part, parts, SAB.desk.often(agent.slug, desk, part), agent.unsolved), turn: found.turn, cheaper: SAB.cheaper(found) };
  }
  function cause(part, parts, count, [found, of]) {
    if (!parts[part]) return "";
    return fill("cfo cause", { part: 2 * parts[part] > parts.total ? "Most" : "Much", cause: fill(`cfo cause ${part}`, { count: about(count).slice(1), found, of }) });
  }
  addEventListener("sab-verdicts", ({ detail }) => all("[data-cfo]").forEach((place) => { place.textContent = words(detail); }));
  all("[data-copy-cfo]").forEach((button) => {
    const usual = button.textContent;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(document.querySelector("[data-cfo]").textContent.trim()); } catch { return; }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = usual; }, 2000);
    });
  });
})();
