/**
 * Typed arrays that grow by doubling. They begin small, because each lane has several: V8 keeps a small one inside its object,
 * and allocates a larger one on its own. `at` returns 0 for an index outside the length, without an error, because callers only
 * use indices that they were given.
 */
export class Floats {
  data = new Float64Array(4);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Float64Array(this.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }
}

export class Ints {
  data = new Uint32Array(4);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Uint32Array(this.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }
}

export class Bytes {
  data = new Uint8Array(4);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Uint8Array(this.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }
}
