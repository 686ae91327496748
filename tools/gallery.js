/* The buttons of the gallery: each lab shows the one of its recordings that was chosen.
   Without this script the page shows all recordings, one after the other. */

/* As long as a run in the panel takes to show its bend. */
const PLAYED = { duration: 5000 };

for (const lab of document.querySelectorAll(".lab")) {
  const recordings = [...lab.querySelectorAll(".recording")].map((at) => ({ at, toggles: JSON.parse(at.dataset.toggles) }));
  const buttons = [...lab.querySelectorAll(".choices button")];
  const told = lab.querySelector(".told");
  let shown = recordings[0];

  const show = (recording) => {
    shown = recording;
    for (const each of recordings) each.at.hidden = each !== shown;
    for (const button of buttons) {
      const { name, word } = button.dataset;
      button.setAttribute("aria-pressed", String(shown.toggles[name] === word));
    }
  };

  const alike = (toggles, wanted) => Object.keys(wanted).filter((name) => toggles[name] === wanted[name]).length;

  /* Not all toggles were recorded together: then the nearest recording is shown, and said to be it. */
  const choose = (name, word) => {
    const wanted = { ...shown.toggles, [name]: word };
    const possible = recordings.filter((each) => each.toggles[name] === word);
    possible.sort((one, other) => alike(other.toggles, wanted) - alike(one.toggles, wanted));
    show(possible[0]);
    const exact = alike(shown.toggles, wanted) === Object.keys(wanted).length;
    const verdict = shown.at.querySelector(".lk-verdict p").textContent;
    const title = shown.at.querySelector("h3").textContent;
    told.textContent = `${exact ? "" : "These were not recorded together; the nearest is shown. "}${title}: ${verdict}`;
  };

  const play = lab.querySelector(".play");
  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  play.addEventListener("click", () => {
    const chart = shown.at.querySelector(".lk-chart");
    for (const each of chart.getAnimations({ subtree: true })) each.cancel();
    const [drawn, told] = [".lk-drawn", ".lk-told"].map((name) => chart.querySelector(name));
    drawn.animate({ clipPath: ["inset(-9px 100% -9px 0)", "inset(-9px -9px -9px 0)"] }, PLAYED);
    told.animate({ opacity: [0, 0, 1], offset: [0, 0.95, 1] }, PLAYED);
  });

  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.name, button.dataset.word));
  lab.querySelector(".choices").hidden = recordings.length < 2;
  show(shown);
}
