/* The ledger as a picture: one bar of a step's time at the start of a growth, one at its end, in the
   same colours, so that one sees which part grew. */

const PART_COLOURS = ["curve", "ghost-1", "ghost-3", "ghost-2", "lane", "ink-2"];

/* `clock` says whether the curve leaves out what other programs took, which is in a step's parts. */
function fillBars(holder, bars, words, steps, clock) {
  const told = JSON.stringify([bars, steps, clock]);
  if (holder.dataset.told === told) return;
  holder.dataset.told = told;
  holder.hidden = !bars.length;
  if (!bars.length) return;
  const ends = ["first_seconds", "last_seconds"];
  const whole = ends.map((end) => bars.reduce((sum, bar) => sum + bar[end], 0));
  const most = Math.max(...whole) || 1;
  const colour = (k) => `var(--lk-${k === bars.length - 1 ? "rim" : PART_COLOURS[k % PART_COLOURS.length]})`;
  const row = (end, k) => {
    const line = make("span", { className: "lk-bar" });
    bars.forEach((bar, part) => {
      const piece = make("span", { title: `${bar.title}: ${quantity(bar[end], "s")}` });
      piece.style.width = `${(100 * bar[end]) / most}%`;
      piece.style.background = colour(part);
      line.append(piece);
    });
    return [make("span", {}, steps ? `at step ${grouped(steps[k])}` : k ? "at the end" : "at the start"), line, make("span", {}, quantity(whole[k], "s") + (clock ? " by the clock" : ""))];
  };
  const key = make("span", { className: "lk-parts" }, ...bars.map((bar, part) => {
    const swatch = make("i");
    swatch.style.background = colour(part);
    return make("span", {}, swatch, bar.title);
  }));
  holder.replaceChildren(...ends.flatMap(row), key);
  holder.setAttribute("aria-label", words);
}
