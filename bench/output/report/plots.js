// The four figures. Each takes a task and a size and gives what `chart` draws; only scaling has all sizes (null) together.
const keyOf = (task, size) => `${task}|${size}`;
const P = Object.freeze({ task: 0, size: 1, label: 2, instance: 3, x: 4, seconds: 5, status: 6, limit: 7, failed: 8 });
const shownSeries = (series, state) => series.filter((one) => !state.hiddenLabels.has(one.index));

function scalingPlot(task, size, state) {
  const chosen = DATA.points.filter((p) => p[P.task] === task && (size === null || p[P.size] === size) && !state.hiddenStatuses.has(p[P.status]));
  const series = DATA.labels.map((name, index) => ({
    index, name, markers: "all",
    points: chosen.filter((p) => p[P.label] === index).map((p) => ({
      x: p[P.x], y: p[P.failed] ? p[P.limit] : p[P.seconds], failed: p[P.failed],
      text: [DATA.instances[p[P.instance]], `size ${digits(p[P.x], 6)}`, p[P.failed] ? `${DATA.statuses[p[P.status]]}: drawn at the limit of ${seconds(p[P.limit])}` : `${seconds(p[P.seconds])} (${DATA.statuses[p[P.status]]})`],
    })),
  }));
  const fits = (size === null ? DATA.fits[task] : []).filter(([index]) => !state.hiddenLabels.has(index)).map(([index, exponent, low, high, ...ends]) => ({
    index, name: DATA.labels[index], line: true, markers: "none",
    points: [[ends[0], ends[1]], [ends[2], ends[3]]].map(([x, y]) => ({ x, y, text: [`fitted: time grows as size to the power ${digits(exponent)}`, `95 % interval ${digits(low)} to ${digits(high)}`] })),
  }));
  return {
    title: "Runtime against instance size", series, under: fits, x: { label: DATA.measures[task], log: true }, y: { label: `${DATA.time} time`, log: true, seconds: true },
    note: "One point per solver and instance: the median over untraced repetitions; lines are fitted power laws over all sizes (their ends tell the exponent). Outlined in red at the limit: a repetition did not end with an answer.",
  };
}

const SOLVED = { optimal: "proved optimal", near: "the first answer of a trace within 1 % of the best known objective", any: "any valid answer, whatever its objective" };

function profilePlot(task, size, state, options) {
  const solved = options.solved || "optimal", profile = (DATA.profiles[keyOf(task, size)] || {})[solved] || [];
  const highest = Math.max(2, ...profile.flatMap(([, ratios]) => ratios.slice(-1)));
  const series = profile.map(([index, ratios, shares]) => ({
    index, name: DATA.labels[index], line: true, step: true, extend: true, markers: "some",
    points: ratios.map((ratio, place) => ({ x: ratio, y: shares[place], text: [`solved ${digits(100 * shares[place])} % of the instances`, `within ${digits(ratio)} times the fastest`] })),
  }));
  return {
    title: "Performance profile", series, x: { label: "time relative to the fastest solver of each instance", log: true, low: 1, high: highest * 1.1 },
    y: { label: "share of instances solved", low: 0, high: 1.02 },
    note: `Solved: ${SOLVED[solved]}. The fastest solver is taken over all solvers of this run, hidden ones too. A curve that does not reach 1 did not solve every instance.`,
  };
}

function paretoPlot(task, size, state, options) {
  const quality = DATA.quality[keyOf(task, size)] || { measures: [], rows: [] };
  const at = Math.max(0, quality.measures.findIndex((measure) => measure === options.measure)), measure = quality.measures[at] || "";
  const rows = quality.rows.filter(([, time, values]) => time !== null && values[at] !== null);
  const series = rows.map(([index, time, values, failed]) => ({
    index, name: DATA.labels[index], markers: "all", size: 5.5,
    points: [{ x: time, y: values[at], failed: failed > 0, text: [`${measure}: ${digits(values[at], 5)}`, `time ${seconds(time)} (shifted geometric mean)`, failed ? `no valid answer on ${failed} instances` : "a valid answer on every instance"] }],
  }));
  const visible = rows.filter(([index, , , failed]) => !failed && !state.hiddenLabels.has(index)).sort((a, b) => a[1] - b[1] || b[2][at] - a[2][at]);
  const front = [];
  for (const row of visible) if (!front.length || row[2][at] > front[front.length - 1][2][at]) front.push(row);
  const line = { index: -1, name: "Pareto front", line: true, step: true, markers: "none", points: front.map((row) => ({ x: row[1], y: row[2][at], text: ["on the Pareto front"] })) };
  return {
    title: "Quality against time", series, under: front.length > 1 ? [line] : [], measures: quality.measures, measure,
    x: { label: `${DATA.time} time (shifted geometric mean)`, log: true, seconds: true }, y: { label: measure },
    note: "Up and to the left is better. The grey line joins the shown solvers that no other beats in both time and quality. Outlined in red: no valid answer on some instances; their quality is that of the others, so they are not on the line.",
  };
}

