import { expect } from "vitest";
import type { ArtifactFile } from "../../../sdk/src/index.ts";
import { change } from "./arrange.ts";
import type { Answer } from "./client.ts";
import { clientOf, finishLogoPack } from "./flow.ts";
import type { Harness } from "./harness.ts";
import { type Person, seedPerson, sendAs } from "./people.ts";

const POLLS_MAX = 300;
const POLL_MS = 50;

/** An account that delivers a finished pack of the rich workspace. */
export interface Sender {
  readonly person: Person;
  readonly artifactId: string;
  /** Path of an account route within the workspace. */
  readonly path: (rest: string) => string;
  readonly ask: (method: string, rest: string, json?: unknown) => Promise<Answer>;
  readonly sendOut: (destination: unknown, artifactId?: string) => Promise<Answer>;
  /** The delivery once it has ended, in any status. */
  readonly ended: (deliveryId: string) => Promise<Answer>;
  /** The manifest's files. */
  readonly files: () => Promise<readonly ArtifactFile[]>;
}

/** An owner of the rich workspace, with a pack of these sizes. */
export async function senderOf(harness: Harness, selectedSizeIds: readonly string[]): Promise<Sender> {
  const { service, rich } = harness;
  const person = await seedPerson(service);
  await change(
    service,
    "INSERT INTO workspace_members (workspace_id, account_id, role, created_at) VALUES (?, ?, 'owner', 1)",
    rich.workspaceId,
    person.accountId,
  );
  const { artifactId } = await finishLogoPack(service, rich.key, selectedSizeIds);
  const path = (rest: string) => `/api/account/workspaces/${rich.workspaceId}/${rest}`;
  const ask: Sender["ask"] = (method, rest, json) =>
    sendAs(service, person, method, path(rest), json === undefined ? {} : { json });
  return {
    person,
    artifactId,
    path,
    ask,
    sendOut: (json, id = artifactId) =>
      sendAs(service, person, "POST", `/api/account/artifacts/${id}/destinations`, { json }),
    ended: async (deliveryId) => {
      for (let poll = 0; poll < POLLS_MAX; poll += 1) {
        const answer = await ask("GET", `deliveries/${deliveryId}`);
        expect(answer.status).toBe(200);
        if (answer.body.data.finishedAt !== null) return answer;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      throw new Error(`delivery ${deliveryId} did not end`);
    },
    files: async () => (await clientOf(service, rich.key).artifacts.get(artifactId)).files,
  };
}
