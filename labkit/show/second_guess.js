/* A guess drawn by hand into the room that the picture has while the loop is paused, or typed: then it
   goes straight from one number to the other. It stays, and the curve goes over it; its points are
   told from the first step after the pause. Once the curve has come to its end, both numbers are told. */

const NEAR_PIXELS = 30;

class SecondGuess {
  constructor(chart) {
    this.chart = chart;
    this.points = []; // how far after the pause, and how many milliseconds
    this.drawing = false;
    this.words = ""; // what is written beside it
  }

  /* Begin where the pointer is, if that is in the room or near the end of the curve. */
  begin(event) {
    const { scale, room } = this.chart;
    this.drawing = room !== null && event.offsetX / scale >= room - NEAR_PIXELS;
    if (this.drawing) this.anew();
    return this.drawing;
  }

  anew() {
    const { curve, across } = this.chart.scene;
    Object.assign(this, { points: [], curve, across, after: curve.last });
  }

  /* Milliseconds; one that is missing is as before the pause, or as the other. */
  type(after, end) {
    this.anew();
    const now = 1000 * this.levelBefore(this.chart.scene, Infinity);
    if (after > 0 || end > 0) this.points = [[0, after || now], [this.chart.range[1] - this.from(), end || after]];
  }

  add(event, at) {
    const { scale, box, height } = this.chart;
    const past = max(0, at - this.from());
    const ms = millisecondsAt(box, height, event.offsetY / scale);
    if (!this.points.length) this.points.push([0, ms]); // no gap where it begins further on
    if (past > this.points.at(-1)[0]) this.points.push([past, ms]); // never back
  }

  from() {
    return this.curve.xOfStep(min(this.after + 1, this.curve.last), this.across);
  }

  /* What there is of it in a picture. */
  in({ curve, across }) {
    return this.points.length > 1 && curve === this.curve && across === this.across ? this.points : [];
  }

  /* How far to the right it goes in a picture, and how high. */
  reach(scene) {
    const points = this.in(scene);
    return points.length ? [this.from() + points.at(-1)[0], max(...points.map(([, ms]) => ms))] : [0, 0];
  }

  /* What steps took around its end, in seconds; 0 where the curve is not there yet. */
  came(scene) {
    const { curve, across } = scene;
    const end = this.from() + this.points.at(-1)[0];
    return curve.end(across) < end ? 0 : this.levelBefore(scene, end);
  }

  /* What steps took up to a place: of nine neighbours the middle one, which is no spike. */
  levelBefore({ curve, across, time }, end) {
    const track = curve.track(curve.shown(time));
    const near = [];
    for (let i = curve.used; i-- && near.length < 9;) if (track.n[i] && curve.xOf(i, across) <= end) near.push(track.mean(i));
    return near.sort((a, b) => a - b)[near.length >> 1];
  }

  /* Whether the end says what was guessed: where it goes up and down, as teeth do, no number does. */
  isLevel() {
    const end = this.points.slice(-Math.ceil(this.points.length / 4)).map(([, ms]) => ms);
    return max(...end) < 2 * min(...end);
  }

  draw(scene, box, x, y, placed) {
    const line = this.in(scene).map(([past, ms]) => [x(this.from() + past), y(ms)]);
    const { chart } = this;
    this.words = "";
    if (!line.length) return;
    chart.g.beginPath();
    line.forEach(([at, high]) => chart.g.lineTo(at, high));
    chart.stroke("ghost-2", 2.5, [7, 7]);
    const [at, high] = line.at(-1);
    const came = this.isLevel() && this.came(scene);
    const words = this.words = "your guess" + (came ? `: ${quantity(this.points.at(-1)[1] / 1000, "s")}; it was ${quantity(came, "s")}` : "");
    const wide = chart.wide(words) + 8;
    const left = min(at, box.right) - wide;
    tag(chart, words, left, free(placed, left, wide, max(box.top, high - 20), box.bottom));
  }
}
