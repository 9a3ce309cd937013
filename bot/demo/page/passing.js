// The strip that tells the demo's time and lets time pass. It speaks to the server as the page does.
const MINUTE = 60000;
const HOUR = 60 * MINUTE;
const capability = window.location.hash.slice(1);
const written = new Intl.DateTimeFormat("en-GB", {
  weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC",
});

const strip = document.createElement("section");
strip.className = "passing-time";
strip.setAttribute("aria-label", "Time in the demo");
const shown = document.createElement("span");
shown.setAttribute("role", "status");
const buttons = [["+10 minutes", 10 * MINUTE], ["+1 hour", HOUR], ["+1 day", 24 * HOUR]].map(([label, milliseconds]) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "toolbar-button";
  button.textContent = label;
  button.title = `Let ${label.slice(1)} pass in the demo, or less if a tournament needs somebody before`;
  button.addEventListener("click", () => pass(milliseconds));
  return button;
});
strip.append(shown, ...buttons);
document.getElementById("toolbar").after(strip);

let ahead = 0;

function tell() {
  shown.textContent = `${written.format(Date.now() + ahead)} UTC · let time pass:`;
}

async function pass(milliseconds) {
  for (const button of buttons) button.disabled = true;
  try {
    const answer = await fetch("/api/action", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Simcord-Capability": capability },
      body: JSON.stringify({ kind: "let_time_pass", milliseconds }),
    });
    if (answer.ok) ahead = (await answer.json()).now - Date.now();
  } finally {
    for (const button of buttons) button.disabled = false;
    tell();
  }
}

setInterval(tell, 1000);
pass(0);
