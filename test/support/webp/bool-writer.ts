/** Writes bools of even odds as VP8's decoder reads them (RFC 6386, 7.3). */
export class BoolWriter {
  readonly #bytes: number[] = [];
  #range = 255;
  #bottom = 0;
  #bitsToGo = 24;

  bool(isSet: boolean): this {
    const split = 1 + (((this.#range - 1) * 128) >> 8);
    if (isSet) {
      this.#bottom += split;
      this.#range -= split;
    } else {
      this.#range = split;
    }
    while (this.#range < 128) {
      this.#range *= 2;
      if (this.#bottom >= 2 ** 31) {
        this.#carry();
        this.#bottom -= 2 ** 31;
      }
      this.#bottom *= 2;
      this.#bitsToGo -= 1;
      if (this.#bitsToGo > 0) continue;
      this.#bytes.push(Math.floor(this.#bottom / 2 ** 24) & 255);
      this.#bottom %= 2 ** 24;
      this.#bitsToGo = 8;
    }
    return this;
  }

  /** The highest bit first. */
  literal(value: number, bits: number): this {
    for (let bit = bits - 1; bit >= 0; bit--) this.bool(((value >> bit) & 1) === 1);
    return this;
  }

  /** A flag, magnitude and sign; a flag alone for 0. */
  optional(value: number, bits: number): this {
    this.bool(value !== 0);
    return value === 0 ? this : this.literal(Math.abs(value), bits).bool(value < 0);
  }

  finish(): Uint8Array {
    for (let bit = 0; bit < 32; bit++) this.bool(false);
    return Uint8Array.from(this.#bytes);
  }

  #carry(): void {
    let at = this.#bytes.length - 1;
    while (at >= 0 && this.#bytes[at] === 255) this.#bytes[at--] = 0;
    if (at >= 0) this.#bytes[at] = (this.#bytes[at] ?? 0) + 1;
  }
}
