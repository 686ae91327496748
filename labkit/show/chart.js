/* The picture: the iteration-time curve, ghosts of earlier runs, event marks, evidence lanes.
   Draws curves it is handed on a canvas; knows nothing of messages, buttons or the kernel. */

const PLOT_HEIGHT = 200;
const LANE_HEIGHT = 42;
const PROOF_HEIGHT = 60; // of the first lane: it proves the cause
const RESTING_HEIGHT = 18; // of a lane that says in words that nothing moved
const SETTLED_STEPS = 30;
const AXIS_HEIGHT = 32;
const LANE_NAME_PIXELS = 130;
const COLUMN_PIXELS = 3; // steps closer together than this are drawn as a band with their mean

class Chart {
  constructor(canvas, root, scale = 1) {
    this.canvas = canvas;
    this.root = root;
    this.scale = scale; // how much larger everything is drawn, words and all
    this.draws = 0;
    this.lastDrawMs = 0;
    this.visited = 0; // buckets looked at by the last draw: what a test compares
    this.guess = new SecondGuess(this);
  }

  draw(scene) {
    const began = performance.now();
    this.visited = 0;
    this.lanes = [];
    this.scene = scene;
    this.room = null; // where it begins while the loop is paused
    const width = max(280, this.canvas.clientWidth / this.scale);
    // Lower for a projector of 1024 x 768, of which JupyterLab leaves 650 pixels.
    const plot = this.scale > 1 && innerHeight < 800 ? 150 : PLOT_HEIGHT;
    const box = { left: 54, right: width - 14, top: 24, bottom: 24 + plot };
    let foot = box.bottom + AXIS_HEIGHT;
    const rows = scene.lanes.map((lane, k) => {
      const high = this.rests(scene.curve, lane) ? RESTING_HEIGHT : k || this.scale > 1 ? LANE_HEIGHT : PROOF_HEIGHT;
      return { ...box, top: foot, bottom: (foot += high) };
    });
    this.foot = rows.length ? foot - 4 : box.bottom;
    this.prepare(width, foot);
    const curves = [scene.curve, ...scene.ghosts].filter((curve) => curve && curve.next > 1);
    this.box = box;
    this.whole = rangeOf({ ...scene, view: "all" }, 0);
    const [reach, high] = this.guess.reach(scene);
    const [from, to] = (this.range = rangeOf(scene, reach));
    const x = (value) => box.left + ((box.right - box.left) * (value - from)) / (to - from);
    this.height = heights(curves, scene.time, scene.scale, isComb(scene.fits), scene.paused ? 2 : 1, high);
    curves.forEach((curve) => (this.visited += 2 * curve.used));
    const y = heightIn(box, this.height);
    this.time = scene.curve?.tracks.has("own_seconds") ? scene.time : "";
    if (curves.length) this.axes(box, x, y, scene.across);
    else this.empty(box, scene.hint);
    const ends = scene.ghosts.map((curve, k) => {
      const told = { ...scene, curve, fits: curve.next > 1 ? scene.runs[k + 1].fits : [] };
      const end = this.line(curve, box, x, y, told, k + 1);
      drawFits(this, told, box, x, y, `ghost-${k + 1}`);
      return end;
    });
    if (scene.curve) {
      ends.unshift(this.line(scene.curve, box, x, y, scene, 0));
      this.offScale(scene.curve, box, x, scene);
      scene.lanes.forEach((lane, k) => this.lane(scene.curve, lane, rows[k], x, scene.across));
      const placed = drawFits(this, scene, box, x, y);
      drawMarks(this, scene, box, x, placed);
      if (scene.ghosts.length) nameCurves(this, scene.runs.map(nameOf), ends, box, placed);
      drawBeyond(this, scene, box, x);
      this.guess.draw(scene, box, x, y, placed);
      if (scene.hover !== null) drawReadout(this, scene, box, x, y);
    }
    this.draws += 1;
    this.lastDrawMs = performance.now() - began;
  }

