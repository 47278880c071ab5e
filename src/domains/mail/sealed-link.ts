import { type EncryptionKeys, seal, unseal } from "#platform/crypto/sealed-secret.ts";

/**
 * Encrypts the link of a mail, which opens something, for the outbox. It can be decrypted only in the row of this
 * reference.
 */
export const sealLink = (
  encryption: EncryptionKeys,
  messageReference: string,
  url: string,
): Promise<string> => seal(encryption, { messageReference }, url);

/** Decrypts the link of a mail; null when it is another mail's, altered, or encrypted with an unknown key. */
export const unsealLink = (
  encryption: EncryptionKeys,
  messageReference: string,
  sealed: string,
): Promise<string | null> => unseal(encryption, { messageReference }, sealed);
