/** Big-endian pieces of files. */

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const ascii = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

export const u8 = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

export const u16 = (...values: readonly number[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]));

export const u32 = (...values: readonly number[]): Uint8Array =>
  Uint8Array.from(
    values.flatMap((value) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]),
  );

export const u32le = (value: number): Uint8Array => u32(value).reverse();
