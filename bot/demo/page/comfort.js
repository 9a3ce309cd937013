// What a chat client does by itself: a new private message is scrolled into view, and so is the last message after a
// command or a press in it; a picture keeps its place while it loads, and Enter sends a command that was typed in full
// and needs no option.
const list = document.getElementById("channel-message-list");
const timeline = document.getElementById("channel-timeline");
const composer = document.getElementById("channel-composer-input");
const known = new Set();
const sizes = new Map();
const USUAL = [1200, 958];
const SETTLES = 4000;
const ANSWERS = 30000;
let begun = false;
let pressedUntil = 0;
let leaveRevealed = () => {};

function placeOf(image) {
  const message = image.closest("[data-message-id]");
  const images = message ? [...message.querySelectorAll("img.component-image, .gallery-item img, .media-lightbox-trigger img")] : [];
  return message ? `${message.dataset.messageId}:${images.indexOf(image)}` : "";
}

function keepPlace(image) {
  const remember = () => {
    if (image.naturalWidth) sizes.set(placeOf(image), [image.naturalWidth, image.naturalHeight]);
    image.style.removeProperty("aspect-ratio");
  };
  if (image.complete && image.naturalWidth) return remember();
  image.style.aspectRatio = (sizes.get(placeOf(image)) || USUAL).join(" / ");
  image.addEventListener("load", remember, { once: true });
}

// A new message that is taller than the window shows its beginning, a changed one its end, where the buttons are.
function reveal(message, isNew) {
  leaveRevealed();
  const until = performance.now() + SETTLES;
  const show = () => {
    if (!message.isConnected || performance.now() > until) return;
    const tall = message.getBoundingClientRect().height > timeline.clientHeight;
    message.scrollIntoView({ block: tall && isNew ? "start" : "end" });
  };
  const stop = new AbortController();
  const leave = leaveRevealed = () => { stop.abort(); resized.disconnect(); };
  const resized = new ResizeObserver(show);
  resized.observe(message);
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    timeline.addEventListener(kind, leave, { signal: stop.signal, passive: true });
  }
  setTimeout(show, 50);
  setTimeout(leave, SETTLES);
}

new MutationObserver(() => {
  const messages = [...list.querySelectorAll("[data-message-id]")];
  const fresh = messages.filter((message) => !known.has(message.dataset.messageId));
  for (const message of fresh) known.add(message.dataset.messageId);
  for (const image of list.querySelectorAll(".media-lightbox-trigger img:not([width])")) keepPlace(image);
  const own = fresh.filter((message) => message.querySelector(".message-ephemeral-note")).pop();
  const last = messages[messages.length - 1];
  if (begun && own && own === last) reveal(own, true);
  else if (last && performance.now() < pressedUntil) reveal(last, fresh.includes(last));
  begun = begun || messages.length > 0;
}).observe(list, { childList: true, subtree: true });

const follow = () => { pressedUntil = performance.now() + ANSWERS; };

document.addEventListener("click", (event) => {
  const [message] = [...list.querySelectorAll("[data-message-id]")].slice(-1);
  const pressed = event.target.closest(".component-button, .select-option");
  if (pressed && message && message.contains(pressed)) follow();
  if (event.target.closest("#send-message")) follow();
}, true);

timeline.addEventListener("wheel", () => { pressedUntil = 0; }, { passive: true });
timeline.addEventListener("touchmove", () => { pressedUntil = 0; }, { passive: true });

composer.addEventListener("keydown", (event) => {
  if (event.key === "Enter") follow();
  const typed = composer.value.trim();
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !typed.startsWith("/")) return;
  setTimeout(() => {
    const chip = document.querySelector(".command-chip");
    const needed = document.querySelector('.command-option-input[aria-label$=", required"], .command-pill input[type="file"]');
    if (chip && chip.textContent === typed && !needed) document.getElementById("send-message").click();
  }, 0);
}, true);
