import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import type { RecordedRequest } from '@/lib/runtime/record/recorded-request';
import { hookOff, log, modelOn, toolOff, toolOn } from '@/lib/testing/trace-log';
import { joinDigests, RunDigests } from './run-digests';
import { NO_DIGEST, StepDigester } from './step-digest';

const request = (
  instruction: RecordedRequest['instruction'],
  added: RecordedRequest['added'] = [],
): RecordedRequest => ({
  instruction,
  tools: [],
  added,
});

function called(path: string, n: number, asked: RecordedRequest): EventBody {
  return { ...modelOn(path, n), request: asked } as EventBody;
}

function called1(args: unknown, callId = 'one'): EventBody {
  return { ...toolOn('lead', 1), arguments: args, callId: brandAs(callId) } as EventBody;
}

function digests(...bodies: EventBody[]): number[] {
  const digester = new StepDigester();
  return log(...bodies.map((body, i) => [i, body] as const)).map((event: RunEvent) => digester.add(event));
}

describe('StepDigester', () => {
  it('counts what a call was asked and answered, and no ids or times', () => {
    const [one] = digests(called1({ city: 'Paris', days: 2 }));
    expect(digests(called1({ days: 2, city: 'Paris' }, 'other'))).toEqual([one]);
    expect(digests(called1({ city: 'Paris', days: 3 }))).not.toEqual([one]);
    expect(digests(toolOff('lead', 1))).not.toEqual(digests(toolOff('lead', 1, true)));
    expect(digests(hookOff('lead', 1, true, true))).not.toEqual(digests(hookOff('lead', 1, true, false)));
  });

  it('takes one UUID for another', () => {
    const [one, other, third] = digests(
      called1({ id: '0b6f3c5e-1111-4222-8333-444455556666' }),
      called1({ id: 'ffffffff-1111-4222-8333-444455556666' }),
      called1({ id: 'none' }),
    );
    expect(one).toBe(other);
    expect(one).not.toBe(third);
  });

  it('takes an instruction that names an earlier call for the text of that call', () => {
    const [first, again] = digests(
      called('lead', 1, request('Be brief.')),
      called('lead', 2, request({ sameAs: brandAs('lead#m1') })),
    );
    expect(again).toBe(first);
    expect(digests(called('lead', 1, request('Be long.')))).not.toEqual([first]);
  });

  it('has nothing to compare for a call whose request is not recorded, and for other events', () => {
    expect(digests(modelOn('lead', 1))).toEqual([NO_DIGEST]);
  });

  it('goes to a browser in parts', () => {
    const run = new RunDigests();
    const events = log([0, called1({ n: 1 })], [1, toolOff('lead', 1)], [2, called1({ n: 2 })]);
    for (const event of [...events, ...events]) run.add(event);
    const all = joinDigests(new Uint32Array(), run.bytesAfter(0));
    expect([...all]).toEqual(digests(called1({ n: 1 }), toolOff('lead', 1), called1({ n: 2 })));
    expect(joinDigests(all.slice(0, 2), run.bytesAfter(2))).toEqual(all);
    expect(run.bytesAfter(99)).toHaveLength(0);
  });
});
