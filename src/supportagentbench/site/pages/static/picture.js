/* Pictures of charts: any element marked data-picture, traced as shapes and texts, with title and source. */
(() => {
  "use strict";
  const SAB = (window.SAB = window.SAB || {}), PAD = 24, SCALE = 2;
  const LEFT_OUT = ".tools, .controls, .unseen, select, input, script, style, template, img, details:not([open]) > :not(summary)";
  const DRAWN = "fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-opacity opacity font-family font-size font-weight letter-spacing text-anchor dominant-baseline paint-order display visibility".split(" ");
  const paper = document.createElement("canvas").getContext("2d");
  const escaped = (text) => String(typeof text === "number" ? +text.toFixed(2) : text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "").replace(/[&<>"]/g, (sign) => "&#" + sign.charCodeAt(0) + ";");
  const tag = (name, given, inside = "") => "<" + name + Object.entries(given).map(([key, value]) => " " + key + '="' + escaped(value) + '"').join("") + ">" + inside + "</" + name + ">";
  const isClear = (colour) => colour === "transparent" || /, 0\)$|\/ 0\)$/.test(colour);
  const rotated = (el, { a, b } = new DOMMatrix(getComputedStyle(el).transform)) => Math.atan2(b, a) * 180 / Math.PI + (el.parentElement ? rotated(el.parentElement) : 0);
  const turn = (el) => Math.round(rotated(el) + (getComputedStyle(el).writingMode.startsWith("vertical") ? 90 : 0)) % 360;
  const written = ({ text, left, right, top, bottom }, style, angle, opacity) => {
    paper.font = style.font;
    const size = paper.measureText(text), up = size.fontBoundingBoxAscent, share = up / (up + size.fontBoundingBoxDescent || 1);
    const look = { "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight, fill: style.color, opacity };
    const x = (left + right) / 2, y = (top + bottom) / 2, rotate = "rotate(" + [angle, x, y] + ")";
    const place = angle ? { x, y, transform: rotate, "text-anchor": "middle", "dominant-baseline": "central" } : { x: left, y: top + (bottom - top) * share };
    const length = angle || text.length < 2 ? {} : { textLength: right - left, lengthAdjust: "spacingAndGlyphs" };
    return tag("text", { ...place, ...length, ...look }, escaped(text));
  };
  const lines = (node, angle) => { /* The lines of a text node, each with its box; a turned text is one line. */
    let at = 0, range = document.createRange(), found = [];
    for (const letter of node.data) {
      range.setStart(node, at); range.setEnd(node, at += letter.length);
      const { left, right, top, bottom } = range.getClientRects()[0] || { left: 0, right: 0 }, last = found[found.length - 1];
      if (left === right) continue;
      if (last && (angle || (Math.abs(last.top - top) < 1 && Math.abs(last.right - left) < 3))) {
        Object.assign(last, { text: last.text + letter.replace(/\s/, " "), left: Math.min(last.left, left), right: Math.max(last.right, right), top: Math.min(last.top, top), bottom: Math.max(last.bottom, bottom) });
      } else found.push({ text: letter, left, right, top, bottom });
    }
    return found.filter((line) => line.text.trim());
  };
  const shape = (el, style, opacity) => { /* Its ground and its borders; a turned box keeps its own sides. */
    const box = el.getBoundingClientRect(), isTurned = style.transform !== "none" && el.offsetWidth, matrix = new DOMMatrix(style.transform);
    const [wide, high] = isTurned ? [el.offsetWidth, el.offsetHeight] : [box.width, box.height], middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const x = middle[0] - wide / 2, y = middle[1] - high / 2, round = style.borderTopLeftRadius, rx = Math.min(parseFloat(round) * (round.endsWith("%") ? wide / 100 : 1) || 0, wide / 2, high / 2);
    const moved = isTurned ? { transform: "translate(" + middle + ") matrix(" + [matrix.a, matrix.b, matrix.c, matrix.d, 0, 0] + ") translate(" + middle.map((one) => -one) + ")" } : {};
    const corners = /^polygon\((.*)\)$/.exec(style.clipPath), point = (part, at) => (at ? y : x) + (part.endsWith("%") ? parseFloat(part) / 100 * (at ? high : wide) : parseFloat(part));
    const form = corners ? { points: corners[1].split(",").map((pair) => pair.trim().split(" ").map(point)).join(" ") } : { x, y, width: wide, height: high, rx };
    const ground = isClear(style.backgroundColor) || !wide || !high ? "" : tag(corners ? "polygon" : "rect", { ...form, fill: style.backgroundColor, opacity, ...moved });
    const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ["Style", "Color", "Width"].map((part) => style["border" + side + part]))
      .map(([kind, stroke, size]) => ({ kind, stroke, size: kind === "none" || isClear(stroke) ? 0 : parseFloat(size) }));
    const look = ({ kind, stroke, size }) => ({ stroke, "stroke-width": size, opacity, ...(kind === "dashed" || kind === "dotted" ? { "stroke-dasharray": 3 * size } : {}), ...moved });
    const [first] = sides, half = first.size / 2;
    if (half && sides.every((one) => one.size === first.size && one.stroke === first.stroke)) return ground + tag("rect", { x: x + half, y: y + half, width: Math.max(0, wide - 2 * half), height: Math.max(0, high - 2 * half), rx: Math.max(0, rx - half), fill: "none", ...look(first) });
    return ground + sides.map((one, at) => {
      const over = at === 0 || at === 2, inset = one.size / 2, across = at === 1 ? x + wide - inset : x + inset, down = at === 2 ? y + high - inset : y + inset;
      return one.size ? tag("line", over ? { x1: x, y1: down, x2: x + wide, y2: down, ...look(one) } : { x1: across, y1: y, x2: across, y2: y + high, ...look(one) }) : "";
    }).join("");
  };
  const copied = (svg) => { /* A drawing in its place, with the looks that the stylesheet gives it. */
    const copy = svg.cloneNode(true), { left, top, width, height } = svg.getBoundingClientRect(), from = [svg, ...svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((one, at) => {
      const style = getComputedStyle(from[at]);
      one.setAttribute("style", DRAWN.map((name) => name + ":" + style.getPropertyValue(name)).join(";"));
      for (const name of ["href", "class", "tabindex"]) one.removeAttribute(name);
    });
    for (const [name, value] of Object.entries({ x: left, y: top, width, height })) copy.setAttribute(name, value.toFixed(2));
    return new XMLSerializer().serializeToString(copy);
  };
  const trace = (el, opacity) => {
    if (el.matches(LEFT_OUT) || !el.checkVisibility({ visibilityProperty: true })) return "";
    if (el.tagName === "svg") return copied(el);
    const style = getComputedStyle(el), all = opacity * style.opacity, angle = turn(el), isFolded = el.matches("details:not([open])");
    return (style.display === "contents" ? "" : shape(el, style, all)) + [...el.childNodes].map((node) => (node.nodeType === 1 ? trace(node, all)
      : node.nodeType === 3 && node.data.trim() && !isFolded ? lines(node, angle).map((line) => written(line, style, angle, all)).join("") : "")).join("");
  };
  const withMarks = (el, work) => { /* What the stylesheet puts before and after elements becomes elements while the picture is traced. */
    const marks = [el, ...el.querySelectorAll(":not(svg *)")].flatMap((one) => ["::before", "::after"].map((kind) => {
      const style = getComputedStyle(one, kind), parts = style.content.split(' / "')[0].matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g);
      if (style.content === "none" || style.content === "normal") return null;
      const words = [...parts].map((part) => (part[2] ? one.getAttribute(part[2]) : part[1]) || "").join("");
      return { one, kind, made: SAB.make("span", { style: [...style].map((name) => name + ":" + style.getPropertyValue(name)).join(";") }, [words]) };
    })).filter(Boolean);
    document.documentElement.classList.add("traced");
    for (const { one, kind, made } of marks) if (kind === "::before") one.prepend(made); else one.append(made);
    try { return work(); }
    finally { document.documentElement.classList.remove("traced"); for (const { made } of marks) made.remove(); }
  };
  const source = () => {
    const said = (selector, name) => document.querySelector(selector)?.getAttribute(name), day = said("meta[name=date]", "content"), warned = document.querySelector(".masthead .tag");
    const parts = [said("meta[property='og:site_name']", "content") || "SupportAgentBench", said("link[rel=canonical]", "href"), day && new Date(day + "T00:00:00Z").toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" })];
    return "Source: " + parts.filter(Boolean).join(", ") + (warned ? ". " + warned.textContent + "." : "");
  };
  SAB.picture = (el) => { /* The element as an SVG with its title, its subtitle and its source, and how large that is. */
    const look = getComputedStyle(document.body), soft = look.getPropertyValue("--soft") || look.color, box = el.getBoundingClientRect(), room = Math.max(box.width, 320);
    const around = el.closest("figure, section, article, main") || el, isHeaded = [...el.querySelectorAll("h1, h2, h3, figcaption")].some((one) => !one.matches(".unseen"));
    const above = (selector) => [...around.querySelectorAll(selector)].find((one) => !isHeaded && !el.contains(one) && one.compareDocumentPosition(el) & 4)?.innerText || "";
    let y = PAD;
    const say = (text, size, weight, fill) => {
      const font = { "font-family": look.fontFamily, "font-size": size + "px", "font-weight": weight, fill };
      paper.font = weight + " " + size + "px " + look.fontFamily;
      return text.trim().split(/\s+/).filter(Boolean).reduce((found, word) => {
        const longer = found.length ? found[found.length - 1] + " " + word : "";
        return longer && paper.measureText(longer).width <= room ? [...found.slice(0, -1), longer] : [...found, word];
      }, []).map((line) => tag("text", { x: PAD, y: (y += 1.3 * size) - 0.3 * size, ...font }, escaped(line))).join("");
    };
    const head = say(above("h1, h2, h3, figcaption"), 22, 700, look.color) + say(above(".sub"), 15, 400, soft), top = (y += head ? 12 : 0);
    const body = tag("g", { transform: "translate(" + [PAD - box.left, top - box.top] + ")" }, withMarks(el, () => trace(el, 1)));
    const foot = (y += box.height + 12) && say(source(), 13, 400, soft), width = Math.ceil(room + 2 * PAD), height = Math.ceil(y + PAD), ground = tag("rect", { width, height, fill: look.backgroundColor });
    return { svg: tag("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: "0 0 " + width + " " + height }, ground + head + body + foot), width, height };
  };
  const png = ({ svg, width, height }) => new Promise((done, failed) => {
    const image = new Image(), canvas = Object.assign(document.createElement("canvas"), { width: SCALE * width, height: SCALE * height });
    const draw = () => { canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height); canvas.toBlob(done, "image/png"); };
    Object.assign(image, { onload: draw, onerror: failed, src: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg) });
  });
  const save = (blob, name) => SAB.make("a", { href: URL.createObjectURL(blob), download: name }).click();
  SAB.save = async (button) => { /* What a button beside a chart does: copy the picture, or save it as a file. */
    const tools = button.closest("[data-tools]"), name = tools.dataset.tools, how = button.dataset.save;
    const found = SAB.picture([...document.querySelectorAll("[data-picture]")].find((one) => one.dataset.picture === name));
    const say = (text) => { tools.querySelector("[role=status]").textContent = text; };
    if (how === "svg") return save(new Blob([found.svg], { type: "image/svg+xml" }), name + ".svg");
    const copy = async () => navigator.clipboard.write([new ClipboardItem({ "image/png": png(found) })]);
    if (how === "copy" && await copy().then(() => true, () => false)) return say("Copied.");
    save(await png(found), name + ".png");
    if (how === "copy") say("Saved, because it could not be copied.");
  };
})();
