// Filters, sortable tables and the paged table of cells.
const DATA = JSON.parse(document.getElementById("data").textContent);
const state = { task: null, size: null, hiddenLabels: new Set(), hiddenStatuses: new Set() };
const PAGE = 50;
const C = Object.freeze(Object.fromEntries(DATA.cellColumns.map((name, index) => [name, index])));
const NAMED = { task: DATA.tasks, size: DATA.sizes, label: DATA.labels, instance: DATA.instances, status: DATA.statuses, message: DATA.messages, audit: DATA.messages };
const COLUMNS = [
  ["task", "Task"], ["size", "Size"], ["instance", "Instance"], ["label", "Solver"], ["repetition", "Rep."], ["status", "Status"],
  ["cpu_seconds", "CPU (s)", 3], ["wall_seconds", "Wall (s)", 3], ["build_seconds", "Build (s)", 3], ["solve_seconds", "Solve (s)", 3], ["round_seconds", "Round (s)", 3],
  ["objective", "Objective", 7], ["bound", "Bound", 7], ["gap", "Gap", 3], ["iterations", "Iterations", 9], ["peak_memory_mb", "Memory (MB)", 3], ["audit", "Audit"], ["message", "Message"],
].filter(([name]) => (name !== "task" || DATA.tasks.length > 1) && (name !== "size" || DATA.sizes.some((size) => size)));
const cells = { sort: null, down: false, page: 0, search: "" };
const figures = [];

const allowed = (task, size, label) => (state.task === null || state.task === task) && (state.size === null || state.size === size) && !state.hiddenLabels.has(label);
const cellValue = (row, name) => (NAMED[name] ? NAMED[name][row[C[name]]] : row[C[name]]);

function compare(a, b, down) {
  const [aNone, bNone] = [a === null || a === "" || Number.isNaN(a), b === null || b === "" || Number.isNaN(b)];
  if (aNone || bNone) return aNone - bNone; // nothing to say comes last in both directions
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return down ? -order : order;
}

function chosenCells() {
  const words = cells.search.toLowerCase();
  const rows = DATA.cells.filter((row) => allowed(row[C.task], row[C.size], row[C.label]) && !state.hiddenStatuses.has(row[C.status]) &&
    (!words || ["instance", "label", "message", "audit"].some((name) => cellValue(row, name).toLowerCase().includes(words))));
  if (cells.sort) rows.sort((a, b) => compare(cellValue(a, cells.sort), cellValue(b, cells.sort), cells.down));
  return rows;
}

function cellText(row, [name, , count]) {
  const value = cellValue(row, name);
  if (name === "repetition") return row[C.traced] ? "traced" : String(value + 1);
  return count ? digits(value, count) : value || "";
}

function csvText(value) { // no spreadsheet may take a text for a formula
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? "'" + text : text;
  return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

function keepCells() {
  const lines = [DATA.cellColumns, ...chosenCells().map((row) => DATA.cellColumns.map((name) => cellValue(row, name)))];
  const place = URL.createObjectURL(new Blob([lines.map((line) => line.map(csvText).join(",") + "\n").join("")], { type: "text/csv" }));
  make("a", { href: place, download: "cells.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(place), 1000);
}

function buildCells() {
  const host = document.getElementById("cell-table");
  const search = make("input", { type: "search", id: "cell-search", placeholder: "instance, solver, message" });
  const count = make("span", { id: "cell-count", role: "status" }), body = make("tbody");
  const back = make("button", { type: "button", id: "cell-back" }, "Previous"), next = make("button", { type: "button", id: "cell-next" }, "Next");
  const keep = make("button", { type: "button", id: "cell-csv" }, "CSV of these cells");
  keep.addEventListener("click", keepCells);
  const heads = COLUMNS.map(([name, text, number]) => {
    const button = make("button", { type: "button", class: "sort" }, text), head = make("th", { scope: "col", class: number ? "number" : null, "data-column": name }, button);
    button.addEventListener("click", () => {
      cells.down = cells.sort === name && !cells.down;
      [cells.sort, cells.page] = [name, 0];
      updateCells();
    });
    return head;
  });
  const table = make("table", { class: "cells" }, make("caption", { class: "hidden-text" }, "All cells"), make("thead", {}, make("tr", {}, ...heads)), body);
  search.addEventListener("input", () => ((cells.search = search.value), (cells.page = 0), updateCells()));
  back.addEventListener("click", () => (cells.page--, updateCells()));
  next.addEventListener("click", () => (cells.page++, updateCells()));
  host.append(make("div", { class: "controls" }, make("label", {}, "Find ", search), back, next, count, keep), make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of all cells" }, table));
  updateCells = () => {
    const rows = chosenCells(), pages = Math.max(1, Math.ceil(rows.length / PAGE));
    cells.page = Math.min(Math.max(0, cells.page), pages - 1);
    const from = cells.page * PAGE, shown = rows.slice(from, from + PAGE);
    body.replaceChildren(...shown.map((row) => make("tr", { "data-status": cellValue(row, "status") }, ...COLUMNS.map((column) => make("td", { class: column[2] ? "number" : column[0] === "message" || column[0] === "audit" ? "wide" : null }, cellText(row, column))))));
    heads.forEach((head) => head.setAttribute("aria-sort", head.dataset.column === cells.sort ? (cells.down ? "descending" : "ascending") : "none"));
    count.textContent = rows.length ? `${whole(from + 1)}–${whole(from + shown.length)} of ${whole(rows.length)} cells` : "no cells with these filters";
    [back.disabled, next.disabled] = [cells.page === 0, cells.page >= pages - 1];
  };
}
let updateCells = () => {};

function sortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending", body = table.tBodies[0];
      for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => {
        const cell = row.cells[column];
        return cell.hasAttribute("data-v") ? (cell.dataset.v === "" ? null : Number(cell.dataset.v)) : cell.textContent;
      };
      body.append(...[...body.rows].sort((a, b) => compare(value(a), value(b), down)));
    });
  });
}

