/* The conversation: messages as a chat, calls as sentences, every finding once. Recorded text is only ever shown as text. */
(() => {
  "use strict";
  const R = window.SAB.reader, { words, el, spaced, whole } = R;
  const RULES = "rules", whose = { agent: "Agent", customer: "Customer", note: "Internal note", system: "System" };
  const actName = R.actName = (tool) => words.acts[tool] || spaced(tool);
  const kindOf = (check) => R.index.kinds.get(check) || { words: spaced(check), grade: "fair" };

  /* Messages are counted as the customer writes them; an answer has the number of what it answers. */
  const numberAt = R.numberAt = (turns, at) => turns.slice(0, at + 1).filter((turn) => turn.party === "customer").length;
  const named = (turns, at) => whose[turns[at].party] + (turns[at].party === "customer" ? ", message " : ", answer to message ") + numberAt(turns, at);

  /* Findings of code, once each: several checks may say the same sentence. */
  const known = new WeakMap();
  function findingsOf(conversation) {
    if (known.has(conversation)) return known.get(conversation);
    const found = new Map(), acted = new Set((conversation.acts || []).map((act) => act.turn));
    for (const note of conversation.notes.filter((one) => one.is_issue || (one.standing && one.value)).sort((one, other) => other.is_issue - one.is_issue)) {
      const turns = note.turns || [], at = turns.filter((turn) => acted.has(turn)).pop() ?? turns[0] ?? null, kind = kindOf(note.check);
      const one = found.get(note.reason) || found.set(note.reason, { at, check: note.check, grade: "none", text: note.reason, standing: note.standing, isIssue: note.is_issue }).get(note.reason);
      if (one.at === null) one.at = at;
      if (note.is_issue && one.grade !== "bad") one.grade = kind.grade;
    }
    known.set(conversation, [...found.values()]);
    return known.get(conversation);
  }
  const isOf = (at) => (one) => one.at === at;
  const findingLine = (one) => el("p.finding." + one.grade, [R.mark(one.grade), " ", one.text, one.standing && el("span.muted", " " + (words.standings[one.standing] || one.standing) + ".")], { "data-issue": one.isIssue ? one.grade : null });

  /* What judges say. The rule-based judge repeats the checks, so it stands behind the menu. */
  const judgeName = (one) => one.judge === RULES ? "Rule-based judge" : "Judge " + one.judge + (one.sample ? ", asked again" : "");
  const evidence = (one) => [one.void && words.voids[one.void] + ". ", one.quote && "“" + one.quote + "” ", one.reason];
  function opinionsAt(conversation, at) {
    const isHere = (one) => (conversation.transcript.turns[one.turn] ? one.turn : null) === at, loud = [], quiet = [];
    (conversation.judgements || []).forEach((judge, number) => {
      for (const one of (judge.findings || []).filter(isHere)) {
        const title = judgeName(judge) + ": " + kindOf(one.question.split(":")[0]).words + " " + (one.void ? "void" : words.says[one.says]);
        loud.push(opinionLine(one.says === "confirm" ? "fair" : "none", title, evidence(one), "judge:" + judge.judge + ":" + one.question));
      }
      for (const one of judge.opinions.filter(isHere)) {
        const denies = (held) => held.criterion === one.criterion && one.met != null && held.met === !one.met;
        const differs = conversation.judgements.slice(0, number).filter((other) => other.judge !== judge.judge && other.opinions.some(denies)).map(judgeName).join(" and ");
        const [grade, held] = one.void ? ["none", "void"] : one.met === null ? ["none", "undecided"] : one.met ? ["good", "passed"] : ["fair", "failed"];
        const rule = words.rules[one.criterion] ? "rule " + one.criterion : one.criterion;
        const line = opinionLine(grade, judgeName(judge) + ": " + rule + " " + held, [differs && el("b", "Differs from " + differs + ". "), ...evidence(one),
          grade === "fair" && el("span.muted", " " + (words.rules[one.criterion] || words.criteria[one.criterion]))], "judge:" + judge.judge + ":" + one.criterion);
        (judge.judge !== RULES && (one.void || one.met === false || differs) ? loud : quiet).push(line);
      }
    });
    return [loud, quiet];
  }
  const opinionLine = (grade, title, text, about) => ({ title, about, line: el("p.opinion", [R.mark(grade), " ", el("b", title), ". ", text]) });

  /* A call as a sentence in the words of its shop: parts in brackets go where the call lacks their argument. */
  const plain = (value) => typeof value === "string" ? value : JSON.stringify(value);
  const worded = (value) => /^[a-z]+(_[a-z]+)+$/.test(value) ? spaced(value) : plain(value);
  function told({ tool, arguments: given, result }) {
    const has = (name) => given && given[name] != null && given[name] !== "", tells = (name) => has(name) && given[name] !== "other", all = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
    const filled = (text) => text.replace(/\{(\w+)\}/g, (_, name) => has(name) ? worded(given[name]) : "?");
    if (!result.ok) return "Tried to " + actName(tool);
    const sentence = Object.hasOwn(words.told, tool) && words.told[tool];
    if (sentence) return filled(sentence.replace(/\[([^\]]*)\]/g, (_, part) => all(part).every(tells) ? part : ""));
    const name = actName(tool), values = typeof given === "string" ? given : Object.values(given || {}).map(plain).join(", ");
    return name[0].toUpperCase() + name.slice(1) + (values && ": " + values);
  }
  function callBox(call, act) {
    const { ok, facts, refusal = "", changes = [] } = call.result, [sign, kind] = !ok ? ["✗", "refused"] : changes.length ? ["✎", "change"] : ["⌕", "look-up"];
    return el("details.call." + kind + (act.breach ? ".breach" : ""), [
      el("summary", [el("span", sign, { "aria-hidden": "true" }), el("span.unseen", kind + ": "), " ", el("span.told", told(call)), !ok && el("span", ". Refused" + (refusal && ": " + plain(refusal)))]),
      el("pre", JSON.stringify({ tool: call.tool, arguments: call.arguments, result: ok ? facts : refusal, ...(changes.length ? { changes } : {}) }, null, 1))]);
  }
  /* A call that came outside its turn: the desk did not carry it out. */
  const outside = (call, turns) => el("details.call.refused", [el("summary", [el("span", "✗", { "aria-hidden": "true" }), el("span.unseen", "refused: "), " ",
    el("span.told", "Tried to " + actName(call.tool)), ". Not carried out: it came " + { late: "after this reply",
      foreign: "through the desk of this reply during the answer to message " + numberAt(turns, call.during), surplus: "after all calls that are allowed" }[call.why]]),
  el("pre", JSON.stringify(call, null, 1))]);

  /* One message: who, what was done, what was said, what was wrong with it, and a menu with the rest. */
  const message = R.message = (conversation, at, twin) => {
    const { turns, refused = [] } = conversation.transcript, turn = turns[at], id = conversation.side + "m" + (at + 1), isAgent = turn.party === "agent";
    const found = [conversation, twin].filter(Boolean).flatMap((one) => findingsOf(one).filter(isOf(at))), [loud, quiet] = opinionsAt(conversation, at);
    const isFirst = turns.findIndex((one) => one.party === turn.party) === at, who = isAgent ? R.nameOf(conversation.agent, conversation.side) : named(turns, at);
    const issue = ["bad", "fair"].find((grade) => found.some((one) => one.isIssue && one.grade === grade));
    return el("article.message." + turn.party, [
      el("header", [el("h2", isAgent && !isFirst ? el("span.unseen", who) : who), menu(conversation, at, found, quiet)]),
      (turn.calls || []).map((call, place) => callBox(call, (conversation.acts || []).find((act) => act.turn === at && act.call === place) || {})),
      el("div.bubble" + (issue === "bad" ? ".harm" : ""), [turn.sender && el("p.small.muted", "From " + turn.sender.name + " <" + turn.sender.email + ">"),
        turn.text.trim() ? el("p.words", underlined(turn.text, conversation, at)) : el("p.muted", "(said nothing)"),
        (turn.attachments || []).map((file) => el("p.words.muted", "📎 " + file.name + " (" + file.kind + "): " + file.shows))]),
      refused.filter((call) => call.turn === at).map((call) => outside(call, turns)), found.map(findingLine), loud.map((one) => one.line)],
    { id, tabindex: "-1", "data-issue": issue, "aria-label": named(turns, at) });
  };
  function menu(conversation, at, found, quiet) {
    const { turns } = conversation.transcript, turn = turns[at], own = (R.notes[R.keyOf(conversation, at, "")] || {}).text || "";
    const area = el("textarea", own, { rows: 2, "aria-label": "My note: " + named(turns, at), ...R.place(conversation, at, "") });
    const about = [...found.map((one) => ["check:" + one.check, one.text]), ...opinionsAt(conversation, at).flat().map((one) => [one.about, one.title])];
    return el("details.more", [el("summary", "More", { "aria-label": "More: " + named(turns, at) }), el("div", [
      el("p", [el("a", "Link to this message", { href: R.link({ ...R.both(), m: conversation.side + "m" + (at + 1) }) })]),
      turn.conduct && el("p.muted", "Simulated customer: " + conducted(turn.conduct)), steps(turn), usage(turn.usage || []),
      turn.party === "agent" && again(conversation, numberAt(turns, at)), quiet.map((one) => one.line),
      about.map(([key, title]) => stance(R.place(conversation, at, key), title)), el("label", ["My note", area])])], { open: !!own });
  }
  function stance(where, title) {
    const held = (R.notes[where["data-key"]] || {}).stance;
    const choice = (what) => el("button", what, { type: "button", "data-do": "stance", "aria-pressed": String(held === what), "aria-label": what + ": " + title });
    return el("p.stance", [choice("agree"), choice("disagree"), el("span.muted", title)], where);
  }
  /* The command that replays this decision; it names the agent. */
  const again = ({ agent, run }, reply) => words.again[agent] && !R.now.blind && el("details", [el("summary", "Decide again"), "RUNS is the folder of the runs.",
    el("pre", words.again[agent].join(run + " --at " + R.now.case + ":" + reply)), el("button", "Copy", { type: "button", "data-do": "command" })]);
  function conducted(conduct) {
    const facts = Object.entries(conduct.discloses || {}).map((pair) => spaced(pair.join(" "))).join(", ");
    return [conduct.moves.map(spaced).join(", "), "mood " + (conduct.mood > 0 ? "+" : "") + (conduct.mood || 0),
      facts && "tells " + facts, conduct.worded_by && "worded by " + conduct.worded_by,
      conduct.faults && "after " + conduct.faults.map(spaced).join(", ")].filter(Boolean).join(" · ");
  }
  /* Which model call asked for which tool calls, where the record says so; a model call without any wrote the reply. */
  function steps(turn) {
    const calls = turn.calls || [], made = (turn.usage || []).map((one) => one.step).filter(Boolean);
    if (!made.length || !calls.some((call) => call.step)) return null;
    const asked = (step) => calls.filter((call) => call.step === step).map(told).join("; ");
    return el("ol.steps", made.map((step) => el("li", asked(step) ? "Model call " + step + ": " + asked(step) : "Model call " + step + " wrote the reply")));
  }
  function usage(calls) {
    const sum = (...keys) => calls.reduce((all, one) => keys.reduce((some, key) => some + (one[key] || 0), all), 0), cost = sum("cost");
    const priced = calls.every((one) => one.cost != null) ? ", $" + cost.toFixed(cost < 0.01 ? 4 : 2) : "";
    return calls.length > 0 && el("details", [el("summary", "Usage: " + whole(sum("input", "cache_read", "cache_write")) + " tokens in, " + whole(sum("output")) + " out" + priced),
      el("pre", JSON.stringify(calls, (key, value) => R.now.blind && key === "model" ? undefined : value, 1))]);
  }

  /* Words that a finding or a judge quotes are underlined; search words are highlighted. */
  function underlined(text, conversation, at) {
    const drawn = new Uint8Array(text.length), parts = [];
    const draw = (phrase, bit) => {
      const pattern = (phrase || "").trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
      if (!pattern) return;
      for (const found of text.matchAll(new RegExp(pattern, "gi"))) for (let on = 0; on < found[0].length; on++) drawn[found.index + on] |= bit;
    };
    for (const note of conversation.notes) if ((note.is_issue || note.standing) && (note.turns || []).includes(at)) draw(note.quote, 1);
    for (const judge of conversation.judgements || []) for (const one of [...judge.opinions, ...(judge.findings || [])]) if (one.turn === at && !one.void) draw(one.quote, 1);
    for (const word of (R.now.q || "").split(" ")) draw(word, 2);
    for (let from = 0, to = 0; from < text.length; from = to) {
      while (to < text.length && drawn[to] === drawn[from]) to++;
      const part = text.slice(from, to), inner = drawn[from] & 2 ? el("mark", part) : part;
      parts.push(drawn[from] & 1 ? el("u.quote", inner) : inner);
    }
    return parts;
  }

  /* How it ended, and what is wrong or open about the whole of it. */
  const ending = R.ending = (conversation) => {
    const { ending: end, unlisted } = conversation.transcript, day = new Date(conversation.started * 1000).toISOString().slice(0, 10), [loud, quiet] = opinionsAt(conversation, null);
    const open = conversation.notes.filter((note) => note.value === null && !(note.turns || []).length), found = findingsOf(conversation).filter(isOf(null));
    const about = [...found.map((one) => ["check:" + one.check, one.text]), ...[...loud, ...quiet].map((one) => [one.about, one.title])];
    return el("div.ending", [el("p.muted", "Ended: " + (words.ends[end.kind] || end.kind) + (end.cause ? " (" + spaced(end.cause) + ", " + (end.detail || "") + ")" : "") + "."),
      unlisted && el("p.muted", unlisted + " more calls came outside their turns. None was carried out."), found.map(findingLine),
      open.map((note) => el("p.finding.none", [R.mark("none"), " Code cannot decide whether it was " + (words.duties[note.check] || kindOf(note.check).words) + ": " + note.reason])), loud.map((one) => one.line),
      el("details.more", [el("summary", "More", { "aria-label": "More on the whole conversation" }), el("div", [el("p.muted", day + ", record " + conversation.digest), quiet.map((one) => one.line),
        about.map(([key, title]) => stance(R.place(conversation, null, key), title))])])]);
  };

  /* What was right: sentences first, then the rules. */
  R.due = ({ due = [], transcript: { label } }) => {
    const when = (ban) => (ban.until === "outcome" ? " before every request is settled" : ban.until ? " before this is known: " + spaced(ban.until) : "") +
      (ban.since ? ", once this is known: " + spaced(ban.since) : "");
    const line = (name, list) => list && list.length > 0 && [el("dt", name), list.map((one) => el("dd", one))];
    return el("section.due.panel", [el("p", [el("b", "What was right here: "), due.join(" ")]), el("details.fold", [el("summary", "The rules behind it"), el("dl", [
      line("Deciding rules", (label.rules || []).map((id) => [el("b", id), " " + (words.rules[id] || "")])),
      line("Forbidden", (label.bans || []).map((ban) => actName(ban.act) + when(ban) + " (rule " + ban.rules.join(", ") + ")"))])])]);
  };

  /* Rounds: a customer message and the agent's reply. Two conversations stand round by round. */
  const roundsOf = R.roundsOf = (conversation) => {
    const rounds = [];
    conversation.transcript.turns.forEach((turn, at) => {
      if (turn.party === "customer" || !rounds.length) rounds.push([]);
      rounds[rounds.length - 1].push(at);
    });
    return rounds;
  };
  R.beside = (a, b) => {
    const pair = [a, b].map((conversation) => ({ conversation, rounds: roundsOf(conversation) })), made = [], size = Math.max(...pair.map((one) => one.rounds.length));
    const acts = ({ conversation, rounds }, at) => (conversation.acts || []).filter((act) => (rounds[at] || []).includes(act.turn));
    const signs = (at) => pair.map((one) => acts(one, at).map((act) => act.sign).sort().join());
    const said = (act) => actName(act.tool) + (act.sign.endsWith(" refused") ? " (refused)" : "");
    const [opening, other] = [a, b].map((conversation) => conversation.transcript.turns[0]), shared = opening && other && opening.text === other.text;
    const first = [...Array(size).keys()].findIndex((at) => signs(at)[0] !== signs(at)[1]);
    if (first < 0) made.push(el("p.differ.same", "The two take the same actions throughout; look-ups and words may differ."));
    for (let at = 0; at < size; at++) {
      const skip = at === 0 && shared ? 1 : 0;
      if (skip) made.push(el("div.round", message(a, 0, b)));
      const each = pair.map((one, place) => "AB"[place] + ": " + (acts(one, at).map(said).join(", ") || "none") + ". ");
      if (at === first) made.push(el("p.differ", ["After the customer’s message " + (at + 1) + " the two take different actions. ", each], { id: "differ" }));
      made.push(el("div.round.columns", pair.map(({ conversation, rounds }) => el("div.side." + conversation.side, rounds[at] ?
        [rounds[at].slice(skip).map((turn) => message(conversation, turn)), at === rounds.length - 1 && ending(conversation)] : el("p.over", "Conversation already over")))));
    }
    return made;
  };

  /* What happened, in a sentence, for a conversation that stays folded. */
  R.worstOf = (conversation) => {
    const rank = (one) => (one.check === "escalated") * 2 + (one.grade === "bad");
    return (findingsOf(conversation).filter((one) => one.isIssue).sort((one, other) => rank(other) - rank(one))[0] || {}).text || "";
  };
})();
