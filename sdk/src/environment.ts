/** What this package asks the platform that it runs on. */

declare const process:
  | {
      readonly env?: Readonly<Record<string, string | undefined>>;
      readonly versions?: { readonly node?: string };
    }
  | undefined;

/** A variable of the environment; undefined where there is none. */
export function readVariable(name: string): string | undefined {
  try {
    const value = typeof process === "undefined" ? undefined : process.env?.[name]?.trim();
    return value === "" ? undefined : value;
  } catch {
    // Deno refuses without its permission.
    return undefined;
  }
}

/** Whether files can be read and streams be sent as a body: Node.js, Bun and Deno, not workers and browsers. */
export const isServerRuntime = (): boolean => {
  const isWorker = typeof navigator !== "undefined" && navigator.userAgent === "Cloudflare-Workers";
  return !isWorker && typeof process !== "undefined" && process.versions?.node !== undefined;
};
