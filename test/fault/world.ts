import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  evictDurableObject,
  getQueueResult,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env as realEnv } from "cloudflare:workers";
import { vi } from "vitest";
import { homeOfMessage } from "#interface/queue/messages.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { homeOf, homesWith, isOnShards } from "../support/homes.ts";
import { standInForInternet } from "../support/internet.ts";
import { workOnMoves } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import type { Settings } from "../support/workspace.ts";
import { type Crash, Gate, type Pause, type WrittenRows } from "./gate.ts";
import { gatedEnv, type HeldMessage, type QueueName } from "./gated-env.ts";

/** A client's answer; null if the process died before it. */
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member, whatever they hold.
  readonly body: any;
}

export type { Settings };

export interface WorldRequest {
  readonly method: string;
  readonly path: string;
  readonly secret?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Deliveries of a message before it becomes a dead letter, including the first (wrangler.toml: max_retries). */
const DELIVERIES_MAX = 5;

interface QueuedMessage extends HeldMessage {
  readonly attempts: number;
}

/**
 * The whole service on its real bindings, with the test's clock and queues. Requests, deliveries and sweeps run in the
 * current process. `crash` starts a process and plans how it ends; `restart` starts one without faults.
 */
export class World {
  nowMs: number;
  /** Messages of each queue. */
  readonly queues: Record<QueueName, QueuedMessage[]> = {
    ...{ render: [], videos: [], deliveries: [], imports: [], mail: [] },
    /** Messages that request a shard's sweeps. */
    sweeps: [],
  };
  dead: QueuedMessage[] = [];
  /** Answers the service's requests to external servers. */
  receive: (request: Request) => Promise<Response> = () => Promise.reject(new TypeError("no such host"));
  /**
   * The workspace under test. `sweep` then sweeps only databases in which this workspace has lived; null sweeps all.
   */
  workspaceUnderTest: string | null = null;
  readonly #settings: Settings;
  #gate = new Gate();
  #env: Env;

