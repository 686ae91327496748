/* What happens inside a step, in dots: what is there, what is new, and what the step goes through, in
   slow motion. The kernel counts; here the numbers are drawn, and a step that is played is played to
   its end before the next. The dots stand in columns, so that a pile grows to the right. */

const DOT_ROWS = 12;
const DOT_COLUMNS = 20;
const COLUMN_SECONDS = 0.12; // so that to go through more takes longer

/* The dots from one to another as an outline, in percent of the field. */
function outline(from, to) {
  const at = (dot) => [floor(dot / DOT_ROWS) / DOT_COLUMNS, (dot % DOT_ROWS) / DOT_ROWS];
  const [[a, up], [b, down], next] = [at(from), at(to), 1 / DOT_COLUMNS];
  const corners = [[a, up], [a + next, up], [a + next, 0], [b + next, 0], [b + next, down], [b, down], [b, 1], [a, 1]];
  // Of dots within one column the outline above would lie crosswise.
  const few = a === b ? [[a, up], [a + next, up], [a + next, down], [a, down]] : corners;
  const places = few.map((corner) => corner.map((part) => `${100 * part}%`).join(" "));
  return `polygon(${places.join(",")})`;
}

/* Workers that meet: for each a bar, as long as its part of the step, and what it did. */
function workerRows({ name, before, parts }) {
  const bar = make("span.bar", make("i", { style: `width: ${before}%` }),
    ...parts.map(({ of, percent }) => make(`i.${of}`, { style: `width: ${percent}%; background: var(--lk-of)` })));
  return [make("li.worker", name, bar), ...parts.map(({ of, line }) => make(`li.${of}`, line))];
}

class InsideView {
  constructor() {
    const layer = (name) => make(`i.${name}`);
    this.at = { title: make("b"), all: layer("all"), walked: layer("walked"), fresh: layer("fresh"), lines: make("ul"), caption: make("em") };
    const { title, all, walked, fresh, lines, caption } = this.at;
    this.sweep = make("i");
    walked.append(this.sweep);
    this.dots = make("div.dots", { "aria-hidden": "true" }, all, walked, fresh);
    this.root = make("div.inside", { hidden: true }, title, this.dots, lines, caption);
    on(this.root, { animationiteration: () => this.draw() });
  }

  /* A step of another run, one that goes through nothing and the last one wait for nobody. */
  show(inside, run, moves) {
    const waits = this.plays && moves && run === this.run && inside && (inside.walked || inside.workers);
    Object.assign(this, { inside, run, moves });
    if (!waits) this.draw();
  }

  draw() {
    const { inside, moves } = this;
    this.root.hidden = !inside;
    this.plays = inside && moves && (inside.walked > 0 || inside.workers);
    if (!inside) return;
    const { dots, walked, backwards, workers } = inside;
    const { title, all, walked: gone, fresh, lines, caption } = this.at;
    say(title, inside.title);
    say(caption, inside.caption);
    this.dots.hidden = Boolean(workers);
    if (workers) {
      lines.classList.toggle("lk-moves", Boolean(this.plays));
      lines.replaceChildren(...workers.flatMap(workerRows));
      return;
    }
    if (this.told !== inside.lines.join()) {
      this.told = inside.lines.join();
      lines.replaceChildren(...inside.lines.map((line, k) => make(`li.${["all", "fresh", "walked"][k]}`, line)));
    }
    all.style.clipPath = outline(0, dots);
    fresh.style.clipPath = outline(dots - inside.new, dots);
    gone.style.clipPath = backwards ? outline(dots - walked, dots) : outline(0, walked);
    const columns = max(1, Math.ceil(dots / DOT_ROWS));
    this.sweep.style.right = `${100 * (1 - columns / DOT_COLUMNS)}%`;
    this.sweep.style.animation = this.plays
      ? `${(columns + 3) * COLUMN_SECONDS}s steps(${columns + 3}) infinite lk-sweep${backwards ? "-back" : ""}` : "none";
  }
}
