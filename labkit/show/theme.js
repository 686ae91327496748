/* Light or dark? Asked of the page, not of the computer: a light notebook on a dark desktop is light. */

function isDark(root) {
  // JupyterLab's paper is ours; where there is none, ours follows from what is found here.
  const declared = getComputedStyle(root).getPropertyValue("--jp-layout-color0").trim();
  for (let e = declared ? root : root.parentElement; e; e = e.parentElement) {
    const [r, g, b, alpha = 1] = (getComputedStyle(e).backgroundColor.match(/[\d.]+/g) || []).map(Number);
    if (r !== undefined && alpha > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 110;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/* Keep data-theme right as the page changes; returns a function that ends it. */
function followTheme(root, changed) {
  const look = () => {
    const theme = isDark(root) ? "dark" : "light";
    if (root.dataset.theme === theme) return;
    root.dataset.theme = theme;
    changed();
  };
  const observer = new MutationObserver(look);
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true });
  }
  const media = matchMedia("(prefers-color-scheme: dark)");
  on(media, { change: look });
  const late = setTimeout(look, 300); // style sheets may arrive after the panel
  look();
  return () => {
    observer.disconnect();
    media.removeEventListener("change", look);
    clearTimeout(late);
  };
}
