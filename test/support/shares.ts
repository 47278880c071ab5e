import { expect } from "vitest";
import type { z } from "zod";
import { shareSchema } from "#api/schemas/share.ts";
import type { ReadyPack } from "./artifacts.ts";
import { type Answer, call } from "./workspace.ts";

type ShareView = z.infer<typeof shareSchema>;

/** A share link as a member sees it, and its token. */
export interface HeldShare {
  readonly share: ShareView;
  readonly token: string;
}

const sharesPath = ({ artifactId }: ReadyPack): string => `/api/v1/artifacts/${artifactId}/shares`;

/** Creates a link to a pack, validated against the published schema. */
export async function shareOf(pack: ReadyPack, body: object = {}): Promise<HeldShare> {
  const { secret } = pack.client;
  const answer = await call("POST", sharesPath(pack), { secret, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const share = shareSchema.strict().parse(answer.body.data);
  return { share, token: share.url?.split("/").at(-1) ?? "" };
}

export const listShares = (pack: ReadyPack): Promise<Answer> =>
  call("GET", sharesPath(pack), { secret: pack.client.secret });

export const revoke = (pack: ReadyPack, { share }: HeldShare): Promise<Answer> =>
  call("DELETE", `${sharesPath(pack)}/${share.shareId}`, { secret: pack.client.secret });

export const readComments = (pack: ReadyPack, { share }: HeldShare): Promise<Answer> =>
  call("GET", `${sharesPath(pack)}/${share.shareId}/comments`, { secret: pack.client.secret });

let networks = 0;

/** Headers of a visitor in their own network, so that their requests count towards no other test's rate limit. */
function fromOwnNetwork(): Record<string, string> {
  networks += 1;
  return { "CF-Connecting-IP": `2a01:${networks.toString(16)}::1` };
}

export const visit = (token: string, headers = fromOwnNetwork()): Promise<Answer> =>
  call("GET", `/api/v1/shared/${token}`, { headers });

export const picture = (
  token: string,
  fileId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  call("GET", `/api/v1/shared/${token}/files/${fileId}`, { headers: { ...fromOwnNetwork(), ...headers } });

export const say = (token: string, body: unknown, headers = fromOwnNetwork()): Promise<Answer> =>
  call("POST", `/api/v1/shared/${token}/comments`, { body, headers });
