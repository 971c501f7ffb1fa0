import type { Json, JsonObject } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { ordinalOf } from '@/lib/runtime/record/step-key';
import type { FakeHook } from './fake-hooks';
import type { TestCall, TestScript } from './scripted-model';
import { agent } from './stints-of';

/** A call of the tool whose results people give. */
export const lookup = (what: string): TestCall => ({ tool: 'lookup', arguments: { what } });
/** Calls `kid` once. */
export const lead: TestScript = [{ calls: [agent('kid')] }, 'over'];
/** Makes these calls, and ends when it has their results. */
export const kidWith = (...calls: readonly TestCall[]): TestScript => [
  { text: 'I need this.', calls },
  { text: 'second message' },
];
/** A hook that stops before calls, or after them, the first `times` times. */
export function stopping(times = 1): FakeHook {
  let left = times;
  return {
    phase({ message }): JsonObject {
      const { toolCalls, results } = message as { toolCalls?: Json[]; results?: Json[] };
      if ((toolCalls ?? results ?? []).length === 0 || left === 0) return {};
      left -= 1;
      return { stop: '' };
    },
  };
}

/** The texts of an instance's results, in the order of its calls. */
export const textsOf = (log: readonly RunEvent[], path: string) =>
  log
    .flatMap((event) => (event.kind === 'tool.ended' && event.path === path ? [event] : []))
    .sort((a, b) => (ordinalOf(a.step) ?? 0) - (ordinalOf(b.step) ?? 0))
    .map(({ result }) => result.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
