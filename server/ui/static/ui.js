// The page works without this file; with it, a run is watched as it goes on.

const cameAs = new WeakMap(); // an element's HTML when it came: what was opened in it since is no change
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Put new HTML in place of an element's content, leaving alone what is the same, so that nothing open closes. */
function patch(element, html) {
  merge(element, new DOMParser().parseFromString(html, "text/html").body);
}

function merge(held, fresh) {
  const old = [...held.children];
  const next = [...fresh.children];
  next.forEach((one, place) => {
    const before = old[place];
    const html = one.outerHTML;
    if (before && (cameAs.get(before) ?? before.outerHTML) === html) return;
    cameAs.set(one, html);
    if (before && before.tagName === one.tagName && ["SECTION", "OL"].includes(one.tagName)) {
      merge(before, one);
      cameAs.set(before, html);
    } else if (before) {
      keepOpen(before, one);
      before.replaceWith(one);
    } else {
      held.append(one);
      if (!calm) one.animate([{ opacity: 0, transform: "translateY(.4rem)" }, {}], { duration: 350, easing: "ease-out" });
    }
  });
  old.slice(next.length).forEach((one) => one.remove());
}

/** What a person opened stays open where it comes anew, and what had the focus has it again. */
function keepOpen(before, one) {
  const fresh = one.querySelectorAll("details");
  before.querySelectorAll("details").forEach((held, place) => fresh[place]?.toggleAttribute("open", held.open));
  const reach = "a, summary, button";
  const place = [...before.querySelectorAll(reach)].indexOf(document.activeElement);
  if (place >= 0) queueMicrotask(() => one.querySelectorAll(reach)[place]?.focus());
}

/** Fetch the page as it is now, and show its run. */
async function whole(run) {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(run.id);
  if (!answer.ok || !fresh) return location.reload();
  run.replaceWith(fresh);
  for (const part of document.querySelectorAll("[data-fresh]")) part.replaceWith(page.getElementById(part.id) ?? part);
  document.title = page.title;
  begin(fresh);
}

/** Watch a run that is at work. The browser connects again by itself when the line breaks. */
function watch(run) {
  const source = new EventSource(run.dataset.live);
  source.addEventListener("moment", (event) => {
    for (const [id, html] of Object.entries(JSON.parse(event.data))) {
      const part = run.querySelector(`[data-part="${id}"]`);
      if (part) patch(part, html);
    }
  });
  source.addEventListener("end", () => {
    source.close();
    whole(run);
  });
  addEventListener("pagehide", () => source.close(), { once: true });
}

/** A picture in full size, over the page. */
function enlarge(link) {
  const box = document.createElement("dialog");
  box.className = "enlarged";
  const picture = document.createElement("img");
  picture.src = link.href;
  picture.alt = link.querySelector("img")?.alt ?? "";
  const close = document.createElement("button");
  close.textContent = "Close";
  box.setAttribute("aria-label", picture.alt || "Picture");
  box.append(close, picture);
  box.addEventListener("click", () => box.close());
  box.addEventListener("close", () => (box.remove(), link.focus()));
  document.body.append(box);
  box.showModal();
}

/** Times as they are where the page is looked at; the page itself says them in UTC. */
function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(time.dateTime)) continue;
    time.title = time.textContent;
    time.textContent = moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

/** Buttons that put a file of the server on the clipboard; hidden where a browser does not let them. */
function copies(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const file = await fetch(button.dataset.copy);
      if (file.ok) await navigator.clipboard.writeText(await file.text());
      button.textContent = file.ok ? "Copied" : "This cannot be copied";
    });
  }
}

function begin(root) {
  copies(root);
  localTimes(root);
  for (const run of root.matches?.("[data-live]") ? [root] : root.querySelectorAll("[data-live]")) watch(run);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-enlarge]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  enlarge(link);
});

// Enter asks, Shift+Enter begins a new line
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches?.("[data-send]")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

begin(document);
