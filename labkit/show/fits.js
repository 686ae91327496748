/* The verdict on the chart: of each stretch its fitted line, thick, and a short label beside it. */

const TONE_COLOURS = { slower: "alarm", faster: "fix", even: "fix", spikes: "alarm", open: "ink-2", guess: "ghost-2" };
const FIT_WIDTH = 4;
const BENDS = 12;

/* Teeth that come regularly are the lesson; of irregular ones the curve is a line all the same. */
const isComb = (fits) => fits.some((fit) => fit.label.includes("every"));

/* Tells of a column whether it is of a stretch between two flips in which teeth come regularly. */
function combsOf(curve, fits) {
  const { flips } = curve; // once: it is asked of every column, at every drawing
  const stretch = (step) => flips.filter((flip) => flip <= step).length;
  const combs = fits.filter((fit) => fit.steps.length && isComb([fit])).map((fit) => stretch(fit.steps[0]));
  return ({ i }) => combs.includes(stretch(i * curve.width));
}

function drawFits(chart, { curve, fits, across }, box, x, y, colour) {
  const g = chart.g;
  g.save();
  g.lineCap = "round";
  chart.clip(box);
  for (const fit of fits) {
    g.beginPath();
    corners(curve, fit, across, x, y).forEach(([at, high]) => g.lineTo(at, high));
    const guess = fit.tone === "guess";
    // Of a run before this one it must not be taken for this one's.
    chart.stroke(colour || TONE_COLOURS[fit.tone], colour ? 1.5 : guess ? 2.5 : FIT_WIDTH, guess ? [7, 7] : []);
  }
  g.restore();
  const placed = [];
  for (const fit of colour ? [] : fits) if (fit.label && fit.steps.length) labelFit(chart, fit, box, corners(curve, fit, across, x, y), placed);
  return placed;
}

/* Where the line goes; a view that lacks the newest steps ends it with those that it has. Between two
   corners it is straight in seconds, and so bent on a logarithmic axis. */
function corners(curve, fit, across, x, y) {
  const ends = fit.steps.map((step, k) => [x(curve.xOfStep(min(step, curve.last), across)), 1000 * fit.seconds[k]]);
  const line = [];
  ends.forEach(([at, ms], k) => {
    const [before, from] = ends[max(0, k - 1)];
    for (let part = k ? 1 : BENDS; part <= BENDS; part++) {
      line.push([before + ((at - before) * part) / BENDS, y(from + ((ms - from) * part) / BENDS)]);
    }
  });
  return line;
}

/* The first height from the top one down at which words cover no others; up, where that would leave
   the plot for the lanes below it. */
function free(placed, left, wide, wanted, bottom) {
  const taken = (top) => placed.some((other) => left < other.right && other.left < left + wide && abs(other.top - top) < 24);
  let top = wanted;
  while (taken(top)) top += 24;
  if (top + 17 > bottom) for (top = wanted; taken(top);) top -= 24;
  placed.push({ left, right: left + wide, top });
  return top;
}

/* What each curve is called, above its end. */
function nameCurves(chart, names, ends, box, placed) {
  ends.forEach((end, k) => {
    if (!end) return;
    const said = chart.shortened(names[k], (box.right - box.left) * 0.45);
    const wide = chart.wide(said) + 8;
    const left = max(box.left + 2, min(box.right, end.x) - wide);
    const top = free(placed, left, wide, max(box.top + 4, end.y - 22), box.bottom);
    tag(chart, said, left, top, k ? `ghost-${k}` : "curve");
  });
}

/* Above the middle of its line or beneath it, and over no other label. */
function labelFit(chart, fit, box, line, placed) {
  const g = chart.g;
  const [from, to] = [line[0], line.at(-1)].map(([at, high]) => [min(box.right, max(box.left, at)), high]);
  if (to[0] - from[0] < 3) return; // out of sight
  g.save();
  g.font = g.font.replace("12px", "bold 14px");
  const wide = chart.wide(fit.label) + 14;
  const left = max(box.left + 2, min(box.right - wide, (from[0] + to[0] - wide) / 2));
  // Over the part of the line that it stands above; where there is no room, below that.
  const near = line.filter(([at]) => at > left - 20 && at < left + wide + 20).map(([, high]) => high);
  const above = min(...near, box.bottom) - 32;
  const top = free(placed, left, wide, above < box.top + 20 ? max(...near, box.top) + 10 : above, box.bottom);
  chart.paint("paper");
  g.strokeStyle = chart.colour(TONE_COLOURS[fit.tone]);
  g.lineWidth = 1.5;
  g.beginPath();
  g.roundRect(left, top, wide, 22, 5);
  g.fill();
  g.stroke();
  chart.text(fit.label, left + 7, top + 16, "left", "ink");
  g.restore();
}
