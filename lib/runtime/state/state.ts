import type { JsonObject } from '@/lib/base/json';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';

type StateOptions = NonNullable<DelegationOptions['state']>;

/** Prefixes of keys that belong to the runtime. Such keys are never passed between parent and child. */
const internalPrefixes = ['_adk', '_sys'];
const maxKeyBytes = 256;
const encoder = new TextEncoder();

/**
 * The state of one instance: the values it was given, overwritten by its own writes and those of its children. Values are
 * never changed in place, so a snapshot can be a reference.
 */
export class InstanceState {
  private current: JsonObject;
  private own: JsonObject = {};

  constructor(given: JsonObject) {
    this.current = given;
  }

  get values(): JsonObject {
    return this.current;
  }

  /** Everything the instance wrote so far. */
  get written(): JsonObject {
    return this.own;
  }

  apply(delta: JsonObject): void {
    this.current = { ...this.current, ...delta };
    this.own = { ...this.own, ...delta };
  }
}

/** Says why a key is not valid; returns `undefined` if it is. */
export function stateKeyProblem(key: string): string | undefined {
  const problem =
    key === ''
      ? 'is empty'
      : encoder.encode(key).length > maxKeyBytes
        ? `is longer than ${maxKeyBytes} bytes`
        : key.includes('/') || key.includes('\\') || key.includes('..') || key.includes('\0')
          ? "contains '/', '\\', '..' or NUL"
          : undefined;
  return problem && `The state key '${key.slice(0, 60)}' ${problem}. Use another key.`;
}

/** Returns a copy of the parent's state for a child. */
export function stateDown(parent: JsonObject, down: StateOptions['down'] = 'filtered'): JsonObject {
  if (down === 'none') return {};
  const allowed = typeof down === 'object' ? new Set(down.keys) : undefined;
  return pick(parent, (key) => !isInternal(key) && (allowed?.has(key) ?? true));
}

/** Returns the writes of a child that go to its parent, which excludes internal keys and `temp:` keys. */
export function stateUp(written: JsonObject): JsonObject {
  return pick(written, (key) => !isInternal(key) && !key.startsWith('temp:'));
}

export interface StateRefusal {
  readonly code: 'STATE_WRITE_DENIED' | 'STATE_CONFLICT';
  readonly message: string;
  /** Advice for a person. */
  readonly advice?: string;
}

/**
 * Applies the write policies. `before` is the parent's state when the delegation began, and `now` its state when the
 * child's writes arrive.
 */
export function stateRefusal(
  child: string,
  delta: JsonObject,
  before: JsonObject,
  now: JsonObject,
  options: StateOptions,
): StateRefusal | undefined {
  const { on_conflict, conflict_exempt } = options;
  const denied = deniedKey(delta, options);
  if (denied !== undefined) {
    const message = `Agent '${child}' may not write the state key '${denied}'.`;
    return { code: 'STATE_WRITE_DENIED', message, advice: "Add it to 'write_keys' of the delegation." };
  }
  if (on_conflict !== 'reject') return undefined;
  const changed = Object.keys(delta).find(
    (key) => !conflict_exempt?.includes(key) && !isSame(own(before, key), own(now, key)),
  );
  if (changed === undefined) return undefined;
  const message = `What agent '${child}' wrote to the state key '${changed}' conflicts with a concurrent change of it.`;
  return { code: 'STATE_CONFLICT', message };
}

/** Returns the first written key that is not among `write_keys`. */
export function deniedKey(delta: JsonObject, { write_keys }: StateOptions): string | undefined {
  return write_keys && Object.keys(delta).find((key) => !write_keys.includes(key));
}

function isInternal(key: string): boolean {
  return internalPrefixes.some((prefix) => key.startsWith(prefix));
}

function pick(values: JsonObject, keep: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keep(key)));
}

/** True if nothing changed. A value that was not written is the same object; others are compared as JSON. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function own(values: JsonObject, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
