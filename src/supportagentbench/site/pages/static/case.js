/* The strip of a case: one link per agent becomes one per run, labelled from the list of outcomes above it. */
(() => {
  "use strict";
  const { make } = window.SAB;
  for (const whole of document.querySelectorAll(".strip [data-runs]")) {
    const marks = [...whole.textContent];
    whole.replaceWith(...whole.dataset.runs.split(" ").map((one, at) => {
      const run = one.slice(0, -1), outcome = document.getElementById(one.slice(-1));
      const name = "run " + run + ": " + outcome.textContent;
      return make("a", { class: "mark " + outcome.dataset.grade, href: whole.href + "&run=" + run, "aria-label": name, title: name }, [marks[at]]);
    }));
  }
})();
