/* What every page has: the theme button. */
(function () {
  "use strict";
  var SAB = (window.SAB = window.SAB || {});
  SAB.state = function () {
    /* The page's state as the address keeps it: #key=value&key=value. */
    var found = {};
    location.hash.slice(1).split("&").forEach(function (part) {
      var at = part.indexOf("=");
      if (at < 1) return;
      try { found[decodeURIComponent(part.slice(0, at))] = decodeURIComponent(part.slice(at + 1).replace(/\+/g, " ")); }
      catch (error) { /* a mangled address: skip that part */ }
    });
    return found;
  };
  SAB.keep = function (state) {
    /* Put a state into the address without a new entry in the history. */
    var text = Object.keys(state).filter(function (key) { return state[key] !== "" && state[key] != null; })
      .map(function (key) { return key + "=" + encodeURIComponent(state[key]); }).join("&");
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };
  SAB.make = function (tag, attributes, children) {
    /* An element whose text is only ever text. */
    var made = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      if (attributes[name] != null && attributes[name] !== false) made.setAttribute(name, attributes[name] === true ? "" : attributes[name]);
    });
    (children || []).forEach(function (child) { if (child != null) made.append(child); });
    return made;
  };

  /* On paper nothing can be unfolded: what carries evidence is printed open, and folded again. */
  var opened = [];
  window.addEventListener("beforeprint", function () {
    opened = Array.prototype.slice.call(document.querySelectorAll("details.fold:not([open])"));
    opened.forEach(function (one) { one.open = true; });
  });
  window.addEventListener("afterprint", function () { opened.forEach(function (one) { one.open = false; }); });

  var button = document.getElementById("theme"), themes = ["system", "light", "dark"];
  if (button) {
    var now = document.documentElement.dataset.theme || "system";
    var show = function () { button.textContent = "Theme: " + now; };
    show();
    button.addEventListener("click", function () {
      now = themes[(themes.indexOf(now) + 1) % 3];
      if (now === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = now;
      try { localStorage.setItem("sab-theme", now); } catch (error) { /* it then lasts as long as the page */ }
      show();
    });
  }
})();
