/* Any table can be sorted whose heads carry data-key, and filtered by controls in [data-filters="its id"]:
   `q` looks at the words of a row, every other control at the row's data of its name. Kept in the address. */
(function () {
  "use strict";
  var SAB = window.SAB;

  function lively(table) {
    var body = table.tBodies[0], rows = Array.from(body.rows), heads = {};
    var panel = document.querySelector('[data-filters="' + table.id + '"]');
    var controls = panel ? Array.from(panel.querySelectorAll("[name]")) : [];
    var status = panel && panel.querySelector('[role="status"]');
    var empty = SAB.make("tr", { hidden: true }, [SAB.make("td", { colspan: "99" }, ["Nothing matches. "])]);
    var clear = SAB.make("button", { type: "button" }, ["Clear the filters"]);
    empty.firstChild.append(clear);
    body.append(empty);

    var column = 0;
    table.querySelectorAll("thead tr:last-child > th").forEach(function (head) {
      var key = head.dataset.key;
      if (key) {
        var button = SAB.make("button", { type: "button" }, Array.from(head.childNodes));
        head.append(button);
        heads[key] = { head: head, column: column, first: head.dataset.first || "ascending" };
        button.addEventListener("click", function () { sort(key); });
      }
      column += head.colSpan;
    });
    rows.forEach(function (row, at) { row.at = at; row.words = row.textContent.toLowerCase(); });

    function value(row, at) {
      var cell = row.cells[at], text = cell.dataset.value != null ? cell.dataset.value : cell.textContent.trim();
      return text === "" || text === "–" ? null : isNaN(text) ? text.toLowerCase() : Number(text);
    }
    function sort(key) {
      var state = SAB.state(), now = state.sort === key ? state.dir || heads[key].first : "";
      var other = heads[key].first === "ascending" ? "descending" : "ascending";
      state.sort = now === other ? "" : key;  /* first, the other way, and back to how it was */
      state.dir = now === heads[key].first ? other : "";
      SAB.keep(state);
      show();
    }
    function show() {
      var state = SAB.state(), by = heads[state.sort], way = by && (state.dir || by.first) === "descending" ? -1 : 1, seen = 0;
      Object.keys(heads).forEach(function (key) { heads[key].head.removeAttribute("aria-sort"); });
      if (by) by.head.setAttribute("aria-sort", way < 0 ? "descending" : "ascending");
      rows.sort(function (one, other) {
        if (by) {
          var x = value(one, by.column), y = value(other, by.column);
          if (x === null || y === null) { if (x !== y) return x === null ? 1 : -1; }  /* what is missing stands last */
          else if (x !== y) return (x < y ? -1 : 1) * way;
        }
        return one.at - other.at;
      });
      controls.forEach(function (control) { if (control !== document.activeElement || control.type !== "search") control.value = state[control.name] || ""; });
      var words = (state.q || "").toLowerCase().split(/\s+/);
      rows.forEach(function (row) {
        row.hidden = !words.every(function (word) { return row.words.includes(word); }) || controls.some(function (control) {
          return control.name !== "q" && control.value && row.dataset[control.name] !== control.value;
        });
        if (!row.hidden) seen += 1;
      });
      body.append.apply(body, rows);
      body.append(empty);
      empty.hidden = seen > 0;
      if (status) status.textContent = seen + " of " + rows.length;
    }
    function choose() {
      var state = SAB.state();
      controls.forEach(function (control) { state[control.name] = control.value; });
      SAB.keep(state);
      show();
    }
    controls.forEach(function (control) { control.addEventListener("input", choose); });
    clear.addEventListener("click", function () {
      controls.forEach(function (control) { control.value = ""; });
      choose();
      if (controls[0]) controls[0].focus();
    });
    window.addEventListener("hashchange", function () { if (/^$|=/.test(location.hash)) show(); });  /* not for the skip link */
    show();
  }

  document.querySelectorAll("table[id]").forEach(function (table) { if (table.querySelector("thead [data-key]")) lively(table); });
})();
