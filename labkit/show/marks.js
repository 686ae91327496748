/* What is drawn over the curve: marks where something happened, and the number under the pointer. */

// A run keeps so many events of a kind: where the ticks end, what they stand for may go on.
const MOST_OF_A_KIND = 1000;

/* Words on a piece of paper. */
function tag(chart, words, left, top, colour = "ink") {
  chart.area("paper", 0.85, left, top, chart.wide(words) + 8, 17);
  chart.text(words, left + 4, top + 13, "left", colour);
}

/* A line with words for every flip of a toggle; a tick at the foot for everything else. */
function drawMarks(chart, scene, box, x, placed) {
  const { curve } = scene;
  const ends = [-Infinity, -Infinity, -Infinity];
  const kinds = new Map();
  for (const mark of curve.marks) {
    const at = round(x(curve.xOfStep(mark.step, scene.across))) + 0.5;
    if (at < box.left - 1 || at > box.right + 1) continue;
    if (mark.kind !== "toggle") {
      chart.rule(at, mark.kind === "failed" ? box.top : box.bottom - 7, at, box.bottom, "alarm", 1.5);
      kinds.set(mark.kind, at);
      continue;
    }
    chart.rule(at, box.top, at, chart.foot, "ink-2", 1.2, [4, 3]);
    const flip = mark.text.replaceAll("_", " ");
    const wide = chart.wide(flip) + 10;
    const from = at + wide > box.right ? at - wide : at + 1;
    let row = ends.findIndex((end) => end < from);
    if (row < 0) row = ends.indexOf(min(...ends));
    ends[row] = from + wide;
    tag(chart, flip, from, box.top + 1 + row * 17);
    placed.push({ left: from, right: from + wide, top: box.top + 1 + row * 17 });
  }
  // One word a kind, at its newest tick; a word that would cover another stands above it.
  const below = [];
  kinds.forEach((at, kind) => {
    // What a loop went through in the step that it failed in would stand there, too.
    if (kind !== "failed" && at === kinds.get("failed")) return;
    const all = curve.happened.get(kind) < MOST_OF_A_KIND;
    const words = kind.replaceAll("_", " ") + (all ? "" : `: the first ${grouped(MOST_OF_A_KIND)} only`);
    const wide = chart.wide(words);
    const left = at + 6 + wide > box.right ? at - 4 - wide : at + 5;
    const row = below.filter((other) => left < other.right && other.left < left + wide).length;
    below.push({ left, right: left + wide });
    chart.text(words, left, box.bottom - 9 - row * 14, "left", "ink");
  });
}

/* That there is more to the right, and what is being chosen with the pointer. */
function drawBeyond(chart, scene, box, x) {
  const more = scene.curve.next > 1 && scene.curve.end(scene.across) > chart.range[1] * 1.001;
  if (more) chart.text("goes on: double-click for all \u2192", box.right - 4, box.bottom - 26, "right", "ink");
  if (scene.paused) {
    const now = (chart.room = max(box.left, x(scene.curve.end(scene.across)) + 4));
    chart.area("soft", 1, now, box.top, box.right - now, box.bottom - box.top);
    if (!chart.guess.in(scene).length) chart.text("where will it go? draw it, then go on", (now + box.right) / 2, (box.top + box.bottom) / 2, "center", "ink");
  }
  if (!scene.chosen) return;
  const [a, b] = scene.chosen.map(x);
  chart.area("curve", 0.15, min(a, b), box.top, abs(b - a), box.bottom - box.top);
}

/* The step nearest to the pointer, in words, and the same step in every lane. */
function drawReadout(chart, scene, box, x, y) {
  if (chart.room && scene.hover > chart.room) return;
  const { curve } = scene;
  const track = curve.track(curve.shown(scene.time));
  const wall = curve.track("seconds");
  let [best, nearest] = [-1, Infinity];
  chart.visited += curve.used;
  for (let i = 0; i < curve.used; i++) {
    const away = track.n[i] ? abs(x(curve.xOf(i, scene.across)) - scene.hover) : Infinity;
    if (away < nearest) [best, nearest] = [i, away];
  }
  if (best < 0) return;
  const g = chart.g;
  const at = x(curve.xOf(best, scene.across));
  const from = best * curve.width;
  const end = min(from + curve.width, curve.next) - 1;
  const where = end > from ? `steps ${grouped(from)}-${grouped(end)}` : `step ${grouped(from)}`;
  const added = wall === track ? 0 : wall.mean(best) - track.mean(best);
  const machine = added > 0.02 * track.mean(best) ? ` and ${quantity(added, "s")} of the machine's` : "";
  const words = `${where}: ${quantity(track.mean(best), "s")}${machine}`;
  chart.rule(at, box.top, at, chart.foot, "axis");
  const light = (high) => {
    g.beginPath();
    g.arc(at, max(box.top, high), 4, 0, 7);
    chart.paint("ink");
    g.fill();
  };
  light(y(1000 * track.mean(best)));
  for (const lane of chart.lanes) {
    const values = curve.track(lane.name);
    if (!values || !values.n[best]) continue;
    const value = lane.bars ? values.max[best] : values.mean(best);
    const said = quantity(value, lane.unit);
    light(lane.y(value));
    tag(chart, said, min(at + 6, box.right - chart.wide(said) - 8), lane.bottom - 18);
  }
  const wide = chart.wide(words) + 12;
  const left = min(at + 6, box.right - wide);
  chart.area("ink", 1, left, box.bottom - 26, wide, 19);
  chart.text(words, left + 6, box.bottom - 12, "left", "paper");
}
