// One SVG chart: linear or logarithmic axes, lines, steps, points and bands, a tooltip for the nearest point.
// Text is only ever set through textContent, so that nothing from a record is read as HTML.
const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function digits(value, count = 3) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return value.toExponential(count - 1).replace("+", "");
  const decimals = Math.max(0, count - 1 - Math.floor(Math.log10(size)));
  return value.toLocaleString("en", { maximumFractionDigits: decimals, minimumFractionDigits: Number.isInteger(value) ? 0 : decimals });
}

function whole(count) {
  return count.toLocaleString("en");
}

function seconds(value) {
  if (value === null || value === undefined) return "–";
  return value < 1 ? digits(value * 1000) + " ms" : digits(value) + " s";
}

function tickOfSeconds(value) {
  const [shown, unit] = value < 1 ? [1000 * value, "ms"] : [value, "s"];
  return `${Number(shown.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 6 })} ${unit}`;
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
function power(exponent) {
  return "10" + String(exponent).replace(/[-0-9]/g, (sign) => (sign === "-" ? "⁻" : RAISED[+sign]));
}

function axis(low, high, log, pixelsLow, pixelsHigh) { // pixelsLow > pixelsHigh: a vertical axis
  if (log) {
    let [from, to] = [Math.log10(low), Math.log10(high)];
    if (to - from < 0.3) [from, to] = [from - 0.2, to + 0.2];
    const place = (value) => pixelsLow + ((Math.log10(value) - from) / (to - from)) * (pixelsHigh - pixelsLow);
    return { place, ticks: logTicks(from, to, Math.abs(pixelsHigh - pixelsLow)) };
  }
  const spread = high > low ? high - low : Math.abs(high) * 0.04 || 1; // all values equal
  const [from, to] = high > low ? [low, high] : [low - spread / 2, high + spread / 2];
  const place = (value) => pixelsLow + ((value - from) / (to - from)) * (pixelsHigh - pixelsLow);
  return { place, ticks: linearTicks(from, to, Math.abs(pixelsHigh - pixelsLow) / (pixelsLow > pixelsHigh ? 34 : 60)) };
}

function logTicks(from, to, pixels) {
  const decades = to - from, ticks = [];
  const every = Math.max(1, Math.ceil((decades * 42) / pixels));
  const steps = decades < 1.6 ? [1, 2, 5] : [1];
  for (let exponent = Math.floor(from); exponent <= to; exponent++) {
    if (every > 1 && ((exponent % every) + every) % every) continue;
    for (const step of steps) {
      const value = Number((step * 10 ** exponent).toPrecision(12)), where = Math.log10(value);
      if (where < from - 1e-9 || where > to + 1e-9) continue;
      ticks.push([value, exponent < -3 || exponent > 4 ? (step > 1 ? step + "·" : "") + power(exponent) : value.toLocaleString("en", { maximumFractionDigits: 4 })]);
    }
  }
  return ticks;
}

function linearTicks(from, to, most) {
  const raw = (to - from) / most, unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * [1, 2, 5, 10].find((multiple) => multiple * unit >= raw), ticks = [];
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-9; index++) {
    const value = Number((index * step).toPrecision(12));
    ticks.push([value, value.toLocaleString("en", { maximumFractionDigits: decimals })]);
  }
  return ticks;
}

