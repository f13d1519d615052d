// Files and folders can be dropped on the form of a corpus, and are sent with progress. Without this file the form sends.

/** All files of a dropped file or folder, each with its path. */
async function filesOf(entry, folder = "") {
  if (entry.isFile) return [[await new Promise((done, failed) => entry.file(done, failed)), folder + entry.name]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // not all at once
    if (!some.length) return found;
    for (const one of some) found.push(...(await filesOf(one, `${folder}${entry.name}/`)));
  }
}

/** What was dropped. Items are gone after the first wait, so that all are taken before. */
async function taken(items) {
  const given = [...items].filter((item) => item.kind === "file").map((item) => [item.webkitGetAsEntry(), item.getAsFile()]);
  const found = [];
  for (const [entry, file] of given) found.push(...(entry ? await filesOf(entry) : [[file, file.name]]));
  return found;
}

/** Send the form with what was dropped, and go where the server leads. */
function send(form, dropped, status) {
  const sent = new FormData(form);
  for (const [file, path] of dropped) sent.append("files", file, path);
  const bar = form.querySelector("progress");
  const button = form.querySelector("button");
  const request = new XMLHttpRequest();
  const failed = (reason) => {
    status.textContent = reason;
    button.disabled = !(bar.hidden = true);
  };
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = (100 * event.loaded) / event.total;
  });
  request.addEventListener("error", () => failed("The connection broke, and nothing was stored. Try again."));
  request.addEventListener("load", () => {
    if (request.status < 400) return location.assign(request.responseURL);
    const problem = new DOMParser().parseFromString(request.responseText, "text/html");
    failed(problem.querySelector("[role=alert]")?.textContent ?? request.responseText.slice(0, 300));
  });
  button.disabled = !(bar.hidden = false);
  status.textContent = "Sending …";
  request.open("POST", form.action);
  request.send(sent);
}

for (const form of document.querySelectorAll("[data-drop]")) {
  const status = form.querySelector("[data-status]");
  let dropped = [];
  status.hidden = false;
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    dropped = [...dropped, ...(await taken(event.dataTransfer.items))];
    status.textContent = `${dropped.length} dropped: ${dropped.slice(0, 5).map(([, path]) => path).join(", ")}${dropped.length > 5 ? " …" : ""}`;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, dropped, status);
  });
}
