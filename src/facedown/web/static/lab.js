// Clicks on the picture, keys, events from the server, and scrubbing through a review. Everything else is plain HTML.

const table = () => document.getElementById("table");

// --- moves: at the object, or by a key ---------------------------------------------------------------------------------

function button(action) {
  return document.querySelector(`.moves button[value="${CSS.escape(action)}"]`);
}

function choose(shape) {
  const actions = shape.dataset.actions.split(" ");
  if (actions.length === 1) {
    button(actions[0])?.click();
    return;
  }
  // several moves with this thing: show them alone
  const form = document.querySelector(".moves");
  for (const one of form.querySelectorAll("button")) one.classList.toggle("chosen", actions.includes(one.value));
  form.classList.add("filtered");
  form.querySelector(".chosen")?.focus();
}

document.addEventListener("click", (event) => {
  const shape = event.target.closest?.("[data-actions]");
  if (shape) choose(shape);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const shape = event.target.closest("[data-actions]");
  if (shape && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(shape);
    return;
  }
  if (event.key === "Escape") document.querySelector(".moves.filtered")?.classList.remove("filtered");
  const chosen = document.querySelector(`.moves button[data-key="${CSS.escape(event.key)}"]`);
  if (chosen) {
    event.preventDefault();
    chosen.click();
  } else if (event.key === "Enter" && event.target === document.body) {
    document.getElementById("again")?.click();
  }
});

// a move is sent once
document.addEventListener("htmx:before:request", (event) => {
  if (!event.target.closest?.(".moves")) return;
  for (const one of document.querySelectorAll(".moves button")) one.setAttribute("aria-disabled", "true");
});
document.addEventListener("click", (event) => {
  if (event.target.closest('button[aria-disabled="true"]')) event.preventDefault();
}, true);

// --- Hanabi: a card, a pile or a life leads to an earlier position, on the table and in a review ----------------------------

let leads = (at) => {
  const board = document.querySelector(".board[data-then]");
  if (board) window.htmx.ajax("GET", `${board.dataset.then}?at=${at}`, { target: ".board", swap: "innerHTML" });
};

// by a click, with Enter or with the space bar; with Shift or the middle button to the other place
function follow(event, other) {
  const jump = event.target.closest?.(".jump");
  if (!jump) return;
  event.preventDefault();
  leads(Number(other && jump.dataset.also ? jump.dataset.also : jump.dataset.at));
}

document.addEventListener("click", (event) => follow(event, event.shiftKey));
document.addEventListener("auxclick", (event) => {
  if (event.button === 1) follow(event, true);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") follow(event, event.shiftKey);
});

// --- what changes by itself -----------------------------------------------------------------------------------------------

let source = null;
let heard = null;

// looks once for each stamp: answers that cross each other on the way must not start a circle
let looked = null;
function look(moment) {
  const now = document.querySelector("[data-events]");
  if (!now || now.dataset.moment === moment || looked === moment) return;
  looked = moment;
  window.htmx.trigger(now, "look");
}

function listen() {
  const place = document.querySelector("[data-events]");
  const address = place?.dataset.events ?? null;
  if (address === heard) return;
  source?.close();
  source = null;
  heard = address;
  if (!address) return;
  source = new EventSource(address);
  source.addEventListener("moment", (event) => {
    look(event.data);
  });
}

let scrolled = null;
function settle() {
  listen();
  const lines = document.querySelector(".log");
  if (lines && lines !== scrolled) lines.scrollTop = lines.scrollHeight;
  scrolled = lines;
  const earlier = document.querySelector(".earlier button");
  if (earlier && earlier !== document.activeElement) {
    earlier.focus({ preventScroll: true });
    earlier.closest(".earlier").scrollIntoView({ block: "nearest" });
  }
}

document.addEventListener("htmx:after:swap", settle);
settle();

// --- a slider and the number beside it are one ---------------------------------------------------------------------------

document.addEventListener("input", (event) => {
  for (const one of event.target.closest?.(".slider")?.querySelectorAll("input") ?? []) {
    if (one !== event.target && event.target.value !== "") one.value = event.target.value;
  }
});

// --- Hanabi: a hand as its owner sees it; the cards that a line of the log is about; a file that goes into a text ---------

let turned = ""; // whose hand lies face down: nobody's, a player's, or all
let faceUp = null; // the board without it

async function turnOnTable() {
  const board = document.querySelector(".board[data-owners]");
  if (!board) return;
  if (turned === "") {
    if (faceUp?.board === board) board.replaceChildren(...faceUp.content);
    faceUp = null;
    return;
  }
  const wanted = turned;
  const drawn = await (await fetch(`${board.dataset.owners}?hand=${wanted}`)).text();
  if (turned !== wanted || !board.isConnected) return;
  faceUp ??= { board, content: [...board.childNodes] };
  board.innerHTML = drawn;
}

