// Every text that can be seen, as the boxes of its lines; a box is as high as its letters are.
async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const near = 1, deep = 2;
  const wrong = {
    "texts cut off": [], "texts outside the page": [], "overlapping texts": [], "boxes that scroll sideways": [],
    "drawn texts of no size of the page": [],
  };
  const styles = new Map();
  const style = el => styles.get(el) || styles.set(el, getComputedStyle(el)).get(el);
  const isDrawn = el => el instanceof SVGElement;
  const named = (el, text) => {
    const inside = el.closest("[id]"), kind = isDrawn(el) ? "" : el.className && `.${el.className}`;
    return `${inside ? `#${inside.id} ` : ""}${el.tagName.toLowerCase()}${kind} “${text.replace(/\s+/g, " ").trim().slice(0, 40)}”`;
  };

  const hidden = new Map();
  const isHidden = el => {  // Only for readers who listen.
    if (!el || el === document.body) return false;
    if (!hidden.has(el)) {
      const box = el.getBoundingClientRect();
      const isPoint = !isDrawn(el) && style(el).overflowX !== "visible" && box.width <= 1 && box.height <= 1;
      const isApart = style(el).clipPath === "inset(50%)" || el.matches(".unseen, .skip");
      hidden.set(el, isPoint || isApart || isHidden(el.parentElement));
    }
    return hidden.get(el);
  };
  const isSeen = el => el.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !isHidden(el);

  const root = getComputedStyle(document.documentElement), rem = parseFloat(root.fontSize);
  const tokens = [1, 2, 3, 4, 5].map(n => parseFloat(root.getPropertyValue(`--t${n}`)) * rem);
  const sizeOf = el => parseFloat(style(el).fontSize) * (isDrawn(el) ? Math.abs(el.getScreenCTM()?.a ?? 1) : 1);
  const sizes = new Set(), scrolling = new Set(), texts = [];

  // The part of a box that its ancestors let through, and what they do to the rest.
  const through = (el, box, size) => {
    const spare = Math.max(0, box.height - size) / 2;  // The box of a font is higher than its letters.
    const part = {left: box.left, right: box.right, top: box.top + spare, bottom: box.bottom - spare, cut: false, scrolls: false};
    for (let up = el.matches("input") ? el.parentElement : el; up && up !== document.body; up = up.parentElement) {
      const {overflowX, overflowY, display} = style(up), isRoot = up.tagName === "svg";
      if (overflowX === "visible" && overflowY === "visible") continue;
      if (!isRoot && (isDrawn(up) || display === "inline")) continue;
      const frame = up.getBoundingClientRect();
      const x = frame.left + (isRoot ? 0 : up.clientLeft), y = frame.top + (isRoot ? 0 : up.clientTop);
      const right = x + (isRoot ? frame.width : up.clientWidth), bottom = y + (isRoot ? frame.height : up.clientHeight);
      part.cut ||= /hidden|clip/.test(overflowX) && (part.left < x - near || part.right > right + near);
      part.cut ||= /hidden|clip/.test(overflowY) && (part.top < y - near || part.bottom > bottom + near);
      if (/auto|scroll/.test(overflowX) && up.scrollWidth > up.clientWidth + near) {
        part.scrolls = true;
        scrolling.add(up);
      }
      Object.assign(part, {left: Math.max(part.left, x), right: Math.min(part.right, right)});
      Object.assign(part, {top: Math.max(part.top, y), bottom: Math.min(part.bottom, bottom)});
    }
    return part;
  };

  const add = (el, text, boxes) => {
    const size = sizeOf(el), name = named(el, text);
    if (!isDrawn(el)) sizes.add(Math.round(size * 10) / 10);
    else if (!tokens.some(token => Math.abs(token - size) < .3)) {
      wrong["drawn texts of no size of the page"].push(`${size.toFixed(1)} px ${name}`);
    }
    const seen = boxes.filter(box => box.width >= .5 && box.height >= .5);
    const parts = seen.map(box => through(el, box, size));
    if (parts.some(part => part.cut)) wrong["texts cut off"].push(name);
    if (seen.some((box, at) => !parts[at].scrolls && (box.left < -near || box.right > innerWidth + near))) {
      wrong["texts outside the page"].push(name);
    }
    texts.push(...parts.filter(one => one.right - one.left > deep && one.bottom - one.top > deep).map(one => ({el, name, ...one})));
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; (node = walker.nextNode());) {
    const el = node.parentElement;
    if (!node.data.trim() || el.closest("script, style, noscript, template, select, title, desc") || !isSeen(el)) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    if (boxes.some(box => box.width >= .5)) add(el, node.data, boxes);
  }
  for (const el of document.querySelectorAll("input:is([type=text], [type=search], [type=number], :not([type])), textarea")) {
    const text = el.value || el.placeholder;
    if (!text || !isSeen(el)) continue;
    add(el, text, [el.getBoundingClientRect()]);
    if (el.scrollWidth > el.clientWidth + near) wrong["texts cut off"].push(named(el, text));
  }
  for (const el of scrolling) wrong["boxes that scroll sideways"].push(named(el, el.textContent));

  texts.sort((a, b) => a.top - b.top);
  const pairs = new Set();
  texts.forEach((a, at) => {
    for (let next = at + 1; next < texts.length && texts[next].top < a.bottom - deep; next++) {
      const b = texts[next];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (a.el !== b.el && across > deep && down > deep) pairs.add(`${a.name} and ${b.name}`);
    }
  });
  wrong["overlapping texts"].push(...pairs);
  return {wrong, width: document.documentElement.scrollWidth, sizes: [...sizes].sort((a, b) => b - a)};
}
