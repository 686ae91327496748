/* A run in bounded memory: at most BUCKETS buckets of smallest, largest and mean, however long it
   gets. When they are full, neighbours are merged, so drawing never costs more than at the start.
   Knows nothing of drawing or messages. */

const { abs, floor, max, min, round } = Math;

const BUCKETS = 2048;

class Track {
  /* One column. Bucket i covers steps i * width to (i + 1) * width - 1; n is 0 where empty. */
  constructor() {
    this.clear();
  }

  clear() {
    for (const part of ["n", "sum", "min", "max"]) this[part] = new Float64Array(BUCKETS);
  }

  add(i, n, low, high, mean) {
    if (!(mean === mean)) return; // NaN: not measured at this step
    const empty = this.n[i] === 0;
    this.min[i] = empty ? low : min(this.min[i], low);
    this.max[i] = empty ? high : max(this.max[i], high);
    this.sum[i] += mean * n;
    this.n[i] += n;
  }

  halve() {
    const old = { ...this };
    this.clear();
    for (let i = 0; i < BUCKETS; i++) {
      if (old.n[i]) this.add(i >> 1, old.n[i], old.min[i], old.max[i], old.sum[i] / old.n[i]);
    }
  }

  mean(i) {
    return this.sum[i] / this.n[i];
  }
}

class Curve {
  constructor(name) {
    this.name = name;
    this.next = 0; // steps taken so far
    this.width = 1; // steps a bucket, a power of two
    this.tracks = new Map();
    this.first = null; // step 0, in seconds: TensorFlow's start-up, kept out of every bucket
    this.lanes = [];
    this.marks = [];
    this.marksSeen = 0;
    this.happened = new Map(); // how many marks of a kind have come
  }

  get used() {
    return min(BUCKETS, Math.ceil(this.next / this.width));
  }

  track(name) {
    return this.tracks.get(name);
  }

  /* Take a part as the kernel lays it out; a part that does not follow on is an old answer. */
  take(part, values) {
    if (part.lanes.length) this.lanes = part.lanes;
    this.takeMarks(part);
    if (part.since !== this.next || part.next <= part.since) return false;
    const edges = [part.since];
    if (part.since === 0 && part.width > 1) edges.push(1);
    let edge = (floor(part.since / part.width) + 1) * part.width;
    for (; edge < part.next; edge += part.width) edges.push(edge);
    edges.push(part.next);
    while (this.width < part.width || part.next > BUCKETS * this.width) this.halve();
    const m = edges.length - 1;
    const blocks = part.width === 1 ? 1 : 3;
    part.series.forEach((name, s) => {
      if (!this.tracks.has(name)) this.tracks.set(name, new Track());
      const track = this.tracks.get(name);
      const at = s * blocks * m;
      for (let j = 0; j < m; j++) {
        const low = values[at + j];
        const high = blocks === 1 ? low : values[at + m + j];
        const mean = blocks === 1 ? low : values[at + 2 * m + j];
        if (edges[j] === 0 && name === "seconds") this.first = mean;
        else if (edges[j] > 0 || name !== "own_seconds") track.add(floor(edges[j] / this.width), edges[j + 1] - edges[j], low, high, mean);
      }
    });
    this.next = part.next;
    return true;
  }

  halve() {
    this.width *= 2;
    this.tracks.forEach((track) => track.halve());
  }

  takeMarks(part) {
    if (part.marks_since !== this.marksSeen) return;
    this.marksSeen += part.marks.length;
    this.marks.push(...part.marks);
    for (const { kind } of part.marks) this.happened.set(kind, (this.happened.get(kind) || 0) + 1);
    if (this.marks.length <= 600) return;
    // Flips are few and matter; of the rest every second one goes.
    let odd = false;
    this.marks = this.marks.filter((mark) => mark.kind === "toggle" || (odd = !odd));
    this.marks = this.marks.slice(-600);
  }

  /* The middle of a bucket on the x axis. */
  xOf(i, across) {
    if (across === "seconds") return this.track("start_seconds").mean(i);
    return i * this.width + (min(this.width, this.next - i * this.width) - 1) / 2;
  }

  xOfStep(step, across) {
    if (across !== "seconds") return step;
    const start = this.track("start_seconds");
    let i = min(floor(step / this.width), this.used - 1);
    while (i > 0 && !start.n[i]) i--;
    return i < 0 || !start.n[i] ? 0 : start.mean(i);
  }

  /* Where it ends on the x axis. */
  end(across) {
    return this.xOfStep(this.last, across);
  }

  /* The steps at which a toggle was flipped. */
  get flips() {
    return this.marks.filter((mark) => mark.kind === "toggle").map((mark) => mark.step);
  }

  /* The column that is drawn: the loop's own time where it is wanted and counted. */
  shown(time) {
    return time === "own" && this.tracks.has("own_seconds") ? "own_seconds" : "seconds";
  }

  /* The least and the most of a column; of an empty one the least is the larger. */
  extent(name) {
    const track = this.track(name);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < this.used; i++) {
      if (!track.n[i]) continue;
      low = min(low, track.min[i]);
      high = max(high, track.max[i]);
    }
    return [low, high];
  }

  /* The lowest and the highest level that last: of the medians of nine neighbours. A spike is no
     level, but a few slow steps among thousands of fast ones are, and so are a slow loop's newest. */
  levels(name) {
    const track = this.track(name);
    const means = [];
    for (let i = 0; i < this.used; i++) if (track.n[i]) means.push(track.mean(i));
    let [low, high] = [Infinity, 0];
    for (let end = means.length; end > 0; end -= 4) {
      const near = means.slice(max(0, min(end - 9, means.length - 9)), max(end, 9));
      near.sort((a, b) => a - b);
      low = min(low, near[near.length >> 1]);
      high = max(high, near[near.length >> 1]);
    }
    return [low, high];
  }

  get last() {
    return max(0, this.next - 1);
  }
}
