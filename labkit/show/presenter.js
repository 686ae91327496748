/* Presenter mode, for a projector: large type, and keys for a hand that is not at the mouse.
   R runs, S stops, P pauses and goes on, L plays the recording, 1 to 9 flip the toggles, F fills the
   screen. */

const PRESENTER_SCALE = 1.4; // of the picture; the words take theirs from the style sheet

function presentPanel(at, toggles) {
  const { root } = at;
  root.classList.add("lk-presenter");
  root.tabIndex = 0;
  const fill = button("fill the screen", ".fill");
  fill.hidden = !document.fullscreenEnabled; // within a frame the page may forbid it
  on(fill, { click: () => (document.fullscreenElement === root ? document.exitFullscreen() : root.requestFullscreen()) });
  at.asTable.before(fill);
  const keys = new Map([["r", at.run], ["s", at.stop], ["f", fill], ["p", at.pause]]);
  const recorded = toggles.find((toggle) => toggle.name === "recorded");
  if (recorded) keys.set("l", recorded.label);
  toggles.filter((toggle) => toggle !== recorded).slice(0, 9).forEach((toggle, k) => keys.set(String(k + 1), toggle.label));
  keys.forEach(showKey);
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("select, [type=number]")) return; // letters choose there, and figures are typed
    const pressed = keys.get(event.key.toLowerCase());
    if (!pressed || pressed.hidden) return;
    event.preventDefault();
    event.stopPropagation();
    pressOn(pressed);
  };
  on(root, { keydown: press });
}

/* The key beside the words, and told to a screen reader by its own attribute. */
function showKey(element, key) {
  const name = key.toUpperCase();
  (element.querySelector("input, select") || element).setAttribute("aria-keyshortcuts", name);
  element.append(make("kbd", { "aria-hidden": "true" }, name));
}

/* A button is clicked, a checkbox flipped, a select or a slider goes on to its next choice. */
function pressOn(element) {
  const many = element.querySelector("select, [type=range]");
  if (!many) {
    (element.querySelector("input") || element).click();
    return;
  }
  const [place, last] = many.options ? ["selectedIndex", many.options.length - 1] : ["value", many.max];
  many[place] = Number(many[place]) < last ? Number(many[place]) + 1 : 0;
  many.dispatchEvent(new Event("change"));
}
