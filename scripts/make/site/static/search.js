// The search dialog. The index is built with the pages and fetched when the dialog first opens, from this origin only.
import MiniSearch from "./minisearch.js";
import { findPages, OPTIONS } from "./ranking.js";

const FOUND_MAX = 12;

const element = (name, text = "") => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

/** Sets up the dialog, its button, and the keys `/` and Ctrl+K (⌘K). */
export function addSearch() {
  const dialog = document.querySelector("#search");
  const words = document.querySelector("#search-words");
  const list = document.querySelector("#search-found");
  const said = document.querySelector("#search-said");
  let index;
  let at = -1;

  const load = () => {
    index ??= fetch(new URL("search.json", import.meta.url))
      .then((answer) => answer.text())
      .then((text) => MiniSearch.loadJSON(text, OPTIONS));
    return index;
  };
  const open = () => {
    if (!dialog.open) dialog.showModal();
    words.select();
    void load();
  };
  const select = (next) => {
    const items = [...list.children];
    at = items.length === 0 ? -1 : (next + items.length) % items.length;
    for (const [place, item] of items.entries()) item.setAttribute("aria-selected", String(place === at));
    if (at >= 0) words.setAttribute("aria-activedescendant", items[at].id);
    else words.removeAttribute("aria-activedescendant");
    items[at]?.scrollIntoView({ block: "nearest" });
  };
  const show = (found) => {
    list.replaceChildren(
      ...found.map(({ id, title, page, excerpt }, place) => {
        const item = element("a");
        item.id = `found-${place}`;
        item.role = "option";
        item.href = id;
        item.tabIndex = -1;
        item.append(element("strong", title), element("small", page), element("span", excerpt));
        return item;
      }),
    );
    words.setAttribute("aria-expanded", String(found.length > 0));
    select(0);
  };
  const search = async () => {
    const text = words.value.trim();
    if (text === "") {
      said.textContent = "";
      show([]);
      return;
    }
    const ready = await load();
    if (words.value.trim() !== text) return;
    const found = findPages(ready, text).slice(0, FOUND_MAX);
    said.textContent = found.length === 0 ? "Nothing found. Try fewer or other words." : "";
    show(found);
  };

  words.addEventListener("input", search);
  words.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      select(at + step);
    } else if (event.key === "Enter") {
      list.children[at]?.click();
    }
  });
  list.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.querySelector(".search-button").addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, [contenteditable]");
    if ((event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      open();
    }
  });
}
