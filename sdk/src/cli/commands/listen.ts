import { AbortedError, type CreativePacks, type Job, PermissionError } from "../../index.ts";
import { wait } from "../../waiting.ts";
import { type Context, connect } from "../context.ts";
import { EXIT_CODES, exitCodeOf } from "../exit-codes.ts";
import { EndedJobs } from "../listen/ended-jobs.ts";
import { type Attempt, messageOf, postEvent, signingSecret } from "../listen/post-event.ts";
import { UsageError } from "../usage-error.ts";

interface ListenOptions {
  /** URL of the receiver; `http://` if it has no protocol. */
  readonly forwardTo: string;
  readonly secret: string | undefined;
}

const POLL_MS = 2_000;
/** Maximum number of events posted at once. */
const AT_ONCE_MAX = 32;
/** Workspace id in messages if the key lacks the scope for statements. */
const UNKNOWN_WORKSPACE = "00000000-0000-0000-0000-000000000000";

/** Posts the end of each job to a local receiver, as a webhook would, until interrupted. */
export async function listen(context: Context, { forwardTo, secret: given }: ListenOptions): Promise<void> {
  const { terminal, signal } = context;
  const url = receiverOf(forwardTo);
  const secret = signingSecret(given);
  const client = await connect(context);
  const underWay = new Set<Promise<void>>();
  try {
    const workspaceId = await findWorkspaceId(client, signal);
    const jobs = await EndedJobs.begin(client, signal);
    terminal.result({ forwardTo: url, signingSecret: secret }, [
      `Signing secret for your receiver: ${terminal.paint.strong(secret)}`,
      `Posting the end of each job to ${url}. Ctrl+C ends.`,
    ]);
    for (;;) {
      for (const job of await nextJobs(context, jobs)) {
        if (underWay.size >= AT_ONCE_MAX) await Promise.race(underWay);
        const posted: Promise<void> = readWhole(client, job, signal)
          .then((whole) => forward(context, url, secret, whole, workspaceId))
          .catch((error) => noteFailure(context, error))
          .finally(() => underWay.delete(posted));
        underWay.add(posted);
      }
      await wait(POLL_MS, signal);
    }
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
    if (underWay.size > 0) terminal.note(`${underWay.size} events were not accepted by the receiver.`);
  }
}

/** Reads the job with its overrides: webhook messages include them, lists of jobs do not. */
const readWhole = (client: CreativePacks, job: Job, signal: AbortSignal): Promise<Job> =>
  client.jobs.get(job.jobId, { signal }).catch((error) => {
    if (exitCodeOf(error) !== EXIT_CODES.tryLater) throw error;
    return job;
  });

/** Prints why an event could not be posted; the command continues with the other events. */
function noteFailure({ terminal, signal }: Context, error: unknown): void {
  if (!signal.aborted) terminal.note(error instanceof Error ? error.message : String(error));
}

function receiverOf(given: string): string {
  const text = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href;
  throw new UsageError(
    `--forward-to: \`${given}\` is not an address such as http://localhost:3000/webhooks.`,
  );
}

/** Reads the workspace id for the messages. Of the responses that a key can read, only statements contain it. */
async function findWorkspaceId(client: CreativePacks, signal: AbortSignal): Promise<string> {
  try {
    const month = new Date().toISOString().slice(0, 7);
    return (await client.usage.statement(month, { signal })).workspaceId;
  } catch (error) {
    if (error instanceof PermissionError) return UNKNOWN_WORKSPACE;
    throw error;
  }
}

/** Returns no jobs if the service does not respond; the next poll returns them. */
async function nextJobs({ terminal }: Context, jobs: EndedJobs): Promise<readonly Job[]> {
  try {
    return await jobs.next();
  } catch (error) {
    if (exitCodeOf(error) !== EXIT_CODES.tryLater) throw error;
    terminal.note(`${error instanceof Error ? error.message : error} The service is asked again.`);
    return [];
  }
}

/** Posts an event and prints each attempt. */
async function forward(
  { terminal, signal }: Context,
  url: string,
  secret: string,
  job: Job,
  workspaceId: string,
): Promise<void> {
  const message = messageOf(job, workspaceId);
  const { deliveryId, type } = message;
  const show = (attempt: Attempt): void => {
    const { status, error, retryInMs } = attempt;
    const retry = retryInMs === null ? "" : `, again in ${retryInMs / 1_000} s`;
    terminal.result({ event: type, jobId: job.jobId, deliveryId, ...attempt }, [
      `${new Date().toISOString().slice(11, 19)}  ${type}  ${job.jobId}  → ${status ?? error}${retry}`,
    ]);
  };
  await postEvent(url, secret, message, signal, show);
}
