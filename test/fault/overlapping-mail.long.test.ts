import { beforeAll, expect, it } from "vitest";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { reportStress } from "../stress/report.ts";
import { MAIL } from "../support/mail.ts";
import {
  MailProvider,
  newAddressMail,
  type StoredMail,
  storedMail,
  writeMail,
} from "../support/mail-provider.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { freshStorage } from "./fresh-storage.ts";
import { hangAttempt } from "./hang-attempt.ts";
import { World } from "./world.ts";

/**
 * A mail attempt that hangs at any await while another attempt runs does no harm when it continues: the mail is sent
 * once, and its result does not change.
 */

beforeAll(freshStorage);

const START_MS = Date.parse("2032-01-01T00:00:00.000Z");
const STEPS_MAX = 50;
const QUEUE = "creative-packs-mail";

type Message = World["messages"][number];

/** Concurrent events for the mail, in their own process. */
const CONCURRENT_ACTS: Readonly<Record<string, (world: World, message: Message) => Promise<unknown>>> = {
  "the same message is delivered again": (world, message) =>
    world.deliver({ ...message, attempts: 2 }, QUEUE),
  "its lease ends and another message takes over": (world, message) => {
    world.wait(MAIL_LIMITS.leaseMs + 1);
    return world.deliver({ ...message, id: "another" }, QUEUE);
  },
  "the queue dead-letters the message": (world, message) => world.deliver(message, `${QUEUE}-dead`),
  "the mail expires": (world) => {
    world.wait(MAIL_LIMITS.retentionMs / 2);
    return world.sweep();
  },
};

type Act = (world: World, message: Message) => Promise<unknown>;

/** Hangs the attempt at a step, runs the concurrent event, and continues the attempt. */
async function hangAt(step: number, act: Act) {
  const provider = new MailProvider();
  const world = new World(START_MS, MAIL);
  world.receive = (request) => provider.handle(request);
  const messageId = await writeMail(newAddressMail(undefined, START_MS + 24 * 60 * 60_000));
  const message: Message = { id: "first", attempts: 1, body: { messageId } };
  let before = null as StoredMail | null;
  const { didHang, other } = await hangAttempt(world, message, { queue: QUEUE, step }, async (beside) => {
    await act(beside, message);
    before = await storedMail(messageId);
  });
  for (let round = 0; round < 10 && (await storedMail(messageId))?.finished_at === null; round += 1) {
    other.wait(MAIL_LIMITS.leaseMs + 1);
    await other.deliver({ ...message, id: `later-${round}` }, QUEUE);
  }
  return { didHang, before, after: await storedMail(messageId), takenCount: provider.taken.size };
}

it.for(Object.entries(CONCURRENT_ACTS))("a mail attempt may hang while %s", async ([, act], { task }) => {
  silenceLogs();
  let steps = 0;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { didHang, before, after, takenCount } = await hangAt(step, act);
    if (!didHang) break;
    steps += 1;
    expect(["sent", "failed"], `hung at step ${step}`).toContain(after?.status);
    expect(takenCount, `hung at step ${step}`).toBeLessThanOrEqual(1);
    if (after?.status === "sent") expect(takenCount, `hung at step ${step}`).toBe(1);
    // A finished mail keeps its result.
    if (before?.finished_at != null) expect(after, `hung at step ${step}`).toEqual(before);
  }
  expect(steps).toBeGreaterThan(2);
  reportStress(task, { counts: { "overlapping attempts at mail": steps } });
});
