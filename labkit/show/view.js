/* The panel's elements: native buttons, checkboxes and selects, so that keyboard and screen reader
   work by themselves. Builds and fills them; knows nothing of messages or drawing. */

/* An element: "p.error" is a paragraph of the class lk-error. Then properties and attributes, words
   and other elements, as they come. */
function make(kind, ...parts) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes.map((name) => `lk-${name}`));
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Node) element.append(part);
    else for (const [key, value] of Object.entries(part)) {
      if (key in element) element[key] = value;
      else element.setAttribute(key, value);
    }
  }
  return element;
}

/* What is done at which events. */
function on(element, acts, options) {
  for (const [event, act] of Object.entries(acts)) element.addEventListener(event, act, options);
}

/* Write only what differs: a screen reader must not hear a text again that did not change. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const button = (words, classes = "", more = {}) => make(`button.button${classes}`, { type: "button", ...more }, words);

const choice = (name, options) => make("select", { name }, ...options.map(([value, words]) => make("option", { value }, words)));

// Of the toggles besides the first, in their order.
const GROUPS = [["fix", "repairs"], ["cause", "more causes"], ["control", "for comparison"]];

/* What a toggle is switched with: the element, what it says, and how it is set. */
function makeInput({ two_way, ordered, choices }) {
  if (ordered) return slider(choices);
  if (!two_way) {
    const input = choice("", choices.map((word) => [word, word]));
    return { input, read: () => input.value, set: (word) => { input.value = word; } };
  }
  const input = make("input", { type: "checkbox" });
  return { input, read: () => (input.checked ? "on" : "off"), set: (word) => { input.checked = word === "on"; } };
}

/* It stops at words. Until it is let go nothing is sent, and no answer of the kernel moves it. */
function slider(words) {
  const input = make("input", { type: "range", max: words.length - 1 });
  const word = make("output", { style: `min-width: ${Math.max(...words.map((each) => each.length))}ch` });
  let held = false;
  const read = () => words[input.value];
  const tell = (event) => {
    held = Boolean(event) && event.type === "input";
    say(word, read());
    input.setAttribute("aria-valuetext", read());
  };
  // Of one that is dragged back to where it stood no change is told.
  on(input, { input: tell, change: tell, pointerup: tell });
  const set = (value) => {
    if (held) return;
    input.value = words.indexOf(value);
    tell();
  };
  return { input, word, read, set };
}

function makeToggle(toggle, flip) {
  const { input, word = "", read, set } = makeInput(toggle);
  input.name = toggle.name;
  const title = make("span", toggle.title);
  const label = make(`label.toggle.${toggle.role}`);
  label.append(...(toggle.two_way ? [input, title] : [title, input]), word);
  if (toggle.kind === "launch") {
    label.append(make("span.tag.launch", { title: "flipping it starts a fresh run" }, "fresh start"));
  }
  set(toggle.value);
  on(input, { change: () => flip(toggle.name, read()) });
  return { name: toggle.name, role: toggle.role, label, set };
}

/* The first toggle large beside Run; the others in groups that say what they are. Returns them in
   the order in which they stand there. */
function arrangeToggles(holder, toggles) {
  const [main, ...others] = toggles;
  const stand = main ? [main] : [];
  if (main) main.label.classList.add("lk-main");
  holder.append(...(main ? [main.label] : []));
  for (const [role, name] of GROUPS) {
    const members = others.filter((toggle) => toggle.role === role);
    if (!members.length) continue;
    stand.push(...members);
    const group = make("span.group", { role: "group", "aria-label": name });
    const [first, ...more] = members.map((toggle) => toggle.label);
    // In one piece: else the name may end a row and what it names begin the next.
    group.append(make("span.first", make("span.tag", { "aria-hidden": "true" }, name), first), ...more);
    holder.append(group);
  }
  return stand;
}

