/* JupyterLab takes plain keys for commands to the notebook, wherever the focus is: an arrow would go
   to the next cell and not to the next answer. So plain keys are kept from it. Shift+Enter, Escape
   and keys with Ctrl, Alt or Cmd are left to it, as a learner goes on with them. */

function keepKeys(root) {
  const toNotebook = (event) => event.ctrlKey || event.metaKey || event.altKey
    || event.key === "Escape" || (event.key === "Enter" && event.shiftKey);
  const decide = (event) => {
    if (!root.contains(event.target)) return;
    // On the element with the focus: a command asks that one first, and the ones around it later.
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !toNotebook(event));
  };
  root.addEventListener("keydown", decide, true);
}
