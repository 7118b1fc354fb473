/* The list of cases: words, a kind and a check hide cases, and types without any left. Kept in the address. */
(() => {
  "use strict";
  const { state, keep } = window.SAB, form = document.getElementById("case-filters"), names = ["q", "bucket", "apart"];
  const types = [...document.querySelectorAll(".types details")].map((type) => ({
    type, bucket: type.parentElement.dataset.bucket, cases: [...type.querySelectorAll("li")],
    words: type.querySelector(".title").textContent.toLowerCase(),
  }));
  const all = types.reduce((sum, one) => sum + one.cases.length, 0);

  function show() {
    const now = state(), words = (now.q || "").toLowerCase().split(/\s+/).filter(Boolean);
    for (const name of names) {
      const control = form.elements[name];
      if (!control) continue;
      if (control.type === "checkbox") control.checked = now[name] === "1";
      else if (control !== document.activeElement || name !== "q") control.value = now[name] || "";
    }
    let seen = 0;
    for (const one of types) {
      let left = 0;
      for (const item of one.cases) {
        const text = one.words + " " + item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word)) || Boolean(now.bucket && one.bucket !== now.bucket)
          || (now.apart === "1" && !("apart" in item.dataset));
        left += !item.hidden;
      }
      seen += left;
      one.type.hidden = !left;
      if (words.length) one.type.open = left > 0 && left <= 12;
    }
    for (const section of document.querySelectorAll(".types")) section.hidden = !section.querySelector("details:not([hidden])");
    document.getElementById("nothing").hidden = seen > 0;
    form.querySelector('[role="status"]').textContent = seen + " of " + all + " cases";
  }
  function choose() {
    const chosen = names.map((name) => form.elements[name]).filter(Boolean);
    keep({ ...state(), ...Object.fromEntries(chosen.map((one) => [one.name, one.type === "checkbox" ? (one.checked ? "1" : "") : one.value])) });
    show();
  }
  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("clear").addEventListener("click", () => { form.reset(); choose(); form.elements.q.focus(); });
  addEventListener("hashchange", () => { if (/^$|=/.test(location.hash)) show(); });  /* not for the skip link */
  show();
})();
