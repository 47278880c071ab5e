import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../support/pictures.ts";
import { imbalance, misbooked, readBooks } from "./books.ts";
import {
  type Answer,
  ask,
  isMoving,
  jobRequest,
  mapAtOnce,
  type Sent,
  untilRetryAfter,
  uploadLogo,
} from "./http-client.ts";
import { type LocalService, startLocalService } from "./local-service.ts";
import { moveInBackground } from "./move-workspaces.ts";
import { reportStress } from "./report.ts";
import { stressScale } from "./scale.ts";
import { untilEnded } from "./until-ended.ts";

/**
 * Kills the whole process at random points. Confirmed results must persist, and unconfirmed requests may be repeated.
 * In the end each job has ended once, and the ledger matches the drawn jobs.
 */

/** More credits than all jobs cost. A wrong charge would change the remainder. */
const creditsGiven = (): number => stressScale().killJobs + 50;

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService([creditsGiven()]);
});
afterAll(() => service.stop());

const AT_A_TIME = 8;
/** Maximum responses between a start and the next kill. */
const ANSWERS_BETWEEN_KILLS_MAX = 80;
/** Kills the process after random numbers of responses, and restarts it. */
class Killer {
  readonly #random: () => number;
  #left: number;
  #answersLeft: number;
  #restarting: Promise<void> | null = null;

  constructor(kills: number, seed: number) {
    this.#random = seededRandom(seed);
    this.#left = kills;
    this.#answersLeft = this.#choose();
  }

  #choose(): number {
    return 1 + Math.floor(this.#random() * ANSWERS_BETWEEN_KILLS_MAX);
  }

  get isDone(): boolean {
    return this.#left === 0 && this.#restarting === null;
  }

  /** Counts a response, and kills the process if a kill is due. Concurrent requests then fail. */
  count(): void {
    this.#answersLeft -= 1;
    if (this.#left === 0 || this.#answersLeft > 0 || this.#restarting !== null) return;
    this.#left -= 1;
    this.#restarting = service.killAndRestart().then(() => {
      this.#answersLeft = this.#choose();
      this.#restarting = null;
    });
  }

  /** Waits until a restarting process accepts requests. */
  async ready(): Promise<void> {
    await this.#restarting;
  }
}

/** Sends a request until it gets a response below 500, as a client would. */
async function insist(killer: Killer, sent: Sent): Promise<Answer> {
  for (;;) {
    await killer.ready();
    try {
      const answer = await ask(service.worker().origin, sent);
      killer.count();
      if (isMoving(answer)) await untilRetryAfter(answer);
      else if (answer.status < 500 && answer.body?.error?.code !== "IDEMPOTENCY_IN_PROGRESS") return answer;
    } catch {
      // The process died during the request. Yields to the event loop, so that the restart proceeds.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Reads every file of a pack through the service, which verifies its hash. */
async function isWhole(killer: Killer, secret: string, artifactId: string): Promise<boolean> {
  const path = `/api/v1/artifacts/${artifactId}`;
  const { status, body } = await insist(killer, { method: "GET", path, secret });
  if (status !== 200 || body.data.files.length === 0) return false;
  for (const { fileId } of body.data.files) {
    const file = await insist(killer, { method: "GET", path: `${path}/files/${fileId}/download`, secret });
    if (file.status !== 200) return false;
  }
  return true;
}

it("after kills at random points every job ends and is charged correctly", async ({ task }) => {
  const { kills, killJobs, seed } = stressScale();
  const chosenSeed = seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  console.log(`STRESS_SEED=${chosenSeed} chooses these kills again`);
  const credits = creditsGiven();
  const secret = service.workspaces[0]?.secret ?? "";
  const logoId = await uploadLogo(service.worker().origin, secret);

  const background = moveInBackground(service);
  const killer = new Killer(kills, chosenSeed);
  const requests = Array.from({ length: killJobs }, (_, at) => jobRequest(secret, logoId, `kill-${at}`));
  const answers = await mapAtOnce(AT_A_TIME, requests, async (request) => {
    const answer = await insist(killer, request);
    // Polls count as responses too, so that kills also happen while packs are drawn.
    await insist(killer, { method: "GET", path: `/api/v1/jobs/${answer.body.data?.jobId}`, secret });
    return answer;
  });
  while (!killer.isDone) {
    await insist(killer, { method: "GET", path: "/api/v1/balance", secret });
    await killer.ready();
  }

  const { moves, undone } = await background.end();
  const send = (sent: Sent) => insist(killer, sent);
  const hung = undone + (await untilEnded(service, send, secret));
  const books = await readBooks(send, secret);
  const stored = new Set(books.jobs.map(({ jobId }) => jobId));
  const promised = new Set(answers.map(({ body }) => String(body.data?.jobId)));
  const succeeded = books.jobs.filter(({ status }) => status === "succeeded");
  const whole = await mapAtOnce(AT_A_TIME, succeeded, ({ artifactId }) =>
    isWhole(killer, secret, artifactId ?? ""),
  );
  const lost =
    [...promised].filter((jobId) => !stored.has(jobId)).length +
    whole.filter((is) => !is).length +
    imbalance(books);
  const duplicated = books.jobs.length - killJobs + misbooked(books).length;
  reportStress(task, {
    counts: { kills, "jobs through kills": killJobs, "packs whole": succeeded.length, moves },
    lost,
    duplicated: Math.max(0, duplicated),
    hung,
  });
  expect({ hung, lost, duplicated, promised: promised.size }).toEqual({
    hung: 0,
    lost: 0,
    duplicated: 0,
    promised: killJobs,
  });
  // Jobs that were not drawn failed and were refunded, so nothing else may be charged.
  expect(books.credits).toBe(credits - succeeded.length);
});

it("logs contain no secrets", async ({ task }) => {
  const { lines, leaks } = await service.readLogs();
  reportStress(task, { counts: { "log lines read": lines }, leaked: leaks.length });
  expect(lines).toBeGreaterThan(10);
  expect(leaks.slice(0, 10)).toEqual([]);
});
