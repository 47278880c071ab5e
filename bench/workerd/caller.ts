import {
  ApiError,
  type CreatePack,
  type CreativePacks,
  type MimeType,
  PackFailedError,
  type SlotId,
} from "../../sdk/src/index.ts";
import { openClient } from "./client.ts";
import type { Dearest } from "./dearest-requests.ts";

/** A file to upload; width and height for pictures of pixels. */
export interface Upload {
  readonly slotId: SlotId;
  readonly mimeType: MimeType;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Sends requests whose cost is asked for, whatever they are answered with. Without a `Dearest` nothing is measured. */
export interface Caller {
  /** Intent, bytes, completion; the ready asset's id, or null where it was rejected. */
  readonly upload: (dearest: Dearest | null, what: string, file: Upload) => Promise<string | null>;
  readonly preview: (dearest: Dearest | null, what: string, request: CreatePack) => Promise<void>;
  /** Until the job has ended; the artifact's id, or null where there is none. */
  readonly job: (
    dearest: Dearest | null,
    what: string,
    request: CreatePack,
    credits: number,
  ) => Promise<string | null>;
  /** Any call of the client. Throws where it is refused. */
  readonly call: <T>(
    dearest: Dearest,
    route: string,
    what: string,
    run: (client: CreativePacks) => PromiseLike<T>,
  ) => Promise<T>;
  /** What the client has no call for: documents, and with a body accounts. */
  readonly fetchAll: (
    dearest: Dearest,
    route: string,
    what: string,
    path: string,
    body?: object,
  ) => Promise<void>;
}

/** Asking seldom: each poll is work of the process that is measured. */
const POLL_MS = 400;
/** Beyond this something hangs. */
const JOB_MS_MAX = 300_000;

/** What a call gave, or the refusal that it met. */
type Ended<T> = { readonly data: T } | { readonly refusal: ApiError };

const endOf = <T>(called: PromiseLike<T>): Promise<Ended<T>> =>
  Promise.resolve(called).then(
    (data) => ({ data }),
    (thrown) => {
      if (thrown instanceof ApiError) return { refusal: thrown };
      throw thrown;
    },
  );

/** How a request ended, where that is worth saying. */
const describeEnd = <T>(ended: Ended<T>): string =>
  "refusal" in ended ? ` (${ended.refusal.status} ${ended.refusal.code})` : "";

function dataOf<T>(ended: Ended<T>): T {
  if ("refusal" in ended) throw ended.refusal;
  return ended.data;
}

const measured = <T>(
  dearest: Dearest | null,
  route: string,
  credits: number,
  run: () => Promise<{ readonly value: T; readonly what: string }>,
): Promise<T> => (dearest === null ? run().then(({ value }) => value) : dearest.measure(route, credits, run));

const answered = <T>(
  dearest: Dearest | null,
  route: string,
  what: string,
  run: () => PromiseLike<T>,
): Promise<Ended<T>> =>
  measured(dearest, route, 0, async () => {
    const value = await endOf(run());
    return { value, what: `${what}${describeEnd(value)}` };
  });

const routeOfJob = (credits: number): string =>
  `POST /jobs, ${credits === 3 ? "animated" : credits === 1 ? "static" : "a whole pack"}`;

/** Orders a pack and waits for its end; the artifact's id, or null and how it ended otherwise. */
async function drawToEnd(client: CreativePacks, request: CreatePack, what: string) {
  const ended = await endOf(client.packs.create(request));
  if ("refusal" in ended) return { value: null, what: `${what}${describeEnd(ended)}` };
  const pack = ended.data;
  try {
    await pack.wait({ pollMs: POLL_MS, signal: AbortSignal.timeout(JOB_MS_MAX) });
  } catch (thrown) {
    if (!(thrown instanceof PackFailedError)) throw thrown;
  }
  const { artifactId, failure } = pack.job;
  return { value: artifactId, what: failure === null ? what : `${what} (${failure.code})` };
}

/** The steps of an upload one by one, because each is a route of its own. */
async function uploadBySteps(
  client: CreativePacks,
  dearest: Dearest | null,
  what: string,
  { slotId, mimeType, bytes, size }: Upload,
): Promise<string | null> {
  const byteLength = bytes.byteLength;
  const intent = { slotId, fileName: `${slotId}.bin`, mimeType, byteLength, ...size };
  const { uploadId, assetId } = dataOf(
    await answered(dearest, "POST /assets/uploads", what, () => client.uploads.create(intent)),
  );
  await answered(dearest, "PUT /assets/uploads/{uploadId}/object", what, () =>
    client.uploads.putObject(uploadId, { contentType: mimeType, make: () => bytes }),
  );
  const kind = slotId === "font" ? "font" : mimeType.replace("image/", "");
  const completed = await answered(dearest, `POST /assets/uploads/{uploadId}/complete, ${kind}`, what, () =>
    client.uploads.complete(uploadId, { assetId, byteLength }),
  );
  return "data" in completed ? assetId : null;
}

export function createCaller(origin: string, secret: string): Caller {
  const client = openClient(origin, secret);
  return {
    upload: (dearest, what, file) => uploadBySteps(client, dearest, what, file),
    preview: async (dearest, what, request) => {
      await answered(dearest, "POST /previews", what, () => client.previews.create(request));
    },
    job: (dearest, what, request, credits) =>
      measured(dearest, routeOfJob(credits), credits, () => drawToEnd(client, request, what)),
    call: async (dearest, route, what, run) =>
      dataOf(await answered(dearest, route, what, () => run(client))),
    fetchAll: (dearest, route, what, path, body) =>
      measured(dearest, route, 0, async () => {
        const response = await fetch(`${origin}${path}`, {
          headers: { "Content-Type": "application/json", Origin: origin },
          ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        });
        await response.arrayBuffer();
        return { value: undefined, what: response.ok ? what : `${what} (${response.status})` };
      }),
  };
}
