/* The board's controls: order, filters, columns, a pinned row, the charts' switches. All of it stands in the address. */
(function () {
  "use strict";
  var SAB = window.SAB, table = document.getElementById("board");
  if (!table) return;
  var $ = function (id) { return document.getElementById(id); };
  var all = function (query, root) { return Array.prototype.slice.call((root || document).querySelectorAll(query)); };
  var data = JSON.parse($("board-data").textContent);
  var heads = all("thead th", table), keys = heads.map(function (head) { return head.dataset.key; });
  var rows = all("tr[data-a]", table), wings = all("#wings tr[data-a]"), lines = all("#lines tr[data-a]");
  var byDefault = rows.slice(), first = { sort: "over", dir: "asc" };
  var state = {};

  /* State. */
  function read() {
    var found = SAB.state(), known = {};
    ["sort", "dir", "tier", "think", "q", "pin", "cols", "x", "view", "w", "at"].forEach(function (key) { known[key] = found[key] || ""; });
    if (keys.indexOf(known.sort) < 0) known.sort = known.dir = "";
    if (!(Number(known.w) > 0)) known.w = "";
    if (data.agents.indexOf(known.pin) < 0) known.pin = "";
    state = known;
  }
  function change(changes) {
    Object.keys(changes).forEach(function (key) { state[key] = changes[key]; });
    state.at = "";
    SAB.keep(state);
    show();
  }
  function show() { sort(); filter(); columns(); pin(); scatter(); regroup(); weigh(); controls(); fit(); }
  function controls() {
    if (document.activeElement !== $("q")) $("q").value = state.q;
    var tiers = list(state.tier), cols = list(state.cols);
    all("input[name=tier]").forEach(function (box) { box.checked = tiers.indexOf(box.value) >= 0; });
    all("input[name=col]").forEach(function (box) { box.checked = !cols.length || cols.indexOf(box.value) >= 0; });
    if ($("think")) $("think").value = state.think;
  }
  function list(text) { return text ? text.split(",") : []; }
  function press(query, is) { all(query).forEach(function (one) { one.setAttribute("aria-pressed", String(is(one))); }); }

  /* Order. */
  function cell(row, key) { return row.children[keys.indexOf(key)]; }
  function value(row, key) {
    if (key === "model") return name(row).toLowerCase();
    var text = cell(row, key).dataset.v;
    return text === "" ? null : Number(text);
  }
  function name(row) { var head = row.children[0]; return (head.querySelector("a") || head.firstChild).textContent.trim(); }
  function sort() {
    var key = state.sort || first.sort, head = heads[keys.indexOf(key)];
    if (!head) { key = "model"; head = heads[0]; }
    var dir = state.sort ? state.dir || head.dataset.good : head.dataset.good, sign = dir === "asc" ? 1 : -1;
    var order = byDefault.slice();
    if (state.sort) order.sort(function (one, other) {
      var a = value(one, key), b = value(other, key);
      if (a === null || b === null) return (a === null) - (b === null);
      return (a > b ? sign : a < b ? -sign : 0) || byDefault.indexOf(one) - byDefault.indexOf(other);
    });
    all("tr.rest", table).forEach(function (rest) { rest.remove(); });
    var lead = null;
    order.forEach(function (row) {
      row.parentNode.append(row);
      var apart = false;
      if (!row.parentNode.classList.contains("under")) {
        apart = lead !== null && told(lead, row.dataset.a, key).sign !== 0;
        if (lead === null || apart) lead = row.dataset.a;
      }
      row.classList.toggle("apart", apart);
      keys.forEach(function (one, at) { row.children[at].classList.toggle("on", one === key && at > 0); });
    });
    heads.forEach(function (one) { if (one === head) one.setAttribute("aria-sort", dir === "asc" ? "ascending" : "descending"); else one.removeAttribute("aria-sort"); });
    rows = order;
    $("ordered").textContent = key === "model" ? "their names" : head.dataset.title.toLowerCase();
    expanders();
  }
  heads.forEach(function (head) {
    var button = SAB.make("button", { type: "button" }), notes = head.querySelector("small");
    while (head.firstChild && head.firstChild !== notes) button.append(head.firstChild);
    head.prepend(button);
    head.dataset.title = button.textContent.trim();
    button.addEventListener("click", function () {
      var key = head.dataset.key, good = head.dataset.good;
      var now = head.getAttribute("aria-sort");
      var dir = now === null ? good : now === "ascending" ? "desc" : "asc";
      change({ sort: key, dir: dir });
    });
  });

  /* Filters. */
  function matches(row) {
    var tiers = list(state.tier), thinks = row.dataset.think !== undefined;
    return (!tiers.length || tiers.indexOf(row.dataset.tier) >= 0) && (state.think === "" || thinks === (state.think === "1")) &&
      name(row).toLowerCase().indexOf(state.q.trim().toLowerCase()) >= 0;
  }
  function filter() {
    var shown = {}, count = 0;
    rows.forEach(function (row) { row.hidden = !matches(row); shown[row.dataset.a] = !row.hidden; count += row.hidden ? 0 : 1; });
    all("tr.why", table).forEach(function (why) { why.hidden = !rows.some(function (row) { return row.parentNode === why.parentNode && !row.hidden; }); });
    wings.concat(all("#lines tr[data-a]")).forEach(function (row) { row.classList.toggle("dim", !shown[row.dataset.a]); });
    all(".mk").forEach(function (mark) { mark.classList.toggle("dim", !shown[mark.dataset.a]); });
    var says = count + " of " + rows.length + (rows.length === 1 ? " agent" : " agents");
    if ($("count").textContent !== says) $("count").textContent = says;
    $("none").hidden = count > 0;
  }
  function columns() {
    var chosen = list(state.cols);
    keys.forEach(function (key, at) {
      var hide = chosen.length > 0 && key !== "model" && chosen.indexOf(key) < 0;
      heads[at].hidden = hide;
      rows.forEach(function (row) { row.children[at].hidden = hide; });
    });
  }
  $("filters").addEventListener("submit", function (event) { event.preventDefault(); });
  $("q").addEventListener("input", function () { change({ q: $("q").value }); });
  $("filters").addEventListener("change", function (event) {
    var box = event.target, picked = function (name) { return all("input[name=" + name + "]").filter(function (one) { return one.checked; }).map(function (one) { return one.value; }); };
    if (box.name === "tier") change({ tier: picked("tier").join(",") });
    if (box.name === "col") { var cols = picked("col"); change({ cols: cols.length === all("input[name=col]").length ? "" : cols.join(",") || "model" }); }
    if (box.id === "think") change({ think: box.value });
  });
  function clear() { change({ q: "", tier: "", think: "", cols: "" }); $("q").value = ""; }
  $("clear").addEventListener("click", clear);
  $("clear-none").addEventListener("click", function () { clear(); $("q").focus(); });

  /* A pinned row: what the tests say of every other one beside it. */
  function told(one, other, key) {
    /* sign: 1 speaks for the first, -1 for the second, 0 for neither. */
    var codes = data.pairs[key], a = data.agents.indexOf(one), b = data.agents.indexOf(other);
    if (!codes || a < 0 || b < 0 || a === b) return { sign: 0, differ: null };
    var low = Math.min(a, b), high = Math.max(a, b), n = data.agents.length;
    var code = codes[low * n - low * (low + 1) / 2 + high - low - 1], who = code % 3;
    return { sign: who === 0 ? 0 : (who === 1) === (a < b) ? 1 : -1, differ: (code - who) / 3 };
  }
  function pin() {
    all(".versus", table).forEach(function (old) { old.remove(); });
    var pinned = rows.filter(function (row) { return row.dataset.a === state.pin; })[0];
    rows.forEach(function (row) {
      row.classList.toggle("pinned", row === pinned);
      var button = row.querySelector(".pin");
      if (button) { button.setAttribute("aria-pressed", String(row === pinned)); button.textContent = row === pinned ? "Pinned" : "Pin"; }
      if (pinned && row !== pinned && button) Object.keys(data.pairs).forEach(function (key) { versus(row, pinned, key); });
    });
    $("pinned").hidden = !pinned;
    if (pinned) $("pinned").replaceChildren(
      SAB.make("b", {}, [name(pinned)]), " is pinned. In every other row: + told apart in that row's favour, − in favour of the pinned one, or cannot tell; with the number of cases in which the two do not come to the same over their runs. ",
      unpin());
  }
  function unpin() {
    var button = SAB.make("button", { type: "button" }, ["Unpin"]);
    button.addEventListener("click", function () { change({ pin: "" }); });
    return button;
  }
  function versus(row, pinned, key) {
    var found = told(row.dataset.a, pinned.dataset.a, key), at = keys.indexOf(key);
    if (found.differ === null || at < 0) return;
    var words = found.sign > 0 ? "+ told apart" : found.sign < 0 ? "− told apart" : "cannot tell";
    var long = heads[at].dataset.title + ": " + (found.sign ? "told apart in favour of " + name(found.sign > 0 ? row : pinned) : "cannot tell " + name(row) + " and " + name(pinned) + " apart") + "; " + found.differ + " cases differ";
    var link = SAB.make("a", { "class": "versus" + (found.sign ? " yes" : ""), href: "compare.html#a=" + encodeURIComponent(pinned.dataset.a) + "&b=" + encodeURIComponent(row.dataset.a), "aria-label": words + ", " + found.differ + " differ. " + long }, [words + ", " + found.differ + " differ"]);
    row.children[at].append(link);
  }
  table.addEventListener("click", function (event) {
    var button = event.target.closest(".pin");
    if (!button) return;
    var slug = button.closest("tr").dataset.a;
    change({ pin: state.pin === slug ? "" : slug });
  });

  /* Where the table fits, its head stays in sight; where it does not, it scrolls sideways. */
  function fit() {
    var frame = table.parentNode;
    frame.classList.remove("fits");
    frame.classList.toggle("fits", table.offsetWidth <= frame.clientWidth);
  }
  window.addEventListener("resize", fit);

  /* On a phone a row shows one metric; the others open under it. */
  var narrow = window.matchMedia("(max-width: 40rem)");
  function expanders() {
    rows.forEach(function (row) {
      var old = row.querySelector(".more");
      if (old) old.remove();
      if (!narrow.matches) return;
      var button = SAB.make("button", { type: "button", "class": "more", "aria-expanded": "false", "aria-label": "All of " + name(row) }, ["All"]);
      button.addEventListener("click", function () {
        var open = row.nextElementSibling && row.nextElementSibling.classList.contains("rest");
        button.setAttribute("aria-expanded", String(!open));
        if (open) row.nextElementSibling.remove(); else row.after(rest(row));
      });
      row.children[0].append(button);
    });
  }
  function rest(row) {
    var parts = [];
    keys.forEach(function (key, at) {
      if (at === 0 || row.children[at].hidden) return;
      var copy = SAB.make("dd");
      Array.prototype.forEach.call(row.children[at].childNodes, function (node) { copy.append(node.cloneNode(true)); });
      parts.push(SAB.make("dt", {}, [heads[at].dataset.title]), copy);
    });
    return SAB.make("tr", { "class": "rest" }, [SAB.make("td", { colspan: 2 }, [SAB.make("dl", {}, parts)])]);
  }
  narrow.addEventListener("change", function () { all("tr.rest", table).forEach(function (one) { one.remove(); }); expanders(); });

  /* The scatter: two axes, a table, and what a mark stands for. */
  var figure = $("value-figure"), said = $("said");
  function scatter() {
    if (!figure) return;
    figure.classList.toggle("measured", state.x === "cost");
    press("button[data-x]", function (one) { return one.dataset.x === state.x; });
  }
  function tell(event) {
    var mark = event.target.closest(".mk");
    if (mark && said.textContent !== mark.getAttribute("aria-label")) said.textContent = mark.getAttribute("aria-label");
  }
  if (figure) {
    figure.addEventListener("mouseover", tell);
    figure.addEventListener("focusin", tell);
    all("button[data-x]").forEach(function (one) { one.addEventListener("click", function () { change({ x: one.dataset.x }); }); });
    $("as-table").addEventListener("click", function () {
      var open = $("value-table").hidden;
      $("value-table").hidden = !open;
      figure.hidden = open;
      $("as-table").setAttribute("aria-pressed", String(open));
      if (open) $("value-table").replaceChildren(valueTable());
    });
  }
  function valueTable() {
    var shown = ["cost", "unsafe"].filter(function (key) { return keys.indexOf(key) >= 0; });
    var head = function (words) { return SAB.make("th", { scope: "col" }, [words]); };
    var body = rows.filter(function (row) { return !row.hidden; }).map(function (row) {
      return SAB.make("tr", {}, [SAB.make("th", { scope: "row" }, [name(row)])].concat(shown.map(function (key) { return SAB.make("td", {}, [plainly(cell(row, key))]); })));
    });
    return SAB.make("table", {}, [SAB.make("caption", {}, ["Cost and unsafe actions, in the order of the table"]),
      SAB.make("thead", {}, [SAB.make("tr", {}, [head("Agent"), head("Cost, per 1,000"), head("Unsafe actions")])]), SAB.make("tbody", {}, body)]);
  }
  function plainly(td) {
    return Array.prototype.filter.call(td.childNodes, function (node) { return !(node.classList && (node.classList.contains("dot") || node.classList.contains("versus"))); })
      .map(function (node) { return node.textContent.trim(); }).filter(Boolean).join(" ");
  }

  /* Hold the line: the same squares, in other lines. */
  var body = lines.length ? lines[0].parentNode : null, squares = [];
  lines.forEach(function (line) {
    all(".sqs a", line).forEach(function (square) {
      var known = {};
      square.getAttribute("href").split("#")[1].split("&").forEach(function (part) { var at = part.indexOf("="); known[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1)); });
      squares.push({ element: square, line: line, trap: data.traps[known.case], agent: line.children[0].textContent.trim(), label: square.getAttribute("aria-label") });
    });
  });
  var grouped = "";
  function regroup() {
    if (!body) return;
    press("button[data-view]", function (one) { return one.dataset.view === state.view; });
    if (grouped === state.view) return;
    grouped = state.view;
    $("lines").querySelector("th").textContent = grouped === "trap" ? "Trap" : grouped === "kind" ? "Failure kind" : "Agent";
    if (!grouped) {
      squares.forEach(function (one) { one.element.setAttribute("aria-label", one.label); one.line.querySelector(".sqs").append(one.element); });
      body.replaceChildren.apply(body, lines);
    } else body.replaceChildren.apply(body, newLines(grouped === "trap" ? 0 : 1));
    roving(squaresGrid);
  }
  function newLines(part) {
    var found = {}, order = "xvif";
    squares.forEach(function (one) { var key = one.trap[part]; (found[key] = found[key] || []).push(one); });
    return Object.keys(found).map(function (key) {
      var inside = found[key].slice().sort(function (a, b) { return order.indexOf(a.element.className[0]) - order.indexOf(b.element.className[0]) || Number(a.element.textContent) - Number(b.element.textContent); });
      var fired = inside.filter(function (one) { return one.element.classList.contains("f"); });
      var early = fired.filter(function (one) { return one.element.textContent === "1"; }).length;
      inside.forEach(function (one) { one.element.setAttribute("aria-label", one.agent + ", " + one.label); });
      var row = SAB.make("tr", { role: "row" }, [SAB.make("th", { scope: "row", role: "rowheader" }, [key]),
        SAB.make("td", { role: "cell", "class": "sqs" }, inside.map(function (one) { return one.element; })),
        SAB.make("td", { role: "cell", "class": "number" }, [fired.length + "/" + inside.length + (fired.length ? ", " + early + " at turn 1" : "")])]);
      return { row: row, fired: fired.length, key: key };
    }).sort(function (a, b) { return a.fired - b.fired || (a.key < b.key ? -1 : 1); }).map(function (one) { return one.row; });
  }
  all("button[data-view]").forEach(function (one) { one.addEventListener("click", function () { change({ view: one.dataset.view }); }); });

  /* The butterfly, in the reader's own order. */
  function weigh() {
    var slider = $("w");
    if (!slider) return;
    var w = state.w ? Math.min(100, Math.max(0.1, Number(state.w))) : 1;
    slider.value = Math.log10(w);
    var says = "one missed case = " + w + (w === 1 ? " needless handover" : " needless handovers");
    $("w-says").textContent = says;
    slider.setAttribute("aria-valuetext", says);
    press("button[data-w]", function (one) { return one.dataset.w === state.w; });
    wings.slice().sort(function (one, other) {
      return one.classList.contains("few") - other.classList.contains("few") || cost(one, w) - cost(other, w) || wings.indexOf(one) - wings.indexOf(other);
    }).forEach(function (row) { row.parentNode.append(row); });
  }
  function cost(row, w) { return w * Number(row.dataset.m) + Number(row.dataset.o); }
  if ($("w")) $("w").addEventListener("input", function () {
    var w = Math.pow(10, Number($("w").value));
    change({ w: Number(w.toPrecision(2)) === 1 ? "" : String(Number(w.toPrecision(2))) });
  });
  all("button[data-w]").forEach(function (one) { one.addEventListener("click", function () { change({ w: one.dataset.w }); }); });

  /* One tab stop a chart; arrows, Home and End move between its marks. */
  function roving(grid) {
    grid().forEach(function (line, y) { line.forEach(function (mark, x) { mark.setAttribute("tabindex", x === 0 && y === 0 ? "0" : "-1"); }); });
  }
  function walk(root, grid) {
    roving(grid);
    root.addEventListener("keydown", function (event) {
      var places = grid(), mark = event.target.closest("[tabindex]"), y = -1, x = -1;
      places.forEach(function (line, at) { if (line.indexOf(mark) >= 0) { y = at; x = line.indexOf(mark); } });
      if (y < 0) return;
      var end = places[y].length - 1, to = { ArrowRight: [y, x + 1], ArrowLeft: [y, x - 1], ArrowDown: [y + 1, x], ArrowUp: [y - 1, x], Home: [y, 0], End: [y, end] }[event.key];
      if (!to) return;
      event.preventDefault();
      if (places.length === 1) to = [0, event.key === "ArrowDown" ? x + 1 : event.key === "ArrowUp" ? x - 1 : to[1]];
      else if (to[1] > end) to = [y + 1, 0]; else if (to[1] < 0) to = [y - 1, 1e9];
      var line = places[to[0]];
      if (!line || to[1] < 0) return;
      var next = line[Math.min(to[1], line.length - 1)];
      mark.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }
  function squaresGrid() {
    return all("#lines tbody tr").map(function (line) { return all(".sqs a", line).filter(function (one) { return one.offsetParent !== null; }); }).filter(function (line) { return line.length; });
  }
  all("svg.plot").forEach(function (plot) { walk(plot, function () { return [all(".mk", plot)]; }); });

  /* Copies. */
  function copy(button, text) {
    var done = function () { var was = button.textContent; button.textContent = "Copied"; setTimeout(function () { button.textContent = was; }, 1500); };
    var byHand = function () {
      var area = SAB.make("textarea", { "class": "unseen" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
      done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
  }
  function asMarkdown() {
    var shown = keys.filter(function (key, at) { return !heads[at].hidden; });
    var line = function (cells) { return "| " + cells.map(function (one) { return one.replace(/\|/g, "\\|"); }).join(" | ") + " |"; };
    var made = [line(shown.map(function (key) { return heads[keys.indexOf(key)].dataset.title; })), line(shown.map(function () { return "---"; }))];
    rows.filter(function (row) { return !row.hidden; }).forEach(function (row) {
      made.push(line(shown.map(function (key) { return key === "model" ? name(row) : plainly(cell(row, key)); })));
    });
    return made.join("\n") + "\n";
  }
  $("markdown").addEventListener("click", function () { copy($("markdown"), asMarkdown()); });
  all("button[data-copy-link]").forEach(function (button) {
    button.addEventListener("click", function () {
      var parts = ["at=" + button.dataset.copyLink].concat(Object.keys(state).filter(function (key) { return key !== "at" && state[key] !== ""; }).map(function (key) { return key + "=" + encodeURIComponent(state[key]); }));
      copy(button, location.href.split("#")[0] + "#" + parts.join("&"));
    });
  });

  read();
  show();
  if (body) walk($("lines"), squaresGrid);
  function go() { if (state.at && $(state.at)) $(state.at).scrollIntoView(); }
  go();
  window.addEventListener("hashchange", function () { read(); show(); go(); });
})();
