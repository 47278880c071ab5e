import { concatUint8Arrays } from "uint8array-extras";

/** Big-endian parts of files. */

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => concatUint8Arrays([...parts]);

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
