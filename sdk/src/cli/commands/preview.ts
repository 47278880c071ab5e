import { rename, rm, writeFile } from "node:fs/promises";
import { SaveError } from "../../index.ts";
import { connect, type Context } from "../context.ts";
import { requestOf } from "./make.ts";

/** Draws the first size of a pack, protected and free, into a file. */
export async function preview(
  context: Context,
  fields: Readonly<Record<string, string | undefined>>,
  out: string | undefined,
): Promise<void> {
  const { terminal, signal } = context;
  const client = await connect(context);
  const request = await requestOf(context, client, fields);
  const { image, layout, quota, cached, predicted } = await client.previews.create(request, { signal });
  const path = out ?? `preview-${request.selectedSizeIds[0] ?? "pack"}.${image.mimeType.split("/")[1] ?? "png"}`;
  await save(path, Buffer.from(image.data, "base64"));
  const notes = layout.adjustments.length > 0 ? [`Adjusted: ${layout.adjustments.join(", ")}`] : [];
  terminal.result({ path, layout, predicted, cached, quota }, [
    path,
    ...notes,
    `${quota.remaining} of ${quota.limit} previews are left until ${quota.resetAt}.`,
  ]);
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await writeFile(temporary, bytes, { flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    throw new SaveError(`${path} cannot be written: ${code ?? error}.`, code, { cause: error });
  }
}