let showTurned = turnOnTable;

function turn(hand) {
  if (turned === hand) return;
  turned = hand;
  for (const one of document.querySelectorAll("[data-owner]")) one.setAttribute("aria-pressed", String(one.dataset.owner === hand));
  showTurned();
}

function handInMind() {
  const focused = document.activeElement?.matches(".act, .jump") ? document.activeElement.querySelector("[data-hand]") : null;
  const hand = (document.querySelector("[data-hand]:hover") ?? focused)?.dataset.hand ?? "all";
  return hand === document.querySelector(".board[data-seat]")?.dataset.seat ? "all" : hand;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "0" || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("[data-owner]") && !event.target.closest("input, textarea, select")) turn(handInMind());
});
document.addEventListener("keyup", (event) => {
  if (event.key === "0") turn("");
});
window.addEventListener("blur", () => turn(""));
document.addEventListener("click", (event) => {
  const owner = event.target.closest?.("[data-owner]");
  if (owner) turn(turned === owner.dataset.owner ? "" : owner.dataset.owner);
});
document.addEventListener("htmx:after:swap", () => {
  // another board: nothing is turned over there
  if (faceUp && !faceUp.board.isConnected) [turned, faceUp] = ["", null];
});

function point(event) {
  for (const one of document.querySelectorAll(".pointed")) one.classList.remove("pointed");
  const cards = event.target.closest?.("[data-cards]")?.dataset.cards.split(" ") ?? [];
  for (const card of cards) for (const one of document.querySelectorAll(`[data-card="${card}"]`)) one.classList.add("pointed");
}
document.addEventListener("mouseover", point);
document.addEventListener("focusin", point);

document.addEventListener("change", async (event) => {
  const text = document.getElementById(event.target.dataset?.into ?? "");
  if (text && event.target.files?.length) text.value = await event.target.files[0].text();
});

// --- review -------------------------------------------------------------------------------------------------------------

const review = document.getElementById("review");
if (review) {
  const slider = review.querySelector("#at");
  const frame = review.querySelector(".frame");
  const told = review.querySelector("#told");
  const items = [...review.querySelectorAll(".moves-list li")];
  const kept = new Map();
  let lens = review.dataset.lens;

  async function frames(name) {
    const asked = `lens=${encodeURIComponent(name)}${turned ? `&hand=${turned}` : ""}`;
    if (!kept.has(asked)) kept.set(asked, await (await fetch(`${review.dataset.frames}?${asked}`)).json());
    return kept.get(asked);
  }

  async function show() {
    const at = Number(slider.value);
    const all = await frames(lens);
    const focused = frame.contains(document.activeElement) ? document.activeElement : null;
    const spot = focused?.dataset.spot;
    const same = spot ? [...frame.querySelectorAll(`[data-spot="${spot}"]`)].indexOf(focused) : 0;
    frame.innerHTML = all.frames[at];
    // what had the focus has it again, if it is still there
    if (focused) (frame.querySelectorAll(`[data-spot="${spot}"]`)[same] ?? frame).focus({ preventScroll: true });
    frame.classList.toggle("truthful", lens === "truth");
    told.textContent = all.words[at];
    slider.setAttribute("aria-valuetext", at ? `after move ${at}` : "after the deal");
    items.forEach((item, index) => (index === at ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
    items[at]?.scrollIntoView({ block: "nearest" });
    for (const field of review.querySelectorAll("input[name=at]")) if (field !== slider) field.value = at;
  }

  showTurned = show;
  leads = go;

  function go(at) {
    slider.value = Math.max(0, Math.min(at, Number(slider.max)));
    show();
  }

  slider.addEventListener("input", show);
  review.querySelector("#back").addEventListener("click", () => go(Number(slider.value) - 1));
  review.querySelector("#on").addEventListener("click", () => go(Number(slider.value) + 1));
  review.addEventListener("click", (event) => {
    const jump = event.target.closest("button[data-at]");
    if (jump) go(Number(jump.dataset.at));
    const other = event.target.closest("[data-lens-name]");
    if (other) {
      lens = other.dataset.lensName;
      for (const one of review.querySelectorAll("[data-lens-name]")) one.setAttribute("aria-pressed", String(one === other));
      show();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) {
      event.preventDefault();
      go(Number(slider.value) + step);
    }
  });
  const [, kind, number] = /^#(line|move)-(\d+)$/.exec(location.hash) ?? [];
  const line = kind === "line" ? review.querySelector(`[data-line="${number}"]`)?.dataset.at ?? 0 : number;
  go(Number(line ?? slider.value));
}