function marker(shape, x, y, size, attributes) {
  const s = size, at = (...points) => points.map(([dx, dy]) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`).join(" ");
  const shapes = {
    o: () => draw("circle", { cx: x, cy: y, r: s }),
    s: () => draw("rect", { x: x - s * 0.9, y: y - s * 0.9, width: s * 1.8, height: s * 1.8 }),
    "^": () => draw("polygon", { points: at([0, -s * 1.2], [s * 1.1, s * 0.8], [-s * 1.1, s * 0.8]) }),
    v: () => draw("polygon", { points: at([0, s * 1.2], [s * 1.1, -s * 0.8], [-s * 1.1, -s * 0.8]) }),
    D: () => draw("polygon", { points: at([0, -s * 1.3], [s * 1.3, 0], [0, s * 1.3], [-s * 1.3, 0]) }),
    "<": () => draw("polygon", { points: at([-s * 1.2, 0], [s * 0.8, -s * 1.1], [s * 0.8, s * 1.1]) }),
    P: () => draw("path", { d: `M${x - s * 0.4},${y - s * 1.2}h${s * 0.8}v${s * 0.8}h${s * 0.8}v${s * 0.8}h${-s * 0.8}v${s * 0.8}h${-s * 0.8}v${-s * 0.8}h${-s * 0.8}v${-s * 0.8}h${s * 0.8}z` }),
    "*": () => draw("polygon", { points: at(...[...Array(10).keys()].map((k) => [Math.sin((k * Math.PI) / 5), -Math.cos((k * Math.PI) / 5)].map((part) => part * s * (k % 2 ? 0.6 : 1.4)))) }),
  };
  const node = shapes[shape]();
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// As in the figures (bench/output/plots/looks.py); -1 is no solver. A dashed line shows objectives beside bounds, nothing else.
const styleOf = (index) => (index < 0 ? { colour: "grey", shape: "o" } : { colour: "k" + DATA.looks[index][0], shape: DATA.looks[index][1] });

// spec: {title, x: {label, log}, y: {label, log, low, high}, series: [...], empty}
// series: {index, name, points: [{x, y, text, failed}], line, step, dash, markers: "all" | "some" | "none", band: [[x, low, high]]}
function chart(host, spec) {
  const width = Math.max(280, host.clientWidth || 640), height = Math.round(Math.min(400, Math.max(250, width * 0.56)));
  const box = { left: 62, right: width - 14, top: 12, bottom: height - 46 };
  const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: 0, "aria-label": spec.title });
  const usable = (value, scale) => Number.isFinite(value) && (!scale.log || value > 0);
  const all = spec.series.flatMap((one) => one.points.filter((p) => usable(p.x, spec.x) && usable(p.y, spec.y)).map((p) => ({ ...p, series: one })));
  host.replaceChildren(svg);
  if (!all.length) {
    svg.append(draw("text", { x: width / 2, y: height / 2, "text-anchor": "middle", class: "tick" }, spec.empty || "Nothing to draw with these filters."));
    return svg;
  }
  const bounds = (name, scale) => {
    const values = all.map((point) => point[name]);
    if (name === "y") for (const one of spec.series) for (const [, low, high] of one.band || []) values.push(low, high);
    const good = values.filter((value) => usable(value, scale));
    let low = good.reduce((a, b) => Math.min(a, b)), high = good.reduce((a, b) => Math.max(a, b));
    const pad = scale.log ? 1.15 : (high - low) * 0.05;
    [low, high] = scale.log ? [low / pad, high * pad] : [low - pad, high + pad];
    return [scale.low ?? low, scale.high ?? high];
  };
  const x = axis(...bounds("x", spec.x), spec.x.log, box.left, box.right), y = axis(...bounds("y", spec.y), spec.y.log, box.bottom, box.top);
  for (const [scale, made] of [[spec.x, x], [spec.y, y]]) if (scale.seconds) made.ticks = made.ticks.map(([value]) => [value, tickOfSeconds(value)]);
  frame(svg, box, x, y, spec);
  for (const one of spec.series) drawSeries(svg, one, x, y, spec, box);
  const halo = draw("circle", { r: 8, class: "halo", visibility: "hidden" });
  svg.append(halo);
  const placed = all.map((point) => ({ ...point, px: x.place(point.x), py: y.place(point.y) }));
  listen(svg, placed, halo);
  return svg;
}

function frame(svg, box, x, y, spec) {
  for (const [value, text] of x.ticks) {
    const at = x.place(value);
    svg.append(draw("line", { x1: at, x2: at, y1: box.top, y2: box.bottom, class: "grid" }));
    svg.append(draw("text", { x: at, y: box.bottom + 16, "text-anchor": "middle", class: "tick" }, text));
  }
  for (const [value, text] of y.ticks) {
    const at = y.place(value);
    svg.append(draw("line", { x1: box.left, x2: box.right, y1: at, y2: at, class: "grid" }));
    svg.append(draw("text", { x: box.left - 6, y: at + 4, "text-anchor": "end", class: "tick" }, text));
  }
  svg.append(draw("path", { d: `M${box.left},${box.top}V${box.bottom}H${box.right}`, class: "axis" }));
  svg.append(draw("text", { x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle", class: "axis-label" }, spec.x.label));
  const middle = (box.top + box.bottom) / 2;
  svg.append(draw("text", { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})`, class: "axis-label" }, spec.y.label));
}