  prepare(width, height) {
    const ratio = (window.devicePixelRatio || 1) * this.scale;
    const [wide, high] = [round(width * ratio), round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
      this.canvas.style.height = `${height * this.scale}px`;
    }
    this.g = this.canvas.getContext("2d");
    this.g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.g.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.root);
    this.colour = (name) => style.getPropertyValue(`--lk-${name}`).trim();
    this.g.font = `12px ${style.fontFamily}`;
    this.g.lineJoin = "round";
  }

  text(words, x, y, align = "left", colour = "ink-2") {
    this.paint(colour);
    this.g.textAlign = align;
    this.g.fillText(words, x, y);
  }

  paint(colour) {
    this.g.fillStyle = this.colour(colour);
  }

  area(colour, alpha, ...sides) {
    this.paint(colour);
    this.g.globalAlpha = alpha;
    this.g.fillRect(...sides);
    this.g.globalAlpha = 1;
  }

  wide(words) {
    return this.g.measureText(words).width;
  }

  /* Nothing is drawn beyond the plot until `restore`. */
  clip(box) {
    this.g.beginPath();
    this.g.rect(box.left, box.top - 1, box.right - box.left + 6, box.bottom - box.top + 2);
    this.g.clip();
  }

  /* Words cut to so many pixels; those of a lane stand in full in the table. */
  shortened(words, room) {
    let end = words.length;
    const cut = () => (end < words.length ? `${words.slice(0, end).trimEnd()}\u2026` : words);
    while (end > 1 && this.wide(cut()) > room) end -= 1;
    return cut();
  }

  stroke(colour, width, dash = []) {
    this.g.strokeStyle = this.colour(colour);
    this.g.lineWidth = width;
    this.g.setLineDash(dash);
    this.g.stroke();
    this.g.setLineDash([]);
  }

  rule(x, y, endX, endY, colour, width = 1, dash = []) {
    this.g.beginPath();
    this.g.moveTo(x, y);
    this.g.lineTo(endX, endY);
    this.stroke(colour, width, dash);
  }

  axes(box, x, y, across) {
    const { low, top, log } = this.height;
    const factor = top < SMALL_SCALE ? 1000 : 1;
    // Not the default of three decimals: they would make an axis of noughts.
    for (const tick of log ? logTicks(low, top) : niceTicks(0, top, 5)) {
      const high = round(y(tick)) + 0.5;
      this.rule(box.left, high, box.right, high, tick === 0 ? "axis" : "grid");
      this.text((factor * tick).toLocaleString("en-US", { maximumSignificantDigits: 6 }), box.left - 8, y(tick) + 4, "right");
    }
    const name = across === "step" ? "step" : "seconds since the first step";
    const free = box.right - this.wide(name) - 22;
    const [from, to] = this.range;
    for (const tick of niceTicks(from, to, box.right - box.left > 500 ? 8 : 5)) {
      if (across === "step" && !Number.isInteger(tick)) continue; // there is no step 2.5
      const at = round(x(tick)) + 0.5;
      this.rule(at, box.bottom, at, box.bottom + 5, "axis");
      if (x(tick) < free) this.text(grouped(tick), x(tick), box.bottom + 18, "center");
    }
    this.text(scaleName(this.height, this.time), 6, 13);
    this.text(name, box.right, box.bottom + 18, "right");
  }

  empty(box, hint) {
    this.text(hint, (box.left + box.right) / 2, (box.top + box.bottom) / 2, "center");
  }

  /* Buckets closer together than COLUMN_PIXELS become one column: low, high and mean. */
  columns(curve, name, x, across) {
    const track = curve.track(name);
    const made = [];
    this.visited += curve.used;
    if (!track) return made;
    for (let i = 0; i < curve.used; i++) {
      if (!track.n[i]) continue;
      const at = x(curve.xOf(i, across));
      if (at < this.box.left - COLUMN_PIXELS || at > this.box.right + COLUMN_PIXELS) continue;
      const place = floor(at / COLUMN_PIXELS);
      let column = made.at(-1);
      if (!column || column.place !== place) {
        column = { place, i, x: 0, n: 0, sum: 0, logs: 0, k: 0, low: Infinity, high: -Infinity };
        made.push(column);
      }
      column.x += (at - column.x) / ++column.k;
      column.n += track.n[i];
      column.sum += track.sum[i];
      column.logs += track.n[i] * Math.log(track.mean(i));
      column.low = min(column.low, track.min[i]);
      column.high = max(column.high, track.max[i]);
    }
    return made;
  }

  /* Thin where a fitted line is drawn over it; what the machine added is a faint band above. Returns
     where the line ends in sight. */
  line(curve, box, x, y, { across, time, fits }, k) {
    if (curve.next < 2) return null;
    const g = this.g;
    const name = curve.shown(time);
    const columns = this.columns(curve, name, x, across);
    const thin = fits.some((fit) => fit.steps.length);
    // Of teeth far apart, joined means and a joined band would show hills that are not there.
    const apart = combsOf(curve, k ? [] : fits);
    g.save();
    this.clip(box);
    if (k === 0) {
      this.spans(columns, y, apart, box.bottom);
      if (name === "own_seconds") this.band(this.columns(curve, "seconds", x, across), columns, y, apart);
    }
    g.beginPath();
    // On a logarithmic axis the mean of logarithms: else a comb's teeth lift the line off its steps.
    const level = (c) => 1e3 * (this.height.log ? Math.exp(c.logs / c.n) : c.sum / c.n);
    columns.forEach((c, at) => apart(c) || g[at && apart(columns[at - 1]) ? "moveTo" : "lineTo"](c.x, y(level(c))));
    g.globalAlpha = k && 0.6 || 1;
    this.stroke(k === 0 ? "curve" : `ghost-${k}`, thin ? 1.2 : 2);
    g.globalAlpha = 1;
    if (k === 0 && columns.length === 1) g.fillRect(columns[0].x - 2, y(columns[0].high * 1000) - 2, 4, 4);
    g.restore();
    const end = columns.at(-1);
    return end ? { x: min(end.x, box.right), y: y(level(end)) } : null;
  }

  /* From the highest to the lowest of each column. Not joined: of a comb whose teeth are far apart a
     joined band would be a wall, and a tooth alone in its column a dot: it stands on the floor. */
  spans(columns, y, apart, bottom) {
    this.paint("curve");
    for (const c of columns) {
      const top = y(c.high * 1000);
      const [alpha, foot] = apart(c) ? [0.7, bottom] : [0.25, y(c.low * 1000)];
      this.g.globalAlpha = alpha;
      this.g.fillRect(c.place * COLUMN_PIXELS, top, COLUMN_PIXELS, max(2, foot - top));
    }
    this.g.globalAlpha = 1;
  }

  /* From the highest of some columns down to the highest of others. */
  band(above, below, y, apart) {
    const g = this.g;
    g.beginPath();
    const own = new Map(below.map((c) => [c.place, y(c.high * 1000)]));
    above.filter(apart).forEach((c) => own.has(c.place) && g.rect(c.place * COLUMN_PIXELS, y(c.high * 1000), COLUMN_PIXELS, own.get(c.place) - y(c.high * 1000)));
    const joined = (columns) => columns.filter((c) => !apart(c)).map((c) => [c.x, y(c.high * 1000)]);
    [...joined(above), ...joined(below).reverse()].forEach((corner, k) => g[k ? "lineTo" : "moveTo"](...corner));
    this.paint("lane");
    g.globalAlpha = 0.09;
    g.fill();
    g.globalAlpha = 1;
  }

  /* What does not fit: a small triangle at the top edge for each, and words for the largest. */
  offScale(curve, box, x, { across, time }) {
    const g = this.g;
    const { top } = this.height;
    let largest = 0;
    this.paint("alarm");
    for (const c of this.columns(curve, curve.shown(time), x, across)) {
      if (c.high * 1000 <= top) continue;
      largest = max(largest, c.high);
      g.beginPath();
      g.moveTo(c.x, box.top - 6);
      g.lineTo(c.x - 3.5, box.top);
      g.lineTo(c.x + 3.5, box.top);
      g.fill();
    }
    const notes = [];
    if (largest) notes.push(`\u25b2 above the scale, up to ${quantity(largest, "s")}`);
    if (curve.first !== null && curve.first * 1000 > top) notes.push(`first step ${quantity(curve.first, "s")}`);
    // In a narrow page the words would run into the name of the scale.
    const room = box.right - 20 - this.wide(scaleName(this.height, this.time));
    const shorter = [notes.join("   "), notes[0] || "", largest ? `\u25b2 up to ${quantity(largest, "s")}` : ""];
    this.text(shorter.find((words) => this.wide(words) <= room) || "", box.right, 13, "right");
  }

  /* The longest first. */
  lanesWords(curve, columns, unit, low, high, raised) {
    const seen = range(low, high, unit);
    const rate = seen + rateOf(curve, columns, unit);
    return [raised && high > low ? `${rate}, not drawn from 0` : rate, rate, seen];
  }

  /* Whether a lane stayed where it began. Not asked of the first steps, or lanes would jump. */
  rests(curve, { name, kind }) {
    const track = curve.track(name);
    if (!track || curve.next < SETTLED_STEPS) return false;
    this.visited += curve.used;
    const [low, high] = curve.extent(name);
    const zero = kind === "counter" ? [] : [0]; // what is no counter is drawn from there
    return !(max(high, ...zero) > min(low, ...zero));
  }

  lane(curve, lane, box, x, across) {
    const g = this.g;
    const [top, bottom] = [box.top + 16, box.bottom - 4];
    const drawn = bottom > top;
    const columns = this.columns(curve, lane.name, x, across);
    const bars = lane.kind !== "counter";
    let [low, high] = [bars ? 0 : Infinity, bars ? 0 : -Infinity];
    columns.forEach((c) => {
      low = min(low, c.low);
      high = max(high, c.high);
    });
    // From 0, or where that would leave a flat line, from the least; the words say so.
    const base = low > high / 2 ? low : min(0, low);
    const y = (value) => (bars || high > low ? bottom - ((bottom - top) * (value - base)) / (high - base || 1) : bottom - 4);
    if (drawn) {
      this.lanes.push({ ...lane, bars, y, bottom });
      this.rule(box.left, bottom + 0.5, box.right, bottom + 0.5, "grid");
    }
    g.beginPath();
    if (!drawn) {
      // Its words say that it rests.
    } else if (bars) {
      this.paint("lane");
      columns.forEach((c) => c.high > 0 && g.fillRect(c.x - 1, y(c.high), 2, bottom - y(c.high)));
    } else {
      columns.forEach((c) => g.lineTo(c.x, y(c.sum / c.n)));
      this.stroke("lane", 1.8);
    }
    // Less where the page is narrow: the lane's name needs its room.
    const words = !columns.length ? ["not measured"]
      : bars ? [high > 0 ? `up to ${quantity(high, lane.unit)}` : "none so far"]
        : this.lanesWords(curve, columns, lane.unit, low, high, base > 0);
    const room = box.right - box.left - min(LANE_NAME_PIXELS, this.wide(lane.title));
    const said = words.find((each) => this.wide(each) <= room) || words.at(-1);
    this.text(said, box.right, box.top + 11, "right", "ink");
    this.text(this.shortened(lane.title, box.right - box.left - this.wide(said) - 10), box.left, box.top + 11, "left", "ink");
  }
}
