/** The search index of the site: every section of every guide, and every operation. */
import MiniSearch from "minisearch";
import { type Guide, guideAddress } from "./guide-pages.ts";
import type { OperationGroup } from "./reference-pages.ts";
import { OPTIONS } from "./static/ranking.js";

/** Indexed characters per section. The rest of a section rarely adds terms that its start lacks. */
const SECTION_CHARACTERS_MAX = 1_500;
const EXCERPT_CHARACTERS = 140;

const entry = (id: string, title: string, page: string, text: string) => ({
  id,
  title,
  page,
  text: text.slice(0, SECTION_CHARACTERS_MAX),
  excerpt: text.slice(0, EXCERPT_CHARACTERS),
});

/** The index as JSON, for static/search.js. */
export function searchIndex(guides: readonly Guide[], reference: readonly OperationGroup[]): string {
  const index = new MiniSearch(OPTIONS);
  index.addAll([
    ...guides.flatMap((guide) =>
      guide.rendered.sections.map(({ id, title, text }, at) =>
        entry(at === 0 ? guideAddress(guide) : `${guideAddress(guide)}#${id}`, title, guide.title, text),
      ),
    ),
    ...reference.flatMap(({ tag, address, operations }) =>
      operations.map(({ operationId, summary, method, path, description }) => {
        const text = `${method} ${path} ${description.replace(/[`*]/g, "")}`;
        return entry(`${address}#${operationId}`, summary, `Reference, ${tag}`, text);
      }),
    ),
  ]);
  return JSON.stringify(index);
}
