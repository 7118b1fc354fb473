/* The sentence that describes a desk: its fields change the choice, and show it. */
(() => {
  "use strict";
  const SAB = window.SAB, KEYS = { tickets: "t", cheats: "ch", worth: "v", person: "h", unsolved: "c" }, UNSOLVED = "unresolved", MANY_CHEATS = 10, fields = [...document.querySelectorAll("[data-desk]")];
  /* A comma before three digits groups them, any other is a decimal one; a point before three digits could be either. */
  const bare = (field) => field.value.replace(/[\s$%]/g, ""), isUnclear = (field) => /^[1-9]\d{0,2}(\.\d{3})+$/.test(bare(field));
  const read = (field) => (bare(field) && !isUnclear(field) ? Number(bare(field).replace(/,(?=\d{3}(?:\D|$))/g, "").replace(",", ".")) : NaN);
  const isWrong = (field, value = read(field)) => !(value >= 0) || value > 1e8 || field.id === "tickets" && (!value || value % 1 > 0) || field.id === "cheats" && value > 100;
  const printed = (value) => (Number.isInteger(value) ? SAB.print.whole(value) : String(+value.toFixed(2)));
  /* What was understood, where that is not what was typed, and what is hard to believe. */
  function heard(field) {
    const text = field.value.trim(), value = read(field), name = field.getAttribute("aria-label");
    if (isUnclear(field)) return `${name}: “${text.slice(0, 20)}” could be ${printed(+bare(field).replace(/\./g, ""))} or ${parseFloat(bare(field))}; write it without the point. Until then ${printed(usual(field))} is used.`;
    if (isWrong(field)) return `${name}: “${text.slice(0, 20)}” is no number that fits here; ${printed(usual(field))} is used.`;
    if (field.id === "cheats" && value > MANY_CHEATS) return `${printed(value)}% would be 1 customer in ${Math.round(100 / value)}: is that meant? About 1% is usual.`;
    return value !== Number(text.replace(/[\s$%]|,(?=\d{3}(?:\D|$))/g, "")) ? `${name}: read as ${printed(value)}.` : "";
  }
  const choice = () => SAB.desk.choice(), prices = ({ prices: { [UNSOLVED]: _, ...rest } } = choice()) => rest;
  function usual({ id }) {
    if (id === "cheats") return +(100 * SAB.desk.abuseShare(SAB.desk.deskOf({ ...choice(), cheats: null }).mix)).toPrecision(2);
    return id === "unsolved" ? SAB.desk.deskOf({ ...choice(), prices: prices() }).prices[UNSOLVED] : SAB.desk.fresh()[id];
  }
  const parts = (text, name) => text.split(name ? RegExp(`(\\$[\\d,]+|${name.replace(/\W/g, "\\$&")})`) : /(\$[\d,]+)/);
  const strong = (part, nth) => (nth % 2 ? Object.assign(document.createElement("b"), { textContent: part }) : part);
  function kept(field) {
    /* What the address keeps. */
    const value = read(field), own = isWrong(field) || value === usual(field) ? "" : String(value);
    return field.id === "unsolved" ? Object.entries({ ...prices(), ...(own && { [UNSOLVED]: own }) }).map((pair) => pair.join(":")).join(",") : own;
  }
  function show({ desk, pick }) {
    const { tickets, worth, person } = desk, cheats = choice().cheats ?? +(100 * SAB.desk.abuseShare(desk.mix)).toPrecision(2);
    const said = { tickets, cheats, worth, person, unsolved: desk.prices[UNSOLVED] };
    for (const field of fields) {
      field.disabled = false;
      if (field !== document.activeElement) { field.value = field.id === "cheats" ? cheats : printed(said[field.id]); field.size = Math.max(1, field.value.length); }
    }
    for (const place of document.querySelectorAll("[data-then]")) place.replaceChildren(...parts(SAB.then(), pick && pick.agent.name).map(strong));
  }
  for (const field of fields) {
    field.addEventListener("input", () => { field.size = Math.max(1, field.value.length); field.setAttribute("aria-invalid", isWrong(field)); document.querySelector("[data-heard]").textContent = heard(field); SAB.rechoose({ [KEYS[field.id]]: kept(field) }); });
    field.addEventListener("blur", () => { const found = SAB.recommend(); field.removeAttribute("aria-invalid"); if (found.desk) show(found); });
  }
  /* What is typed takes the place of what stands in a field. */
  let entered = null;
  addEventListener("focusin", ({ target }) => { entered = target.matches("[data-desk], [data-limit], [data-price], [data-part]") ? target : null; entered?.select(); });
  addEventListener("click", ({ target }) => { if (target === entered) target.select(); entered = null; });
  addEventListener("sab-verdicts", ({ detail }) => { if (detail.desk) show(detail); });
})();