  /** Starts the service at a time, with overrides of the worker's settings. */
  constructor(startMs: number, settings: Settings = {}) {
    this.nowMs = startMs;
    this.#settings = settings;
    this.#env = this.#begin(null);
    vi.spyOn(clock, "now").mockImplementation(() => this.nowMs);
    vi.spyOn(clock, "wait").mockResolvedValue();
    standInForInternet((request) => this.#gate.pass(`fetch ${request.method}`, () => this.receive(request)));
  }

  #begin(crash: Crash | Pause | null): Env {
    this.#gate = new Gate(crash);
    const env = gatedEnv(this.#gate, (queue, body) =>
      this.queues[queue].push({ id: newId(), body, attempts: 1 }),
    );
    return Object.fromEntries(Object.entries({ ...env, ...this.#settings }));
  }

  /** Messages of the render queue. */
  get messages(): QueuedMessage[] {
    return this.queues.render;
  }

  set messages(messages: QueuedMessage[]) {
    this.queues.render = messages;
  }

  /** A concurrent process with the same clock time and the same external servers. */
  another(): World {
    const other = new World(this.nowMs, this.#settings);
    other.receive = this.receive;
    return other;
  }

  /** Calls to bindings since the process started. */
  get calls(): readonly string[] {
    return this.#gate.calls;
  }

  /** The process's writes to the database, by call. */
  get written(): readonly WrittenRows[] {
    return this.#gate.written;
  }

  get isDead(): boolean {
    return this.#gate.isDead;
  }

  get isQuiet(): boolean {
    const { sweeps, ...work } = this.queues;
    return [this.dead, ...Object.values(work)].every(({ length }) => length === 0);
  }

  /** Starts a process with a planned crash or pause. */
  crash(crash: Crash | Pause): void {
    this.#env = this.#begin(crash);
  }

  /** Starts a process without faults. */
  restart(): void {
    this.#env = this.#begin(null);
  }

  wait(ms: number): void {
    this.nowMs += ms;
  }

  /** Deletes a dead request's lock of an Idempotency-Key, as the end of its lease would. */
  async clearLock(workspaceId: string, idempotencyKey: string): Promise<void> {
    const namespace = realEnv.IDEMPOTENCY_LOCK;
    const lock = namespace.get(namespace.idFromName(`${workspaceId}:${idempotencyKey}`));
    // Eviction throws if the object is not running.
    await evictDurableObject(lock).catch(() => undefined);
  }

  /** Sends a request, and waits for all work that it started. */
  async request({ method, path, secret, body, headers }: WorldRequest): Promise<Reply> {
    const sent = new Headers(headers);
    if (secret !== undefined) sent.set("Authorization", `Bearer ${secret}`);
    const isBytes = body instanceof Uint8Array;
    if (body !== undefined && !isBytes) sent.set("Content-Type", "application/json");
    const request = new Request<unknown, IncomingRequestCfProperties>(
      new URL(path, "https://packs.example"),
      {
        method,
        headers: sent,
        body: body === undefined ? null : isBytes ? body : JSON.stringify(body),
      },
    );
    const context = createExecutionContext();
    const response = await worker.fetch(request, this.#env, context);
    const bytes = await response.arrayBuffer();
    await waitOnExecutionContext(context);
    const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
    return { status: response.status, body: isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null };
  }

  /** Runs moves of workspaces once, like the sweep. */
  async moveOn(): Promise<void> {
    const { database } = readCapabilities(this.#env);
    if (database !== null) await workOnMoves(database.databases);
  }

  /**
   * Runs the sweep once, then the sweeps of the requested shards, or only of those of the workspace under test. The
   * messages that request them are never redelivered.
   */
  async sweep(): Promise<void> {
    const { workspaceUnderTest } = this;
    const homes = workspaceUnderTest === null || !isOnShards() ? null : await homesWith(workspaceUnderTest);
    await worker.scheduled(createScheduledController(), this.#env);
    for (const message of this.queues.sweeps.splice(0)) {
      const home = homeOfMessage(message.body);
      const isSwept = homes === null || home === DIRECTORY || homes.has(home);
      if (isSwept) await this.deliver(message, "creative-packs-sweeps");
    }
  }

  /**
   * Runs only the sweep of the workspace's database. A shard is swept by a separate invocation; without shards, this is
   * the whole run.
   */
  async sweepHome(workspaceId: string): Promise<void> {
    const home = await homeOf(workspaceId);
    if (home === DIRECTORY) return this.sweepDirectory();
    const body = { shard: home, dueAtMs: this.nowMs };
    await this.deliver({ id: newId(), body, attempts: 1 }, "creative-packs-sweeps");
  }

  /** Runs only the sweep of `DB`, for tests without data on shards. */
  async sweepDirectory(): Promise<void> {
    await worker.scheduled(createScheduledController(), this.#env);
    this.queues.sweeps = [];
  }

  /** Delivers a message as the queue would. Returns true if it was acknowledged. */
  async deliver(message: QueuedMessage, queue = "creative-packs-render"): Promise<boolean> {
    const batch = createMessageBatch(queue, [
      { id: message.id, timestamp: new Date(this.nowMs), attempts: message.attempts, body: message.body },
    ]);
    await worker.queue(batch, this.#env);
    const { retryMessages } = await getQueueResult(batch, createExecutionContext());
    return retryMessages.length === 0;
  }

  /**
   * Takes a message out of the queue by its index and delivers it. A retried message returns to the queue, or becomes a
   * dead letter.
   */
  async deliverAt(index: number): Promise<void> {
    const [message] = this.messages.splice(index, 1);
    if (message === undefined) return;
    if (await this.deliver(message)) return;
    this.takeBack(message);
  }

  /** Returns a retried message to the queue, or adds it to the dead letters after its last delivery. */
  takeBack(message: QueuedMessage): void {
    const next = { ...message, attempts: message.attempts + 1 };
    if (next.attempts > DELIVERIES_MAX) this.dead.push({ ...next, attempts: 1 });
    else this.messages.push(next);
  }

  /** Delivers a dead letter. It stays if the worker does not acknowledge it. */
  async deliverDead(index: number): Promise<void> {
    const message = this.dead[index];
    if (message === undefined) return;
    if (await this.deliver(message, "creative-packs-render-dead")) this.dead.splice(index, 1);
  }

  /** Delivers every message of a queue of leased work once. A retried message stays in the queue. */
  async deliverAll(queue: "deliveries" | "imports" | "mail"): Promise<void> {
    const messages = this.queues[queue];
    for (const message of messages.splice(0)) {
      if (await this.deliver(message, `creative-packs-${queue}`)) continue;
      messages.push({ ...message, attempts: message.attempts + 1 });
    }
  }

  /** Advances the clock, runs the sweep and delivers messages of leased work until `hasEnded` returns true. */
  async untilEnded(
    queue: "deliveries" | "imports" | "mail",
    waitMs: number,
    hasEnded: () => Promise<boolean>,
  ): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      if (await hasEnded()) return;
      this.wait(waitMs);
      await this.sweep();
      await this.deliverAll(queue);
    }
    throw new Error(`work of ${queue} stays open`);
  }

  /** Delivers messages until the render queue and its dead letters are empty. */
  async drain(): Promise<void> {
    while (this.messages.length > 0) await this.deliverAt(0);
    while (this.dead.length > 0) await this.deliverDead(0);
  }
}

/** A world without log output. */
export function quietWorld(nowMs: number): World {
  silenceLogs();
  return new World(nowMs);
}
