"""The page's CSS (phones, light and dark mode, print) and script (local times, replays)."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--page:#f3f6f2;--card:#fff;--text:#14231b;--soft:#52655a;--line:#d5dfd7;--felt:#0e5a40;
--on:#fff;--gold:#b98200;--silver:#7b8790;--bronze:#a2602d;--red:#c01f2c;--mark:#fff6d8}
@media (prefers-color-scheme:dark){:root{--page:#0c1813;--card:#13251d;--text:#e8f1ea;--soft:#9db3a6;--line:#274036;
--felt:#0e3b2b;--on:#e8f1ea;--gold:#ffc83d;--silver:#c3ced6;--bronze:#e09a61;--red:#ff7b82;--mark:#2b3216}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere;font-variant-emoji:text}
header{background:var(--felt);color:var(--on);padding:1.6rem 1rem 1.2rem}
header>*,main,footer{max-width:60rem;margin-inline:auto}
h1{font-size:1.7rem;line-height:1.2;margin:0 auto .3rem}
header p{margin:.1rem auto;opacity:.9}
header .champion{font-size:1.15rem;font-weight:700;opacity:1;margin-top:.6rem}
header .champion::before{content:"";display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.45em;
background:#ffc83d}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1rem;margin-top:.9rem!important}
nav a{color:inherit}
main{padding:0 .75rem 2rem}
footer{padding:0 1rem 2rem;color:var(--soft);font-size:.9rem}
section{background:var(--card);border:1px solid var(--line);border-radius:.8rem;padding:1rem;margin-top:1rem}
h2{font-size:1.25rem;margin:0 0 .6rem}
h3{font-size:1.05rem;margin:1.2rem 0 .5rem}
h2+h3{margin-top:0}
h4{font-size:.85rem;margin:0;color:var(--soft);font-weight:600}
p{margin:.3rem 0}
ul,ol{margin:.3rem 0;padding-left:1.4rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}
thead th{color:var(--soft);font-size:.85rem;font-weight:600}
abbr{text-decoration:none}
.places th,.places td{padding:.35rem .45rem;border-top:1px solid var(--line)}
.places thead th{border:0}
.p{width:3.2rem;text-align:center;color:var(--soft)}
.p span{display:inline-block;white-space:nowrap;min-width:1.75em;line-height:1.75em;border-radius:1em;padding:0 .3em}
.gold,.silver,.bronze{color:var(--card);font-weight:700}
.gold{background:var(--gold)}.silver{background:var(--silver)}.bronze{background:var(--bronze)}
.t,.f,.s{text-align:right;white-space:nowrap}
.t{font-weight:700}
.f,.s{color:var(--soft)}
.wide{overflow-x:auto}
.board th,.board td{padding:.3rem .4rem;border-top:1px solid var(--line);text-align:right}
.board td,.board th{white-space:nowrap}
.board tbody th,.board tbody .n{white-space:normal;min-width:5rem}
.board th:first-child,.board th:nth-child(2),.board td:nth-child(2){text-align:left;font-weight:400}
.matches{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));align-items:start}
.match{border:1px solid var(--line);border-radius:.6rem;padding:.6rem .7rem;min-width:0}
.sides th{font-weight:400;padding:.15rem .4rem .15rem 0}
.sides .won th{font-weight:700}
.sides td{padding-left:.5rem;width:1%}
.badge{background:var(--mark);border:1px solid var(--line);border-radius:.4rem;padding:0 .35em;font-size:.8rem;
font-weight:500;color:var(--text)}
.reason{color:var(--soft);font-style:italic}
.free{color:var(--soft)}
.deal{border-top:1px solid var(--line);margin:.35rem 0 0;padding:.3rem 0 0}
summary b,p.deal b{float:right;white-space:nowrap}
summary{cursor:pointer;padding:.1rem 0}
details[open].deal{grid-column:1/-1}
.replay{clear:both;font-size:.93rem}
.replay ol{padding-left:1.9rem}
.replay li{border-top:1px dotted var(--line);padding:.2rem 0}
.replay li p{margin:0}
.hands{display:grid;grid-template-columns:minmax(4rem,auto) 1fr;gap:.1rem .7rem;margin:.3rem 0}
.hands dt,dl dt{font-weight:600}
dd{margin:0}
.hands dd,.h,.m{word-spacing:.15em;line-height:1.45}
.h{color:var(--soft)}
.hands small{display:none}
i{font-style:normal;color:var(--red)}
u{text-decoration:none;color:var(--gold);font-weight:700}
.m span{display:inline-block;border:1px solid var(--line);border-radius:.35rem;padding:0 .35em;margin:.1rem .1rem 0 0}
.m .canasta{border-color:var(--gold);border-width:2px}
.steps{display:flex;gap:.25rem;align-items:center;max-width:24rem;margin:.4rem 0}
.steps button{font:inherit;flex:1;min-width:2.4rem;min-height:2.75rem;border:1px solid var(--line);border-radius:.5rem;
background:var(--page);color:inherit;cursor:pointer}
.steps output{min-width:3.6rem;text-align:center;font-variant-numeric:tabular-nums}
.stepping ol{list-style:none;padding:0}
.stepping li:not(.now),.stepping li .h,.stepping li .m{display:none}
.stepping li{border:0;background:var(--mark);border-radius:.4rem;padding:.3rem .5rem}
pre{white-space:pre-wrap;margin:.3rem 0;padding:.5rem;background:var(--page);border-radius:.4rem;font-size:.8rem}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.85em;overflow-wrap:anywhere}
.bracket{display:flex;flex-direction:column;gap:.8rem}
.slots{display:flex;flex-direction:column;gap:.5rem;margin-top:.3rem}
.slot.empty{display:none}
.pair{border:1px solid var(--line);border-radius:.5rem;padding:.25rem .6rem;background:var(--page)}
.side,.none{display:flex;justify-content:space-between;gap:.6rem}
.side+.side,.side+.none,.none+.side,.none+.none{border-top:1px solid var(--line)}
.side{color:var(--soft)}
.side.won{color:var(--text);font-weight:700}
.side b{font-variant-numeric:tabular-nums;font-weight:inherit;white-space:nowrap}
.none{color:var(--soft);font-style:italic}
@media (max-width:35.99rem){
.places thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.places tr{display:flex;flex-wrap:wrap;align-items:baseline;position:relative;border-top:1px solid var(--line);
padding:.3rem 0 .3rem 2.8rem}
.places th,.places td{border:0;padding:.1rem .2rem}
.places .p{width:2.8rem;position:absolute;left:0;top:.25rem}
.places .n{flex:1 1 calc(100% - 4.7rem)}
.places .t{min-width:4.2rem}
.places .f{font-size:.82rem;margin-right:.5rem}
.places .f::before{content:attr(data-l) " ";opacity:.8}
.hands{grid-template-columns:1fr;gap:0}
}
@media (min-width:48rem){
.bracket{flex-direction:row;gap:1.6rem;overflow-x:auto;padding-bottom:.4rem}
.column{flex:1 0 11rem;display:flex;flex-direction:column}
.slots{flex:1;justify-content:space-around}
.slot{position:relative}
.slot.empty{display:block;visibility:hidden}
.column:not(:last-child) .slot:not(.empty)::after{content:"";position:absolute;left:100%;top:50%;width:1.6rem;
border-top:1px solid var(--line)}
}
@media print{section{border:0;padding:0}.steps{display:none}nav{display:none!important}}
"""


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
