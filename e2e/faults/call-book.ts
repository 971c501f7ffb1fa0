import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * What model and tool were really asked, written down outside of Callboard: per step (`run-7.1#2`: the third turn of the
 * first child of run 7) the number of each call. The last number is the one that the log must have: a recorded step that ran
 * again would have been asked later.
 */
export interface CallBook {
  readonly toolFile: string;
  /** Notes a call of the model. */
  asked(step: string, number: number): void;
  /** Number of model calls so far. */
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
