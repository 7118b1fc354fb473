/* The reader's theme, set before anything is painted. */
(() => {
  "use strict";
  let chosen = null;
  try { chosen = localStorage.getItem("sab-theme"); } catch (error) { /* a page from a folder may have no storage */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  document.documentElement.classList.add("js");
})();