function filterStatic() {
  for (const node of document.querySelectorAll("[data-of-task]")) {
    const task = Number(node.dataset.ofTask), size = node.dataset.ofSize, label = node.dataset.ofLabel, status = node.dataset.ofStatus;
    const otherTask = state.task !== null && state.task !== task;
    const otherSize = size !== undefined && state.size !== null && Number(size) !== state.size;
    const noLabel = label !== undefined && label.split(" ").every((one) => state.hiddenLabels.has(Number(one)));
    const noStatus = status !== undefined && state.hiddenStatuses.has(Number(status));
    node.hidden = otherTask || otherSize || noLabel || noStatus;
  }
}

function refresh() {
  filterStatic();
  for (const box of document.querySelectorAll("input[name=label]")) box.checked = !state.hiddenLabels.has(Number(box.value));
  for (const one of figures) {
    one.node.hidden = state.task !== null && state.task !== one.task;
    if (!one.node.hidden) one.update();
  }
  for (const head of document.querySelectorAll("#figures h3")) head.hidden = state.task !== null && state.task !== Number(head.dataset.task);
  cells.page = 0;
  updateCells();
}

function start() {
  const form = document.getElementById("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    [state.task, state.size] = [null, null];
    state.hiddenLabels.clear();
    state.hiddenStatuses.clear();
    setTimeout(refresh);
  });
  form.addEventListener("change", (event) => {
    const { name, value, checked } = event.target;
    if (name === "task" || name === "size") state[name] = value === "" ? null : Number(value);
    if (name === "label") state.hiddenLabels[checked ? "delete" : "add"](Number(value));
    if (name === "status") state.hiddenStatuses[checked ? "delete" : "add"](Number(value));
    refresh();
  });
  for (const span of form.querySelectorAll("[data-swatch]")) span.replaceChildren(swatch(Number(span.dataset.swatch)));
  document.querySelectorAll("table.sortable").forEach(sortable);
  buildCells();
  const host = document.getElementById("figures");
  DATA.tasks.forEach((name, task) => {
    if (DATA.tasks.length > 1) host.append(make("h3", { "data-task": task }, name));
    const row = make("div", { class: "figures" });
    host.append(row);
    const traced = DATA.taskSizes[task].some((size) => DATA.convergence[keyOf(task, size)]);
    for (const kind of Object.keys(FIGURES).filter((kind) => traced || kind !== "convergence")) {
      const made = { ...figure(kind, task, state, refresh), task };
      row.append(made.node);
      figures.push(made);
    }
  });
  refresh();
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth !== width) [width] = [window.innerWidth, figures.forEach((one) => one.node.hidden || one.update())];
  });
  window.addEventListener("beforeprint", () => document.querySelectorAll("#examples details").forEach((one) => (one.open = true)));
}
start();
