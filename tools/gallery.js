/* The buttons of the gallery: each lab shows the one of its recordings that was chosen.
   Without this script the page shows all recordings, one after the other. */

for (const lab of document.querySelectorAll(".lab")) {
  const recordings = [...lab.querySelectorAll(".recording")].map((at) => ({ at, toggles: JSON.parse(at.dataset.toggles) }));
  const buttons = [...lab.querySelectorAll("button")];
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

  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.name, button.dataset.word));
  lab.querySelector(".choices").hidden = recordings.length < 2;
  show(shown);
}
