import { resolve } from "node:path";
import type { CreativePacks, PackRequest } from "../../index.ts";
import { type Context, connect } from "../context.ts";
import { DesignReader } from "../design-file.ts";
import { readPackInput } from "../pack-input.ts";
import { noteImports, RequestMaker } from "../pack-request.ts";
import { throwMistakes } from "../usage-error.ts";
import { saveFiles, waitFor } from "./download.ts";

export interface MakeOptions {
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly out: string;
  /** Order again, even if the workspace already has the pack. */
  readonly again: boolean;
  /** Only print the cost. */
  readonly isDry: boolean;
  readonly importLimitMs: number;
}

/** Orders one pack, waits for it and saves it. An existing pack is reused and costs nothing. */
export async function make(context: Context, options: MakeOptions): Promise<void> {
  const { terminal, signal } = context;
  const client = await connect(context);
  const request = await requestOf(context, client, options);
  if (options.isDry) {
    const quote = await client.jobs.quote(request, { signal });
    const text = `${request.selectedSizeIds.length} sizes cost ${quote.expectedCost.amount} credits. Nothing was ordered.`;
    terminal.result({ ...quote, request }, [text]);
    return;
  }
  const pack = await client.packs.create({ ...request, reuse: !options.again }, { signal });
  const { amount } = pack.job.expectedCost;
  terminal.note(
    pack.isReused
      ? `This pack was ordered before (${pack.id}): nothing is charged. --again orders it again.`
      : `Order ${pack.id}: ${request.selectedSizeIds.length} sizes for ${amount} credits.`,
  );
  await waitFor(context, pack);
  await saveFiles(context, pack, options.out, { paidCredits: pack.isReused ? 0 : amount });
}

/** Creates the request from the command line and uploads its files. */
export async function requestOf(
  { terminal, signal }: Context,
  client: CreativePacks,
  { fields, importLimitMs }: Pick<MakeOptions, "fields" | "importLimitMs">,
): Promise<PackRequest> {
  const folder = resolve(".");
  const mistakes: string[] = [];
  const input = await readPackInput(fields, new DesignReader(folder), mistakes);
  const maker = new RequestMaker(client, {
    signal,
    importLimitMs,
    onImport: noteImports(terminal),
    onUpload: (path, sent, total) => terminal.progress(sent / total, `uploading ${path}`),
  });
  try {
    // Finds mistakes before anything is uploaded.
    throwMistakes([...mistakes, ...(await maker.findMistakes(input, folder))]);
    return await maker.make(input, folder);
  } finally {
    terminal.endProgress();
  }
}
