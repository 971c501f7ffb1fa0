import type { LiveValues } from './redact-events';

/** Hidden values are looked for in every event, so the oldest are forgotten. Their tokens are long over. */
const most = 2_000;

/** Collects secrets as a process comes to know them. */
export class KnownValues implements LiveValues {
  private values: readonly string[] = [];

  current(): readonly string[] {
    return this.values;
  }

  add(values: readonly string[]): void {
    const known = new Set(this.values);
    const added = values.filter((value) => !known.has(value));
    if (added.length > 0) this.values = [...this.values, ...new Set(added)].slice(-most);
  }
}
