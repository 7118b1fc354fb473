/* What every page has: the theme button. */
(() => {
  "use strict";
  const SAB = (window.SAB = window.SAB || {});
  SAB.state = () => {
    /* The page's state as the address keeps it: #key=value&key=value. */
    const found = {};
    for (const part of location.hash.slice(1).split("&")) {
      const at = part.indexOf("=");
      if (at < 1) continue;
      try { found[decodeURIComponent(part.slice(0, at))] = decodeURIComponent(part.slice(at + 1).replace(/\+/g, " ")); }
      catch (error) { /* a mangled address: skip that part */ }
    }
    return found;
  };
  SAB.keep = (state) => {
    /* Put a state into the address without a new entry in the history. */
    const text = Object.keys(state).filter((key) => state[key] !== "" && state[key] != null)
      .map((key) => key + "=" + encodeURIComponent(state[key])).join("&");
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };
  SAB.make = (tag, attributes, children) => {
    /* An element whose text is only ever text. */
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) if (value != null && value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...(children || []).filter((child) => child != null));
    return made;
  };

  /* A link into something folded unfolds it. */
  SAB.unfold = (place) => {
    for (let fold = place && place.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) { fold.open = true; place.scrollIntoView(); }
  };
  const arrive = () => SAB.unfold(document.getElementById(location.hash.slice(1)));
  addEventListener("hashchange", arrive);
  arrive();

  /* Pictures of charts: their script is loaded when the first is wanted. */
  addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-save]");
    if (!button) return;
    if (SAB.save) { SAB.save(button); return; }
    const script = SAB.make("script", { src: button.closest("[data-tools]").dataset.script });
    script.addEventListener("load", () => SAB.save(button));
    document.head.append(script);
  });

  /* On paper nothing can be unfolded: what carries evidence is printed open, and folded again. */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.fold:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

  const button = document.getElementById("theme"), themes = ["system", "light", "dark"], root = document.documentElement;
  if (button) {
    let now = root.dataset.theme || "system";
    const show = () => { button.textContent = "Theme: " + now; };
    show();
    button.addEventListener("click", () => {
      now = themes[(themes.indexOf(now) + 1) % 3];
      if (now === "system") delete root.dataset.theme; else root.dataset.theme = now;
      try { localStorage.setItem("sab-theme", now); } catch (error) { /* it then lasts as long as the page */ }
      show();
    });
  }
})();