function drawSeries(svg, one, x, y, spec, box) {
  const style = styleOf(one.index), group = draw("g", { class: "series " + style.colour, "data-series": one.name });
  const good = (value, scale) => Number.isFinite(value) && (!scale.log || value > 0);
  const points = one.points.filter((p) => good(p.x, spec.x) && good(p.y, spec.y));
  const px = (p) => x.place(p.x).toFixed(1), py = (p) => y.place(p.y).toFixed(1);
  if (one.band && one.band.length > 1) {
    const there = one.band.map(([at, , high]) => `${x.place(at).toFixed(1)},${y.place(high).toFixed(1)}`);
    const back = one.band.map(([at, low]) => `${x.place(at).toFixed(1)},${y.place(low).toFixed(1)}`).reverse();
    group.append(draw("polygon", { points: [...there, ...back].join(" "), class: "band" }));
  }
  if (one.line && points.length) {
    let path = `M${px(points[0])},${py(points[0])}`;
    for (const point of points.slice(1)) path += one.step ? `H${px(point)}V${py(point)}` : `L${px(point)},${py(point)}`;
    if (one.extend) path += `H${box.right}`;
    group.append(draw("path", { d: path, class: "line", "stroke-dasharray": one.dash || null }));
  }
  const every = one.markers === "some" ? Math.max(1, Math.round(points.length / 7)) : 1;
  if (one.markers !== "none") {
    points.forEach((point, index) => {
      if (index % every && index !== points.length - 1) return;
      group.append(marker(style.shape, x.place(point.x), y.place(point.y), one.size || 3.5, { class: point.failed ? "mark failed" : "mark" }));
    });
  }
  svg.append(group);
}

function listen(svg, points, halo) {
  const tip = document.getElementById("tooltip");
  let current = -1;
  const hide = () => {
    tip.hidden = true;
    halo.setAttribute("visibility", "hidden");
  };
  const show = (index) => {
    const point = points[(current = index)], frameBox = svg.getBoundingClientRect();
    halo.setAttribute("cx", point.px);
    halo.setAttribute("cy", point.py);
    halo.setAttribute("visibility", "visible");
    tip.replaceChildren(make("strong", {}, point.series.name), ...point.text.map((line) => make("div", {}, line)));
    tip.hidden = false;
    const left = frameBox.left + point.px, above = frameBox.top + point.py - tip.offsetHeight - 14;
    tip.style.left = Math.max(4, Math.min(left - tip.offsetWidth / 2, document.documentElement.clientWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = (above > 4 ? above : frameBox.top + point.py + 14) + "px";
  };
  svg.addEventListener("pointermove", (event) => {
    const frameBox = svg.getBoundingClientRect(), [mx, my] = [event.clientX - frameBox.left, event.clientY - frameBox.top];
    let best = -1, least = 40 * 40;
    points.forEach((point, index) => {
      const distance = (point.px - mx) ** 2 + (point.py - my) ** 2;
      if (distance < least) [best, least] = [index, distance];
    });
    if (best < 0) hide();
    else show(best);
  });
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("blur", hide);
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") hide();
    if (!step) return;
    event.preventDefault();
    show((current + step + points.length) % points.length);
  });
}
