// Steps through the images of a drawing, which are next to the page.

const names = document.getElementById("drawing").dataset.names.split(" ");
const $ = id => document.getElementById(id);
const PLAY = "M4 2l10 6-10 6z", PAUSE = "M3 2h4v12H3zM9 2h4v12H9z";
let at = 0, asked = 0, plays = 0, timer = 0;

function show(index) {
  at = Math.max(0, Math.min(names.length - 1, index));
  $("slider").value = at + 1;
  $("count").textContent = `${at + 1} / ${names.length}`;
  $("name").textContent = names[at];
  history.replaceState(null, "", `#${at + 1}`);
  // The image takes the other's place only when it can be seen: nothing flickers.
  const image = new Image(), turn = ++asked;
  image.alt = `${names[at]}, ${at + 1} of ${names.length}`;
  image.src = names[at];
  const place = () => { if (turn === asked) $("stage").replaceChildren(image); };
  const ready = image.decode().then(place, place);
  if (at + 1 < names.length) new Image().src = names[at + 1];
  return ready;
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  plays++;
  $("icon").setAttribute("d", PLAY);
  $("play").setAttribute("aria-label", "Play");
}

function play() {
  $("icon").setAttribute("d", PAUSE);
  $("play").setAttribute("aria-label", "Pause");
  const mine = ++plays;
  const wait = () => { if (mine === plays) timer = setTimeout(step, Number($("speed").value)); };
  const step = () => at === names.length - 1 ? pause() : show(at + 1).then(wait);
  show(at === names.length - 1 ? 0 : at).then(wait);
  timer = -1;
}

const toggle = () => timer ? pause() : play();
const go = index => {
  pause();
  show(index);
};
const addressed = () => parseInt(location.hash.slice(1), 10) - 1 || 0;
$("play").onclick = toggle;
$("slider").oninput = event => go(event.target.value - 1);
addEventListener("hashchange", () => go(addressed()));
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "speed") return;
  const keys = {
    " ": toggle, ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1),
    Home: () => go(0), End: () => go(names.length - 1),
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

$("slider").max = names.length;
pause();
show(addressed());
