import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import {
  answered,
  artifact,
  asked,
  begin,
  decided,
  ended,
  finish,
  fold,
  hookOff,
  hookOn,
  log,
  modelOff,
  modelOn,
  queued,
  started,
  stateChange,
  toolOff,
  toolOn,
  vote,
} from '@/lib/testing/trace-log';
import { decodeTrace, encodeTrace } from './columns';
import { layoutRows, NO_LANE } from './lanes';
import { slimEvent } from './slim-event';
import type { Trace } from './trace';

/** Everything a reader of a trace can see, as plain data. */
function visible(trace: Trace) {
  const { spans, lanes, laneVersion, version, stringIds, ...rest } = trace;
  return {
    ...rest,
    columns: Array.from({ length: spans.length }, (_, i) => [
      spans.kindOf(i),
      spans.statusOf(i),
      spans.sourceOf(i),
      spans.start.at(i),
      spans.end.at(i),
      spans.lane.at(i),
      spans.parent.at(i),
      spans.name.at(i),
      spans.detail.at(i),
      spans.inputTokens.at(i),
      spans.outputTokens.at(i),
      spans.cachedTokens.at(i),
      spans.reasoningTokens.at(i),
      spans.startSeq.at(i),
      spans.endSeq.at(i),
      spans.slot.at(i),
      spans.attempt.at(i),
      spans.flags.at(i),
      spans.below.get(i),
    ]),
    lanes: lanes.map(({ spans: own, busySlots, busyHooks, ...lane }) => ({
      ...lane,
      taken: [busySlots.taken(), busyHooks.taken()],
      ids: Array.from({ length: own.length }, (_, i) => own.ids.at(i)),
      reach: [0, 5_000, 50_000, 1e9].map((t) => [own.firstReaching(t), own.afterLastStarting(t)]),
    })),
  };
}

describe('property: any log', () => {
  it('folds the same whole, slim, and continued from its bytes at any point', () => {
    fc.assert(
      fc.property(randomLog(), fc.nat(), (events, cutSeed) => {
        const whole = fold(events);
        const cut = cutSeed % (events.length + 1);
        expect(visible(fold(events.map(slimEvent).map(revive)))).toEqual(visible(whole));
        const continued = fold(events.slice(cut), decodeTrace(encodeTrace(fold(events.slice(0, cut)))));
        expect(visible(continued)).toEqual(visible(whole));
      }),
      { numRuns: 300 },
    );
  });

  it('gives each lane one row or hides it in one count', () => {
    fc.assert(
      fc.property(randomLog(), fc.uniqueArray(fc.nat(5)), (events, unfolded) => {
        const trace = fold(events);
        const rows = layoutRows(trace, new Set(), new Set(unfolded));
        const shown = [...rows.lanes].filter((lane) => lane !== NO_LANE);
        expect(new Set(shown).size).toBe(shown.length);
        for (const lane of shown) expect(rows.lanes[rows.rowOf[lane] ?? -1]).toBe(lane);
        for (const { parent, hidden } of rows.counts.values()) {
          const lane = trace.lanes[parent];
          expect(hidden).toBe((lane?.children.length ?? 0) - (lane?.maxDisplay ?? 0));
        }
        expect([...layoutRows(trace, new Set()).lanes].sort((a, b) => a - b)).toEqual(trace.lanes.map((_, i) => i));
      }),
    );
  });

  it('finds every span that touches a window', () => {
    fc.assert(
      fc.property(randomLog(), fc.nat(200_000), fc.nat(100_000), (events, from, length) => {
        const trace = fold(events);
        const to = from + length;
        for (const lane of trace.lanes) {
          const first = lane.spans.firstReaching(from);
          const after = lane.spans.afterLastStarting(to);
          for (let i = 0; i < lane.spans.length; i++) {
            const span = lane.spans.ids.at(i);
            const touches = trace.spans.start.at(span) <= to && trace.spans.end.at(span) >= from;
            if (touches) expect(i >= first && i < after).toBe(true);
          }
        }
      }),
    );
  });
});

/** JSON and back: what the stream does. */
function revive<T>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value));
  return copy;
}

