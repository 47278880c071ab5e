/** The code that a guide shows: its blocks, and which program each is a part of. */

export interface ShownBlock {
  /** As the fence names it: `ts`, `sh`, `python`, `json`, `http`; empty where it names none. */
  readonly language: string;
  /** From `run=<name>` of the fence: blocks of one name are one program, in their order, which a test runs. */
  readonly run: string | null;
  readonly code: string;
}

const FENCE = /^```([a-z]*)(?: +run=([\w-]+))?\n([\s\S]*?)^```$/gm;

/** Every block of a guide, in order. */
export const codeOfGuide = (markdown: string): readonly ShownBlock[] =>
  [...markdown.matchAll(FENCE)].map(([, language = "", run, code = ""]) => ({
    language,
    run: run ?? null,
    code,
  }));
