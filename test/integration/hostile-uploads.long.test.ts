import { beforeAll, describe, expect, it, vi } from "vitest";
import { bombsOf } from "../corpus/bombs/index.ts";
import { type Kind, MIME_TYPES } from "../corpus/kinds.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { complete, createIntent, sendBytes } from "../support/assets.ts";
import { JPEG, png, WEBP } from "../support/files.ts";
import {
  type Client,
  deliver,
  eventsOf,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

const { isQuick } = stressScale();
/** Number of bombs uploaded per workspace, few enough for its rate limits. */
const BOMBS_PER_GROUP = 15;
const bombs = bombsOf(isQuick).filter((_, index) => !isQuick || index % 16 === 0);
const groups = Array.from({ length: Math.ceil(bombs.length / BOMBS_PER_GROUP) }, (_, group) =>
  bombs.slice(group * BOMBS_PER_GROUP, (group + 1) * BOMBS_PER_GROUP),
);

interface Upload {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
  readonly width?: number;
  readonly height?: number;
}

interface Uploaded {
  readonly assetId: string;
  readonly status: number;
  readonly code: string | undefined;
}

/** Uploads a bomb: intent, bytes, completion. The declared width and height are large enough for a logo. */
async function upload(secret: string, { kind, bytes, width = 300, height = 300 }: Upload): Promise<Uploaded> {
  const isFont = kind === "otf" || kind === "ttf";
  const intent = await createIntent(secret, {
    slotId: isFont ? "font" : "logo",
    fileName: `hostile.${kind}`,
    mimeType: MIME_TYPES[kind],
    bytes,
    ...(isFont || kind === "svg" ? {} : { width, height }),
  });
  expect((await sendBytes(secret, intent, Uint8Array.from(bytes))).status).toBe(204);
  const response = await complete(secret, intent);
  const body: { error?: { code?: string } } = await response.json();
  return { assetId: intent.assetId, status: response.status, code: body.error?.code };
}

const creditsOf = async (secret: string): Promise<number> =>
  (await call("GET", "/api/v1/balance", { secret })).body.data.credits.available;

/** Draws a job of the asset with the worker's consumer; null if the job is refused. */
async function draw(client: Client, kind: Kind, assetId: string) {
  const isFont = kind === "otf" || kind === "ttf";
  const changes = isFont
    ? { assetIds: { logo: client.logoId, font: assetId }, copy: { headline: "Boxes" } }
    : { assetIds: { logo: assetId } };
  const answer = await postJob(client.secret, packOf(client, changes));
  if (answer.status === 422) return null;
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const { jobId } = jobIn(answer);
  await deliver({ jobId, part: 0 });
  return readJob(client.secret, jobId);
}

/** Hash of the first file of a pack with a good logo. */
async function goodHash(client: Client): Promise<string> {
  const job = await draw(client, "svg", client.logoId);
  expect(job?.status).toBe("succeeded");
  const manifest = await call("GET", `/api/v1/artifacts/${job?.artifactId}`, { secret: client.secret });
  return manifest.body.data.files[0].checksum.value;
}

let reference: string;
beforeAll(async () => {
  holdQueue();
  reference = await goodHash(await workspaceWithLogo({ credits: 5 }));
  vi.restoreAllMocks();
});

it.for(groups.map((group, index) => ({ index, group })))(
  "hand-made decompression bombs do no harm in upload, completion and job: group $index",
  async ({ group }, { task }) => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 100 });
    let spent = 0;
    for (const { name, kind, make } of group) {
      const uploaded = await upload(client.secret, { kind, bytes: make() });
      expect([200, 422], name).toContain(uploaded.status);
      if (uploaded.status === 422) {
        expect(uploaded.code, name).toBe("ASSET_REJECTED");
        const refused = await postJob(client.secret, packOf({ logoId: uploaded.assetId }));
        expect([409, 422], name).toContain(refused.status);
      } else {
        const job = await draw(client, kind, uploaded.assetId);
        if (job?.status === "succeeded") spent += 1;
        else if (job !== null) {
          expect([job.status, job.failure?.refunded], name).toEqual(["failed", true]);
          expect(job.failure?.code, name).not.toBe("RENDERING_FAILED");
        }
      }
      expect(await creditsOf(client.secret), name).toBe(100 - spent);
    }
    expect(await goodHash(client)).toBe(reference);
    await expectInvariants(client.workspaceId);
    reportStress(task, { counts: { "bombs over HTTP": group.length } });
  },
);

/** A copy of the bytes in which the `count` bytes from `from` on have the same value. */
const overwritten = (bytes: Uint8Array, from: number, count: number, value: number): Uint8Array => {
  const out = Uint8Array.from(bytes);
  out.fill(value, from, from + count);
  return out;
};

const PNG = png(300, 300);
const DAMAGED: Readonly<Record<string, Upload>> = {
  "a WebP whose first partition is noise": {
    kind: "webp",
    bytes: overwritten(WEBP, 34, 200, 0xa5),
    width: 540,
    height: 360,
  },
  "a JPEG whose Huffman codes are noise": {
    kind: "jpeg",
    bytes: overwritten(JPEG, JPEG.length - 1_200, 1_150, 0xfe),
    width: 540,
    height: 360,
  },
};

describe("files that are harmful only when drawn", () => {
  it.for(Object.entries(DAMAGED))(
    "%s: the job ends, and is refunded unless it was drawn",
    async ([, file], { task }) => {
      holdQueue();
      const client = await workspaceWithLogo({ credits: 5 });
      const uploaded = await upload(client.secret, file);
      expect([200, 422]).toContain(uploaded.status);
      if (uploaded.status === 200) {
        const job = await draw(client, file.kind, uploaded.assetId);
        expect(["succeeded", "failed"]).toContain(job?.status);
        const events = await eventsOf(job?.jobId ?? "");
        expect(events.map(({ type }) => type)).toEqual(
          job?.status === "failed" ? ["consumption", "refund"] : ["consumption"],
        );
      }
      expect(await goodHash(client)).toBe(reference);
      await expectInvariants(client.workspaceId);
      reportStress(task, { counts: { "bombs over HTTP": 1 } });
    },
  );

  it("an APNG declared as PNG is refused at completion; a PNG with an appended ZIP is drawn as PNG", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 5 });
    const zip = new TextEncoder().encode("PK\u0003\u0004<script>alert(1)</script>PK\u0005\u0006");
    const polyglot = new Uint8Array(PNG.length + zip.length);
    polyglot.set(PNG);
    polyglot.set(zip, PNG.length);
    const taken = await upload(client.secret, { kind: "png", bytes: polyglot });
    expect(taken.status).toBe(200);
    expect((await draw(client, "png", taken.assetId))?.status).toBe("succeeded");
    const animated = new Uint8Array(PNG.length + 20);
    animated.set(PNG.subarray(0, 33));
    animated.set([0, 0, 0, 8, 0x61, 0x63, 0x54, 0x4c, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0], 33);
    animated.set(PNG.subarray(33), 53);
    const refused = await upload(client.secret, { kind: "png", bytes: animated });
    expect([refused.status, refused.code]).toEqual([422, "ASSET_REJECTED"]);
  });
});
