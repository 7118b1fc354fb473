/* The chart of handovers follows the reader's limits; its scale ends where bars or limits do. */
(() => {
  "use strict";
  const SAB = window.SAB, bars = document.querySelector(".calibration"), SIDES = { escalation: "missed", over_escalation: "over" };
  if (bars) addEventListener("sab-verdicts", ({ detail: { limits } }) => {
    let edge = Number(bars.dataset.reach);
    Object.entries(SIDES).forEach(([metric, side], nth) => {
      const most = 100 * limits[metric];
      edge = Math.max(edge, most);
      bars.style.setProperty(`--${side}`, most);
      for (const line of document.querySelectorAll(`[data-line="${metric}"]`)) line.textContent = `limit ${SAB.shareText(limits[metric])}`;
      for (const row of bars.tBodies[0].rows) { const cell = row.cells[nth + 1]; cell.classList.toggle("beyond", Number(cell.style.getPropertyValue("--v")) > most); }
    });
    bars.style.setProperty("--edge", edge);
  });
})();
