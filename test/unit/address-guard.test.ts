import { describe, expect, it } from "vitest";
import { ADDRESS_CHARACTERS_MAX, checkAddress } from "../../src/deliveries/address-guard.ts";

/** Guarantee: no address that a customer gives makes the service reach into a network, or be read in two ways. */

const OPEN = { isLoopbackOpen: true };
const CLOSED = { isLoopbackOpen: false };

const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  "IPv4 in any spelling": [
    ...[
      "https://127.0.0.1/",
      "https://127.1/",
      "https://2130706433/",
      "https://0x7f000001/",
      "https://0177.0.0.1/",
    ],
    ...[
      "https://0x7f.0.0.1/",
      "https://017700000001/",
      "https://127.0.0.1./",
      "https://0/",
      "https://0.0.0.0/",
    ],
    ...[
      "https://10.0.0.1/",
      "https://172.16.0.1/",
      "https://192.168.1.1/",
      "https://100.64.0.1/",
      "https://224.0.0.1/",
    ],
    ...[
      "https://169.254.169.254/latest/meta-data/",
      "https://0xa9fea9fe/",
      "https://100.100.100.200/",
      "https://8.8.8.8/",
    ],
    ...["https://192.0.0.192/", "https://255.255.255.255/", "https://1.1.1.1/"],
  ],
  "IPv6, mapped, translated, unique local, link-local": [
    ...["https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/"],
    ...["https://[0:0:0:0:0:ffff:a9fe:a9fe]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/"],
    ...["https://[fd00:ec2::254]/", "https://[fe80::1]/", "https://[fc00::1]/", "https://[::127.0.0.1]/"],
    ...["https://[2001:4860:4860::8888]/", "https://[fe80::1%25eth0]/", "https://[ff02::1]/"],
  ],
  "names of private networks": [
    ...[
      "https://localhost/",
      "https://LOCALHOST/",
      "https://localhost./",
      "https://a.localhost/",
      "https://printer.local/",
    ],
    ...[
      "https://vault.internal/",
      "https://db.corp/",
      "https://nas.home.arpa/",
      "https://router.lan/",
      "https://intranet/",
    ],
    ...[
      "https://kubernetes.default.svc.cluster.local/",
      "https://kubernetes.default.svc/",
      "https://hooks.acme.com./",
      "https://minio.storage.svc/",
      "https://nas.workgroup/",
    ],
    ...[
      "https://1.0.0.127.in-addr.arpa/",
      "https://api.test/",
      "https://hidden.onion/",
      "https://localhost.localdomain/",
    ],
  ],
  "metadata services": [
    ...[
      "https://metadata.google.internal/",
      "https://metadata/",
      "https://metadata.goog/",
      "https://metadata.azure.com/",
    ],
    ...[
      "https://instance-data.ec2.internal/",
      "https://metadata.tencentyun.com/",
      "https://instance-data.acme.com/",
    ],
  ],
  "names with an address in them": [
    ...[
      "https://127.0.0.1.nip.io/",
      "https://app.10.0.0.1.sslip.io/",
      "https://7f000001.nip.io/",
      "https://localtest.me/",
    ],
    ...[
      "https://a.localtest.me/",
      "https://lvh.me/",
      "https://www.127-0-0-1.sslip.io/",
      "https://192-168-1-1.acme.com/",
    ],
    ...[
      "https://10.0.0.1.acme.com/",
      "https://--1.sslip.io/",
      "https://0--1.ipv6-literal.net/",
      "https://a.traefik.me/",
      "https://7f000001.c0a80001.rbndr.us/",
    ],
  ],
  "other schemes": [
    ...[
      "http://hooks.acme.com/",
      "ftp://hooks.acme.com/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/plain,x",
    ],
    ...[
      "gopher://hooks.acme.com/",
      "//hooks.acme.com/",
      "https:hooks.acme.com",
      "https:/hooks.acme.com",
      "https:///hooks.acme.com",
    ],
    ...["blob:https://hooks.acme.com/", "wss://hooks.acme.com/", "hooks.acme.com", ""],
  ],
  "other ports": [
    ...[
      "https://hooks.acme.com:80/",
      "https://hooks.acme.com:22/",
      "https://hooks.acme.com:6379/",
      "https://hooks.acme.com:8080/",
    ],
    ...[
      "https://hooks.acme.com:0/",
      "https://hooks.acme.com:65536/",
      "https://hooks.acme.com:44 3/",
      "https://hooks.acme.com:-1/",
    ],
  ],
  "credentials and fragments": [
    ...["https://user@hooks.acme.com/", "https://user:pass@hooks.acme.com/", "https://@hooks.acme.com/"],
    ...[
      "https://:@hooks.acme.com/",
      "https://hooks.acme.com@127.0.0.1/",
      "https://hooks.acme.com/#@127.0.0.1",
    ],
  ],
  "text that two readers read differently": [
    ...[
      " https://hooks.acme.com/",
      "https://hooks.acme.com/ ",
      "https://hooks.acme.com\\@127.0.0.1/",
      "https:\\\\127.0.0.1\\",
    ],
    ...[
      "https://hooks.acme.com\t/",
      "https://hooks.ac\nme.com/",
      "https://127.0.0.1%2f@hooks.acme.com/",
      "https://%6c%6f%63alhost/",
    ],
    ...[
      "https://loc%61lhost/",
      "https://127%2e0%2e0%2e1/",
      "https://hooks.acme.com\u0000/",
      "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    ],
    ...[
      "https://lоcalhost/",
      "https://①②⑦.⓪.⓪.①/",
      "https://127。0。0。1/",
      "https://ｌｏｃａｌｈｏｓｔ/",
      "https://hooks\u00ad.acme.com/",
    ],
    ...["https://hooks.acme.com/\u202e", "https://loca\u200dlhost/", "https://faß.acme.com/"],
  ],
  "host names that are none": [
    ...[
      "https://-hooks.acme.com/",
      "https://hooks_.acme.com/",
      "https://hooks..acme.com/",
      "https://.acme.com/",
      "https://acme.c/",
    ],
    ...[
      `https://${"a".repeat(64)}.acme.com/`,
      `https://${"a.".repeat(130)}com/`,
      "https://acme.123/",
      "https://*.acme.com/",
    ],
    `https://hooks.acme.com/${"a".repeat(ADDRESS_CHARACTERS_MAX)}`,
  ],
};

