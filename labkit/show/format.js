/* Numbers as a person writes them. The kernel's words.py says the same in its sentences. */

const grouped = (value) => value.toLocaleString("en-US");

const digits = (value) =>
  abs(value) >= 99.5 ? grouped(round(value)) : value.toFixed(1);

function quantity(value, unit) {
  if (!Number.isFinite(value)) return "not measured";
  const scales = unit === "s" ? [["s", 1], ["ms", 1e-3], ["us", 1e-6]]
    : unit === "bytes" ? [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] : [];
  for (const [name, scale] of scales) {
    if (abs(value) >= 0.9995 * scale) return `${digits(value / scale)} ${name}`;
  }
  // An empty step takes 0.2 us.
  if (unit === "s") return value ? `${digits(value / 1e-6)} us` : "0 ms";
  const whole = Number.isInteger(value) || abs(value) >= 100;
  const number = whole ? grouped(round(value)) : Number(value.toPrecision(3));
  // 1 session, 2 sessions
  const counted = String(number) === "1" ? unit.replace(/(ch|ss)es$|s$/, "$1") : unit;
  return `${number} ${counted}`.trim();
}

/* ", +6 ops per step": how a counter rises in that stretch between two flips in which it rises most,
   and whether it rests now; nothing where it rests throughout. */
function rateOf(curve, columns, unit) {
  const { flips } = curve;
  let [rate, newest] = [0, 0];
  [0, ...flips].forEach((start, k) => {
    const end = k < flips.length ? flips[k] : Infinity;
    const within = columns.filter((column) => column.i * curve.width >= start && (column.i + 1) * curve.width <= end);
    if (within.length < 2) return;
    const [first, last] = [within[0], within.at(-1)];
    const found = (last.sum / last.n - first.sum / first.n) / ((last.i - first.i) * curve.width);
    newest = found;
    if (abs(found) > abs(rate)) rate = found;
  });
  const rests = abs(newest) < 1e-6 ? ", now at rest" : "";
  return abs(rate) > 1e-6 ? `, ${rate > 0 ? "+" : "\u2212"}${quantity(abs(rate), unit)} per step${rests}` : "";
}

/* "18 to 1,518 ops": the unit once, if both have the same. */
function range(low, high, unit) {
  const [a, b] = [quantity(low, unit), quantity(high, unit)];
  if (a === b) return a;
  if (unit !== "s" && unit !== "bytes") return `${quantity(low, "")} to ${b}`;
  const [unitA, unitB] = [a, b].map((text) => text.slice(text.lastIndexOf(" ")));
  return `${unitA === unitB ? a.slice(0, a.lastIndexOf(" ")) : a} to ${b}`;
}

/* Round numbers between two places, about `wanted` of them. */
function niceTicks(from, to, wanted) {
  const raw = (to - from) / wanted;
  const scale = 10 ** floor(Math.log10(raw));
  const step = scale * [1, 2, 2.5, 5, 10].find((nice) => nice * scale >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(from / step); k * step <= to + step / 1000; k++) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}
