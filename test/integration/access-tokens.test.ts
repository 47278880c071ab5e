import { env } from "cloudflare:workers";
import { base64ToString, stringToBase64 } from "uint8array-extras";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { signGrant } from "#domains/artifacts/download-token.ts";
import { clock } from "#platform/clock.ts";
import { equalsInConstantTime, hmacSha256 } from "#platform/crypto/hashing.ts";
import { reportAccessAttempts } from "../support/access.ts";
import { firstFile, linksOf, pathOf, type ReadyPack, readyPack } from "../support/artifacts.ts";
import { call } from "../support/workspace.ts";

reportAccessAttempts();

const PREFIX = "/api/v1/downloads/";
const CURRENT = env.DOWNLOAD_SIGNING_KEY ?? "";
let pack: ReadyPack;
let other: ReadyPack;
let token: string;
let fileToken: string;

beforeAll(async () => {
  pack = await readyPack();
  other = await readyPack();
  const links = await linksOf(pack);
  token = pathOf(links.url).slice(PREFIX.length);
  fileToken = pathOf(links.files[0]?.url ?? "").slice(PREFIX.length);
});

const statusOf = async (text: string): Promise<readonly [number, string | undefined]> => {
  const { status, body } = await call("GET", PREFIX + encodeURIComponent(text));
  return [status, body?.error?.code];
};

const REFUSED = [403, "LINK_INVALID"];

/** Base64url of a text. `unpacked` decodes it. */
const packed = (text: string): string => stringToBase64(text, { urlSafe: true });
const unpacked = base64ToString;
const partsOf = (text: string): readonly [string, string, string] => {
  const [keyId = "", payload = "", signature = ""] = text.split(".");
  return [keyId, payload, signature];
};

describe("an altered link is refused", () => {
  it("if any one character differs", async () => {
    expect((await statusOf(token))[0]).toBe(200);
    const reads = vi.spyOn(env.DB, "batch");
    for (let at = 0; at < token.length; at += 1) {
      const replaced = token[at] === "A" ? "B" : "A";
      expect(await statusOf(token.slice(0, at) + replaced + token.slice(at + 1)), `at ${at}`).toEqual(
        REFUSED,
      );
    }
    // Only an import of an earlier test may still write meanwhile.
    const others = reads.mock.calls.filter((call) => !JSON.stringify(call).includes("asset_imports"));
    expect(others).toEqual([]);
  });

  it("if its workspace, artifact, file or time is changed", async () => {
    const [keyId, payload, signature] = partsOf(token);
    const grant: unknown[] = JSON.parse(unpacked(payload));
    const changes: readonly (readonly [number, unknown])[] = [
      [0, other.client.workspaceId],
      [1, other.artifactId],
      [2, firstFile(other).fileId],
      [3, Number.MAX_SAFE_INTEGER],
      [3, "9".repeat(20)],
    ];
    for (const [at, value] of changes) {
      const altered = packed(JSON.stringify(grant.map((member, index) => (index === at ? value : member))));
      expect(await statusOf(`${keyId}.${altered}.${signature}`)).toEqual(REFUSED);
    }
  });

  it("if it is combined from two valid links", async () => {
    const [keyId, payload, signature] = partsOf(token);
    const [, filePayload, fileSignature] = partsOf(fileToken);
    expect(await statusOf(`${keyId}.${payload}.${fileSignature}`)).toEqual(REFUSED);
    expect(await statusOf(`${keyId}.${filePayload}.${signature}`)).toEqual(REFUSED);
  });

  it("if it encodes the same bytes differently, or is truncated, extended, empty or malformed", async () => {
    const [keyId, payload, signature] = partsOf(token);
    for (const wrong of [
      `${keyId}.${payload}.${signature}=`,
      `${keyId}.${payload}=.${signature}`,
      `${keyId}.${payload}.${signature}.`,
      `${keyId}.${payload}.`,
      `${keyId}..${signature}`,
      `.${payload}.${signature}`,
      `${token}\u0000`,
      ` ${token}`,
      token.toUpperCase(),
      `${keyId}.${"A".repeat(100_000)}.${signature}`,
      "..",
      "__proto__",
      "ＡＢＣ.ＡＢＣ.ＡＢＣ",
      pack.client.secret,
    ]) {
      expect((await statusOf(wrong))[0], wrong.slice(0, 60)).toSatisfy(
        (status) => status === 403 || status === 404,
      );
    }
  });
});

describe("only the service's own signature is accepted", () => {
  const grant = () => ({
    workspaceId: pack.client.workspaceId,
    artifactId: pack.artifactId,
    fileId: null,
    expiresAtMs: clock.now() + 60_000,
  });

  it("a signature by another key, or by the same key for another purpose, is refused", async () => {
    const forged = await signGrant({ current: "x".repeat(40), previous: null }, grant());
    expect(await statusOf(forged)).toEqual(REFUSED);
    const [keyId] = partsOf(token);
    const [, payload] = partsOf(await signGrant({ current: CURRENT, previous: null }, grant()));
    for (const message of [payload, `${keyId}.${payload}`, `\n${keyId}.${payload}`]) {
      const bytes = await hmacSha256(CURRENT, message);
      const signature = packed(String.fromCharCode(...bytes));
      expect(await statusOf(`${keyId}.${payload}.${signature}`)).toEqual(REFUSED);
    }
  });

  it("a signed link that names an artifact with the wrong workspace finds nothing", async () => {
    const mixed = await signGrant(
      { current: CURRENT, previous: null },
      { ...grant(), workspaceId: other.client.workspaceId },
    );
    expect((await statusOf(mixed))[0]).toBe(404);
  });
});

describe("a link's expiry", () => {
  it("is exact to the millisecond; before it the link may be used repeatedly", async () => {
    const { expiresAt } = await linksOf(pack);
    const endMs = Date.parse(expiresAt);
    const fresh = pathOf((await linksOf(pack)).url).slice(PREFIX.length);
    const freshEndMs: unknown = JSON.parse(unpacked(partsOf(fresh)[1]))[3];
    if (typeof freshEndMs !== "number") throw new Error("a link has an end");
    expect(freshEndMs).toBeGreaterThanOrEqual(endMs);
    vi.spyOn(clock, "now").mockReturnValue(freshEndMs - 1);
    expect((await statusOf(fresh))[0]).toBe(200);
    expect((await statusOf(fresh))[0]).toBe(200);
    vi.spyOn(clock, "now").mockReturnValue(freshEndMs);
    expect(await statusOf(fresh)).toEqual(REFUSED);
  });
});

it("a link's token is not accepted as an API key, and a file's link downloads only that file", async () => {
  expect((await call("GET", "/api/v1/balance", { secret: token })).status).toBe(401);
  const answer = await call("GET", PREFIX + fileToken);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Disposition")).toContain(firstFile(pack).fileName);
  expect(answer.headers.get("Content-Type")).not.toBe("application/zip");
});

it("signatures are compared completely, wherever they differ", () => {
  const expected = new Uint8Array(43).fill(7);
  const readsFor = (wrongAt: number): number => {
    let reads = 0;
    const counted = new Proxy(
      expected.map((byte, at) => (at === wrongAt ? byte + 1 : byte)),
      {
        get(target, name) {
          if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
          return Reflect.get(target, name);
        },
      },
    );
    equalsInConstantTime(counted, expected);
    return reads;
  };
  expect([0, 20, 42, -1].map(readsFor)).toEqual([43, 43, 43, 43]);
});
