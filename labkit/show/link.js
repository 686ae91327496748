/* The conversation with the kernel: the view pulls, the kernel answers.
   One pull is out at a time; commands go at once. Knows nothing of what the answers mean beyond
   whether the run goes on. */

const GONE_AFTER_MS = 6000;
const FAST_MS = 100;
const IDLE_MS = 1000;

class Link {
  /* ask() returns a pull: where the view stands; hear(answer, buffers) returns "more" where steps are
     still missing, else "running" or "idle"; tell() is called when `gone` or `slow` changes. */
  constructor(model, facts, { ask, hear, tell }) {
    this.model = model;
    this.facts = facts;
    this.ask = ask;
    this.hear = hear;
    this.tell = tell;
    // Every view of the model hears every answer; the name tells ours.
    this.name = Math.random().toString(36).slice(2, 9);
    this.sent = 0;
    this.pulls = 0;
    this.answered = 0; // number of the newest message answered
    this.command = 0; // number of the newest command sent
    this.waitingSince = null;
    this.retryMs = 2000;
    this.gone = false;
    this.slow = false; // a command has been waiting for longer than a moment
    this.asleep = false;
    this.pace = "idle";
    this.fastUntil = 0;
    this.stay();
    this.onMessage = (message, buffers) => this.take(message, buffers);
    model.on("msg:custom", this.onMessage);
    this.watch = setInterval(() => this.look(), 500);
    this.pull();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    this.model.off("msg:custom", this.onMessage);
  }

  send(message) {
    this.sent += 1;
    const now = performance.now();
    if (this.waitingSince === null) this.waitingSince = now;
    this.lastSent = now;
    try {
      this.model.send({ ...this.ask(), ...message, id: `${this.name}:${this.sent}` });
    } catch (error) {
      console.warn("labkit: the message could not be sent", error); // `look` will say so in words
    }
    return this.sent;
  }

  pull() {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.pulls += 1;
    this.send({});
  }

  tellKernel(message) {
    this.wake();
    this.command = this.send(message);
  }

  /* Go on polling for as long as an idle page may. */
  stay() {
    this.awakeUntil = performance.now() + this.facts.sleep_seconds * 1000;
  }

  /* Quick for a second, and polling again if it had stopped. */
  wake() {
    this.fastUntil = performance.now() + 1000;
    this.stay();
    const slept = this.asleep;
    this.asleep = false;
    if (this.waitingSince === null || slept) this.plan();
  }

  take(message, buffers) {
    if (this.closed || !message) return;
    const [name, number] = String(message.id || "").split(":");
    if (message.t !== "data") return;
    if (name !== this.name) {
      // Another view's answer. Only a run in progress wakes us, or two idle views would keep each
      // other awake for ever.
      const going = message.state && !message.state.ended;
      if (this.asleep && going) this.wake();
      return;
    }
    this.answered = max(this.answered, Number(number));
    this.waitingSince = null;
    this.retryMs = 2000;
    const told = this.gone || this.slow;
    this.gone = false;
    this.slow = false;
    try {
      this.pace = this.hear(message, buffers || []);
    } catch (error) {
      console.error("labkit: an answer could not be shown", error);
      this.pace = "idle"; // and ask again, rather than fall silent
    }
    if (this.pace !== "idle") this.stay();
    if (told) this.tell();
    this.plan();
  }

  plan() {
    clearTimeout(this.timer);
    const now = performance.now();
    if (this.pace === "idle" && now > this.awakeUntil) {
      this.asleep = true; // an idle page must not keep a borrowed machine from being given back
      return;
    }
    const wait = this.pace === "more" ? 0 : now < this.fastUntil ? FAST_MS
      : this.pace === "running" ? this.facts.poll_seconds * 1000 : IDLE_MS;
    this.timer = setTimeout(() => this.pull(), wait);
  }

  /* Twice a second: has an answer been missing for long? */
  look() {
    if (this.waitingSince === null) return;
    const now = performance.now();
    const gone = now - this.waitingSince > GONE_AFTER_MS;
    if (now - this.lastSent > this.retryMs) {
      // A restarted kernel never answers the old question; ask again, but ever more rarely, or a
      // kernel that is only busy finds hundreds of questions when it comes back.
      this.retryMs = min(30000, this.retryMs * 2);
      this.pull();
    }
    const slow = this.command > this.answered && now - this.waitingSince > 1500;
    if (gone !== this.gone || slow !== this.slow) {
      this.gone = gone;
      this.slow = slow;
      this.tell();
    }
  }
}
