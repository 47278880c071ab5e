import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type SeededKey, seedKey } from "../../conformance/support/arrange.ts";
import { clientOf, finishJob } from "../../conformance/support/flow.ts";
import { type Person, sendAs } from "../../conformance/support/people.ts";
import { readSample } from "../../support/renderer.ts";
import type { Studio } from "./studio.ts";

/** Content of a workspace that has been used for a while, made through the API. */

const HEADLINE = "Soft as the first warm day";
const PACK_SIZES = ["iab-300x250", "iab-728x90", "meta-story-1080x1920"];

export interface SeededPack extends SeededKey {
  readonly artifactId: string;
  readonly jobId: string;
  /** Asset id of the pack's photo. */
  readonly mediaId: string;
}

/** A finished pack of three sizes; costs 3 credits. */
export async function seedPack(
  { service }: Studio,
  { workspaceId }: Pick<Person, "workspaceId">,
): Promise<SeededPack> {
  const seeded = await seedKey(service, workspaceId, {});
  const client = clientOf(service, seeded.key);
  const media = await client.assets.upload(readSample("dandelion.jpg"), {
    slot: "media",
    name: "meadow.jpg",
  });
  const { artifactId, jobId } = await finishJob(service, seeded.key, {
    contractId: "campaign.v1",
    selectedSizeIds: PACK_SIZES,
    assetIds: { media: media.assetId },
    copy: { headline: HEADLINE },
  });
  return { ...seeded, artifactId, jobId, mediaId: media.assetId };
}

/** A share link of a pack. */
export async function seedShare({ service }: Studio, { key, artifactId }: SeededPack) {
  const share = await clientOf(service, key).shares.create(artifactId, { name: "For Grace" });
  if (share.url === null) throw new Error("a new link has no address");
  return { shareId: share.shareId, url: share.url };
}

/** A webhook without a listening receiver. */
export async function seedWebhook({ service }: Studio, person: Person): Promise<void> {
  const path = `/api/account/workspaces/${person.workspaceId}/destinations`;
  const json = { kind: "webhook", url: "https://hooks.example.com/packs", events: ["job.succeeded"] };
  expect((await sendAs(service, person, "POST", path, { json })).status).toBe(201);
}

/** The code of an invitation, as its link has it after the `#`. */
export async function seedInvitation({ service }: Studio, person: Person): Promise<string> {
  const path = `/api/account/workspaces/${person.workspaceId}/invitations`;
  const { status, body } = await sendAs(service, person, "POST", path, { idempotencyKey: randomUUID() });
  expect(status).toBe(201);
  return body.data.code;
}
