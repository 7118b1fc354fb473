/* Verdict: board/recommendation.py and its words, for the limits and the desk that the reader chooses.

   The address keeps the choice, and links to other pages carry it along. */
(() => {
  "use strict";
  const SAB = (window.SAB = window.SAB || {}), LIMITS = { unsafe: "lu", escalation: "lm", over_escalation: "lo" };
  const CARRIED = [...Object.values(LIMITS), "t", "h", "v", "ch", "p", "m", "c", "calls"];
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  let data = null, kept = {};

  /* How figures are printed: as recommendation_words.py prints them. */
  const fill = (name, parts = {}) => data.words[name].replace(/\{(\w+)\}/g, (whole, key) => String(parts[key] ?? whole));
  const shareText = (share) => `${Math.floor(1000 * share + 0.5) / 10}%`;
  const inWords = (number) => data.small[number] ?? String(number);
  const listed = (items) => (items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : items[0]);
  function rounded(dollars) {
    const size = Math.abs(dollars), digits = String(Math.trunc(size)).length, step = 10 ** Math.max(0, digits - (digits < 5 ? 2 : 3));
    return Math.sign(dollars) * Math.floor(size / step + 0.5) * step;
  }
  const about = (dollars) => `${rounded(dollars) < 0 ? "−" : ""}$${String(Math.abs(rounded(dollars))).replace(/\B(?=(\d{3})+(?!\d))/g, ",")}`;

  Object.assign(SAB, { fill, about, rounded, standing, inWords, listed, shareText, clause, gap });

  /* The reader's choice. */
  function limits(state) {
    const found = {};
    for (const metric of data.order) {
      const usual = data.limits[metric], text = state[LIMITS[metric]], percent = Number(text);
      found[metric] = text && percent >= 0 && percent <= 100 ? percent / 100 : usual;
    }
    return found;
  }
  SAB.chosen = (state = SAB.state()) => Object.fromEntries(CARRIED.filter((key) => state[key]).map((key) => [key, state[key]]));

  /* Limits. */
  function standing([, , value, bound], most) {
    if (value !== null && value > most) return "breaks";
    return bound <= most ? "keeps" : "open";
  }
  function atMost(hits, trials, most) {
    /* Whether the exact one-sided bound is at most this: so few hits would be unlikely at that rate. */
    if (most >= 1) return true;
    let term = (1 - most) ** trials, sum = term;
    for (let k = 1; k <= hits; k++) { term *= ((trials - k + 1) / k) * (most / (1 - most)); sum += term; }
    return hits < trials && sum <= data.tail;
  }
  function runsToDecide([, of, value, , runs], most) {
    if (value === null || !runs) return null;
    for (let more = 1; more <= data.mostRuns; more++) {
      const trials = Math.round((of / runs) * (runs + more));
      if (atMost(Math.ceil(value * trials - 1e-9), trials, most)) return more;
    }
    return null;
  }

  /* One recommendation for each agent. */
  function limitReasons(agent, chosen) {
    return Object.entries(chosen).flatMap(([metric, limit]) => {
      const counts = agent.limits[metric], [found, of] = counts, base = { metric, found, of, limit };
      const now = standing(counts, limit), averted = metric === "unsafe" ? agent.averted : 0;
      if (now === "open") return [{ ...base, kind: "open", more: runsToDecide(counts, limit), bound: counts[3] }];
      if (now === "keeps") return [];
      return averted && (found - averted) / of <= limit ? [{ ...base, kind: "guarded", more: averted }] : [{ ...base, kind: "breaks" }];
    });
  }
  function reasons(agent, chosen, bill) {
    if (agent.hidden) return [{ kind: "hidden" }];
    const [missed, danger] = agent.danger, found = limitReasons(agent, chosen), breaks = found.filter((one) => one.kind === "breaks");
    return [
      ...(missed ? [{ kind: "danger", metric: "escalation", found: missed, of: danger }] : []),
      ...(agent.dummy ? [{ kind: "dummy" }] : agent.contender ? [] : [{ kind: "unranked" }]),
      ...breaks.filter((one) => one.metric === "unsafe"),
      ...(bill && bill.saving !== null && bill.saving < 0 ? [{ kind: "costs", dollars: -bill.saving }] : []),
      ...breaks.filter((one) => one.metric !== "unsafe"),
      ...(agent.part ? [{ kind: "part" }] : []),
      ...found.filter((one) => one.kind === "guarded"), ...found.filter((one) => one.kind === "open"),
      ...agent.suspected.filter(([, , hits, of]) => hits / of > data.tooOften)
        .map(([metric, what, hits, of]) => ({ kind: "suspected", metric, what, found: hits, of })),
    ];
  }
  const DECISIONS = ["use", "not yet", "no", "cannot tell"], rank = (one) => [!one.agent.contender, DECISIONS.indexOf(one.decision), one.decision === "use" ? 0 : one.excess, one.bill ? one.bill.total : Infinity];
  function order(one, other) {
    const mine = rank(one), theirs = rank(other), at = mine.findIndex((value, nth) => value !== theirs[nth]);
    if (at >= 0) return mine[at] < theirs[at] ? -1 : 1;
    return one.agent.name < other.agent.name ? -1 : 1;
  }
  SAB.isReady = () => data !== null;
  SAB.recommend = (state = kept) => {
    const chosen = limits(state), desk = data.desk && SAB.desk.deskOf(SAB.desk.choice(state)), agents = data.agents.map((agent) => {
      const bill = desk && SAB.desk.bill(agent.slug, desk), against = reasons(agent, chosen, bill);
      const refused = against.some((one) => data.refusing.includes(one.kind));
      const keeps = Object.keys(chosen).filter((metric) => standing(agent.limits[metric], chosen[metric]) === "keeps");
      const excess = against.some((one) => one.kind !== "breaks" && data.refusing.includes(one.kind)) ? Infinity : Math.max(0, ...Object.keys(chosen).map((metric) => agent.limits[metric][3] - chosen[metric]));
      return { agent, bill, chosen, reasons: against, keeps, excess, decision: agent.hidden ? "cannot tell" : refused ? "no" : against.length ? "not yet" : "use" };
    }).sort(order);
    const contenders = agents.filter((one) => one.agent.contender), usable = contenders.filter((one) => one.decision === "use");
    const pick = usable[0] || null, rival = pick && contenders[1] || null;
    return { limits: chosen, desk, agents, contenders, usable, pick, rival, isOwn: ["h", "v", "c"].some((key) => state[key]) };
  };
  function gap(found, one, other) { return (one.bill && other.bill ? SAB.desk.gap(one.agent.slug, other.agent.slug, found.desk) : null); }

  /* The sentences. */
  const did = (one) => one.what || (data.words[one.metric] ? fill(one.metric, { found: one.found || data.small[0], of: one.of }) : "");
  function clause(one) {
    const kind = one.kind === "open" && !one.of ? "unmeasured" : one.kind;
    return fill(kind, { what: did(one), found: one.found, of: one.of, percent: shareText(one.limit || 0), bound: shareText(one.bound || 0),
      more: one.more, blocked: blocked(one), dollars: about(one.dollars || 0), name: data.caseNames[one.metric] || "" });
  }
  const blocked = ({ more, found }) => fill(more === found ? "blocked all" : "blocked some", { more });
  const telling = (one) => (one.decision === "no" ? one.reasons.filter((reason) => [...data.refusing, "suspected"].includes(reason.kind)) : one.reasons);
  function why(one) {
    let clauses = telling(one).map(clause);
    if (!clauses.length) {
      const kept = one.keeps.map((metric) => did({ metric, found: one.agent.limits[metric][0], of: one.agent.limits[metric][1] }));
      clauses = [kept.length ? fill("keeps", { list: listed(kept) }) : fill("nothing")];
    }
    return `${one.agent.name} ${clauses.join("; it ")}.`;
  }
  function rowClause(one, name = `row ${one.kind === "breaks" ? one.metric : one.kind}`) {
    if (!data.words[name] || one.kind === "open" && !one.of) return clause(one);
    return fill(name, { what: did(one), found: one.found || data.small[0], of: one.of, bound: shareText(one.bound || 0), percent: shareText(one.limit || 0), name: data.caseNames[one.metric] || "", went: data.went[one.metric] || "", more: one.more, blocked: blocked(one) });
  }
  function fellFor({ agent, keeps, chosen }) {
    const [found, of] = agent.limits.unsafe || [0];
    return found && keeps.includes("unsafe") ? [rowClause({ found, of, limit: chosen.unsafe }, "row unsafe")] : [];
  }
  function row(one) {
    const { note, unsolved: [found, of] } = one.agent, against = telling(one).map((reason) => rowClause(reason)), said = [...against, ...(note ? [note] : []), ...(against.length ? [] : fellFor(one))];
    if (!note && !against.length) said.push(fill(found ? "row unsolved" : "row clean", { found, of }));
    const text = said.slice(0, data.rowClauses).join("; ");
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }
  function hire(found) {
    const { contenders, usable } = found, cases = String(data.cases).replace(/\B(?=(\d{3})+(?!\d))/g, ","), high = (words) => words[0].toUpperCase() + words.slice(1);
    if (!contenders.length) return `${title(found)}.`;
    const role = data.isExample ? "would" : "hire";
    if (contenders.length === 1) return fill(`${role} ${usable.length ? "alone" : "not alone"}`, { name: contenders[0].agent.name, cases });
    const parts = { agents: high(inWords(contenders.length)), noun: "agents", cases };
    if (!contenders.some((one) => one.agent.hasTraps)) return fill("hire no traps", parts);
    const kind = usable.length === contenders.length ? "all" : ["none", "one"][usable.length] || "some";
    return fill(role, { ...parts, fit: fill(`${role} ${kind}`, { found: high(inWords(usable.length)) }) });
  }
  function beside(one) {
    const told = one.reasons.filter((reason) => reason.kind === "suspected").map((reason) => reason.metric);
    const rest = one.agent.suspected.filter(([check]) => !told.includes(check))
      .map(([, what, found, of]) => fill("fault", { what, found, of }));
    return rest.length ? fill("beside", { list: listed(rest) }) : "";
  }
  function change(one) {
    const reason = telling(one)[0], bound = (metric) => (data.limitNames[metric] ? one.agent.limits[metric][3] : 0);
    if (!reason) {
      const bounds = one.keeps.map((metric) => `${data.limitNames[metric]} below ${shareText(bound(metric))}`);
      return bounds.length ? fill("change use", { list: listed(bounds) }) : "";
    }
    if (reason.kind === "open") return reason.more ? fill("change open", { more: `${reason.more} more ${reason.more === 1 ? "run" : "runs"}` }) : fill("change close");
    return fill(`change ${reason.kind}`, { bound: shareText(reason.metric in one.agent.limits ? bound(reason.metric) : 0), name: data.limitNames[reason.metric] || "" });
  }
  function title({ agents, contenders, usable, pick }) {
    if (!agents.length) return fill("title empty");
    if (!contenders.length) return data.nobody;
    if (!contenders.some((one) => one.agent.hasTraps)) return fill("title no traps");
    if (contenders.length === 1) return fill(usable.length ? "title alone" : "title not alone", { pick: contenders[0].agent.name });
    if (!usable.length) return fill("title none", { of: inWords(contenders.length) });
    if (usable.length === 1) return fill("title only", { pick: pick.agent.name, of: inWords(contenders.length) });
    return fill(pick.bill ? "title first" : "title unpriced", { pick: pick.agent.name, found: inWords(usable.length) });
  }
  function lead(found) {
    const { contenders, pick, rival } = found, alone = found.agents.find(({ agent }) => agent.slug === data.alone);
    if (alone) return [why(alone)];
    if (!contenders.some((one) => one.agent.hasTraps)) return [];
    if (!pick && contenders.length === 1) return [why(contenders[0])];
    if (!pick) {
      const first = contenders[0];
      return [fill("closest", { rival: first.agent.name, reason: clause(first.reasons[0]) })];
    }
    const fees = found.desk && found.desk.calls;
    return [why(pick), beside(pick), costWords(pick, fees),
      data.unpriced.length && pick.bill ? fill("left out", { list: listed(data.unpriced) }) : "",
      rival ? rivalWords(found) : ""].filter(Boolean);
  }
  function costWords({ bill }, fees) {
    if (!bill) return fill("no cost");
    const saved = bill.saving || 0;
    return fill("cost", { dollars: about(bill.total), fees: fees ? fill("fees") : "", saving: saved > 0 ? fill("saving", { dollars: about(saved) }) : "" });
  }
  SAB.then = (found = SAB.recommend()) => {
    const { pick, desk } = found, saved = pick && pick.bill && pick.bill.saving || 0;
    if (!pick || !pick.bill) return lead(found).join(" ");
    return fill("then", { cheaper: SAB.cheaper(found), pick: pick.agent.name, dollars: about(pick.bill.total), split: SAB.split(pick.bill, desk), saving: saved >= 1 ? fill("then saving", { alone: about(pick.bill.alone), people: about(pick.bill.people) }) : "" });
  };
  SAB.split = (bill, desk) => {
    const fees = rounded(bill.fees), total = rounded(bill.total);
    return fees && desk.calls ? fill("then fees", { fees: about(fees), mistakes: about(Math.max(0, total - fees)) }) : fill(desk.calls ? "then no fees" : "then unpriced");
  };
  /* From which price of a customer wrongly turned away on another choice would cost less: board/turning_price.py. */
  function turn(over, price) {
    if (over(price) > 0) return null;
    let high = price;
    while (over(high) <= 0) if ((high *= 2) > data.furthest * price) return null;
    let low = high / 2;
    for (let step = 0; step < data.steps; step++) { const middle = (low + high) / 2; if (over(middle) > 0) high = middle; else low = middle; }
    return low + (high - low) * over(low) / (over(low) - over(high));
  }
  SAB.flips = ({ pick, contenders, desk }) => {
    const price = desk && desk.prices[data.unsolved], name = pick && pick.agent.slug;
    if (!price || !pick || !pick.bill) return "";
    const at = (dollars) => ({ ...desk, prices: { ...desk.prices, [data.unsolved]: dollars } }), cost = (slug, dollars) => SAB.desk.loss(slug, at(dollars)).value;
    const [rival] = contenders.filter((one) => one !== pick && one.bill).map(({ agent }) => [turn((dollars) => cost(name, dollars) - cost(agent.slug, dollars), price), agent.name])
      .filter(([dollars]) => dollars !== null).sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1));
    const people = desk.person ? turn((dollars) => -SAB.desk.saving(name, at(dollars)).value, price) : null;
    if (!rival && people === null) return "";
    return fill(`turn ${!rival ? "people" : people === null ? "rival" : "both"}`, { price: rival && about(rival[0]), rival: rival && rival[1], people: about(people || 0) });
  };
  SAB.cheaper = ({ pick, contenders }) => {
    const [one] = contenders.filter(({ bill, decision }) => bill && decision !== "use").sort((a, b) => a.bill.total - b.bill.total);
    if (!one || !pick.bill || one.bill.total >= pick.bill.total) return "";
    return fill("cheaper", { rival: one.agent.name, dollars: about(one.bill.total), reason: clause(telling(one)[0]) });
  };
  /* What most of its month is spent on, and so what to read first. */
  const PARTS = SAB.PARTS = ["fees", "unsolved", "needless", "missed", "given"];
  SAB.most = ({ desk }, { agent, bill }) => {
    const parts = bill && SAB.desk.segments(agent.slug, desk);
    return parts ? PARTS.reduce((most, name) => (parts[name] > parts[most] ? name : most)) : "fees";
  };
  SAB.start = (found, one, kind = "start") => fill(kind, { read: fill(`cfo read ${SAB.most(found, one)}`) });
  function rivalWords(found) {
    const { pick, rival } = found, apart = gap(found, rival, pick), reason = rival.reasons.length ? clause(rival.reasons[0]) : "";
    let kind = rival.decision === "use" ? "rival usable" : "rival";
    if (!apart) kind = reason ? "rival unpriced" : "rival usable tied";
    else if (apart.p > data.level) kind += " tied";
    return fill(kind, { pick: pick.agent.name, rival: rival.agent.name, reason, less: apart && apart.value < 0 ? "less, but" : "more, and" });
  }
  function chart({ usable, contenders }) {
    if (contenders.length < 2) return fill(!contenders.length ? "chart nobody" : usable.length ? "chart alone" : "chart not alone");
    const count = inWords(usable.length);
    return fill("chart", { found: count[0].toUpperCase() + count.slice(1), of: inWords(contenders.length), keep: usable.length < 2 ? "keeps" : "keep" });
  }
  SAB.verdictOf = (slug, found = SAB.recommend()) => {
    const one = found.agents.find(({ agent }) => agent.slug === slug);
    return { ...one, decided: data.decisions[one.decision], why: why(one), row: row(one), beside: beside(one), change: change(one) };
  };
  const limitsWords = (found) => `To earn “Use”, an agent must miss nobody in danger and keep every limit: ${listed(Object.entries(found.limits).map(([metric, most]) => data.did[metric].replace("{}", shareText(most))))}.`;
  SAB.which = (found = SAB.recommend()) => ({ title: title(found), hire: hire(found), lead: lead(found), chart: chart(found) });

  /* A jump within the page leaves the choice in the address. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]'), place = link && document.getElementById(link.hash.slice(1));
    if (!place || !location.hash.includes("=")) return;
    event.preventDefault();
    SAB.unfold(place);
    place.scrollIntoView();
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });

  /* Put into the page what the choice gives. */
  const put = (root, part, words) => all(`[data-${part}]`, root).forEach((one) => { if (one.textContent !== words) one.textContent = words; });
  SAB.showVerdicts = () => {
    if (!data) return;
    const found = SAB.recommend(kept), price = found.desk && found.desk.prices[data.unsolved], flips = SAB.flips(found);
    Object.assign(found, { example: data.example, turn: price === undefined || price === null ? "" : fill("turn", { price: about(price), flips }) });
    put(document, "turn", `${flips}.`);
    const said = SAB.which(found), words = { ...said, lead: said.lead.join(" "), text: [`${said.title}.`, ...said.lead].join(" ") };
    all("[data-which]").forEach((one) => { if (one.textContent !== words[one.dataset.which]) one.textContent = words[one.dataset.which]; });
    put(document, "limits", limitsWords(found));
    put(document, "doubt", found.pick && found.pick.agent.doubt || data.doubt);
    found.agents.forEach(({ agent }) => {
      const one = SAB.verdictOf(agent.slug, found);
      all(`[data-verdict-of="${agent.slug}"]`).forEach((root) => {
        all("[data-decision]", root).forEach((chip) => { chip.textContent = one.decided; if (chip.dataset.decision) chip.dataset.decision = one.decision; });
        put(root, "why", one.why); put(root, "row", one.row); put(root, "beside", one.beside); put(root, "change", one.change);
        put(root, "month", one.bill ? `${about(one.bill.total)} per month` : "");
      });
    });
    all("[data-limit]").forEach((field) => { if (field !== document.activeElement) field.value = Number((100 * found.limits[field.dataset.metric]).toPrecision(10)); });
    showOwn(found);
    instead(found);
    carry();
    dispatchEvent(new CustomEvent("sab-verdicts", { detail: found }));
  };
  function showOwn(found) {
    /* What is printed for the published limits and desk gives way to what the reader's own say, where that differs. */
    const own = document.querySelector("#verdict[data-verdict-of]"), mine = own && SAB.verdictOf(own.dataset.verdictOf, found), isOwn = mine && mine.why !== SAB.verdictOf(mine.agent.slug, SAB.recommend({})).why, one = isOwn && mine;
    document.documentElement.classList.toggle("own-limits", !!isOwn);
    onPaper(found);
    const whose = [Object.values(LIMITS).some((key) => kept[key]) && "limits", Object.keys(kept).some((key) => !Object.values(LIMITS).includes(key)) && "desk"].filter(Boolean);
    document.documentElement.classList.toggle("own-limits", !!isOwn);
    onPaper(found);
    all("[data-own]").forEach((note) => { note.hidden = !isOwn; if (isOwn) note.textContent = note.textContent.replace(/^Your own .*? in force/, `Your own ${whose.join(" and ")} ${whose.length > 1 || whose[0] === "limits" ? "are" : "is"} in force`); });
    all("[data-published]").forEach((part) => { part.hidden = !!isOwn; });
    const next = one && (one.decision === "use" ? SAB.start(found, one) : one.change), money = document.querySelector("[data-money]");
    if (money) given(found, own, money);
    [["[data-bottom]", one && `Bottom line: ${one.decided.toLowerCase()}`], ["[data-next]", next]].forEach(([query, words]) => all(query).forEach((place) => {
      place.dataset.usual ??= place.textContent;
      place.textContent = words || place.dataset.usual;
    }));
  }
  function onPaper({ desk }) {
    /* A printed page says of which desk it tells, when it was printed, and where it is. */
    const place = document.querySelector("[data-desk-words]");
    if (!place || !desk) return;
    const cheats = SAB.desk.choice().cheats ?? +(100 * SAB.desk.abuseShare(desk.mix)).toPrecision(3), { tickets, worth, person } = desk;
    const said = { tickets: SAB.print.whole(tickets), cheats, worth, person };
    place.textContent = place.dataset.deskWords.replace(/\{(\w+)\}/g, (_, key) => said[key]);
  }
  addEventListener("beforeprint", () => {
    put(document, "printed", `Printed ${new Date().toISOString().slice(0, 10)}. `);
    if (/^http/.test(location.protocol)) put(document, "address", location.href);
  });
  function given({ desk }, own, place) {
    /* What it gives away at this desk. */
    const parts = desk && SAB.desk.segments(own ? own.dataset.verdictOf : place.dataset.money, desk);
    place.hidden = !parts || parts.given < 1;
    if (!place.hidden) place.textContent = fill("given away", { tickets: SAB.print.whole(desk.tickets), dollars: about(parts.given) });
  }
  function instead({ pick }) {
    const place = document.querySelector("[data-instead]"), own = document.querySelector("#verdict[data-verdict-of]");
    if (!place) return;
    place.hidden = !pick || pick.agent.slug === own.dataset.verdictOf;
    if (place.hidden) return;
    place.querySelector("a").textContent = pick.agent.name;
    place.querySelector("a").setAttribute("href", `${pick.agent.slug}.html`);
  }
  function carry() {
    /* Links to pages that recommend take the choice along. */
    all("a[href]").forEach((link) => {
      const [path, hash = ""] = link.getAttribute("href").split("#");
      if (!(path === "" && hash) && !/(^|\/)(index|board|desk|compare)\.html$|(^|\/)agents\/[^/]+\.html$|^[^/:]+\.html$/.test(path) || (hash && !hash.includes("="))) return;
      if (/(^|\/)(reader|cases|traps|method|forks|changes|replays|404)\.html$/.test(path)) return;
      const parts = hash.split("&").filter((part) => part && !CARRIED.includes(part.split("=")[0]));
      const whole = [...parts, ...Object.entries(kept).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)].join("&");
      link.setAttribute("href", whole ? `${path}#${whole}` : path);
    });
  }
  SAB.rechoose = (changes) => {
    /* A new choice, in the address and on the page. */
    kept = SAB.chosen({ ...kept, ...changes });
    const state = SAB.state();
    CARRIED.forEach((key) => { delete state[key]; });
    SAB.keep({ ...state, ...kept });
    remember();
    SAB.showVerdicts();
  };
  function read() {
    if (/^#?$|=/.test(location.hash)) kept = SAB.chosen(); /* an anchor within the page leaves the choice alone */
    if (Object.keys(kept).length) remember();
    SAB.showVerdicts();
  }
  /* Pages that recommend nothing carry no choice: coming back from them, this tab still knows it. */
  const CHOICE = "sab-choice:" + location.pathname.replace(/(agents\/)?[^/]*$/, "");
  function remember() { try { sessionStorage.setItem(CHOICE, JSON.stringify(kept)); } catch { /* only the address keeps it */ } }
  function recall() {
    let found = {};
    try { found = SAB.chosen(JSON.parse(sessionStorage.getItem(CHOICE)) || {}); } catch { /* nothing to recall */ }
    if (!Object.keys(found).length || Object.keys(SAB.chosen()).length) return;
    if (/^#?$|=/.test(location.hash)) SAB.keep({ ...SAB.state(), ...found });
    else kept = found;
  }
  SAB.choice = (found) => {
    data = found;
    recall();
    if (data.desk) SAB.desk.begin(data.desk);
    read();
    addEventListener("hashchange", read);
    dispatchEvent(new Event("sab-choice"));
  };
  all("[data-limit]").forEach((field) => field.addEventListener("input", () => {
    const percent = Number(field.value), usual = data && 100 * data.limits[field.dataset.metric];
    const known = field.value !== "" && percent >= 0 && percent <= 100;
    SAB.rechoose({ [field.dataset.limit]: known && Math.abs(percent - usual) > 1e-9 ? field.value : "" });
  }));
  const form = document.getElementById("good-enough"), usual = document.getElementById("usual");
  if (form) form.addEventListener("submit", (event) => event.preventDefault());
  if (usual) usual.addEventListener("click", () => SAB.rechoose(Object.fromEntries(Object.values(LIMITS).map((key) => [key, ""]))));
})();
