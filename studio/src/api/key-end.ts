/**
 * When a key that was asked for at a time ends, by this device's clock (Unix ms), which may be hours from the service's.
 * By the service's own times, every request of a device that is an hour ahead would ask for another key.
 */
export const keyEndMs = (
  { createdAt, expiresAt }: { readonly createdAt: string; readonly expiresAt: string },
  askedAtMs: number,
): number => askedAtMs + Date.parse(expiresAt) - Date.parse(createdAt);
