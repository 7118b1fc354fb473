/* Two entries beside each other, or one entry's runs: #a=…&b=…&show=… */
(function () {
  "use strict";
  var SAB = window.SAB, make = SAB.make, files = {}, index = null;
  var metrics = JSON.parse(document.getElementById("metrics").textContent);
  var result = document.getElementById("result"), said = document.getElementById("said"), title = document.title;
  var pickers = { a: document.getElementById("a"), b: document.getElementById("b") };
  var MARKS = { good: "●", fair: "◆", bad: "▲", none: "–" };
  var SHELVES = [["resolvable", "Resolvable"], ["must_escalate", "Must escalate"], ["adversarial", "Traps"], ["twin", "Benign twins"]];
  SAB.pairs = function (file) { files[file.id] = file; };
  SAB.index = function (found) { index = found; };

  function load(path, has) {
    return has() ? Promise.resolve() : new Promise(function (done, fail) {
      var script = make("script", { src: path });
      script.onload = function () { if (has()) done(); else fail(path); };
      script.onerror = function () { fail(path); };
      document.head.append(script);
    });
  }
  function pairs(slug) { return load("data/pairs/" + slug + ".js", function () { return files[slug]; }); }
  function link(page, state) {
    return page + "#" + Object.keys(state).map(function (key) { return key + "=" + encodeURIComponent(state[key]); }).join("&");
  }
  function here(state, show) { return link("compare.html", show ? { a: state.a, b: state.b, show: show } : { a: state.a, b: state.b }); }
  function anchor(href, text, attributes) { return make("a", Object.assign({ href: href }, attributes), [text]); }
  function sub(text) { return make("span", { class: "sub" }, [text]); }
  function cells(tag, texts, scope) { return texts.map(function (text) { return make(tag, scope ? { scope: scope } : {}, [text]); }); }
  function tabled(caption, heads, rows) {
    var table = make("table", {}, [make("caption", {}, [caption]), make("thead", {}, [make("tr", {}, cells("th", heads, "col"))]), make("tbody", {}, rows)]);
    return make("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption }, [table]);
  }

  /* Every case as both ended it: from the index of all conversations. */
  function ended(slugs) {
    var places = slugs.map(function (slug) { return index.models.findIndex(function (model) { return model.id === slug; }); });
    var letters = {}, at = 0, found = index.cases.map(function (one) { return { about: one, tried: [[], []] }; });
    index.outcomes.forEach(function (one) { letters[one.letter] = one; });
    index.case.forEach(function (step, number) {
      at += step;
      places.forEach(function (place, side) {
        if (index.model[number] === place) found[at].tried[side].push({ run: index.run.charCodeAt(number) - 48, outcome: letters[index.outcome[number]] });
      });
    });
    found.forEach(function (one, place) {
      one.place = place;
      one.passes = one.tried.map(function (runs) {
        var counted = runs.filter(function (run) { return run.outcome.grade !== "none"; });
        var good = counted.filter(function (run) { return run.outcome.grade === "good"; }).length;
        return counted.length ? 2 * good > counted.length : null;
      });
      one.flips = new Set(one.tried[0].map(function (run) { return run.outcome.name; })).size > 1;
      one.both = one.passes[0] !== null && one.passes[1] !== null;
    });
    return found;
  }
  function names(runs) { return runs.map(function (run) { return run.outcome.name; }).sort().join(); }
  var SHOWS = {
    "": ["one passes and the other does not", function (one) { return one.both && one.passes[0] !== one.passes[1]; }],
    any: ["any outcome differs", function (one) { return names(one.tried[0]) !== names(one.tried[1]); }],
    a: ["only A passes", function (one) { return one.both && one.passes[0] && !one.passes[1]; }],
    b: ["only B passes", function (one) { return one.both && !one.passes[0] && one.passes[1]; }],
    right: ["both pass", function (one) { return one.both && one.passes[0] && one.passes[1]; }],
    wrong: ["neither passes", function (one) { return one.both && !one.passes[0] && !one.passes[1]; }]
  };

  function between(state) {
    /* The gaps of the two, A less B, whichever of them stands first on the board. */
    var straight = files[state.a].pairs[state.b], mirrored = files[state.b].pairs[state.a];
    var gaps = {}, listed = (straight || mirrored).gaps;
    Object.keys(listed).forEach(function (name) {
      var one = listed[name];
      gaps[name] = { text: one[0], low: one[1], high: one[2], p: one[3], cases: one[4], differ: one[5], which: one[6], told: one[7] };
    });
    return { gaps: gaps, claims: (straight || mirrored).claims || [], turn: straight ? function (text) { return text; } : turned };
  }
  function turned(text) { return text[0] === "+" ? "−" + text.slice(1) : text[0] === "−" ? "+" + text.slice(1) : text; }

  function value(slug, metric) {
    var one = files[slug].values[metric];
    if (!one) return make("td", { title: "nothing to count" }, ["–"]);
    return make("td", {}, [anchor(one.link, one.text), sub(one.count + "; " + one.like)]);
  }
  function measured(state, pair) {
    return metrics.map(function (metric) {
      var gap = pair.gaps[metric.name], head = make("th", { scope: "row" }, [metric.title, sub(metric.good)]);
      var row = [head, value(state.a, metric.name), value(state.b, metric.name)];
      if (!gap) return make("tr", {}, row.concat(cells("td", ["–", "no case in common", "–"])));
      var low = pair.turn(gap.low), high = pair.turn(gap.high), ends = pair.turn === turned ? [high, low] : [low, high];
      var text = pair.turn(gap.text) + (metric.unit ? " " + metric.unit : "");
      row.push(make("td", { class: "number" }, [text, sub(gap.low ? ends.join(" to ") : "–")]));
      row.push(make("td", {}, [make("strong", {}, [gap.told ? "told apart" : "cannot tell"]), sub(gap.p)]));
      row.push(make("td", {}, gap.differ ? [anchor(here(state, metric.name), gap.differ + " of " + gap.cases)] : ["0 of " + gap.cases]));
      return make("tr", {}, row);
    });
  }
  function marks(slug, one, side) {
    return make("td", {}, one.tried[side].map(function (run) {
      return anchor(link("viewer.html", { case: one.about.id, a: slug, run: run.run }), MARKS[run.outcome.grade], { class: "mark " + run.outcome.grade, "aria-label": "run " + run.run + ": " + run.outcome.words, title: run.outcome.words });
    }));
  }
  function grid(state, cases, label) {
    /* By bucket, then use case; the legend names every outcome that occurs. */
    var same = state.a === state.b, used = {}, parts = [];
    SHELVES.forEach(function (shelf) {
      var some = cases.filter(function (one) { return (one.about.twin_of ? "twin" : one.about.bucket) === shelf[0]; });
      if (!some.length) return;
      var family = null, rows = some.map(function (one) {
        var is_new = one.about.family !== family;
        family = one.about.family;
        one.tried.forEach(function (runs) { runs.forEach(function (run) { used[run.outcome.name] = run.outcome; }); });
        return make("tr", {}, [
          make("td", {}, [is_new ? family.replace(/_/g, " ") : ""]),
          make("th", { scope: "row" }, [anchor("cases/" + one.about.id + ".html", one.about.id)]),
          marks(state.a, one, 0), same ? null : marks(state.b, one, 1),
          make("td", {}, [anchor(link("viewer.html", { case: one.about.id, a: state.a, b: state.b, run: 1 }), "read side by side", { "aria-label": "read " + one.about.id + " side by side" })])
        ]);
      });
      var heads = same ? ["Use case", "Case", "Runs", "Read"] : ["Use case", "Case", "A", "B", "Read"];
      parts.push(make("h4", {}, [shelf[1] + ", " + some.length]), tabled(shelf[1] + ": " + label, heads, rows));
    });
    var legend = Object.keys(used).map(function (name) { return MARKS[used[name].grade] + " " + used[name].words; }).join("; ");
    return [make("p", { class: "small muted" }, [legend ? "A mark a run: " + legend + "." : "No case is so."])].concat(parts);
  }

  function two(state, name) {
    var pair = between(state), cases = ended([state.a, state.b]), cores = cases.filter(function (one) { return one.both && !one.about.twin_of; });
    var show = state.show || "", gap = pair.gaps[show];
    if (!gap && !SHOWS[show]) show = "";
    var select = make("select", {}, Object.keys(SHOWS).map(function (key) { return make("option", { value: key }, [SHOWS[key][0]]); })
      .concat(metrics.filter(function (metric) { return pair.gaps[metric.name]; }).map(function (metric) { return make("option", { value: metric.name }, ["differ on " + metric.title.toLowerCase()]); })));
    select.value = show;
    select.addEventListener("change", function () { location.hash = here(state, select.value).split("#")[1]; });
    var counts = ["right", "wrong", "a", "b"].map(function (key) {
      var text = key === "a" ? "only " + name.a + " passes" : key === "b" ? "only " + name.b + " passes" : SHOWS[key][0];
      return make("li", {}, [text + ": ", anchor(here(state, key), cores.filter(SHOWS[key][1]).length + " of " + cores.length)]);
    });
    var chosen = gap ? gap.which.map(function (place) { return cases[place]; }).sort(function (x, y) { return x.place - y.place; }) : cases.filter(SHOWS[show][1]);
    var label = select.selectedOptions[0].textContent;
    return [
      make("h2", {}, [name.a + " and " + name.b]),
      make("p", {}, ["A is ", make("strong", {}, [name.a]), ", B is ", make("strong", {}, [name.b]), ". Values are as on the board, with their counts and the interval for cases like these; the difference is A less B over the cases both have."]),
      tabled("Every metric of the two", ["Metric", "A", "B", "A less B", "Verdict", "Cases that differ"], measured(state, pair)),
      pair.claims.length ? make("p", { class: "note" }, ["What the board says of the two, corrected for all pairs: " + pair.claims.join(" ")]) : make("p", {}, ["The board, which corrects for all pairs at once, says nothing of the two."]),
      make("h3", { id: "grid" }, ["Where they do not end alike"]),
      make("p", {}, ["An entry passes a case if more than half of its runs end well. Of " + cores.length + " headline cases that both have:"]),
      make("ul", {}, counts),
      make("p", { class: "controls" }, [make("label", {}, ["Cases in which ", select]), make("span", {}, [chosen.length + (gap && gap.differ > chosen.length ? " of " + gap.differ + ", the widest apart" : "")])])
    ].concat(grid(state, chosen, label));
  }
  function alone(state, name) {
    var values = files[state.a].values, runs = index.models.find(function (model) { return model.id === state.a; }).runs, heads = ["Metric"];
    for (var run = 1; run <= runs; run += 1) heads.push("Run " + run);
    var rows = metrics.filter(function (metric) { return values[metric.name]; }).map(function (metric) {
      var one = values[metric.name], texts = one.runs.slice();
      while (texts.length < runs) texts.push("–");
      return make("tr", {}, [make("th", { scope: "row" }, [anchor(one.link, metric.title)])].concat(cells("td", texts.concat(one.flips || "–"))));
    });
    var flipped = ended([state.a, state.a]).filter(function (one) { one.tried[1] = []; return one.flips; });
    return [
      make("h2", {}, [name.a + ", run by run"]),
      tabled("Every metric in every run", heads.concat("Two runs of a case differ"), rows),
      make("p", {}, [(files[state.a].claims || []).join(" ") || "Its runs vary no more than its cases would by chance, on any metric the board compares."]),
      make("h3", { id: "grid" }, ["Cases that did not end alike in all runs: " + flipped.length])
    ].concat(grid(state, flipped, "runs differ"));
  }

  function draw() {
    var state = SAB.state(), name = {};
    ["a", "b"].forEach(function (side) {
      pickers[side].value = state[side] || "";
      if (pickers[side].selectedIndex < 0) pickers[side].value = "";
      name[side] = pickers[side].value ? pickers[side].selectedOptions[0].textContent : "";
    });
    result.hidden = !(name.a && name.b);
    document.getElementById("start").hidden = !result.hidden;
    document.title = result.hidden ? title : name.a + " and " + name.b + " · " + title;
    said.textContent = state.a && !name.a || state.b && !name.b ? "There is no such entry; choose one." : "";
    if (result.hidden) return;
    Promise.all([load("data/index.js", function () { return index; }), pairs(state.a), pairs(state.b)]).then(function () {
      var now = SAB.state();
      if (now.a !== state.a || now.b !== state.b || now.show !== state.show) return;
      result.replaceChildren.apply(result, state.a === state.b ? alone(state, name) : two(state, name));
    }).catch(function (path) {
      if (typeof path !== "string") throw path;
      result.replaceChildren(make("p", { class: "note bad" }, ["The file " + path + " is missing or cannot be read; build the site anew."]));
    });
  }
  function choose() { location.hash = here({ a: pickers.a.value, b: pickers.b.value }).split("#")[1]; }

  pickers.a.addEventListener("change", choose);
  pickers.b.addEventListener("change", choose);
  document.getElementById("swap").addEventListener("click", function () {
    var first = pickers.a.value;
    pickers.a.value = pickers.b.value;
    pickers.b.value = first;
    choose();
  });
  document.getElementById("pair").addEventListener("submit", function (event) { event.preventDefault(); });
  window.addEventListener("hashchange", function () { if (/^$|=/.test(location.hash)) draw(); });
  draw();
})();
