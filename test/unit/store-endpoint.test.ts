import { describe, expect, it } from "vitest";
import { checkEndpoint, ENDPOINT_PATH_CHARACTERS_MAX } from "#platform/outbound/ssrf-guard.ts";

/** The service, the signer and the store parse an endpoint alike, and requests go only to its host. */

const CLOSED = { isLoopbackOpen: false };
const HOST = "https://store.acme.com";
const LONGEST = `/${"a".repeat(ENDPOINT_PATH_CHARACTERS_MAX - 1)}`;

it.each([
  [HOST, HOST],
  [`${HOST}/`, HOST],
  ["HTTPS://STORE.acme.com:443/", HOST],
  [`${HOST}:8443`, `${HOST}:8443`],
  ["https://project.supabase.co/storage/v1/s3", "https://project.supabase.co/storage/v1/s3"],
  [`${HOST}/storage/v1/s3/`, `${HOST}/storage/v1/s3`],
  [`${HOST}/Tenant_1/.well-known/~x/...`, `${HOST}/Tenant_1/.well-known/~x/...`],
  [`${HOST}${LONGEST}`, `${HOST}${LONGEST}`],
  [`${HOST}${LONGEST}/`, `${HOST}${LONGEST}`],
])("the endpoint %s is accepted, and stored in its canonical form", (written, kept) => {
  const checked = checkEndpoint(written, CLOSED);
  expect(checked).toEqual({ ok: true, value: kept });
  expect(checkEndpoint(kept, CLOSED)).toEqual(checked);
});

describe("rejected endpoints", () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    "dotted segments": "/. /.. /../x /a/../b /a/./b /a/.. /%2e%2e/x /a/%2E%2e /a/.%2e/b /a/%2e".split(" "),
    "encoded characters": ["/a%2fb", "/a%2Fb", "/a%5cb", "/%00", "/a%20b", "/%61", "/a%", "/a%252fb"],
    "empty names": ["//", "/a//b", "//a", "/a//"],
    "characters that signatures encode in more than one way": [..."+=:@;,&$!*'|\\ ä\t("].map(
      (each) => `/a${each}b`,
    ),
    "a query or a fragment": ["?", "/?", "?acl", "/a?", "/a?b=/c", "#", "/a#", "/a#b", "/a/?uploads"],
    "too many characters": [`${LONGEST}a`, `${LONGEST}a/`],
  };
  const table = Object.entries(refused).flatMap(([kind, rests]) => rests.map((rest) => ({ kind, rest })));

  it.each(table)("with $kind: $rest", ({ rest }) => {
    const checked = checkEndpoint(`${HOST}${rest}`, CLOSED);
    expect(checked).toMatchObject({ ok: false, code: "ADDRESS_REFUSED" });
    if (!checked.ok && rest.length > 3) expect(checked.message).not.toContain(rest);
  });

  it.each([
    "https://user:secret@store.acme.com/a",
    "https://10.0.0.1/storage/v1/s3",
    "https://minio.internal/storage/v1/s3",
    "http://store.acme.com/storage/v1/s3",
    "https://store.acme.com:9000/storage/v1/s3",
    "https:/store.acme.com/a",
    "store.acme.com/a",
    "/storage/v1/s3",
    "",
  ])("a rejected host is rejected with any path: %s", (written) => {
    expect(checkEndpoint(written, CLOSED)).toMatchObject({ ok: false, code: "ADDRESS_REFUSED" });
  });
});
