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
  const most = max(...whole) || 1;
  const colour = (k) => `var(--lk-${k === bars.length - 1 ? "rim" : PART_COLOURS[k % PART_COLOURS.length]})`;
  const row = (end, k) => {
    const line = make("span.bar");
    bars.forEach((bar, part) => {
      const style = `width: ${(100 * bar[end]) / most}%; background: ${colour(part)}`;
      line.append(make("span", { title: `${bar.title}: ${quantity(bar[end], "s")}`, style }));
    });
    return [make("span", steps ? `at step ${grouped(steps[k])}` : k ? "at the end" : "at the start"), line, make("span", quantity(whole[k], "s") + (clock ? " by the clock" : ""))];
  };
  const key = make("span.parts", ...bars.map((bar, part) => make("span", make("i", { style: `background: ${colour(part)}` }), bar.title)));
  holder.replaceChildren(...ends.flatMap(row), key);
  holder.setAttribute("aria-label", words);
}
