/* The live panel of one lab: joins the conversation with the kernel, the curves and the elements.
   The kernel's answers hold everything on show, so a reload or a second view needs no memory here. */

const GONE = "the kernel is gone; run this cell again (if another cell is busy, wait: this comes back by itself)";
const CALM = "(prefers-reduced-motion: reduce)";
const LABEL_EVERY_MS = 5000;
const TABLE_EVERY_MS = 2000;
const LONG_STEP_MS = 2000;

class PanelView {
  constructor(model, el) {
    this.facts = model.get("_facts");
    this.curves = new Map();
    this.runs = [];
    this.state = null;
    this.alt = "";
    this.fits = [];
    this.labelled = -Infinity;
    this.tabled = -Infinity;
    this.hover = null;
    this.at = makeElements(this.facts);
    this.inside = new InsideView();
    this.at.canvas.after(this.inside.root);
    el.append(this.at.root);
    this.toggles = arrangeToggles(this.at.toggles, this.facts.toggles.map((toggle) =>
      makeToggle(toggle, (name, value) => this.press({ t: "set", name, value }))));
    if (this.facts.presenter) presentPanel(this.at, this.toggles);
    this.scale = this.facts.presenter ? PRESENTER_SCALE : 1;
    this.chart = new Chart(this.at.canvas, this.at.root, this.scale);
    this.zoom = new Zoom(this.chart, this.at, () => this.redraw());
    this.listen();
    this.endTheme = followTheme(this.at.root, () => this.redraw());
    keepKeys(this.at.root, () => this.runs.length > 0 && !this.link.gone);
    this.sizes = new ResizeObserver(() => this.redraw());
    this.sizes.observe(this.at.root);
    this.at.root.view = this; // tests read it
    this.link = new Link(model, this.facts, {
      ask: () => this.cursor(),
      hear: (answer, buffers) => this.hear(answer, buffers),
      tell: () => this.showState(),
    });
    this.showState();
  }

