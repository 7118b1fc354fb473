/* The live view: inserts texts. All of it is only ever text; nothing is parsed as markup. */
(function () {
  "use strict";
  var make = window.SAB.make;

  /* A conversation in progress: ask for new turns every second. */
  var turns = document.getElementById("turns");
  if (turns) {
    if (turns.dataset.running) setTimeout(grow, 1000);
    return;
  }
  function grow() {
    fetch("/turns" + location.pathname.slice("/conversation".length)).then(function (answer) { return answer.json(); })
      .then(function (conversation) {
        conversation.turns.slice(turns.children.length).forEach(function (turn) { turns.append(turnOf(turn)); });
        var ending = document.getElementById("ending");
        ending.textContent = conversation.ending ? "Ended: " + conversation.ending + "." : "Still running, " + conversation.turns.length + " turns so far.";
        if (!conversation.ending) setTimeout(grow, 1000);
      }, function () { setTimeout(grow, 5000); });
  }
  function turnOf(turn) {
    var parts = [make("h2", {}, [turn.party])];
    (turn.calls || []).forEach(function (call) {
      parts.push(make("details", { class: "call", open: call.kind === "write" },
        [make("summary", {}, [call.sign + " " + call.kind + ": " + call.name]), make("pre", {}, [call.result])]));
    });
    parts.push(make("p", { class: "words" }, [turn.words || "(said nothing)"]));
    (turn.files || []).forEach(function (file) { parts.push(make("p", { class: "muted" }, ["File: " + file])); });
    (turn.notes || []).forEach(function (note) { parts.push(make("p", { class: "note " + note.grade }, [note.words])); });
    return make("li", { class: "turn " + turn.party }, parts);
  }

  /* The job. */
  var rows = document.getElementById("rows");
  if (!rows) return;
  var news = document.getElementById("news"), conversations = document.getElementById("conversations"), sort = document.getElementById("sort");
  var summary = document.getElementById("summary"), lost = document.getElementById("lost");
  var seen = 0, said = 0, last = Date.now(), state = null, isLost = false, MOST = 200;

  function text(node, words) { if (node && node.textContent !== words) node.textContent = words; }

  function apply(message) {
    state = message.shown;
    last = Date.now();
    connected(true);
    Object.keys(state.strip).forEach(function (name) {
      text(document.querySelector('[data-strip="' + name + '"]'), state.strip[name]);
    });
    state.rows.forEach(showRow);
    Array.prototype.slice.call(rows.children).forEach(function (row) {
      if (!state.rows.some(function (one) { return one.agent === row.dataset.agent; })) row.remove();
    });
    sort.hidden = isSorted();
    if (!message.since) news.replaceChildren();
    (state.news || []).forEach(function (one) {
      if (message.since && one.place <= seen) return;
      seen = one.place;
      news.prepend(newsOf(one));
    });
    while (news.children.length > MOST) news.lastChild.remove();
    document.getElementById("no-news").hidden = news.children.length > 0;
    showConversations(state.conversations || []);
    document.title = state.strip.conversations + document.title.slice(document.title.indexOf(" "));
    if (Date.now() - said >= 30000) { said = Date.now(); text(summary, state.summary); }
  }

  function rowOf(agent) {
    return Array.prototype.find.call(rows.children, function (row) { return row.dataset.agent === agent; });
  }
  function showRow(one) {
    var row = rowOf(one.agent);
    if (!row) {
      row = make("tr", { "data-agent": one.agent }, [make("th", { scope: "row" }, [one.agent]),
        make("td", {}, [make("progress", { "aria-label": one.agent })])]);
      document.querySelectorAll("[data-column]").forEach(function (head) {
        row.append(make("td", { class: "right number", "data-cell": head.dataset.column }));
      });
      rows.append(row);
    }
    row.dataset.place = one.place;
    var bar = row.querySelector("progress");
    bar.max = one.total;
    bar.value = one.done;
    row.querySelectorAll("[data-cell]").forEach(function (cell) {
      var name = cell.dataset.cell, word = name === "unsafe" ? one.safety : "";
      if (cell.textContent === (word ? word + " " : "") + one.cells[name]) return;
      cell.textContent = one.cells[name];
      if (word) cell.prepend(make("span", { class: "safety " + one.look }, [word]), " ");
    });
  }
  function places() {
    return Array.prototype.map.call(rows.children, function (row) { return Number(row.dataset.place); });
  }
  function isSorted() {
    return places().every(function (place, at, all) { return !at || all[at - 1] <= place; });
  }
  sort.addEventListener("click", function () {
    var ordered = Array.prototype.slice.call(rows.children).sort(function (one, other) { return one.dataset.place - other.dataset.place; });
    rows.append.apply(rows, ordered);
    sort.hidden = true;
  });

  function newsOf(one) {
    var about = one.link ? make("a", { href: one.link }, [one.about]) : one.about || "";
    return make("li", { class: one.kind }, [make("strong", {}, [one.title]), " ", about, " ", one.words]);
  }
  function showConversations(found) {
    var links = found.map(function (one) { return one.link; });
    Array.prototype.slice.call(conversations.children).forEach(function (item) {
      var at = links.indexOf(item.firstChild.getAttribute("href"));
      /* A link that is hovered or focused stays until the reader moves on. */
      if (at < 0 && !item.matches(":hover, :focus-within")) item.remove();
      if (at >= 0) links[at] = null;
    });
    found.forEach(function (one, at) {
      if (links[at] !== null) conversations.append(make("li", {}, [make("a", { href: one.link }, [one.about])]));
    });
    document.getElementById("no-conversations").hidden = found.length > 0;
  }

  function connected(is) {
    isLost = !is;
    if (is) lost.hidden = true;
  }
  function clock(seconds) {
    var whole = Math.floor(seconds), parts = [Math.floor(whole / 60) % 60, whole % 60], hours = Math.floor(whole / 3600);
    if (hours) parts.unshift(hours);
    return parts.map(function (part, at) { return at && part < 10 ? "0" + part : String(part); }).join(":");
  }
  setInterval(function () {
    var age = (Date.now() - last) / 1000;
    if (state && !state.is_over && !isLost) text(document.querySelector('[data-strip="elapsed"]'), clock(state.elapsed + age));
    if (isLost) {
      lost.hidden = false;
      text(lost, "Connection lost. What you see is " + clock(age) + " old. Reconnecting.");
    }
  }, 1000);

  /* Server-sent events, or polling where they are not available. */
  function poll() {
    fetch("/state.json?since=" + seen).then(function (answer) { return answer.json(); })
      .then(apply, function () { connected(false); }).then(function () { setTimeout(poll, 5000); });
  }
  if (!window.EventSource) return poll();
  var source = new EventSource("/events");
  source.onmessage = function (event) { apply(JSON.parse(event.data)); };
  source.onerror = function () {
    connected(false);
    if (source.readyState === 2) poll();
  };
})();
