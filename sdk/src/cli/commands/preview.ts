import { writeFile } from "node:fs/promises";
import { type Context, connect } from "../context.ts";
import { cannotWrite, writeWhole } from "../write-whole.ts";
import { requestOf } from "./make.ts";

export const FRAMES = ["first", "middle", "last"] as const;
export type Frame = (typeof FRAMES)[number];

interface PreviewOptions {
  /** Only for animations. */
  readonly frame: Frame | undefined;
  readonly out: string | undefined;
  readonly importLimitMs: number;
}

/** Saves a free, watermarked preview of the first size of a pack. */
export async function preview(
  context: Context,
  fields: Readonly<Record<string, string | undefined>>,
  { frame, out, importLimitMs }: PreviewOptions,
): Promise<void> {
  const { terminal, signal } = context;
  const client = await connect(context);
  const request = await requestOf(context, client, { fields, importLimitMs });
  const { image, layout, quota, cached, predicted } = await client.previews.create(
    { ...request, ...(frame === undefined ? {} : { frame }) },
    { signal },
  );
  const path = out ?? `preview-${request.selectedSizeIds[0] ?? "pack"}.png`;
  const bytes = Buffer.from(image.base64, "base64");
  await writeWhole(path, (part) => writeFile(part, bytes, { flag: "wx" })).catch((error) =>
    Promise.reject(cannotWrite(path, error)),
  );
  terminal.result({ path, layout, predicted, cached, quota }, [
    path,
    ...layout.adjustments.map(({ message }) => terminal.paint.faint(message)),
    `${quota.product.remaining} of ${quota.product.limit} previews are left until ${quota.product.resetsAt}.`,
  ]);
}
