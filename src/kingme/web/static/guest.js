// Whoever wants to play is somebody: a visitor becomes a guest at the first thing they do.
import { $, post } from "./dom.js";

/** @import {Live} from "./live.js" */

let becoming = null; // somebody, who is one person however often that is asked at a time

/** Makes sure that the server knows who one is. @param {Live} live */
export const beSomebody = (live) => becoming ??= become(live).finally(() => { becoming = null; });

async function become(live) {
  if (!live.online) await new Promise((done) => { live.addEventListener("welcome", done, { once: true }); });
  if (live.you) return;
  await post("/api/session");
  await live.renew();
  $("me").textContent = live.you?.name ?? "Guest";
}
