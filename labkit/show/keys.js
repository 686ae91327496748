/* JupyterLab takes plain keys for commands to the notebook, wherever the focus is: an arrow would go
   to the next cell and not to the next answer. So plain keys are kept from it. Shift+Enter, Escape
   and keys with Ctrl, Alt or Cmd are left to it, as a learner goes on with them. */

/* `stays()` tells whether there is something on show that would be lost if the cell were run again, as
   Shift+Enter does from an output. Then the focus goes on to the next cell, or from the last one's
   output to the cell itself, and no cell is run. */
function keepKeys(root, stays = () => false) {
  const onward = (event) => event.key === "Enter" && event.shiftKey;
  const toNotebook = (event) => event.ctrlKey || event.metaKey || event.altKey
    || event.key === "Escape" || onward(event);
  const decide = (event) => {
    if (!root.contains(event.target)) return;
    // On the element with the focus: a command asks that one first, and the ones around it later.
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !toNotebook(event));
    if (!onward(event) || !stays()) return;
    const cell = root.closest(".jp-Cell");
    if (!cell) return;
    const below = cell.nextElementSibling;
    const next = below && below.matches(".jp-Cell") ? below : cell;
    next.focus();
    if (document.activeElement !== next) return;
    event.preventDefault();
    event.stopPropagation();
  };
  on(root, { keydown: decide }, true);
}
