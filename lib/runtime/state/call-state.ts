import type { Json, JsonObject } from '@/lib/base/json';
import type { StateAccess } from '@/lib/runtime/ports';
import { stateKeyProblem } from './state';

/** State as one tool call sees and writes it; `written` is what there is to commit when it succeeds. */
export interface CallState extends StateAccess {
  readonly written: JsonObject;
}

export function callState(before: JsonObject): CallState {
  let written: JsonObject = {};
  return {
    get written() {
      return written;
    },
    values() {
      return structuredClone({ ...before, ...written });
    },
    write(key: string, value: Json) {
      const problem = stateKeyProblem(key);
      if (problem === undefined) written = { ...written, [key]: structuredClone(value) };
      return problem;
    },
  };
}
