/**
 * The forms of the account and of a player's page, without loading the page anew.
 * The forms of the account work without this script too.
 * @module
 */

const AWAY = "The server cannot be reached. Check the connection and try again.";
const FIELDS = { weak_password: "password", bad_name: "name", name_taken: "name", bad_email: "email" };

/**
 * Ask the server for something.
 * @param {string} address
 * @param {object} body
 * @returns {Promise<{ok: boolean, code?: string, message?: string}>}
 */
async function ask(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return { ok: true };
    const { error } = await answer.json();
    return { ok: false, code: error.code, message: error.message };
  } catch {
    return { ok: false, message: AWAY };
  }
}

/**
 * Let a form be sent once at a time.
 * @param {HTMLFormElement} form
 * @param {() => Promise<void>} send
 */
function onSubmit(form, send) {
  let sending = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    try {
      await send();
    } finally {
      sending = false;
    }
  });
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-api]"))) {
  const wrong = /** @type {HTMLElement} */ (form.querySelector(".wrong"));
  onSubmit(form, async () => {
    const { do: _, next, username: __, ...sent } = Object.fromEntries(new FormData(form));
    wrong.textContent = "";
    for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    const answer = await ask(form.dataset.api ?? "", sent);
    if (answer.ok) {
      location.assign(next ? String(next) : "/account");
      return;
    }
    wrong.textContent = answer.message ?? "";
    const name = FIELDS[/** @type {keyof typeof FIELDS} */ (answer.code)];
    const field = /** @type {HTMLInputElement | null} */ (name ? form.elements.namedItem(name) : null);
    field?.setAttribute("aria-invalid", "true");
    (field ?? form.querySelector("input:not([type=hidden])"))?.focus();
  });
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-mute]"))) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  onSubmit(form, async () => {
    const on = form.dataset.on !== "true";
    const answer = await ask("/api/mute", { name: form.dataset.mute, on });
    if (!answer.ok) return;
    form.dataset.on = String(on);
    button.textContent = on ? "Unmute" : "Mute";
  });
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-report]"))) {
  const message = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  onSubmit(form, async () => {
    const text = String(new FormData(form).get("text") ?? "");
    const answer = await ask("/api/report", { name: form.dataset.report, text });
    message.classList.toggle("wrong", !answer.ok);
    message.textContent = answer.ok ? "Thank you. The operator will read it." : answer.message ?? "";
    if (answer.ok) form.reset();
  });
}
