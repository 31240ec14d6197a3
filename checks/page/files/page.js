"use strict";
// Choices above the pictures: which of several tables to see, and whose weights as bars.
const chosen = new Map(); // By the name of a choice: it outlives a save.

function choice(key, name, words, apply) {
  const field = document.createElement("fieldset"), legend = document.createElement("legend");
  legend.textContent = name;
  field.append(legend);
  const now = Math.min(chosen.get(key) ?? 0, words.length - 1);
  words.forEach((word, number) => {
    const label = document.createElement("label"), input = document.createElement("input");
    Object.assign(input, { type: "radio", name: key, id: `${key}, ${number}`, checked: number === now });
    input.addEventListener("change", () => { chosen.set(key, number); apply(number - 1); });
    label.append(input, ` ${word}`);
    field.append(label);
  });
  apply(now - 1);
  return field;
}

function bars(table, row) {
  const list = document.createElement("ol"), heads = table.rows[0].cells;
  list.className = "bars";
  [...table.rows[row + 1].cells].slice(1).forEach((cell, number) => {
    const item = document.createElement("li"), bar = document.createElement("span");
    const share = Number(cell.textContent) / 100 || 0;
    bar.style.setProperty("--share", share);
    item.append(heads[number + 1].textContent, bar, `${Math.round(100 * share)} %`);
    list.append(item);
  });
  return list;
}

function furnish(figure, number) {
  const all = figure.querySelector(".tables"), boxes = [...all.children];
  const tables = boxes.map((box) => box.querySelector("table"));
  if (boxes.length > 1) {
    const titles = tables.map((table) => table.caption.textContent.split(/[,:]/)[0]);
    all.before(choice(`picture ${number}`, "show", ["all", ...titles], (only) => {
      boxes.forEach((box, place) => { box.hidden = only >= 0 && place !== only; });
    }));
  }
  if (figure.classList.contains("share")) {
    const names = [...tables[0].rows].slice(1).map((row) => row.cells[0].textContent);
    all.before(choice(`bars ${number}`, "as bars", ["none", ...names], (row) => {
      tables.forEach((table) => {
        table.parentElement.querySelectorAll(".bars").forEach((old) => old.remove());
        [...table.rows].forEach((one, place) => one.classList.toggle("chosen", row >= 0 && place === row + 1));
        if (row >= 0) table.after(bars(table, row));
      });
    }));
  }
}

function furnishAll() {
  document.querySelectorAll("figure").forEach(furnish);
}

furnishAll();
addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
});

// A served page replaces each part that has a newer number, as soon as the server says so.
if (document.body.dataset.news) {
  const news = new EventSource(document.body.dataset.news);
  const written = document.getElementById("written");
  news.onopen = () => { written.textContent = "follows every save"; };
  news.onmessage = (event) => {
    const focused = document.activeElement.id;
    for (const [name, [number, html]] of Object.entries(JSON.parse(event.data))) {
      const part = document.getElementById(name);
      if (part.dataset.number === String(number)) continue;
      part.dataset.number = number;
      part.innerHTML = html;
      if (name === "pictures") furnishAll();
    }
    if (focused) document.getElementById(focused)?.focus();
  };
  news.onerror = () => {
    written.textContent = "watch has ended; this is the last state";
    news.close();
  };
}
