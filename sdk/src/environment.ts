/** Features of the runtime. */

declare const process:
  | {
      readonly env?: Readonly<Record<string, string | undefined>>;
      readonly versions?: { readonly node?: string };
    }
  | undefined;

/** An environment variable; undefined if it is not set. */
export function readVariable(name: string): string | undefined {
  try {
    const value = typeof process === "undefined" ? undefined : process.env?.[name]?.trim();
    return value === "" ? undefined : value;
  } catch {
    // Deno throws without permission.
    return undefined;
  }
}

/** Whether files can be read and streams sent as a body: Node.js, Bun and Deno, but not workers and browsers. */
export const isServerRuntime = (): boolean => {
  const isWorker = typeof navigator !== "undefined" && navigator.userAgent === "Cloudflare-Workers";
  return !isWorker && typeof process !== "undefined" && process.versions?.node !== undefined;
};
