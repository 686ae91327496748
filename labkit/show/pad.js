/* A pad to draw the expected curve on: for each of SPOTS places from the first step to the last, how
   many times as long a step takes as the first one. A shape that is chosen and a number that is typed
   are drawn there as well, so that the keyboard does all that the pointer does. */

const SPOTS = 40;
const MOST_TIMES = 10;
const SOME = 0.3; // an end that is less apart is as at the start
const WAVY = 1; // so far a line goes up and down that a hand draws level
const EARLY = 4; // of what falls in so few places it is the first step that takes long
const WIDE = 560;
const HIGH = 160;
const LEFT = 34;
const FLOOR = HIGH - 22;

/* Of each shape, where it stands from 0, as at the start, to 1, as at the end. */
const SKETCHES = {
  flat: () => 0,
  ramp: (at) => at,
  stairs: (at) => Math.min(3, Math.floor(4 * at)) / 3,
  comb: (at, k) => (k % 8 === 7 ? 1 : 0),
  cliff: (at) => (at < 0.6 ? 0 : 1),
};

/* Level for a little at either end: there it is read how many times as long a step takes. */
function sketch(shape, times) {
  const at = (k) => Math.min(1, Math.max(0, (k - 1) / (SPOTS - 3)));
  return Array.from({ length: SPOTS }, (_, k) => 1 + (times - 1) * SKETCHES[shape](at(k), k));
}

const middle = (values) => values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];

/* How many times as long the end is as the beginning; of a comb, its teeth. */
function timesOf(drawn) {
  const end = shapeOf(drawn) === "comb" ? Math.max(...drawn) : middle(drawn.slice(-3));
  return end / drawn[0];
}

/* The word for what was drawn; empty where there is none, as for a curve that falls. */
function shapeOf(drawn) {
  const [start] = drawn;
  const range = Math.max(...drawn) - Math.min(...drawn);
  const gain = middle(drawn.slice(-3)) - start;
  const narrow = drawn.filter((each) => each > start + range / 2).length < drawn.length / 5; // as teeth are
  if (range < (narrow ? SOME * start : WAVY) && Math.abs(gain) < SOME * start) return "flat";
  let teeth = 0;
  let peak = -Infinity;
  for (const each of drawn) {
    peak = Math.max(peak, each);
    if (peak - each <= range / 2) continue;
    teeth += 1;
    peak = -Infinity;
  }
  if (teeth > 1) return "comb";
  if (gain < SOME * start) return "";
  // A ramp rises nearly everywhere, stairs and a cliff in a few places.
  const jumps = drawn.slice(1).map((each, k) => each - drawn[k]);
  const rises = jumps.filter((each) => each > 0).sort((a, b) => b - a);
  const most = 0.8 * rises.reduce((sum, each) => sum + each, 0);
  let taken = 0;
  let sum = 0;
  while (sum < most) sum += rises[taken++];
  if (taken > 0.25 * jumps.length) return "ramp";
  const steep = jumps.map((each) => each >= rises[taken - 1]);
  return steep.filter((each, k) => each && !steep[k - 1]).length > 1 ? "stairs" : "cliff";
}

function drawing(tag, properties, words = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  element.textContent = words;
  return element;
}

class Pad {
  /* changed() is called when something was drawn by hand. */
  constructor(changed) {
    this.changed = changed;
    this.drawn = null;
    this.line = drawing("path", { class: "lk-pad-line", d: "" });
    this.hint = drawing("text", { x: (LEFT + WIDE) / 2, y: 22, "text-anchor": "middle" }, "draw the curve that you expect, or choose below");
    this.root = drawing("svg", { class: "lk-pad", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
    for (const times of [1, 5, 10]) {
      const high = this.high(times);
      this.root.append(drawing("line", { x1: LEFT, x2: WIDE, y1: high, y2: high }),
        drawing("text", { x: LEFT - 6, y: high + 4, "text-anchor": "end" }, `${times}x`));
    }
    this.root.append(drawing("circle", { cx: LEFT, cy: this.high(1), r: 5 }),
      drawing("text", { x: LEFT, y: HIGH - 4 }, "start"),
      drawing("text", { x: WIDE - 2, y: HIGH - 4, "text-anchor": "end" }, "end"), this.line, this.hint);
    const end = () => this.end();
    on(this.root, {
      pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.move(event),
      pointerup: end,
      pointercancel: end,
    });
    this.show(null);
  }

  high(times) {
    return FLOOR - (times / MOST_TIMES) * (FLOOR - 8);
  }

  /* Where the pointer is: which place, and how high. */
  place(event) {
    const { left, top, width, height } = this.root.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDE;
    const y = ((event.clientY - top) / height) * HIGH;
    const k = Math.round(((x - LEFT) / (WIDE - LEFT)) * (SPOTS - 1));
    return [Math.min(SPOTS - 1, Math.max(0, k)), (MOST_TIMES * (FLOOR - y)) / (FLOOR - 8)];
  }

  begin(event) {
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    this.heights = new Array(SPOTS).fill(null);
    this.last = null;
    this.move(event);
  }

  /* What a quick hand has passed over lies on the straight way there. */
  move(event) {
    if (!this.heights) return;
    const [k, times] = this.place(event);
    const [from, before] = this.last || [k, times];
    for (let at = Math.min(from, k); at <= Math.max(from, k); at++) {
      this.heights[at] = from === k ? times : before + ((times - before) * (at - from)) / (k - from);
    }
    this.last = [k, times];
    this.show(this.whole());
  }

  end() {
    if (!this.heights) return;
    this.drawn = this.whole();
    this.byHand = true;
    this.heights = null;
    this.show(this.drawn);
    this.changed();
  }

  /* Before where it was begun, and after where it was left, it goes on level. Wherever it was begun,
     it begins at the dot: nobody hits that, and a ratio to what lies close to 0 would be any. A high
     first step is left out, as in the curve. */
  whole() {
    let height = this.heights.find((each) => each !== null);
    const level = this.heights.map((each) => (height = each === null ? height : each));
    const late = level[EARLY];
    const start = level[0] - late > SOME ? level.map((each, k) => (k < EARLY ? late : each)) : level;
    return start.map((each) => Math.max(0.1, each - start[0] + 1));
  }

  /* Another end for what was drawn by hand, of the same shape. */
  stretch(times) {
    const by = (times - 1) / (timesOf(this.drawn) - 1 || 1);
    this.drawn = this.drawn.map((each) => Math.max(0.1, 1 + (each - 1) * by));
    this.show(this.drawn);
  }

  show(drawn) {
    const x = (k) => LEFT + (k / (SPOTS - 1)) * (WIDE - LEFT - 2);
    this.line.setAttribute("d", drawn ? drawn.map((each, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${this.high(Math.min(each, MOST_TIMES)).toFixed(1)}`).join("") : "");
    this.hint.style.display = drawn ? "none" : "";
    const words = drawn ? `${shapeOf(drawn) || "a curve"}, at its end ${timesOf(drawn).toFixed(1)} times as long as at first` : "nothing drawn yet";
    this.root.setAttribute("aria-label", `The curve that you expect: ${words}`);
  }

  /* What was chosen and typed, drawn; by hand it may be drawn anew. */
  take(drawn) {
    this.drawn = drawn;
    this.byHand = false;
    this.show(drawn);
  }
}
