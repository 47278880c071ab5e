/** Workflows in n8n's import format. */

interface Step {
  readonly name: string;
  readonly type: string;
  readonly typeVersion?: number;
  readonly webhookId?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const OWN = "n8n-nodes-creative-packs";
const CREDENTIAL = { id: "packs0000000000a", name: "Creative Packs" };

/** A chain of steps. */
const workflow = (id: string, steps: readonly Step[]) => ({
  ...{ id, name: id, active: false, settings: { executionOrder: "v1" } },
  nodes: steps.map(({ typeVersion = 1, ...step }, at) => ({
    ...{ ...step, id: `${id}${at}`, typeVersion, position: [at * 200, 0] },
    ...(step.type.startsWith(OWN) && { credentials: { creativePacksApi: CREDENTIAL } }),
  })),
  connections: Object.fromEntries(
    steps
      .slice(0, -1)
      .map(({ name }, at) => [name, { main: [[{ node: steps[at + 1]?.name, type: "main", index: 0 }]] }]),
  ),
});

const packs = (name: string, parameters: Step["parameters"]): Step => ({
  ...{ name, type: `${OWN}.creativePacks`, parameters },
});
const readFile = (name: string, fileSelector: string): Step => ({
  ...{ name, type: "n8n-nodes-base.readWriteFile", parameters: { operation: "read", fileSelector } },
});
const writeFile = (fileName: string): Step => ({
  name: "Write",
  type: "n8n-nodes-base.readWriteFile",
  parameters: { operation: "write", fileName, dataPropertyName: "data" },
});

export const credentials = (baseUrl: string, apiKey: string) => [
  { ...CREDENTIAL, type: "creativePacksApi", data: { baseUrl, apiKey } },
];

const FIRST: Step = { name: "Start", type: "n8n-nodes-base.manualTrigger", parameters: {} };

/** Rows of a CSV file become packs, whose files are written to a folder. */
export const rowsToFiles = (csv: string, folder: string) =>
  workflow("rowsToFiles00000", [
    FIRST,
    readFile("Read rows", csv),
    { name: "Rows", type: "n8n-nodes-base.extractFromFile", parameters: { operation: "csv" } },
    readFile("Read picture", "={{ $json.picture }}"),
    packs("Upload", { resource: "asset", operation: "upload", slotId: "media" }),
    packs("Create", {
      ...{ resource: "pack", operation: "create", contractId: "display.v1" },
      selectedSizeIds: "={{ $('Rows').item.json.sizes }}",
      assets: { asset: [{ slotId: "media", source: "id", assetId: "={{ $json.assetId }}" }] },
      copy: { headline: "={{ $('Rows').item.json.headline }}", cta: "Try it" },
      options: { name: "={{ $('Rows').item.json.name }}", look: "bold" },
    }),
    packs("Download", {
      ...{ resource: "pack", operation: "download", artifactId: "={{ $json.artifactId }}" },
    }),
    writeFile(`=${folder}/{{ $('Rows').item.json.name }}-{{ $json.fileName }}`),
  ]);

/** A preview of the newest image, and the balance. */
export const previewToFile = (folder: string) =>
  workflow("previewToFile000", [
    FIRST,
    packs("Assets", { resource: "asset", operation: "getAll", limit: 1 }),
    packs("Preview", {
      ...{ resource: "preview", operation: "create", contractId: "display.v1" },
      selectedSizeIds: ["iab-300x250"],
      assets: { asset: [{ slotId: "media", source: "id", assetId: "={{ $json.assetId }}" }] },
    }),
    writeFile(`${folder}/preview.png`),
  ]);

/** Starts when a pack has succeeded, and writes its ZIP. */
export const packToZip = (folder: string) =>
  workflow("packToZip0000000", [
    {
      ...{ name: "Packs", type: `${OWN}.creativePacksTrigger`, webhookId: "packs-trigger" },
      parameters: { events: ["job.succeeded"] },
    },
    packs("Download", {
      ...{ resource: "pack", operation: "download", asZip: true },
      artifactId: "={{ $json.data.job.artifactId }}",
    }),
    writeFile(`=${folder}/{{ $json.artifactId }}.zip`),
  ]);

/** A rejected pack: the node's error has the code and the next action. */
export const refusedPack = () =>
  workflow("refusedPack00000", [
    FIRST,
    packs("Create", {
      ...{ resource: "pack", operation: "create", contractId: "display.v1" },
      selectedSizeIds: ["iab-300x251"],
      assets: { asset: [{ slotId: "media", source: "id", assetId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71" }] },
    }),
  ]);
