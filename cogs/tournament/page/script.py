"""What the page's script adds where scripts run: instants in the reader's own time, and replays stepped through."""

from __future__ import annotations

from typing import Final

SCRIPT: Final = """
(() => {
  for (const time of document.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (!isNaN(at)) time.textContent = at.toLocaleString(document.documentElement.lang,
      {dateStyle: "medium", timeStyle: "short"});
  }
  const say = document.body.dataset;
  const button = (bar, sign, label, act) => {
    const made = document.createElement("button");
    made.type = "button"; made.textContent = sign; made.title = label; made.setAttribute("aria-label", label);
    made.addEventListener("click", act); bar.append(made); return made;
  };
  const steps = replay => {
    const turns = [...replay.querySelectorAll("ol>li")], hands = replay.querySelector(".hands");
    const dealt = new Map([...hands.querySelectorAll("dd")].map(one => [one.dataset.s, one.innerHTML]));
    const [laid, bar, shown] = ["div", "div", "output"].map(one => document.createElement(one));
    bar.className = "steps"; laid.className = "laid"; let at = 0;
    const show = to => {
      at = Math.max(0, Math.min(turns.length, to));
      const held = new Map(dealt), melds = new Map();
      turns.forEach((turn, number) => {
        turn.classList.toggle("now", number === at - 1);
        if (number >= at) return;
        turn.querySelectorAll(".h").forEach(one => held.set(one.dataset.s, one.innerHTML));
        turn.querySelectorAll(".m").forEach(one => melds.set(one.dataset.d, one.cloneNode(true)));
      });
      hands.querySelectorAll("dd").forEach(one => { one.innerHTML = held.get(one.dataset.s); });
      laid.replaceChildren(...[...melds].sort().map(one => one[1]));
      shown.textContent = at + " / " + turns.length;
    };
    const whole = () => {
      const on = replay.classList.toggle("stepping");
      if (on) show(at); else { const back = at; show(0); at = back; laid.replaceChildren(); shown.textContent = ""; }
    };
    button(bar, "⇤", say.first, () => show(0)); button(bar, "←", say.back, () => show(at - 1)); bar.append(shown);
    button(bar, "→", say.next, () => show(at + 1)); button(bar, "⇥", say.last, () => show(turns.length));
    button(bar, "≡", say.all, whole);
    replay.querySelector("ol").before(laid); hands.before(bar); whole();
  };
  document.addEventListener("toggle", event => {
    if (!event.target.matches("details.deal[open]")) return;
    for (const replay of event.target.querySelectorAll(".replay:not([data-on])")) {
      replay.dataset.on = ""; steps(replay);
    }
  }, true);
})();
"""