function makeElements(facts) {
  const at = {
    title: make("strong.title", facts.title),
    place: make("span.place"),
    banner: make("p.banner", { role: "note" }),
    run: button("\u25b6\ufe0e Run", ".run"),
    stop: button("\u25a0 Stop", ".stop"),
    pause: button("pause", ".pause", { "aria-pressed": "false", title: "the loop waits before its next step" }),
    toggles: make("span.toggles"),
    error: make("p.error", { role: "alert" }),
    state: make("span.state", { role: "status" }),
    count: make("span.count"),
    asks: make("input", { type: "checkbox", name: "asks" }),
    typed: ["just after", "at the right edge"].map((where) => make("input", { type: "number", min: 0, step: "any", "aria-label": `your guess, ${where}, in ms per step` })),
    headline: make("p.headline"),
    canvas: make("canvas.canvas", { role: "img", "aria-label": facts.title }),
    verdict: make("div.verdict", { "aria-live": "off" }),
    bars: make("div.bars", { role: "img", hidden: true }),
    ledger: make("p.ledger"),
    machine: make("p.machine"),
    reason: make("p"),
    traceback: make("pre", { tabIndex: 0 }),
    table: make("div.table", { hidden: true, tabIndex: 0, role: "region", "aria-label": "the run as a table" }),
    asTable: button("as table", "", { "aria-pressed": "false" }),
    save: button("save run"),
    report: button("report"),
    said: make("span.said", { role: "status" }),
    across: choice("across", [["seconds", "seconds"], ["step", "step"]]),
  };
  at.scale = choice("scale", [["auto", "automatic"], ["linear", "linear"], ["log", "logarithmic"]]);
  const zoom = (words, name) => button(words, ".zoom", { "aria-label": name, title: name });
  at.closer = zoom("+", "see less of the run");
  at.wider = zoom("\u2212", "see more of the run");
  at.all = zoom("all", "see the whole run, or the moment of the flip");
  at.time = choice("time", [["own", "the loop's own"], ["wall", "wall"]]);
  const named = (words, chosen) => make("label.across", words, chosen);
  at.timeLabel = named("time ", at.time);
  at.typing = make("span.across", { hidden: true }, "or type it: just after ", at.typed[0], " at the right edge ", at.typed[1], " ms");
  at.timeLabel.hidden = true;
  at.more = make("details.more", make("summary", "where the time went in words; axes"), at.ledger,
    named("across ", at.across), " ", named("scale ", at.scale));
  at.details = make("details.traceback", { hidden: true }, make("summary", "the whole message, and Python's traceback"), at.reason, at.traceback);
  at.root = make("div", { className: "labkit-panel", role: "group", "aria-label": `${facts.title}: live panel` },
    make("div.head", at.title, at.place),
    at.banner,
    make("div.controls", at.run, at.stop, at.toggles),
    at.error,
    make("div.status", at.state, at.count, at.pause,
      make("label.across", at.asks, "pause at a flip, to guess"), at.typing),
    at.headline, make("div.picture", at.canvas), at.details, at.verdict, at.machine, at.bars,
    make("div.foot", at.asTable, at.save, at.report, at.timeLabel, at.closer, at.wider, at.all, at.said),
    at.more, at.table);
  return at;
}

function nameOf(run, k) {
  const name = k === 0 ? "this run" : k === 1 ? "the run before" : `${k} runs before`;
  const said = k && run.fits.length === 1 ? run.fits[0].label : ""; // of several it would say one
  return name + [run.label, said].map((each) => each && `: ${each}`).join("");
}

function fillTable(holder, rows) {
  const [heading, ...body] = rows;
  const columns = (row) => row.map((text) => make("th", { scope: "col" }, text));
  const cells = (row) => row.map((text, k) => (k ? make("td", text) : make("th", { scope: "row" }, text)));
  holder.replaceChildren(make("table",
    make("caption", "The run in ranges of steps. Counters stand as at the end of a range, times are summed, counts of the machine are medians."),
    make("thead", make("tr", ...columns(heading))),
    make("tbody", ...body.map((row) => make("tr", ...cells(row))))));
}
