import type { Answer, Sent } from "./http-client.ts";

/** A workspace's books as the API shows them: every job, every ledger event, the balance. */

interface BookedJob {
  readonly jobId: string;
  readonly status: string;
  readonly artifactId: string | null;
  readonly expectedCost: { readonly amount: number };
}

interface BookedEvent {
  readonly type: string;
  readonly amount: number;
  readonly source: string;
  readonly jobId: string | null;
}

export interface Books {
  readonly jobs: readonly BookedJob[];
  readonly events: readonly BookedEvent[];
  readonly credits: number;
}

export type Send = (sent: Sent) => Promise<Answer>;

async function readAll<T>(send: Send, secret: string, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let before: string | null = ""; before !== null; ) {
    const cursor: string = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
    const { status, body } = await send({ method: "GET", path: `${path}?limit=100${cursor}`, secret });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    items.push(...body.data.items);
    before = body.data.nextBefore;
  }
  return items;
}

/** The number of a workspace's open jobs. */
export async function countOpen(send: Send, secret: string): Promise<number> {
  return (await readAll<BookedJob>(send, secret, "/api/v1/jobs")).filter(isOpen).length;
}

export async function readBooks(send: Send, secret: string): Promise<Books> {
  const jobs = await readAll<BookedJob>(send, secret, "/api/v1/jobs");
  const events = await readAll<BookedEvent>(send, secret, "/api/v1/usage");
  const { body } = await send({ method: "GET", path: "/api/v1/balance", secret });
  return { jobs, events, credits: body.data.credits.available };
}

export const isOpen = ({ status }: Pick<BookedJob, "status">): boolean =>
  status === "queued" || status === "running";

/** Ids of jobs with a wrong consumption or refund. */
export function misbooked({ jobs, events }: Books): readonly string[] {
  const amounts = (jobId: string, type: string) =>
    events.filter((event) => event.jobId === jobId && event.type === type).map(({ amount }) => amount);
  return jobs
    .filter(({ jobId, status, expectedCost: { amount } }) => {
      const isGivenBack = status === "failed" || status === "canceled";
      const expected = JSON.stringify([[-amount], isGivenBack ? [amount] : []]);
      return JSON.stringify([amounts(jobId, "consumption"), amounts(jobId, "refund")]) !== expected;
    })
    .map(({ jobId }) => jobId);
}

/** The difference between the balance and the sum of the credit events. */
export const imbalance = ({ events, credits }: Books): number =>
  Math.abs(
    credits -
      events.filter(({ source }) => source === "credits").reduce((sum, { amount }) => sum + amount, 0),
  );
