/* A form: native radio buttons and number fields, so that keyboard and screen reader work by
   themselves. The kernel's answer holds everything on show. */

const NO_ANSWER_MS = 6000;
const KERNEL_GONE = "no answer from the kernel; if another cell is busy, wait, else run this cell again";

/* `code` between backticks becomes a code element. */
function inWords(text) {
  return text.split("`").map((part, k) => (k % 2 ? make("code", part) : part));
}

/* Where a choice is an answer at once, an arrow key goes to the next choice and Space chooses it:
   else the way to the third choice would give the second as an answer. */
function walkWithoutChoosing(event, choices) {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const place = choices.findIndex((each) => each.input === event.target);
  if (!by || place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  choices[(place + by + choices.length) % choices.length].input.focus();
}

let formsMade = 0;

class FormView {
  constructor(model, el) {
    this.model = model;
    this.facts = model.get("_facts");
    formsMade += 1;
    this.name = `lkf${formsMade}${Math.random().toString(36).slice(2, 7)}`;
    this.sent = 0;
    this.rows = this.facts.fields.map((field, k) => this.makeRow(field, k));
    this.error = make("p.error", { role: "alert" });
    this.said = make("p.form-said", { role: "status" });
    const foot = make("div.foot");
    if (this.facts.button) {
      const keep = button(this.facts.button, ".keep");
      on(keep, { click: () => this.handIn(this.rows.map((row, k) => k)) });
      foot.append(keep);
    }
    foot.append(this.said);
    this.root = make("div", { className: "labkit-panel labkit-form", role: "group", "aria-label": this.facts.title },
      make("strong.title", this.facts.title), ...this.rows.map((row) => row.root), this.error, foot);
    el.append(this.root);
    this.endTheme = followTheme(this.root, () => {});
    keepKeys(this.root);
    this.hear = (message) => this.take(message);
    model.on("msg:custom", this.hear);
    this.send({ t: "look" });
  }

  close() {
    clearTimeout(this.waiting);
    this.endTheme();
    this.model.off("msg:custom", this.hear);
  }

  makeRow(field, k) {
    const inputs = field.choices.length
      ? field.choices.map((choice, n) => this.makeRadio(`${this.name}-${k}`, choice, inWords(choice), `${k}.${n}`))
      : [this.makeNumber(field, k)];
    const told = make("p.told", { "aria-live": "polite" });
    const pad = field.shape ? new Pad(() => this.readPad(row)) : null;
    const root = make(pad ? "fieldset.ask.shape" : "fieldset.ask", make("legend", ...inWords(field.ask)), ...(pad ? [pad.root] : []), ...inputs.map((each) => each.label));
    const row = { root, inputs, told, sure: [], field, pad };
    const draws = field.shape ? () => this.fillPad(row) : field.of_shape ? () => this.stretchPad() : null;
    if (draws) for (const { input } of inputs) on(input, { input: draws });
    if (field.sureness.length) {
      row.sure = field.sureness.map((percent) => this.makeRadio(`${this.name}-${k}-sure`, percent, [`${percent} %`]));
      root.append(make("fieldset.sure", make("legend", "How sure are you?"), ...row.sure.map((each) => each.label)));
    }
    root.append(told);
    if (!this.facts.button) {
      on(root, { change: () => this.handIn([k]), keydown: (event) => walkWithoutChoosing(event, inputs) });
    }
    return row;
  }

  makeRadio(group, value, words) {
    const input = make("input", { type: "radio" });
    input.name = group;
    return { value, input, label: make("label.choice", input, make("span", ...words)) };
  }

  makeNumber(field) {
    const input = make("input", { type: "number", min: "0", step: "any", inputMode: "decimal" });
    return { value: null, input, label: make("label.choice.number", input, make("span", field.unit)) };
  }

  /* The question after a shape, and that about how far it rises; where there are any. */
  padRow() {
    return this.rows.find((row) => row.pad);
  }

  timesRow() {
    return this.rows.find((row) => row.field.of_shape);
  }

  /* What was drawn by hand is the answer to both questions about it; each can still be changed. */
  readPad(row) {
    const shape = shapeOf(row.pad.drawn);
    for (const each of row.inputs) each.input.checked = each.value === shape;
    const times = row === this.padRow() && this.timesRow();
    if (times) times.inputs[0].input.value = timesOf(row.pad.drawn).toPrecision(2);
  }

  /* What was chosen and typed is drawn; where no number was, a rise that can be seen. */
  fillPad(row) {
    const times = row === this.padRow() && this.timesRow();
    const shape = row && this.choice(row);
    if (shape) row.pad.take(sketch(shape, (times && Number(times.inputs[0].input.value)) || 4));
  }

  /* Another number: what was drawn by hand keeps its shape. */
  stretchPad() {
    const row = this.padRow();
    const times = Number(this.timesRow().inputs[0].input.value);
    if (row && row.pad.byHand && times > 0) row.pad.stretch(times);
    else this.fillPad(row);
  }

  choice(row) {
    const chosen = row.inputs.find((each) => each.input.checked);
    return chosen ? chosen.value : "";
  }

  value(row) {
    if (!row.field.choices.length) return row.inputs[0].input.value;
    return this.choice(row);
  }

  handIn(places) {
    const answers = [];
    const missing = [];
    const none = []; // drawn, and none of the shapes
    for (const k of places) {
      const row = this.rows[k];
      const sure = row.sure.find((each) => each.input.checked);
      const value = this.value(row);
      if (value === "" && row.pad && row.pad.drawn) none.push(k + 1);
      else if (value === "" || (row.sure.length && !sure)) missing.push(k + 1);
      else if (!row.told.dataset.settled) answers.push({ field: k, value, sure: sure ? sure.value : null, drawn: row.pad && row.pad.drawn });
    }
    this.missing = missing.length
      ? `question ${missing.join(", ")}: ${places.length > 1 ? "choose an answer and how sure you are" : "choose an answer"}`
      : none.length ? `question ${none.join(", ")}: what you drew is none of these shapes; draw it anew, or choose one` : "";
    this.send({ t: "answer", answers });
  }

  send(message) {
    this.sent += 1;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => say(this.error, KERNEL_GONE), NO_ANSWER_MS);
    this.model.send({ ...message, id: `${this.name}:${this.sent}` });
  }

  take(message) {
    if (!message || message.t !== "data") return;
    const own = String(message.id || "").startsWith(`${this.name}:`);
    if (own) {
      clearTimeout(this.waiting);
      say(this.error, [message.error, this.missing].filter(Boolean).join(" "));
    }
    message.told.forEach((told, k) => this.show(this.rows[k], told));
    say(this.said, message.said);
    this.root.dataset.answered = String(message.told.filter(Boolean).length);
  }

  show(row, told) {
    row.root.dataset.right = told && told.right !== null ? String(told.right) : "";
    if (!told) {
      say(row.told, "");
      return;
    }
    for (const each of row.inputs) {
      if (each.value === null) { if (!each.input.value) each.input.value = told.value; } else each.input.checked = String(each.value) === told.value;
    }
    for (const each of row.sure) each.input.checked = each.value === told.sure;
    if (row.pad && !row.pad.drawn && told.drawn.length) row.pad.take(told.drawn);
    if (row.told.dataset.words !== told.words) {
      row.told.dataset.words = told.words;
      const mark = told.right === null ? "" : told.right ? "Right. " : "Not this one. ";
      row.told.replaceChildren(make("b", mark), ...inWords(told.words));
    }
  }
}

function render({ model, el }) {
  const view = new FormView(model, el);
  return () => view.close();
}

export default { render };
