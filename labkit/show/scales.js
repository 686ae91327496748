/* The scales of the picture: which part of a run is seen, and how high a step time is drawn. */

// In milliseconds: a scale below it is named in microseconds, or its noughts fill the margin.
const SMALL_SCALE = 0.01;
// Steps that differ by more than this have a logarithmic axis: else the small ones lie on the floor.
const LOG_FROM = 30;
// Runs from before have it only where this one would lie there: it bends a slope.
const FLOOR = 5;
// Of the time so far: flips as close together as this are one.
const TOGETHER = 0.05;

/* From where to where the x axis goes; while the loop is paused there is room for what may come, and
   afterwards as far as a guess goes. */
function rangeOf(scene, reach) {
  const [from, to] = seenRange(scene.paused ? { ...scene, ghosts: [] } : scene);
  return [from, Array.isArray(scene.view) ? to : max(scene.paused ? to + (to - from) / 2 : to, reach)];
}

/* After a flip its moment stays in the middle third, and no
   stretch beside it gets less than a sixth of the width: what comes later is a double click away. */
function seenRange({ curve, ghosts, across, view }) {
  const curves = [curve, ...ghosts].filter((each) => each && each.next > 1);
  const reach = max(across === "step" ? 20 : 0.1, ...curves.map((each) => each.end(across)));
  if (Array.isArray(view)) return view;
  const whole = [0, reach * 1.02];
  if (view === "all" || !curve || curve.next < 2) return whole;
  const flips = curve.flips.map((step) => curve.xOfStep(step, across));
  if (!flips.length) return whole;
  const flip = flips.at(-1);
  const before = max(0, ...flips.filter((at) => at < flip * (1 - TOGETHER)));
  const left = min(flip, 2 * (flip - before));
  const right = min(max(curve.end(across) - flip, left / 2), 2 * left);
  return left > 0 ? [flip - left, flip + right] : whole;
}

/* The least and the most step time on the y axis, in milliseconds: everything, unless rare spikes
   would squash the curve; where the verdict is of spikes far above the rest, a logarithmic axis has
   room for both. From 0 where it is linear. As many times as much where there is to be room for a
   guess, and at least as much as was guessed. */
function heights(curves, time, scale, spiky, room, guessed) {
  let [highest, level, least, own] = [0, 0, Infinity];
  for (const curve of curves) {
    const name = curve.shown(time);
    const [low, high] = curve.levels(name);
    own ??= high > LOG_FROM * low ? 0 : FLOOR * high; // of the first
    highest = max(highest, curve.extent(name)[1]);
    level = max(level, high);
    least = min(least, low);
  }
  if (!level) return { low: 0, top: 10, log: false };
  const pauses = spiky && scale === "auto" && highest > LOG_FROM * level;
  const wanted = max(guessed * 1.04, 1000 * room * (pauses || highest <= 3 * level ? highest * 1.04 : level * 1.7));
  const ten = 10 ** floor(Math.log10(wanted));
  const top = ten * [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((nice) => nice * ten >= wanted * 0.999);
  const log = least > 0 && (scale === "log" || pauses || (scale === "auto" && level > max(own, LOG_FROM * least)));
  return { low: log ? 700 * least : 0, top, log };
}

/* Where a step time is drawn, for numbers in milliseconds. */
function heightIn(box, { low, top, log }) {
  const high = box.bottom - box.top;
  if (!log) return (ms) => box.bottom - (high * ms) / top;
  return (ms) => box.bottom - (high * Math.log(max(ms, low) / low)) / Math.log(top / low);
}

/* And back: the milliseconds that are drawn at a height. */
function millisecondsAt(box, { low, top, log }, y) {
  const share = min(1, max(0, (box.bottom - y) / (box.bottom - box.top)));
  return log ? low * (top / low) ** share : share * top;
}

/* Round numbers between two ends of a logarithmic axis. */
function logTicks(low, top) {
  const decades = Math.log10(top / low);
  const ticks = [];
  for (let power = floor(Math.log10(low)); 10 ** power <= top; power++) {
    for (const nice of decades > 3 ? [1] : [1, 2, 5]) {
      const tick = Number((nice * 10 ** power).toPrecision(3));
      if (tick >= low && tick <= top) ticks.push(tick);
    }
  }
  return ticks;
}

function scaleName({ top, log }, time) {
  const which = { own: ", own time; grey: other programs", wall: ", wall time" }[time] || "";
  return `${top < SMALL_SCALE ? "us" : "ms"} per step${log ? ", logarithmic" : ""}${which}`;
}
