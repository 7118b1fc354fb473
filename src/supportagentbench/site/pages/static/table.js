/* Any table can be sorted whose heads carry data-key, and filtered by controls in [data-filters="its id"]:
   `q` looks at the words of a row, every other control at the row's data of its name. Kept in the address. */
(() => {
  "use strict";
  const { make, state, keep } = window.SAB, OTHER = { ascending: "descending", descending: "ascending" };

  function lively(table) {
    const body = table.tBodies[0], rows = [...body.rows], heads = {};
    const panel = document.querySelector('[data-filters="' + table.id + '"]');
    const controls = panel ? [...panel.querySelectorAll("[name]")] : [], status = panel && panel.querySelector('[role="status"]');
    const clear = make("button", { type: "button" }, ["Clear filters"]);
    const empty = make("tr", { hidden: true }, [make("td", { colspan: "99" }, ["Nothing matches. ", clear])]);
    let column = 0;
    for (const head of table.querySelectorAll("thead tr:last-child > *")) {
      const key = head.dataset.key;
      if (key) {
        const button = make("button", { type: "button" }, [...head.childNodes]);
        head.append(button);
        heads[key] = { head, column, first: head.dataset.first || "ascending" };
        button.addEventListener("click", () => sort(key));
      }
      column += head.colSpan;
    }
    rows.forEach((row, at) => { row.at = at; row.words = row.textContent.toLowerCase(); });

    function value(row, at) {
      const cell = row.cells[at], text = cell.dataset.value ?? cell.textContent.trim();
      return text === "" || text === "–" ? null : isNaN(text) ? text.toLowerCase() : Number(text);
    }
    function sort(key) {
      /* First its own way, then the other, then back to how it was. */
      const now = state(), first = heads[key].first, way = now.sort === key ? now.dir || first : "";
      keep({ ...now, sort: way === OTHER[first] ? "" : key, dir: way === first ? OTHER[first] : "" });
      show();
    }
    function show() {
      const now = state(), by = heads[now.sort], down = by && (now.dir || by.first) === "descending";
      for (const { head } of Object.values(heads)) head.removeAttribute("aria-sort");
      if (by) by.head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((one, other) => {
        const x = by && value(one, by.column), y = by && value(other, by.column);
        if (!by || x === y) return one.at - other.at;
        if (x === null || y === null) return x === null ? 1 : -1;  /* missing values come last */
        return x < y === !down ? -1 : 1;
      });
      for (const control of controls) if (control !== document.activeElement || control.name !== "q") control.value = now[control.name] || "";
      const words = (now.q || "").toLowerCase().split(/\s+/);
      for (const row of rows) {
        row.hidden = !words.every((word) => row.words.includes(word))
          || controls.some(({ name, value }) => name !== "q" && value && row.dataset[name] !== value);
      }
      const seen = rows.filter((row) => !row.hidden).length;
      body.append(...rows, empty);
      empty.hidden = seen > 0;
      if (status) status.textContent = seen + " of " + rows.length;
    }
    function choose() {
      keep({ ...state(), ...Object.fromEntries(controls.map(({ name, value }) => [name, value])) });
      show();
    }
    for (const control of controls) control.addEventListener("input", choose);
    clear.addEventListener("click", () => {
      for (const control of controls) control.value = "";
      choose();
      if (controls[0]) controls[0].focus();
    });
    addEventListener("hashchange", () => { if (/^$|=/.test(location.hash)) show(); });  /* not for the skip link */
    show();
  }

  for (const table of document.querySelectorAll("table[id]")) if (table.querySelector("thead [data-key]")) lively(table);
})();
