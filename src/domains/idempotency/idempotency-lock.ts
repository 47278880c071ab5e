import { DurableObject } from "cloudflare:workers";
import type { IdempotencyLockRpc } from "#platform/bindings/env.ts";

interface Waiter {
  readonly token: string;
  readonly grant: (isHeld: boolean) => void;
}

/**
 * Lets one request at a time run under an Idempotency-Key; one Durable Object per workspace and key. The lock only
 * makes identical requests wait. The unique row in D1 prevents a second effect, even if the lock's state is lost
 * (eviction, crash). A crashed holder loses the lock when its lease expires.
 */
export class IdempotencyLock extends DurableObject implements IdempotencyLockRpc {
  #holder: { token: string; leaseEndsAtMs: number } | null = null;
  #waiters: Waiter[] = [];

  async acquire(token: string, waitMsMax: number, leaseMs: number): Promise<boolean> {
    if (this.#isFree()) {
      this.#hold(token, leaseMs);
      return true;
    }
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((waiter) => waiter.token !== token);
        // The holder's lease may have expired meanwhile.
        if (this.#isFree()) {
          this.#hold(token, leaseMs);
          resolve(true);
        } else {
          resolve(false);
        }
      }, waitMsMax);
      this.#waiters.push({
        token,
        grant: () => {
          clearTimeout(timer);
          this.#hold(token, leaseMs);
          resolve(true);
        },
      });
    });
  }

  release(token: string): void {
    if (this.#holder?.token !== token) return;
    this.#holder = null;
    this.#waiters.shift()?.grant(true);
  }

  #isFree(): boolean {
    return this.#holder === null || this.#holder.leaseEndsAtMs <= Date.now();
  }

  #hold(token: string, leaseMs: number): void {
    this.#holder = { token, leaseEndsAtMs: Date.now() + leaseMs };
  }
}
