// The review of tickets: marked words are kept or hidden, and each decision is sent at once.
"use strict";
const ticket = document.getElementById("ticket");
const told = document.getElementById("told");
const doubts = [...document.querySelectorAll(".doubt")];
let sending = false;

const eventOf = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest("[data-event]");

function kept() {
  return doubts.filter((doubt) => doubt.getAttribute("aria-pressed") === "false")
    .map((doubt) => [eventOf(doubt), doubt.dataset.start, doubt.dataset.end])
    .map(([event, start, end]) => [Number(event.dataset.event), Number(start), Number(end)]);
}

// Places are counted in characters, as the server does, not in halves of them.
function place(event, node, offset) {
  const before = document.createRange();
  before.setStart(event, 0);
  before.setEnd(node, offset);
  return [...before.toString()].length;
}

function selected() {
  const selection = getSelection();
  const found = [];
  for (let at = 0; at < selection.rangeCount; at += 1) {
    const range = selection.getRangeAt(at);
    for (const event of document.querySelectorAll("[data-event]")) {
      if (range.collapsed || !range.intersectsNode(event)) continue;
      const start = event.contains(range.startContainer) ? place(event, range.startContainer, range.startOffset) : 0;
      const end = event.contains(range.endContainer) ? place(event, range.endContainer, range.endOffset) : [...event.textContent].length;
      if (end > start) found.push([Number(event.dataset.event), start, end]);
    }
  }
  return found;
}

async function decide(action, more = {}) {
  if (!ticket || sending) return;
  sending = true;
  const body = { ticket: ticket.dataset.ticket, seen: ticket.dataset.seen, action, ...more };
  try {
    const answer = await fetch("decide", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (answer.ok) { location.reload(); return; }
    told.textContent = await answer.text();
  } catch {
    told.textContent = "Nothing was stored: the command has ended. Start it again.";
  }
  sending = false;
}

function turn(doubt, hide) { doubt.setAttribute("aria-pressed", String(hide)); }

const acts = {
  a: () => decide("approve", { kept: kept() }),
  d: () => decide("drop"),
  h: () => {
    const hidden = selected();
    if (hidden.length) decide("hide", { hidden });
    else told.textContent = "Select the text to hide first.";
  },
  k: () => {
    const hide = doubts.every((doubt) => doubt.getAttribute("aria-pressed") === "false");
    doubts.forEach((doubt) => turn(doubt, hide));
  },
  l: () => document.getElementById("later").click(),
};

if (ticket) {
  doubts.forEach((doubt) => doubt.addEventListener("click", () => turn(doubt, doubt.getAttribute("aria-pressed") === "false")));
  for (const [key, id] of [["a", "approve"], ["d", "drop"], ["h", "hide"], ["k", "keep"]]) document.getElementById(id).addEventListener("click", acts[key]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input")) return;
    if (Object.hasOwn(acts, event.key)) { event.preventDefault(); acts[event.key](); }
  });
  document.getElementById("words").addEventListener("submit", (event) => {
    event.preventDefault();
    const word = document.getElementById("word").value.trim();
    if ([...word].length > 1) decide("hide", { words: [word] });
  });
}
