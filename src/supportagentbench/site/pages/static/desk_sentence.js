/* The sentence that describes a desk: its fields change the choice, and show it. */
(() => {
  "use strict";
  const SAB = window.SAB, KEYS = { tickets: "t", cheats: "ch", worth: "v", person: "h" }, fields = [...document.querySelectorAll("[data-desk]")];
  /* A comma before three digits groups them; any other comma is a decimal one. */
  const read = (field) => (field.value.trim() ? Number(field.value.replace(/[\s$%]/g, "").replace(/,(?=\d{3}(?:\D|$))/g, "").replace(",", ".")) : NaN);
  const isWrong = (field, value = read(field)) => !(value >= 0) || value > 1e8 || field.id === "tickets" && !value || field.id === "cheats" && value > 100;
  const printed = (value) => (Number.isInteger(value) ? SAB.print.whole(value) : String(value));
  /* What was understood, where that is not what was typed. */
  function heard(field) {
    const text = field.value.trim(), value = read(field), name = field.getAttribute("aria-label");
    if (isWrong(field)) return `${name}: “${text.slice(0, 20)}” is no number that fits here; ${printed(usual(field))} is used.`;
    return /[.,]/.test(text) && printed(value) !== text ? `${name}: read as ${printed(value)}.` : "";
  }
  const usual = (field) => (field.id === "cheats" ? +(100 * SAB.desk.abuseShare(SAB.desk.deskOf({ ...SAB.desk.choice(), cheats: null }).mix)).toPrecision(3) : SAB.desk.fresh()[field.id]);
  const parts = (text, name) => text.split(name ? RegExp(`(\\$[\\d,]+|${name.replace(/\W/g, "\\$&")})`) : /(\$[\d,]+)/);
  const strong = (part, nth) => (nth % 2 ? Object.assign(document.createElement("b"), { textContent: part }) : part);
  function kept(field) {
    /* What the address keeps. */
    const value = read(field);
    return isWrong(field) || value === usual(field) ? "" : String(value);
  }
  function show({ desk, pick }) {
    const { tickets, worth, person } = desk, cheats = SAB.desk.choice().cheats ?? +(100 * SAB.desk.abuseShare(desk.mix)).toPrecision(3);
    const said = { tickets: printed(tickets), cheats, worth, person };
    for (const field of fields) {
      field.disabled = false;
      if (field !== document.activeElement) { field.value = said[field.id]; field.size = Math.max(1, field.value.length); }
    }
    for (const place of document.querySelectorAll("[data-then]")) place.replaceChildren(...parts(SAB.then(), pick && pick.agent.name).map(strong));
  }
  for (const field of fields) {
    field.addEventListener("input", () => { field.size = Math.max(1, field.value.length); field.setAttribute("aria-invalid", isWrong(field)); document.querySelector("[data-heard]").textContent = heard(field); SAB.rechoose({ [KEYS[field.id]]: kept(field) }); });
    field.addEventListener("blur", () => { const found = SAB.recommend(); field.removeAttribute("aria-invalid"); if (found.desk) show(found); });
  }
  addEventListener("sab-verdicts", ({ detail }) => { if (detail.desk) show(detail); });
})();
