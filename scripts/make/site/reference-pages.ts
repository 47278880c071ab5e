/** The reference: a page for each tag of the OpenAPI document, with every operation beside its code. */
import { exampleIn, samplesOf } from "./code-samples.ts";
import { codeBlock, codeTabs, escapeHtml } from "./html.ts";
import { renderWords, type Section } from "./markdown.ts";
import { type ApiDescription, type Operation, operationsOf } from "./openapi.ts";
import { bodyRows, enveloped, parameterRows } from "./schema-rows.ts";

export interface ReferencePage {
  readonly tag: string;
  readonly slug: string;
  readonly html: string;
  readonly operations: readonly Operation[];
  readonly sections: readonly Section[];
}

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
] as const;

/** Method and path with the method's colour. */
export const operationLine = ({ method, path, isMessage }: Operation): string =>
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

/** An answer: of a success its members, of a refusal its codes. */
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
  // Of several successes the last is the first time's, the others a replay's.
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

/** Every page of the reference, in the document's order of tags. */
export function referencePages(api: ApiDescription): readonly ReferencePage[] {
  const operations = operationsOf(api);
  return api.tags.map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags[0] === name);
    return {
      tag: name,
      slug: name.toLowerCase(),
      operations: own,
      html: `<div class="reference"><h1>${escapeHtml(name)}</h1><div class="lead">${renderWords(description)}</div>\n${own.map((operation) => operationPart(api, operation)).join("\n")}</div>`,
      sections: own.map(({ operationId, summary, method, path, description: words }) => ({
        id: operationId,
        title: summary,
        text: `${method} ${path} ${words.replace(/[`*]/g, "")}`,
      })),
    };
  });
}
