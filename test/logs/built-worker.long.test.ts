import { afterAll, beforeAll, expect, it } from "vitest";
import type { Databases, NamedDatabase } from "#platform/databases/databases.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { seedWorkspace } from "../conformance/support/arrange.ts";
import { send } from "../conformance/support/client.ts";
import { clientOf, finishJob, uploadLogo } from "../conformance/support/flow.ts";
import { type Service, startService } from "../conformance/support/service.ts";
import { moveWorkspaces } from "../stress/mover.ts";
import { reportStress } from "../stress/report.ts";
import { parseLine, secretsIn } from "./secrets-in-text.ts";

/**
 * Guarantee: also the built worker, reached over HTTP, writes nothing but lines of known members, from the first
 * upload to the last download, its libraries and its runtime included.
 */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const AGENT = "Mozilla/5.0 (SecretPhone)";
const MARKER = "marker-of-installation-78";
const COPY = { headline: "Unreleased product beta" };

function databasesOf([directory, ...shards]: readonly NamedDatabase[]): Databases {
  if (directory === undefined) throw new Error("a service without a database");
  return {
    directory: directory.db,
    shards: new Map(shards.flatMap(({ home, db }) => (home === DIRECTORY ? [] : [[home, db]]))),
  };
}

interface Written {
  readonly message: string;
}

it("from an upload to a download, with refusals, a trial and noise for a picture", async ({ task }) => {
  const { key, workspaceId } = await seedWorkspace(service, { credits: 50 });
  const mover = moveWorkspaces(service, databasesOf(service.databases), [workspaceId]);
  const logoId = await uploadLogo(service, key);
  const ended = await finishJob(service, key, {
    contractId: "display.v1",
    selectedSizeIds: ["iab-300x250"],
    assetIds: { logo: logoId },
    copy: COPY,
  });
  const { url: link } = await clientOf(service, key).artifacts.getDownload(ended.artifactId);
  const headers = { "User-Agent": AGENT, "CF-Connecting-IP": "203.0.113.9" };
  const downloaded = await fetch(new URL(new URL(link).pathname, service.origin), { headers });
  await downloaded.arrayBuffer();
  expect(downloaded.status).toBe(200);
  await send(service, "GET", "/api/v1/downloads/none", { headers });
  await send(service, "GET", "/api/v1/balance", { key: `${key.slice(0, -1)}!`, headers });
  await send(service, "POST", "/api/v1/agent/trial-key", { json: { clientMarker: MARKER }, headers });
  await service.sweep();
  const { moves, undone } = await mover.end();

  const written: readonly Written[] = JSON.parse(service.logs());
  expect(written.length).toBeGreaterThan(10);
  const known = [key, AGENT, MARKER, COPY.headline, new URL(link).pathname.slice(-40), "logo.svg"];
  const tellTale = written.filter(({ message }) => secretsIn(message, known).length > 0);
  reportStress(task, {
    counts: { "log lines": written.length, moves },
    leaked: tellTale.length,
    hung: undone,
  });
  expect(undone).toBe(0);
  expect(tellTale).toEqual([]);
  expect(written.filter(({ message }) => parseLine(message) === null)).toEqual([]);
});
