/** Pages of the reference: an introduction, and one page per tag with its operations and code samples. */
import { exampleIn, samplesOf } from "./code-samples.ts";
import { codeBlock, codeTabs, escapeHtml } from "./html.ts";
import { renderWords } from "./markdown.ts";
import { type ApiDescription, type Operation, operationsOf } from "./openapi.ts";
import type { NavGroup, Page } from "./page-frame.ts";
import { bodyRows, enveloped, parameterRows } from "./schema-rows.ts";

/** A tag of the OpenAPI document and its operations, which share a page. */
export interface OperationGroup {
  readonly tag: string;
  readonly description: string;
  readonly address: string;
  readonly operations: readonly Operation[];
}

/** All tags with their operations, in document order. */
export const operationGroups = (api: ApiDescription): readonly OperationGroup[] =>
  api.tags.map(({ name, description }) => ({
    tag: name,
    description,
    address: `/docs/reference/${name.toLowerCase()}`,
    operations: operationsOf(api).filter(({ tags }) => tags[0] === name),
  }));

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
] as const;

/** Method (coloured) and path of an operation. */
const operationLine = ({ method, path, isMessage }: Operation): string =>
  `<p class="operation-line"><span class="method ${isMessage ? "event" : method.toLowerCase()}">${isMessage ? "EVENT" : method}</span> <code>${escapeHtml(path).replace(/([/_])/g, "$1<wbr>")}</code></p>`;

function parameterParts(api: ApiDescription, { parameters }: Operation): string {
  return PLACES.map(([place, title]) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, description, required }) => ({
        name,
        given: description === undefined ? schema : { ...schema, description },
        isRequired: required === true,
      }));
    return rows.length === 0 ? "" : `<h3>${title}</h3>${parameterRows(api, rows)}`;
  }).join("");
}

function bodyPart(api: ApiDescription, { requestBody }: Operation): string {
  if (requestBody === undefined) return "";
  const json = requestBody.content["application/json"]?.schema;
  const types = Object.keys(requestBody.content).map((type) => `<code>${escapeHtml(type)}</code>`);
  return `<h3>Body</h3>${json === undefined ? `<p>The bytes of the file: ${types.join(", ")}.</p>` : bodyRows(api, json)}`;
}

/** A response: the members of a success, or the codes of an error. */
function answerPart(api: ApiDescription, status: string, answer: Operation["responses"][string]): string {
  const schema = answer.content?.["application/json"]?.schema;
  const isRefusal = Number(status) >= 400;
  const words = renderWords(answer.description).replace(
    /<code>([A-Z][A-Z_]+)<\/code>/g,
    (_, code: string) => `<a href="/docs/guides/errors#${code.toLowerCase()}"><code>${code}</code></a>`,
  );
  const rows = schema === undefined || isRefusal ? "" : bodyRows(api, enveloped(api, schema));
  return `<details class="answer"><summary><span class="status s${status[0]}">${status}</span>${escapeHtml(answer.description.split(/\. |\n| Codes:/)[0] ?? "").replaceAll("`", "")}</summary>${words}${rows}</details>`;
}

function codeColumn(operation: Operation): string {
  const samples = samplesOf(operation);
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, { content }]) => [status, exampleIn(content?.["application/json"])] as const);
  // With several success statuses, the last is that of a first request; the others are replays.
  const shown = answers.filter(([, example]) => example !== undefined).at(-1);
  const sent = operation.isMessage
    ? exampleIn(operation.requestBody?.content["application/json"])
    : undefined;
  return [
    samples.length === 0 ? "" : codeTabs(operation.operationId, samples),
    shown === undefined ? "" : codeBlock(JSON.stringify(shown[1], null, 2), "json", `Answer ${shown[0]}`),
    sent === undefined ? "" : codeBlock(JSON.stringify(sent, null, 2), "json", "Message"),
  ].join("");
}

function operationPart(api: ApiDescription, operation: Operation): string {
  const answers = Object.entries(operation.responses).map(([status, answer]) =>
    answerPart(api, status, answer),
  );
  return `<section class="operation" aria-labelledby="${operation.operationId}">
<div class="words"><h2 id="${operation.operationId}">${escapeHtml(operation.summary)}<a class="anchor" href="#${operation.operationId}" aria-label="Link to “${escapeHtml(operation.summary)}”">#</a></h2>
${operationLine(operation)}
${renderWords(operation.description)}
${parameterParts(api, operation)}
${bodyPart(api, operation)}
<h3>Answers</h3>
${answers.join("\n")}</div>
<div class="beside">${codeColumn(operation)}</div>
</section>`;
}

/** The side bar: an entry per tag, expanded to its operations while its page is open. */
const referenceNav = (groups: readonly OperationGroup[]): readonly NavGroup[] => [
  {
    title: "Reference",
    items: [
      { title: "Introduction", href: "/docs/reference" },
      ...groups.map(({ tag, address, operations }) => ({
        title: tag,
        href: address,
        parts: operations.map(({ operationId, summary }) => ({
          title: summary,
          href: `${address}#${operationId}`,
        })),
      })),
    ],
  },
];

const listOf = ({ tag, address, operations }: OperationGroup): string =>
  `<section><h2>${escapeHtml(tag)}</h2><ul class="operations">${operations
    .map(
      (operation) =>
        `<li><a href="${address}#${operation.operationId}">${escapeHtml(operation.summary)}</a>${operationLine(operation)}</li>`,
    )
    .join("")}</ul></section>`;

/** The introduction, which lists all operations, and a page per tag. */
export function referencePages(api: ApiDescription, groups: readonly OperationGroup[]): readonly Page[] {
  const nav = referenceNav(groups);
  const introduction: Page = {
    path: "/docs/reference",
    title: "Reference",
    about: `Every operation of the Creative Packs API, version ${api.info.version}.`,
    nav,
    layout: "guide",
    main: `<article><h1>Reference</h1>${renderWords(api.info.description)}${groups.map(listOf).join("")}</article>`,
  };
  const pages = groups.map(
    ({ tag, description, address, operations }): Page => ({
      path: address,
      title: tag,
      about: `${tag}: operations of the Creative Packs API.`,
      nav,
      layout: "reference",
      main: `<div class="reference"><h1>${escapeHtml(tag)}</h1><div class="lead">${renderWords(description)}</div>\n${operations.map((operation) => operationPart(api, operation)).join("\n")}</div>`,
    }),
  );
  return [introduction, ...pages];
}
