// The page of a private link: the friend joins, the owner waits.
import { $, told } from "./dom.js";
import { beSomebody } from "./guest.js";
import { Live } from "./live.js";

const { version, code, seek } = told();
const live = new Live(version);
const wrong = (text) => { $("wrong").textContent = text; };

live.addEventListener("paired", ({ detail }) => location.assign(`/game/${detail.game}`));
live.addEventListener("state", () => { $("say").textContent = live.state === "offline" ? "Offline. The page connects again by itself." : seek ? "Waiting for your friend." : ""; });

$("join")?.addEventListener("click", async ({ target }) => {
  target.ariaDisabled = true;
  wrong("");
  try {
    await beSomebody(live);
    const { game } = await live.ask({ t: "join", seek: code });
    location.assign(`/game/${game}`);
  } catch (error) {
    wrong(error.message);
    target.ariaDisabled = false;
  }
});
$("link-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  $("link").select();
  try {
    await navigator.clipboard.writeText($("link").value);
    $("say").textContent = "Copied. Waiting for your friend.";
  } catch {
    $("say").textContent = "The link is selected: copy it.";
  }
});
$("withdraw")?.addEventListener("click", async () => {
  try {
    await live.ask({ t: "unseek", seek });
    location.assign("/lobby");
  } catch (error) {
    wrong(error.message);
  }
});
