/** Writes bits least significant first, as VP8L reads them. */
export class BitWriter {
  #bytes: number[] = [];
  #held = 0;
  #heldBits = 0;

  /** At most 24 bits per call. */
  write(value: number, bits: number): this {
    this.#held |= value << this.#heldBits;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#bytes.push(this.#held & 255);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
    return this;
  }

  /** All bits, padded with zeros. */
  finish(): Uint8Array {
    this.write(0, (8 - this.#heldBits) % 8);
    return Uint8Array.from(this.#bytes);
  }
}
