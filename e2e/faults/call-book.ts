import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Keeps a list of the calls that model and tool really received, outside of Callboard. For each step (`run-7.1#2` is the
 * third turn of the first child of run 7) it has the number of each call. The log must have the last number, because a
 * recorded step that ran again would have been called later.
 */
export interface CallBook {
  readonly toolFile: string;
  /** Notes a call of the model. */
  asked(step: string, number: number): void;
  /** Returns the number of model calls so far. */
  count(): number;
  lastModelCall(step: string): string | undefined;
  lastToolCall(step: string): string | undefined;
}

export function openCallBook(toolFile: string): CallBook {
  const calls = new Map<string, string>();
  let count = 0;
  writeFileSync(toolFile, '');
  return {
    toolFile,
    asked(step, number) {
      count += 1;
      calls.set(step, String(number));
    },
    count: () => count,
    lastModelCall: (step) => calls.get(step),
    lastToolCall: (step) => readToolCalls(toolFile).get(step),
  };
}

function readToolCalls(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']));
}