/** Parents and children that start, call, fail, get interrupted and end in any interleaving. */
function randomLog(): fc.Arbitrary<RunEvent[]> {
  const paths = ['lead', 'lead/a[1]', 'lead/a[2]', 'lead/a[1]/deep[1]'];
  const action = fc.record({
    wait: fc.nat(20_000).map((us) => us / 1000),
    path: fc.constantFrom(...paths),
    n: fc.integer({ min: 1, max: 4 }),
    what: fc.constantFrom(
      'queue',
      'start',
      'model',
      'modelEnd',
      'tool',
      'agent',
      'toolEnd',
      'toolFail',
      'end',
      'resume',
      'few',
      'again',
      'cachedEnd',
      'hook',
      'innerHook',
      'hookEnd',
      'state',
      'artifact',
      'open',
      'save',
      'merge',
      'decide',
      'ask',
      'askWithin',
      'answer',
      'deny',
      'expire',
      'suspend',
      'log',
    ),
  });
  return fc.tuple(fc.array(action, { maxLength: 60 }), fc.boolean()).map(([actions, finished]) => {
    let now = 0;
    const bodies: [number, EventBody][] = [[0, begin]];
    for (const { wait, path, n, what } of actions) {
      now += wait;
      bodies.push([now, bodyFor(what, path, n)]);
    }
    if (finished) bodies.push([now, finish]);
    return log(...bodies);
  });
}

function bodyFor(what: string, path: string, n: number): EventBody {
  switch (what) {
    case 'queue':
      return queued(path, path.includes('/') ? `lead#t${n}` : undefined);
    case 'start':
      return started(path);
    case 'model':
      return modelOn(path, n);
    case 'modelEnd':
      return { ...modelOff(path, n), ...(n > 1 && { firstTokenMs: n / 2 }) } as EventBody;
    case 'tool':
      return toolOn(path, n);
    case 'agent':
      return toolOn(path, n, 'agent__a', 'agent');
    case 'toolEnd':
      return toolOff(path, n);
    case 'toolFail':
      return toolOff(path, n, true);
    case 'end':
      return ended(path);
    case 'few':
      return { ...started(path), maxDisplayInstances: n } as EventBody;
    case 'again':
      return { ...queued(path, `lead#t${n}`), attempt: n, forwarded: n > 2 ? false : ['model'] } as EventBody;
    case 'cachedEnd':
      return { ...ended(path), cached: true } as EventBody;
    case 'hook':
      return hookOn(path, n);
    case 'innerHook':
      return hookOn(path, n, 'around', `${path}#t${n}`);
    case 'hookEnd':
      return hookOff(path, n, n > 1, n > 2, n > 1 ? { afterMs: n / 2, ms: n } : undefined);
    case 'state':
      return stateChange('lead', n, path);
    case 'artifact':
      return artifact(path, n);
    case 'open':
      return {
        kind: 'session.opened',
        path: brandAs(path),
        step: brandAs(`${path}#t${n}`),
        sessionId: 's1',
        owner: 'lead',
        mode: 'reuse',
        version: n,
      };
    case 'save':
      return {
        kind: 'session.saved',
        path: brandAs(path),
        step: brandAs(`${path}#t${n}`),
        sessionId: 's1',
        version: n + 1,
        kept: 0,
        messages: [],
        state: {},
        activeGroups: [],
      };
    case 'merge':
      return {
        kind: 'history.merged',
        path: brandAs(path),
        step: brandAs(`${path}#t${n}`),
        target: 'child',
        agentName: 'a',
        messages: [],
      };
    case 'decide':
      return decided(path, n, n > 2 ? vote(n, 'x'.repeat(n * 90), n, 1) : routed(n));
    case 'ask':
      return asked(path, n);
    case 'askWithin':
      return asked(path, n, `${path}#t${n}.r2`);
    case 'answer':
      return answered(path, n, 'edit');
    case 'deny':
      return answered(path, n, 'deny');
    case 'expire':
      return answered(path, n);
    case 'suspend':
      return { kind: 'run.suspended', open: n, activeMs: {} };
    case 'log':
      return {
        ...{ kind: 'log', level: 'warning', code: 'model_retry', message: 'again' },
        ...{ path: brandAs(path), step: brandAs(`${path}#m${n}`), waitMs: n },
      };
    default:
      return { kind: 'run.resumed', worker: 'w' };
  }
}

const routed = (n: number): WorkflowDecision => ({
  what: 'route',
  agent: 'a',
  confidence: 'high',
  candidates: ['a'],
  ...(n > 1 && { reasoning: 'r'.repeat(500) }),
});
