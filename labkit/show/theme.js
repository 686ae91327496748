/* Light or dark? Asked of the page, not of the computer: a light notebook on a dark desktop is light. */

function isDark(root) {
  const declared = getComputedStyle(root).getPropertyValue("--jp-layout-color0").trim();
  const probe = document.createElement("span");
  probe.style.color = declared;
  root.append(probe);
  const named = declared && probe.style.color ? getComputedStyle(probe).color : "";
  probe.remove();
  const backgrounds = [named];
  for (let e = root.parentElement; e; e = e.parentElement) backgrounds.push(getComputedStyle(e).backgroundColor);
  for (const background of backgrounds) {
    const [r, g, b, alpha = 1] = (background.match(/[\d.]+/g) || []).map(Number);
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
  media.addEventListener("change", look);
  const late = setTimeout(look, 300); // style sheets may arrive after the panel
  look();
  return () => {
    observer.disconnect();
    media.removeEventListener("change", look);
    clearTimeout(late);
  };
}