function convergencePlot(task, size, state, options) {
  const all = DATA.convergence[keyOf(task, size)], x = options.x || "seconds", series = [];
  const sides = [["dual", "", "bound (dual)"], ["primal", "5 3", "objective (primal)"]].filter(([side]) => options[side] !== false);
  const singles = DATA.single[task].filter((one) => one.size === size);
  const single = singles.find((one) => DATA.instances[one.instance] === options.instance);
  const lift = (gap) => Math.max(gap, DATA.floor);
  for (const [side, dash, what] of all ? sides : []) {
    const curves = single ? single.curves[x] : all[x];
    for (const curve of curves.filter((one) => one[side].length)) {
      series.push({
        index: curve.label, name: DATA.labels[curve.label], line: true, step: true, dash, markers: "some",
        band: single ? null : curve[side].filter((point) => point[3] !== null).map(([at, low, , high]) => [at, lift(low), lift(high)]),
        points: curve[side].map((point) => [point[0], single ? point[1] : point[2]]).map(([at, middle]) => ({ x: at, y: lift(middle), text: [`${what}: ${middle <= DATA.floor ? "closed" : digits(100 * middle) + " %"} from the best known value`, x === "seconds" ? `after ${seconds(at)}` : `after ${digits(at, 6)} iterations`] })),
      });
    }
  }
  return {
    title: "Convergence", series, x: { label: x === "seconds" ? "time (traced repetition)" : "iterations", log: true, seconds: x === "seconds" },
    y: { label: "distance from the best known value", log: true }, instances: singles.map((one) => DATA.instances[one.instance]),
    note: `Relative to the best objective that any solver found on the instance. Solid: bound; dashed: objective; ${single ? "one instance" : "median over instances, with quartiles as a band"}. A gap of at most ${power(Math.log10(DATA.floor))} counts as closed and is drawn there.`,
    empty: "No traced cells of this size.",
  };
}

const FIGURES = { scaling: scalingPlot, profile: profilePlot, pareto: paretoPlot, convergence: convergencePlot };

function swatch(index) {
  const style = styleOf(index), svg = draw("svg", { width: 26, height: 12, class: "series " + style.colour, "aria-hidden": "true" });
  svg.append(draw("line", { x1: 0, x2: 26, y1: 6, y2: 6, class: "line" }), marker(style.shape, 13, 6, 3.5, { class: "mark" }));
  return svg;
}

function figure(kind, task, state, refresh) {
  const options = {}, host = make("div", { class: "chart" }), legend = make("div", { class: "legend", role: "group", "aria-label": "Solvers" });
  const caption = make("figcaption", {}), controls = make("div", { class: "controls" }), note = make("p", { class: "note" });
  const node = make("figure", { "data-figure": kind, "data-task": task }, caption, controls, host, legend, note);
  const choice = (label, name, values, texts) => {
    const select = make("select", { name }, ...values.map((value, at) => make("option", { value }, texts ? texts[at] : value)));
    select.addEventListener("change", () => ((options[name] = select.value), update()));
    return make("label", {}, label + " ", select);
  };
  const toggle = (label, name) => {
    const input = make("input", { type: "checkbox", checked: true, name });
    input.addEventListener("change", () => ((options[name] = input.checked), update()));
    return make("label", {}, input, " " + label);
  };
  const sizes = kind === "scaling" ? [] : DATA.taskSizes[task];
  let controlled = "";
  function control(spec, size) {
    const offered = JSON.stringify([spec.measures, spec.instances, state.size]);
    if (offered === controlled) return;
    controlled = offered;
    const names = spec.instances || [];
    options.instance = names.includes(options.instance) ? options.instance : "";
    const own = { profile: () => [choice("Solved", "solved", Object.keys(SOLVED), ["proved optimal", "within 1 %", "any valid answer"])],
      pareto: () => (spec.measures.length > 1 ? [choice("Quality", "measure", spec.measures)] : []),
      convergence: () => (names.length ? [toggle("objective", "primal"), toggle("bound", "dual"), choice("against", "x", ["seconds", "iterations"]), choice("instance", "instance", ["", ...names], ["median of all", ...names])] : []) };
    const ofSize = sizes.length > 1 && state.size === null ? [choice("Size", "panel", sizes.map(String), sizes.map((at) => DATA.sizes[at] || "(none)"))] : [];
    controls.replaceChildren(...ofSize, ...(own[kind] ? own[kind]() : []));
    for (const select of controls.querySelectorAll("select")) select.value = select.name === "panel" ? String(size) : options[select.name] ?? select.value;
    for (const box of controls.querySelectorAll("input")) box.checked = options[box.name] ?? true;
  }
  function update() {
    const size = kind === "scaling" || state.size !== null ? state.size : Number(options.panel ?? sizes[sizes.length - 1]);
    const spec = FIGURES[kind](task, size, state, options);
    control(spec, size);
    caption.textContent = spec.title + (sizes.length > 1 ? `, size ${DATA.sizes[size] || "(none)"}` : "");
    note.textContent = spec.note;
    const present = [...new Set(spec.series.filter((one) => one.points.length).map((one) => one.index))].sort((a, b) => a - b);
    chart(host, { ...spec, title: `${caption.textContent}: ${DATA.tasks[task]}`, series: [...(spec.under || []), ...shownSeries(spec.series, state)] });
    const focused = legend.contains(document.activeElement) ? document.activeElement.dataset.label : null;
    legend.replaceChildren(...present.map((index) => {
      const button = make("button", { type: "button", "data-label": index, "aria-pressed": String(!state.hiddenLabels.has(index)) }, swatch(index), DATA.labels[index]);
      button.addEventListener("click", () => {
        state.hiddenLabels[state.hiddenLabels.has(index) ? "delete" : "add"](index);
        refresh();
      });
      return button;
    }));
    if (focused !== null) legend.querySelector(`[data-label="${focused}"]`)?.focus();
  }
  return { node, update, host };
}
