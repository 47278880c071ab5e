// Behaviour of the pages: theme, menu, copy buttons, language tabs, search, and the current section in lists of links.
import { addSearch } from "./search.js";

const LOCAL_ORIGIN = "http://127.0.0.1:8787";

/** Storage may be blocked; a choice then lasts only until the page is left. */
const remember = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {}
};
const recall = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Replaces the local origin in code samples with that of the page. */
function useThisOrigin() {
  for (const code of document.querySelectorAll("pre code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (node.data.includes(LOCAL_ORIGIN)) node.data = node.data.replaceAll(LOCAL_ORIGIN, location.origin);
    }
  }
}

function addTheme() {
  const { dataset } = document.documentElement;
  document.querySelector(".theme-button").addEventListener("click", () => {
    const isDark = dataset.theme
      ? dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = isDark ? "light" : "dark";
    remember("theme", dataset.theme);
  });
}

function addMenu() {
  const button = document.querySelector(".menu-button");
  const side = document.querySelector("#side");
  const show = (isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    document.body.classList.toggle("menu-open", isOpen);
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
  side.addEventListener("click", (event) => {
    if (event.target.closest("a")) show(false);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("menu-open")) {
      show(false);
      button.focus();
    }
  });
}

function addCopying() {
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      const code = button
        .closest(".code")
        .querySelector("[role=tabpanel]:not([hidden]) code, :scope > pre code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it by hand";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1600);
    });
  }
}

function choose(tabs, title) {
  const chosen = tabs.find((tab) => tab.textContent === title);
  if (chosen === undefined) return;
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
}

/** Choosing a language in one block chooses it in all blocks, on later pages too. */
function addTabs() {
  const lists = [...document.querySelectorAll("[role=tablist]")].map((list) => [...list.children]);
  const chooseAll = (title) => {
    for (const tabs of lists) choose(tabs, title);
    remember("language", title);
  };
  for (const tabs of lists) {
    for (const [at, tab] of tabs.entries()) {
      tab.addEventListener("click", () => {
        const top = tab.getBoundingClientRect().top;
        chooseAll(tab.textContent);
        scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
      });
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        const next = tabs[(at + step + tabs.length) % tabs.length];
        chooseAll(next.textContent);
        next.focus();
      });
    }
  }
  const kept = recall("language");
  if (kept !== null) for (const tabs of lists) choose(tabs, kept);
}

/** Highlights the link to the section that is scrolled into view. */
function followReader(links) {
  const parts = links
    .map((link) => ({ link, part: document.getElementById(decodeURIComponent(link.hash.slice(1))) }))
    .filter(({ part }) => part !== null);
  if (parts.length === 0) return;
  const mark = () => {
    const passed = parts.filter(({ part }) => part.getBoundingClientRect().top < 140);
    const { link: current } = passed.at(-1) ?? parts[0];
    for (const { link } of parts) link.classList.toggle("reading", link === current);
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

/** Redirects old links to the try-it page, which was once at /docs. */
if (location.pathname === "/docs" && location.hash.startsWith("#/")) {
  location.replace(`/docs/try${location.hash}`);
}

useThisOrigin();
addTheme();
addMenu();
addCopying();
addTabs();
addSearch();
followReader([...document.querySelectorAll(".contents a")]);
followReader(
  [...document.querySelectorAll(".side a[href*='#']")].filter((link) => link.pathname === location.pathname),
);
document.querySelector(".side [aria-current=page], .side .reading")?.scrollIntoView({ block: "nearest" });
