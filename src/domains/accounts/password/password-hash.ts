import { scrypt } from "node:crypto";
import { uint8ArrayToHex } from "uint8array-extras";
import { createMutex } from "#platform/concurrency/mutex.ts";
import { equalsInConstantTime } from "#platform/crypto/hashing.ts";

/**
 * scrypt (RFC 7914) with parameters from the OWASP Password Storage Cheat Sheet: N=2^14, r=8, p=5. It needs 16 MiB,
 * which an isolate of 128 MB can spare while it renders a pack; parameters with fewer passes need 32 to 128 MiB. The
 * runtime's own scrypt takes about 0.2 s of CPU, a fraction of the time in JavaScript. The runtime's PBKDF2 allows only
 * 100,000 iterations, a sixth of the recommendation.
 */
const COST = 16_384;
const BLOCK_SIZE = 8;
const PASSES = 5;

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Twice what these parameters need. The runtime throws if scrypt needs more. */
const MEMORY_BYTES_MAX = 2 * 128 * COST * BLOCK_SIZE;

/** One at a time per isolate, because two would take memory from rendering. */
const mutex = createMutex(5_000);

const derive = (password: string, salt: Uint8Array): Promise<Uint8Array> =>
  mutex.run(
    () =>
      new Promise((resolve, reject) => {
        const setting = { N: COST, r: BLOCK_SIZE, p: PASSES, maxmem: MEMORY_BYTES_MAX };
        // NFKC, so that the same password typed on another keyboard matches.
        scrypt(password.normalize("NFKC"), salt, KEY_BYTES, setting, (failure, key) =>
          failure === null ? resolve(new Uint8Array(key)) : reject(failure),
        );
      }),
  );

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * `scrypt$<N>$<r>$<p>$<salt>$<key>`, salt and key in hex. Each hash names its parameters, so that they can be changed
 * later.
 */
const PATTERN = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([0-9a-f]{32})\$([0-9a-f]{64})$/;

export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const key = await derive(password, salt);
  return `scrypt$${COST}$${BLOCK_SIZE}$${PASSES}$${uint8ArrayToHex(salt)}$${uint8ArrayToHex(key)}`;
}

/** Verifies a password. A hash that was stored with other parameters never matches. */
export async function verifyPassword(stored: { hash: string; password: string }): Promise<boolean> {
  const [, cost, blockSize, passes, salt, key] = PATTERN.exec(stored.hash) ?? [];
  if (salt === undefined || key === undefined) return false;
  if (Number(cost) !== COST || Number(blockSize) !== BLOCK_SIZE || Number(passes) !== PASSES) return false;
  return equalsInConstantTime(await derive(stored.password, fromHex(salt)), fromHex(key));
}
