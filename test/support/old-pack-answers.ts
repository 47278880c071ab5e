import { newId } from "#platform/ids.ts";
import type { OldPack } from "./old-packs.ts";
import { call } from "./workspace.ts";

/** A caller with a key of the workspace. */
export interface Caller {
  readonly workspaceId: string;
  readonly secret: string;
}

/** The answer to a request, without its request id. */
async function answerTo({ secret }: Caller, method: string, path: string): Promise<string> {
  const headers = { "Idempotency-Key": newId() };
  const answer = await call(method, `/api/v1${path}`, { secret, ...(method === "POST" && { headers }) });
  const requestId: string = answer.body.meta.requestId;
  return `${answer.status} ${new TextDecoder().decode(answer.bytes).replaceAll(requestId, "…")}`;
}

/** Every page of a list. */
async function walk(caller: Caller, path: string): Promise<readonly string[]> {
  const pages: string[] = [];
  let before: string | null = null;
  do {
    const page = await answerTo(caller, "GET", `${path}${before === null ? "" : `&before=${before}`}`);
    pages.push(page);
    before = JSON.parse(page.slice(page.indexOf(" ") + 1)).data.nextBefore;
  } while (before !== null);
  return pages;
}

/** A workspace's list of jobs, and each pack's manifest. */
export const askForPacks = (caller: Caller, packs: readonly OldPack[]): Promise<readonly string[]> =>
  Promise.all(
    ["/jobs?limit=100", ...packs.map(({ artifactId }) => `/artifacts/${artifactId}`)].map((path) =>
      answerTo(caller, "GET", path),
    ),
  );

/** Every answer about packs, without request ids. */
export async function askAboutPacks(
  caller: Caller,
  packs: readonly OldPack[],
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const { jobId, artifactId, fileIds } of packs) {
    const artifact = `/artifacts/${artifactId}`;
    for (const path of [
      `/jobs/${jobId}`,
      artifact,
      `${artifact}/download`,
      ...fileIds.map((fileId) => `${artifact}/files/${fileId}/download`),
      `${artifact}/files/${jobId}/download`,
      `${artifact}/shares`,
    ]) {
      answers[path] = await answerTo(caller, "GET", path);
    }
    answers[`cancel ${jobId}`] = await answerTo(caller, "POST", `/jobs/${jobId}/cancel`);
    answers[`search ${jobId}`] = await walk(caller, `/artifacts?search=${jobId}`);
  }
  for (const list of [
    "/jobs?limit=3",
    "/jobs?limit=2&status=succeeded",
    `/jobs?limit=2&renderFingerprint=${"0".repeat(64)}`,
    "/artifacts?limit=3",
    "/artifacts?limit=2&motion=animated",
    "/artifacts?limit=2&search=a",
    "/usage?limit=5",
    "/usage/summary?from=2025-12-01&to=2026-02-28",
  ]) {
    answers[list] = await walk(caller, list);
  }
  return answers;
}
