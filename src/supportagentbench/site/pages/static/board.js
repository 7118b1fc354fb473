/* The front page: marks the figures that break the limits in force. The rows, the chart and the sentences follow by themselves. */
(() => {
  "use strict";
  const SAB = window.SAB, chats = document.querySelector(".deciding");
  addEventListener("sab-verdicts", ({ detail }) => {
    for (const head of document.querySelectorAll("[data-limit-of]")) {
      head.textContent = `limit ${SAB.shareText(detail.limits[head.dataset.limitOf])}`;
    }
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
