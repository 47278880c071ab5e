import { afterAll, beforeAll, expect, it } from "vitest";
import { countOpen, imbalance, misbooked, readBooks, spentIn } from "./books.ts";
import {
  type Answer,
  askWhileMoving,
  atATime,
  jobRequest,
  type Sent,
  untilNextLook,
  uploadLogo,
} from "./http-client.ts";
import { type LocalService, startLocalService } from "./local-service.ts";
import { type Meanwhile, moveMeanwhile } from "./mover.ts";
import { reportStress } from "./report.ts";
import { stressScale } from "./scale.ts";

/** Guarantee: however many ask at once, each answer is exact, none is an error of ours, and the sums are right. */

/** What the workspace of each load may spend. */
function creditsGiven() {
  const { loadRequests } = stressScale();
  return {
    identical: 10,
    distinct: Math.ceil(loadRequests * 0.8),
    // An odd number: requests of two and of one credit meet at its end.
    last: Math.floor((keyCount() * requestsPerKey()) / 4) * 2 + 1,
  };
}

/** Keys that spend the last credits of one workspace. */
const keyCount = (): number => (stressScale().isQuick ? 8 : 20);
const requestsPerKey = (): number => Math.max(2, Math.round(stressScale().loadRequests / 100));

let service: LocalService;
let mover: Meanwhile;
beforeAll(async () => {
  const { identical, distinct, last } = creditsGiven();
  service = await startLocalService([identical, distinct, last]);
  mover = moveMeanwhile(service);
});
afterAll(() => service.stop());

const AT_A_TIME = 100;
/** What a client that waited ten seconds for a twin is told to do: ask again. */
const RETRIES_MAX = 20;

interface Client {
  readonly secret: string;
  readonly logoId: string;
}

/** The workspace at this place of the grants, with a logo. */
async function clientAt(place: number): Promise<Client> {
  const secret = service.workspaces[place]?.secret ?? "";
  return { secret, logoId: await uploadLogo(service.worker().origin, secret, send) };
}

/** Sends it, and again while the service says that its twin is still at work. */
async function send(sent: Sent): Promise<Answer> {
  for (let retry = 0; retry < RETRIES_MAX; retry += 1) {
    const answer = await askWhileMoving(service.worker().origin, sent);
    if (answer.body?.error?.code !== "IDEMPOTENCY_IN_PROGRESS") return answer;
  }
  throw new Error("a request never got its turn");
}

const sendAll = (requests: readonly Sent[]): Promise<Answer[]> => atATime(AT_A_TIME, requests, send);

/** How many answers have each status. */
function countByStatus(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const failuresOfOurs = (answers: readonly Answer[]): readonly Answer[] =>
  answers.filter(({ status }) => status >= 500);

const booksOf = ({ secret }: Client) => readBooks(send, secret);

/** More than half an hour: a job that is open after it hangs. */
const LOOKS_MAX = 9_000;

/** Looks at all jobs of the workspace at once until they have ended; gives how many have not. */
async function untilEnded({ secret }: Client): Promise<number> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if ((await countOpen(send, secret)) === 0) return 0;
    await untilNextLook();
  }
  return countOpen(send, secret);
}

const cancelRequest = ({ secret }: Client, jobId: string): Sent => ({
  method: "POST",
  path: `/api/v1/jobs/${jobId}/cancel`,
  secret,
});

it("identical requests make one job and take its price once", async ({ task }) => {
  const { loadRequests } = stressScale();
  const client = await clientAt(0);
  const request = jobRequest(client.secret, client.logoId, "identical");
  const answers = await sendAll(Array.from({ length: loadRequests }, () => request));
  const jobIds = [...new Set(answers.flatMap(({ body }) => body.data?.jobId ?? []))].map(String);
  const hung = await untilEnded(client);
  const books = await booksOf(client);
  reportStress(task, {
    counts: { "identical requests": loadRequests },
    lost: failuresOfOurs(answers).length + imbalance(books),
    duplicated: books.jobs.length - 1 + misbooked(books).length,
    hung,
  });
  expect(failuresOfOurs(answers)).toEqual([]);
  expect(countByStatus(answers)).toEqual({ 202: 1, 200: loadRequests - 1 });
  expect([jobIds.length, books.jobs.length, hung, books.credits]).toEqual([1, 1, 0, 9]);
  expect(misbooked(books)).toEqual([]);
});