  close() {
    this.link.close();
    this.endTheme();
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.later);
  }

  listen() {
    const { run, stop, pause, asks, typing, save, report, asTable, across, time, scale, canvas } = this.at;
    const redraw = () => this.redraw();
    const point = (at) => {
      this.hover = at;
      this.redraw();
    };
    for (const [button, t] of [[run, "start"], [stop, "stop"], [save, "save"], [report, "report"]]) {
      on(button, { click: () => button.getAttribute("aria-disabled") !== "true" && this.press({ t }) });
    }
    on(pause, { click: () => this.press({ t: "pause", on: !this.paused }) });
    on(asks, { change: () => this.press({ t: "asks", on: asks.checked }) });
    on(typing, {
      input: () => {
        this.chart.guess.type(...this.at.typed.map((each) => max(0, each.value)));
        this.redraw();
      },
    });
    on(asTable, {
      click: () => {
        const open = this.at.table.hidden;
        this.at.table.hidden = !open;
        asTable.setAttribute("aria-pressed", open);
        if (open) this.link.tellKernel({ t: "table" });
      },
    });
    on(across, { change: () => this.zoom.set(null) }); // its numbers are other ones now
    on(time, { change: redraw });
    on(scale, { change: redraw });
    on(canvas, { pointermove: (event) => point(event.offsetX / this.scale), pointerleave: () => point(null) });
  }

  press(message) {
    say(this.at.error, "");
    say(this.at.said, "");
    this.link.tellKernel(message);
  }

  get current() {
    return this.curves.get(this.runs[0]?.name);
  }

  get running() {
    return Boolean(this.state && !this.state.ended);
  }

  get paused() {
    return this.running && this.state.paused;
  }

  /* Where this view stands: the first run it lacks steps of, the run on show before the ghosts. */
  cursor() {
    const behind = this.runs.find((run) => this.curves.get(run.name).next < run.count);
    const curve = behind ? this.curves.get(behind.name) : this.current;
    const now = performance.now();
    const table = !this.at.table.hidden && this.running && now - this.tabled > TABLE_EVERY_MS;
    return {
      t: table ? "table" : "pull",
      run: curve?.name ?? null,
      since: curve?.next ?? 0,
      marks: curve?.marksSeen ?? 0,
      max: this.facts.max,
    };
  }

  hear(answer, buffers) {
    const number = Number(String(answer.id).split(":")[1]);
    if (answer.error) say(this.at.error, answer.error);
    if (answer.said) say(this.at.said, answer.said);
    if (answer.table) {
      fillTable(this.at.table, answer.table);
      this.tabled = performance.now();
    }
    if (!answer.runs) return this.running ? "running" : "idle"; // an answer with nothing but an error
    say(this.at.place, answer.place);
    say(this.at.banner, answer.banner);
    // An answer to a question older than the newest click would undo the click on the screen.
    if (number >= this.link.command) {
      this.toggles.forEach((toggle) => toggle.name in answer.values && toggle.set(answer.values[toggle.name]));
      this.at.asks.checked = answer.asks;
    }
    const took = this.takeRuns(answer, buffers);
    this.state = answer.state || null;
    this.showState();
    this.showWords(answer.words);
    this.inside.show(answer.inside, this.runs[0]?.name, this.running && !this.paused && !matchMedia(CALM).matches);
    this.redraw();
    const behind = this.runs.some((run) => this.curves.get(run.name).next < run.count);
    return took && behind ? "more" : this.running ? "running" : "idle";
  }

  takeRuns(answer, buffers) {
    const labels = (runs) => runs.map((run) => run.name + run.label).join();
    const changed = labels(this.runs) !== labels(answer.runs);
    if (changed) this.zoom.set(null);
    this.runs = answer.runs;
    const kept = new Map(this.runs.map((run) => [run.name, this.curves.get(run.name) || new Curve(run.name)]));
    this.curves = kept;
    const { part } = answer;
    if (part && part.run === this.runs[0]?.name) this.at.timeLabel.hidden = !part.series.includes("own_seconds");
    if (!part || !kept.has(part.run)) return false;
    const raw = buffers[0];
    // Copied, because a Float32Array may not start where the message's buffer happens to put it.
    const values = raw ? new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength)) : [];
    return kept.get(part.run).take(part, values);
  }

  showState() {
    const { root, run, stop, pause, typing, save, report, state, count, details, reason, traceback } = this.at;
    const gone = Boolean(this.link?.gone);
    pause.hidden = !this.running || gone;
    if (this.paused === typing.hidden) this.at.typed.forEach((each) => (each.value = "")); // of the pause before
    typing.hidden = !this.paused;
    this.at.canvas.style.touchAction = this.paused ? "none" : ""; // a finger draws there
    pause.setAttribute("aria-pressed", this.paused);
    say(pause.firstChild, this.paused ? "go on" : "pause"); // a key may stand behind it
    const name = gone ? "gone" : this.state ? this.state.name : "ready";
    const words = gone ? GONE
      : this.link?.slow ? "waiting for the kernel"
        : this.paused ? "paused between two steps" : this.state ? this.state.words : "ready: press Run";
    say(state, words);
    const { count: steps, name: shown } = this.runs[0] || { count: 0, name: "" };
    const now = performance.now();
    if (root.dataset.steps !== String(steps) || !this.running || this.paused) this.stepped = now;
    // TensorFlow waits ten seconds for memory before it says that there is none.
    const long = now - this.stepped > LONG_STEP_MS ? `, and the next has taken ${round((now - this.stepped) / 1000)} s so far` : "";
    say(count, this.running && !gone && steps ? `step ${grouped(steps)}${long}` : "");
    root.dataset.state = name;
    root.dataset.steps = steps;
    root.dataset.run = shown;
    // Not `disabled`: that would throw the keyboard's focus away.
    run.setAttribute("aria-disabled", this.running && !gone);
    stop.setAttribute("aria-disabled", !this.running || gone);
    for (const button of [save, report]) button.setAttribute("aria-disabled", !this.runs.length);
    const raised = this.state?.traceback || "";
    say(reason, raised && words);
    say(traceback, raised);
    details.hidden = !raised;
  }

  showWords(words) {
    const { headline, verdict, canvas } = this.at;
    const { fits = [], tone = "open", verdict: lines = [], bars = [], bars_of: steps, ledger = "" } = words || {};
    this.fits = fits;
    headline.dataset.tone = tone;
    for (const name of ["headline", "ledger", "machine"]) say(this.at[name], words ? words[name] : "");
    verdict.setAttribute("aria-live", this.running ? "off" : "polite");
    if (verdict.dataset.lines !== lines.join("\n")) {
      verdict.dataset.lines = lines.join("\n");
      verdict.replaceChildren(...lines.map((line) => make("p", {}, line)));
    }
    fillBars(this.at.bars, bars, ledger, steps, !this.at.timeLabel.hidden);
    const now = performance.now();
    const beside = this.runs.slice(1).map((run, k) => ` Beside it: ${nameOf(run, k + 1)}.`).join("");
    const { words: guess } = this.chart.guess;
    const drawn = guess && ` In the picture: ${guess}.`;
    this.alt = words ? words.alt + beside + drawn : `${this.facts.title}: no run yet.`;
    if (now - this.labelled > LABEL_EVERY_MS || !this.running) {
      this.labelled = now;
      if (canvas.getAttribute("aria-label") !== this.alt) canvas.setAttribute("aria-label", this.alt);
    }
  }

  redraw() {
    if (this.frame || this.later) return;
    const paint = () => {
      this.frame = null;
      if (this.at.canvas.clientWidth) this.chart.draw(this.scene());
    };
    if (matchMedia(CALM).matches && this.chart.draws) {
      this.later = setTimeout(() => {
        this.later = null;
        paint();
      }, 500);
    } else {
      this.frame = requestAnimationFrame(paint);
    }
  }

  scene() {
    const curve = this.current;
    return {
      curve,
      ghosts: this.runs.slice(1).map((run) => this.curves.get(run.name)),
      runs: this.runs,
      // On a projector there is room for what proves the cause.
      lanes: curve?.next ? curve.lanes.slice(0, this.facts.presenter ? 1 : 9) : [],
      fits: curve?.next > 1 ? this.fits : [],
      across: this.at.across.value,
      time: this.at.time.value,
      scale: this.at.scale.value,
      view: this.zoom.view,
      chosen: this.zoom.chosen,
      hover: this.hover,
      paused: this.paused,
      hint: this.running ? "the first steps are on their way" : this.state ? "no steps were recorded" : "the curve appears here",
    };
  }
}

function render({ model, el }) {
  const view = new PanelView(model, el);
  return () => view.close();
}

export default { render };
