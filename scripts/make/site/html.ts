/** Escapes text and highlights code. Colours are classes, because the pages' policy forbids inline styles. */

import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import type { CodeSample } from "./code-samples.ts";

highlighter.registerLanguage("sh", bash);
highlighter.registerLanguage("http", http);
highlighter.registerLanguage("json", json);
highlighter.registerLanguage("toml", ini);
highlighter.registerLanguage("python", python);
highlighter.registerLanguage("ts", typescript);

const LANGUAGE_TITLES: Readonly<Record<string, string>> = {
  sh: "Shell",
  csv: "CSV",
  http: "HTTP",
  json: "JSON",
  python: "Python",
  toml: "TOML",
  ts: "TypeScript",
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const highlight = (code: string, language: string): string =>
  highlighter.getLanguage(language) === undefined
    ? escapeHtml(code)
    : highlighter.highlight(code, { language }).value;

/** The code without language and copy button. It is focusable, so that the keyboard can scroll it. */
const codePane = (code: string, language: string, label: string): string =>
  `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${highlight(code.trimEnd(), language)}</code></pre>`;

const COPY_BUTTON = `<button class="copy" type="button">Copy</button>`;

/** A code block with its language and a copy button. */
export function codeBlock(code: string, language: string, title?: string): string {
  const label = title ?? LANGUAGE_TITLES[language] ?? (language || "Text");
  return `<div class="code"><div class="code-head"><span>${escapeHtml(label)}</span>${COPY_BUTTON}</div>${codePane(code, language, label)}</div>`;
}

/** Tabs with the same code in several languages. `id` is unique in its page; site.js stores the chosen tab's title. */
export function codeTabs(id: string, samples: readonly CodeSample[]): string {
  const tabs = samples.map(
    ({ title }, at) =>
      `<button role="tab" type="button" id="${id}-tab-${at}" aria-controls="${id}-${at}" aria-selected="${at === 0}" tabindex="${at === 0 ? 0 : -1}">${escapeHtml(title)}</button>`,
  );
  const panels = samples.map(
    ({ title, language, code }, at) =>
      `<div role="tabpanel" id="${id}-${at}" aria-labelledby="${id}-tab-${at}"${at === 0 ? "" : " hidden"}>${codePane(code, language, `${title} code`)}</div>`,
  );
  return `<div class="code tabs"><div class="code-head"><div role="tablist" aria-label="Language">${tabs.join("")}</div>${COPY_BUTTON}</div>${panels.join("")}</div>`;
}
