/**
 * What waits for its turn. Owners take turns, and of one owner only one thing is under way at a time. Things without an owner share one
 * line, of which several may be under way.
 *
 *   ann    ▣ ▢ ▢ ▢ ▢        the next is ben's: ann's first is under way
 *   ben    ▢
 *   nobody ▣ ▣ ▢
 */
export class Turns<T extends { readonly owner: string | undefined }> {
  /** The first line is the next to be served. A line without anything that waits is left out. */
  readonly #lines = new Map<string | undefined, T[]>();
  readonly #underWay = new Set<string>();
  #size = 0;

  /** The number of things that wait. */
  get size(): number {
    return this.#size;
  }

  waitingOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /** The number of things that could be taken now, if nothing ended meanwhile. */
  get ready(): number {
    let ready = 0;
    for (const [owner, line] of this.#lines) {
      if (owner === undefined) ready += line.length;
      else if (!this.#underWay.has(owner)) ready += 1;
    }
    return ready;
  }

  add(thing: T): void {
    const line = this.#lines.get(thing.owner);
    if (line === undefined) this.#lines.set(thing.owner, [thing]);
    else line.push(thing);
    this.#size += 1;
  }

  /** Takes the next thing, whose owner waits until `ended` is called. */
  take(): T | undefined {
    for (const [owner, line] of this.#lines) {
      if (owner !== undefined && this.#underWay.has(owner)) continue;
      const [thing] = line;
      if (thing === undefined) continue;
      this.remove(thing);
      const rest = this.#lines.get(owner);
      if (rest !== undefined) {
        // The owner comes last the next time.
        this.#lines.delete(owner);
        this.#lines.set(owner, rest);
      }
      if (owner !== undefined) this.#underWay.add(owner);
      return thing;
    }
    return undefined;
  }

  ended({ owner }: T): void {
    if (owner !== undefined) this.#underWay.delete(owner);
  }

  /** Removes a thing that waits. Returns false if it does not. */
  remove(thing: T): boolean {
    const line = this.#lines.get(thing.owner);
    const at = line?.indexOf(thing) ?? -1;
    if (line === undefined || at < 0) return false;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(thing.owner);
    this.#size -= 1;
    return true;
  }

  removeAll(): readonly T[] {
    const all = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return all;
  }
}
