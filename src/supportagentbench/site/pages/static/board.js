/* The front page: marks the figures that break the limits in force. The rows, the chart and the sentences follow by themselves. */
(() => {
  "use strict";
  const SAB = window.SAB, bars = document.querySelector(".calibration"), chats = document.querySelector(".deciding"), SIDES = { escalation: "missed", over_escalation: "over" };
  /* The limits in the chart of handovers; its scale ends where bars or limits do. */
  function drawLimits({ limits }) {
    if (!bars) return;
    let edge = Number(bars.dataset.reach);
    Object.entries(SIDES).forEach(([metric, side], nth) => {
      const most = 100 * limits[metric];
      edge = Math.max(edge, most);
      bars.style.setProperty(`--${side}`, most);
      for (const line of document.querySelectorAll(`[data-line="${metric}"]`)) line.textContent = `limit ${SAB.shareText(limits[metric])}`;
      for (const row of bars.tBodies[0].rows) { const cell = row.cells[nth + 1]; cell.classList.toggle("beyond", Number(cell.style.getPropertyValue("--v")) > most); }
    });
    bars.style.setProperty("--edge", edge);
  }
  addEventListener("sab-verdicts", ({ detail }) => {
    for (const head of document.querySelectorAll("[data-limit-of]")) {
      head.textContent = `limit ${SAB.shareText(detail.limits[head.dataset.limitOf])}`;
      for (const cell of document.querySelectorAll(`.figures td[data-of="${head.dataset.limitOf}"]`)) cell.dataset.unit = head.textContent;
    }
    drawLimits(detail);
    for (const { agent } of detail.agents) chats?.append(...chats.querySelectorAll(`[data-chat="${agent.slug}"]`));
    const body = document.querySelector("#board tbody"), isSorted = document.querySelector("#board [aria-sort]");
    for (const [at, { agent }] of detail.agents.entries()) {
      const line = body && body.querySelector(`tr[data-a="${agent.slug}"]`);
      if (line) line.at = at;
      if (line && !isSorted) body.append(line);
      for (const cell of document.querySelectorAll(`.figures tr[data-a="${agent.slug}"] td[data-of]`)) {
        const metric = cell.dataset.of, now = metric === "danger" ? (agent.danger[0] ? "breaks" : "keeps") : SAB.standing(agent.limits[metric], detail.limits[metric]);
        cell.classList.toggle("beyond", now === "breaks");
        cell.classList.toggle("open", now === "open");
      }
    }
  });
})();
