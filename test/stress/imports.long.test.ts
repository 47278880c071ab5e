import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LOOPBACK_VARS } from "../../scripts/local/worker.ts";
import { LOGO } from "../fault/logo.ts";
import { ask, untilNextLook } from "./http-client.ts";
import { type LocalService, startLocalService } from "./local-service.ts";
import { reportStress } from "./report.ts";

/**
 * Imports in the real runtime: a redirect does not bypass the address guard, and a body that is cut off, too long or of
 * another type is detected.
 */

const MEGABYTE = new Uint8Array(1_048_576);
/** More than the maximum size of an upload. */
const HUGE_MEGABYTES = 27;

/** The server's behaviour by path. */
const PATHS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/logo": (response) => response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(LOGO),
  "/moved": (response) => response.writeHead(302, { Location: "/logo" }).end(),
  "/led-astray": (response) => response.writeHead(302, { Location: "https://10.0.0.1/logo" }).end(),
  "/to-metadata": (response) => response.writeHead(307, { Location: "http://169.254.169.254/latest" }).end(),
  "/round": (response) => response.writeHead(302, { Location: "/round" }).end(),
  "/says-huge": (response) =>
    response.writeHead(200, { "Content-Type": "image/png", "Content-Length": "99999999" }).write("x"),
  "/huge": (response) => {
    response
      .writeHead(200, { "Content-Type": "image/png" })
      .write(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
    let sent = 0;
    const next = (): void => {
      sent += 1;
      if (sent > HUGE_MEGABYTES) response.end();
      else response.write(MEGABYTE, next);
    };
    next();
  },
};

/** Paths whose first response breaks on the wire and whose second response is the file. */
const FAILING: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/truncated": (response) => {
    response.writeHead(200, { "Content-Type": "image/svg+xml", "Content-Length": String(LOGO.byteLength) });
    response.write(LOGO.subarray(0, 20), () => response.destroy());
  },
  "/unavailable": (response) => response.writeHead(503).end(),
};

let service: LocalService;
let server: Server;
const asked: string[] = [];

function answer(path: string, response: ServerResponse): void {
  const isFirst = !asked.includes(path);
  asked.push(path);
  const act = PATHS[path] ?? (isFirst ? FAILING[path] : PATHS["/logo"]);
  if (act === undefined) response.writeHead(404).end();
  else act(response);
}

beforeAll(async () => {
  server = createServer((request, response) => answer(request.url ?? "", response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service = await startLocalService([1], LOOPBACK_VARS);
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

const secretOf = (): string => service.workspaces[0]?.secret ?? "";

const read = async (path: string) =>
  (await ask(service.worker().origin, { method: "GET", path, secret: secretOf() })).body.data;

/** Imports a file of the server; returns the asset id. */
async function importFrom(path: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const sent = await ask(service.worker().origin, {
    ...{ method: "POST", path: "/api/v1/assets/imports", secret: secretOf(), idempotencyKey: path },
    body: { slotId: "logo", url: `http://127.0.0.1:${port}${path}` },
  });
  expect(sent.status).toBe(202);
  return String(sent.body.data.assetId);
}

/** Waits until no import is running. */
async function untilImported(): Promise<void> {
  while ((await read("/api/v1/assets?status=processing")).items.length > 0) await untilNextLook();
}

async function endOf(assetId: string): Promise<string> {
  const { status, rejection } = await read(`/api/v1/assets/${assetId}`);
  return rejection?.code ?? status;
}

it("imports survive redirects, wrong sizes and types, and wire failures", async ({ task }) => {
  const expected = {
    "/logo": "ready",
    "/moved": "ready",
    "/led-astray": "ADDRESS_REFUSED",
    "/to-metadata": "ADDRESS_REFUSED",
    "/round": "TOO_MANY_REDIRECTS",
    "/says-huge": "TOO_LARGE",
    "/huge": "TOO_LARGE",
    "/truncated": "ready",
    "/unavailable": "ready",
  };
  const paths = Object.keys(expected);
  const assetIds = await Promise.all(paths.map(importFrom));
  await untilImported();
  const ends = await Promise.all(
    paths.map(async (path, at) => [path, await endOf(assetIds[at] ?? "")] as const),
  );
  expect(Object.fromEntries(ends)).toEqual(expected);
  // The first request failed, and the second got the file.
  for (const path of Object.keys(FAILING)) expect(asked.filter((one) => one === path)).toHaveLength(2);
  const { leaks } = await service.readLogs();
  reportStress(task, { counts: { imports: paths.length }, leaked: leaks.length });
  expect(leaks).toEqual([]);
});