it("distinct requests are taken while they are paid for, and cancels that race their claims give back once", async ({
  task,
}) => {
  const { loadRequests } = stressScale();
  const credits = creditsGiven().distinct;
  const client = await clientAt(1);
  const answers = await sendAll(
    Array.from({ length: loadRequests }, (_, at) =>
      jobRequest(client.secret, client.logoId, `distinct-${at}`),
    ),
  );
  expect(failuresOfOurs(answers)).toEqual([]);
  expect(countByStatus(answers)).toEqual({ 202: credits, 402: loadRequests - credits });
  const jobIds = answers.filter(({ status }) => status === 202).map(({ body }) => String(body.data.jobId));
  expect(new Set(jobIds).size).toBe(credits);

  // Each twice, so that cancels also race each other.
  const cancels = await sendAll(
    jobIds.flatMap((jobId) => [cancelRequest(client, jobId), cancelRequest(client, jobId)]),
  );
  const hung = await untilEnded(client);
  const books = await booksOf(client);
  const canceled = books.jobs.filter(({ status }) => status === "canceled").length;
  reportStress(task, {
    counts: { "distinct requests": loadRequests, "cancels racing claims": cancels.length, canceled },
    lost: failuresOfOurs([...answers, ...cancels]).length + imbalance(books),
    duplicated: Math.max(0, books.jobs.length - credits) + misbooked(books).length,
    hung,
  });
  expect(failuresOfOurs(cancels)).toEqual([]);
  expect(hung).toBe(0);
  expect(misbooked(books)).toEqual([]);
  for (const { status, body } of cancels) {
    expect(status === 200 ? ["canceled", "succeeded"] : ["JOB_RUNNING"]).toContain(
      status === 200 ? body.data.status : body.error.code,
    );
  }
  const ends = new Set(books.jobs.map(({ status }) => status));
  expect([...ends].filter((end) => end !== "canceled" && end !== "succeeded")).toEqual([]);
  expect([books.jobs.length, books.credits]).toEqual([credits, canceled]);
});

it("keys that spend the last credits at once never spend one twice nor leave one that was asked for", async ({
  task,
}) => {
  const total = keyCount() * requestsPerKey();
  const credits = creditsGiven().last;
  const client = await clientAt(2);
  const secrets = await atATime(keyCount(), Array.from({ length: keyCount() }), async (_, at) => {
    const { status, body } = await send({
      method: "POST",
      path: "/api/v1/api-keys",
      secret: client.secret,
      body: { name: `Key ${at}`, scopes: ["jobs:write", "assets:read"] },
    });
    expect(status).toBe(201);
    return String(body.data.secret);
  });
  const answers = await sendAll(
    secrets.flatMap((secret, owner) =>
      Array.from({ length: requestsPerKey() }, (_, at) =>
        jobRequest(secret, client.logoId, `last-${owner}-${at}`, 1 + ((owner + at) % 2)),
      ),
    ),
  );
  const accepted = answers.filter(({ status }) => status === 202).map(({ body }) => body.data);
  const hung = await untilEnded(client);
  const books = await booksOf(client);
  const spent = spentIn(books);
  reportStress(task, {
    counts: { "keys spending the last credits": keyCount(), "requests for them": total },
    lost: failuresOfOurs(answers).length + imbalance(books),
    duplicated: Math.max(0, spent - credits) + misbooked(books).length,
    hung,
  });
  expect(failuresOfOurs(answers)).toEqual([]);
  expect(Object.keys(countByStatus(answers)).sort()).toEqual(["202", "402"]);
  // Half of the requests cost one credit, so that the last one is always asked for.
  expect([spent, books.credits, hung, books.jobs.length]).toEqual([credits, 0, 0, accepted.length]);
  expect(misbooked(books)).toEqual([]);
});

it("its workspaces have moved where they could, and its logs tell nothing", async ({ task }) => {
  const { moves, undone } = await mover.end();
  const { lines, tellTale } = await service.readLogs();
  reportStress(task, { counts: { "log lines read": lines, moves }, leaked: tellTale.length, hung: undone });
  expect(undone).toBe(0);
  expect(lines).toBeGreaterThan(10);
  expect(tellTale.slice(0, 10)).toEqual([]);
});
