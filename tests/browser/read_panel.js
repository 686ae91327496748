/* What tests read of a live panel, as `labkit` of its outermost element: what the picture is drawn
   from, and the words. */
Object.defineProperty(HTMLElement.prototype, "labkit", {
  configurable: true,
  get() {
    const { view } = this;
    if (!view) return undefined;
    const points = (curve, name = "seconds") => {
      const track = curve && curve.track(name);
      const rows = [];
      for (let i = 0; track && i < curve.used; i++) {
        if (track.n[i]) rows.push({ step: i * curve.width, steps: track.n[i], mean: track.mean(i), min: track.min[i], max: track.max[i] });
      }
      return rows;
    };
    const { at, current, runs, chart, link } = view;
    return {
      steps: () => (current ? current.next : 0),
      curve: () => points(current),
      own: () => points(current, "own_seconds"),
      ghosts: () => runs.slice(1).map((run) => ({ ...run, points: points(view.curves.get(run.name)) })),
      marks: () => (current ? current.marks : []),
      marksSeen: () => (current ? current.marksSeen : 0),
      lanes: () => (current ? current.lanes.map((lane) => lane.name) : []),
      words: () => ({
        state: at.state.textContent,
        headline: at.headline.textContent,
        fits: view.fits,
        verdict: (at.verdict.dataset.lines || "").split("\n"),
        machine: at.machine.textContent,
        ledger: at.ledger.textContent,
        alt: view.alt,
      }),
      state: this.dataset.state,
      count: runs.length ? runs[0].count : 0,
      draws: chart.draws,
      lastDrawMs: chart.lastDrawMs,
      top: chart.height && chart.height.top,
      log: chart.height && chart.height.log,
      range: chart.range,
      visited: chart.visited,
      pulls: link.pulls,
      asleep: link.asleep,
    };
  },
});
