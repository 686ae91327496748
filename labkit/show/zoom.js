/* Which part of a run is seen, by hand: drag over a part, the wheel while the picture has the focus,
   a double click for all of it and back, and three buttons that do the same. */

const LEAST_DRAG_PIXELS = 6;
const STEP = 1.6;

class Zoom {
  constructor(chart, at, changed) {
    this.chart = chart;
    this.changed = changed;
    this.view = null; // by itself; "all"; or from where to where
    this.from = null; // where a drag began
    this.to = null;
    const { canvas } = at;
    on(canvas, {
      pointerdown: (event) => event.button === 0 && this.begin(event),
      pointermove: (event) => (this.from !== null || chart.guess.drawing) && this.drag(event),
      pointerup: () => this.end(),
      pointercancel: () => this.set(this.view),
      pointerleave: () => (this.near = false),
      dblclick: () => this.set(this.view === null ? "all" : null),
      wheel: (event) => {
        if (!this.near) return; // it scrolls the page until the picture was clicked
        event.preventDefault();
        this.by(event.deltaY > 0 ? STEP : 1 / STEP, this.at(event));
      },
    }, { passive: false });
    on(at.closer, { click: () => this.by(1 / STEP) });
    on(at.wider, { click: () => this.by(STEP) });
    on(at.all, { click: () => this.set(this.view === "all" ? null : "all") });
  }

  at(event) {
    const { box, range, scale } = this.chart;
    const share = (event.offsetX / scale - box.left) / (box.right - box.left);
    return range[0] + min(1, max(0, share)) * (range[1] - range[0]);
  }

  begin(event) {
    if (this.chart.guess.begin(event)) return;
    this.near = true;
    [this.from, this.to] = [this.at(event), null];
    this.began = event.offsetX;
  }

  drag(event) {
    if (this.chart.guess.drawing) this.chart.guess.add(event, this.at(event));
    else this.to = abs(event.offsetX - this.began) < LEAST_DRAG_PIXELS ? null : this.at(event);
    this.changed();
  }

  end() {
    const [from, to] = [this.from, this.to];
    this.set(from !== null && to !== null ? [min(from, to), max(from, to)] : this.view);
  }

  /* See so many times as much, around a place or the middle; all of it where that is more. */
  by(times, place = null) {
    const { range, whole } = this.chart;
    const middle = place === null ? (range[0] + range[1]) / 2 : place;
    const view = range.map((end) => min(whole[1], max(0, middle + times * (end - middle))));
    this.set(view[1] - view[0] >= whole[1] * 0.999 ? "all" : view);
  }

  set(view) {
    this.chart.guess.drawing = false;
    [this.from, this.to, this.view] = [null, null, view];
    this.changed();
  }

  /* What a drag has chosen so far. */
  get chosen() {
    return this.from !== null && this.to !== null ? [this.from, this.to] : null;
  }
}