const TABLE = Object.entries(HOSTILE).flatMap(([kind, addresses]) =>
  addresses.map((address) => ({ kind, address })),
);

it("holds at least sixty hostile addresses, each once", () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(60);
  expect(new Set(TABLE.map(({ address }) => address)).size).toBe(TABLE.length);
});

it.each(TABLE)("refuses $kind: $address", ({ address }) => {
  const outcome = checkAddress(address, CLOSED);
  expect(outcome).toMatchObject({ ok: false, code: "ADDRESS_REFUSED" });
  // A reason that quotes the address would bring it into logs and pages.
  if (!outcome.ok && address.length > 12) expect(outcome.message).not.toContain(address);
});

it.each([
  "https://hooks.acme.com/packs?token=abc",
  "https://hooks.acme.com:8443/a/b",
  "HTTPS://Hooks.Acme.Com",
  "https://s3.eu-central-1.amazonaws.com",
  "https://0123456789abcdef.r2.cloudflarestorage.com",
  "https://xn--bcher-kva.example/",
  "https://acme.com:443/",
  "https://v1.2.3.acme.com/",
  "https://hooks.acme.com/a%20b",
])("takes %s", (address) => {
  expect(checkAddress(address, CLOSED)).toMatchObject({ ok: true });
});

describe("where loopback is open", () => {
  it.each([
    "http://127.0.0.1:9000/hook",
    "http://localhost:9000/",
    "http://[::1]:9000/",
    "https://127.0.0.1/",
  ])("takes %s, which is refused elsewhere", (address) => {
    expect(checkAddress(address, OPEN).ok).toBe(true);
    expect(checkAddress(address, CLOSED).ok).toBe(false);
  });

  it("nothing but this machine opens", () => {
    const isThisMachine = (address: string) => {
      const host = URL.canParse(address) ? new URL(address).hostname : "";
      return ["127.0.0.1", "[::1]", "localhost"].includes(host);
    };
    const others = TABLE.filter(({ address }) => !isThisMachine(address));
    expect(others.length).toBeGreaterThan(60);
    expect(others.filter(({ address }) => checkAddress(address, OPEN).ok)).toEqual([]);
  });
});
