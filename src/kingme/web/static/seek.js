// The form of a seek: its fields depend on one another, and the table of the room is shown for the stake that is chosen.
import { $, signed } from "./dom.js";

/** @import {Control, LobbyData} from "./types" */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Brings the form to life; send is called with the fields of a seek. @param {LobbyData} data @param {(seek: object) => void} send */
export function seekForm({ clocks, guest, presets, rooms }, send) {
  const form = $("seek");
  const { clock, minutes, seconds, preset, room, stake } = form.elements;
  const roomNow = () => rooms.find(({ name }) => name === room.value);
  const tableNow = () => roomNow().tables.find((table) => table.stake === +stake.value);

  /** @returns {Control} */
  const control = () => clocks.find(({ text }) => text === clock.value)?.control
    ?? { kind: "increment", initial: Math.round(minutes.value * MINUTE / SECOND) * SECOND, increment: seconds.value * SECOND };

  function show() {
    for (const field of form.querySelectorAll(".own-clock")) field.hidden = clock.value !== "";
    const chosen = roomNow();
    preset.disabled = !!chosen.preset;
    if (chosen.preset) preset.value = chosen.preset;
    $("rules").textContent = presets.find(({ name }) => name === preset.value).summary;
    const table = tableNow();
    $("room-hint").textContent = table.refusal ?? chosen.summary;
    for (const part of ["chips", "points"]) {
      const cells = $(`table-${part}`).querySelectorAll("td");
      table.lines.forEach((line, i) => {
        cells[i].textContent = signed(line[part]);
        cells[i].className = `n ${line[part] > 0 ? "up" : line[part] < 0 ? "down" : ""}`;
      });
    }
    $("send").textContent = form.elements.private.checked ? "Get the link" : "Create the seek";
  }

  /** Offers the stakes of the room, and keeps the one that is wished for if it is there. */
  function offer(wish) {
    const { tables } = roomNow();
    stake.replaceChildren(...tables.map((table) => new Option(table.stake ? `${table.stake} chips` : "None", table.stake)));
    stake.value = tables.some((table) => table.stake === wish) ? wish : tables[0].stake;
    show();
  }

  function open(on) {
    form.hidden = !on;
    $("create").setAttribute("aria-expanded", on);
    $("create").textContent = on ? "Close the form" : "Create a seek";
    if (on) clock.focus();
  }

  $("create").addEventListener("click", () => open(form.hidden));
  form.addEventListener("change", ({ target }) => (target === room ? offer(+stake.value) : show()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { rated, side } = form.elements;
    send({ control: control(), preset: preset.value, rated: rated.value === "rated", room: room.value, stake: +stake.value,
      side: side.value || null, private: form.elements.private.checked });
  });

  $("table-points").hidden = $("points-hint").hidden = guest; // guests get none
  const wish = new URLSearchParams(location.search);
  if (rooms.some(({ name }) => name === wish.get("room"))) room.value = wish.get("room");
  offer(+(wish.get("stake") ?? 0));
  if (wish.has("room")) open(true);
  return { close: () => open(false) };
}
