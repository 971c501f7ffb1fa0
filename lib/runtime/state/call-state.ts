import type { Json, JsonObject } from '@/lib/base/json';
import type { StateAccess } from '@/lib/runtime/ports';
import { stateKeyProblem } from './state';

/** State for one tool call. `written` is committed when the call succeeds. */
export interface CallState extends StateAccess {
  readonly written: JsonObject;
}

export function callState(before: JsonObject): CallState {
  // A map is used because one call may write many keys, and copying an object for each write would be slow.
  const writes = new Map<string, Json>();
  return {
    get written() {
      return Object.fromEntries(writes);
    },
    values() {
      return structuredClone({ ...before, ...Object.fromEntries(writes) });
    },
    write(key: string, value: Json) {
      const problem = stateKeyProblem(key);
      if (problem === undefined) writes.set(key, structuredClone(value));
      return problem;
    },
  };
}
