import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/events';
import { noUsage } from '@/lib/runtime/messages';
import { decodeTrace, encodeTrace } from './columns';
import { emptyTrace, foldEvent } from './fold';
import { historyRows } from './history';
import { layoutRows, rowAt } from './lanes';
import { type SlimEvent, slimEvent } from './slim-event';
import { spanName, type Trace } from './trace';
import { usageByInstance, usageByTemplate } from './usage';

const origin = 1_700_000_000_000;

/** Stamps bodies: `[milliseconds since the start, body]`. */
function log(...bodies: readonly (readonly [number, EventBody])[]): RunEvent[] {
  return bodies.map(([ms, body], i) => ({ seq: i + 1, at: brandAs(origin + ms), ...body }));
}

const usage = (inputTokens: number, outputTokens: number) => ({ ...noUsage, inputTokens, outputTokens, modelCalls: 1 });

const begin: EventBody = {
  kind: 'run.started',
  runId: brandAs('r1'),
  correlationId: brandAs('c1'),
  entryAgent: 'lead',
  message: 'hello',
  scripted: true,
};
const finish: EventBody = { kind: 'run.finished', status: 'completed', answer: 'done', usage: usage(3, 4) };

function queued(path: string, parentStep?: string): EventBody {
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined;
  const instanceName = path.slice(path.lastIndexOf('/') + 1);
  return {
    kind: 'instance.queued',
    path: brandAs(path),
    agentName: instanceName.replace(/\[\d+\]$/, ''),
    instanceName,
    parent: above === undefined ? undefined : brandAs(above),
    correlationId: brandAs(`corr-${instanceName}`),
    parentStep: parentStep === undefined ? undefined : brandAs(parentStep),
    depth: path.split('/').length - 1,
  };
}
const started = (path: string): EventBody => ({
  kind: 'instance.started',
  path: brandAs(path),
  input: 'do it',
  model: 'm',
});
const ended = (path: string): EventBody => ({
  kind: 'instance.ended',
  path: brandAs(path),
  status: 'completed',
  answer: 'ok',
  usage: usage(3, 4),
});
const modelOn = (path: string, n: number, attempt = 1): EventBody => ({
  kind: 'model.started',
  path: brandAs(path),
  step: brandAs(`${path}#m${n}`),
  attempt,
  model: 'gpt',
  messageCount: 1,
  tools: [],
});
const modelOff = (path: string, n: number): EventBody => ({
  kind: 'model.ended',
  path: brandAs(path),
  step: brandAs(`${path}#m${n}`),
  usage: usage(3, 4),
  requests: 1,
});
const toolOn = (
  path: string,
  n: number,
  toolName = 'time',
  source: 'mcp' | 'agent' = 'mcp',
  attempt = 1,
): EventBody => ({
  kind: 'tool.started',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  attempt,
  callId: brandAs(`call-${n}`),
  toolName,
  source,
  arguments: { n },
  correlationId: brandAs('c'),
});
const toolOff = (path: string, n: number, isError = false): EventBody => ({
  kind: 'tool.ended',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  callId: brandAs(`call-${n}`),
  result: { content: [], isError, errorCode: isError ? 'TOOL_TIMEOUT' : undefined },
});

function fold(events: readonly SlimEvent[], trace = emptyTrace()): Trace {
  for (const event of events) foldEvent(trace, event);
  return trace;
}

/** `kind name start-end status`, times in milliseconds. */
function bars(trace: Trace): string[] {
  return Array.from({ length: trace.spans.length }, (_, i) => {
    const { spans } = trace;
    const lane = trace.lanes[spans.lane.at(i)]?.path;
    const end = spans.end.at(i);
    const shown = end === Number.POSITIVE_INFINITY ? '' : end / 1000;
    return `${lane}: ${spans.kindOf(i)} ${spanName(trace, i)} ${spans.start.at(i) / 1000}-${shown} ${spans.statusOf(i)}`;
  });
}

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
      spans.startSeq.at(i),
      spans.endSeq.at(i),
      spans.slot.at(i),
      spans.attempt.at(i),
    ]),
    lanes: lanes.map(({ spans: own, ...lane }) => ({
      ...lane,
      ids: Array.from({ length: own.length }, (_, i) => own.ids.at(i)),
      reach: [0, 5_000, 50_000, 1e9].map((t) => [own.firstReaching(t), own.afterLastStarting(t)]),
    })),
  };
}

describe('fold', () => {
  it('makes one lane per instance and one bar per step', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, modelOn('lead', 1)],
        [10, modelOff('lead', 1)],
        [10, toolOn('lead', 1, 'agent__kid', 'agent')],
        [10, queued('lead/kid[1]', 'lead#t1')],
        [15, started('lead/kid[1]')],
        [15, modelOn('lead/kid[1]', 1)],
        [30, modelOff('lead/kid[1]', 1)],
        [30, ended('lead/kid[1]')],
        [30, toolOff('lead', 1)],
        [31, ended('lead')],
        [31, finish],
      ),
    );
    expect(bars(trace)).toEqual([
      'lead: instance lead 0-31 ok',
      'lead: model gpt 1-10 ok',
      'lead: tool agent__kid 10-30 ok',
      'lead/kid[1]: queued kid[1] 10-15 ok',
      'lead/kid[1]: instance kid[1] 15-30 ok',
      'lead/kid[1]: model gpt 15-30 ok',
    ]);
    expect(trace.lanes[1]).toMatchObject({ parent: 0, parentSpan: 2, depth: 1, queuedAt: 10_000, startedAt: 15_000 });
    expect(trace.run).toMatchObject({ status: 'completed', scripted: true, entryAgent: 'lead' });
    expect(trace.steps.size).toBe(0);
  });

  it('keeps bars open while nothing ended them, and ends all with the run', () => {
    const events = log([0, begin], [0, queued('lead')], [0, started('lead')], [1, modelOn('lead', 1)]);
    const trace = fold(events);
    expect(bars(trace)).toEqual(['lead: instance lead 0- open', 'lead: model gpt 1- open']);
    foldEvent(trace, { seq: 5, at: brandAs(origin + 9), kind: 'run.finished', status: 'failed', usage: noUsage });
    expect(bars(trace)).toEqual(['lead: instance lead 0-9 error', 'lead: model gpt 1-9 error']);
    expect(trace.lanes[0]).toMatchObject({ state: 'ended', status: 'error', endedAt: 9000 });
  });

  it('draws a new bar for the second attempt after a resume, and goes on with the delegation', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, toolOn('lead', 1, 'agent__kid', 'agent')],
        [1, queued('lead/kid[1]', 'lead#t1')],
        [1, started('lead/kid[1]')],
        [2, modelOn('lead/kid[1]', 1)],
        [500, { kind: 'run.resumed', worker: 'w2' }],
        [501, modelOn('lead/kid[1]', 1, 2)],
        [510, modelOff('lead/kid[1]', 1)],
        [511, ended('lead/kid[1]')],
        [511, toolOff('lead', 1)],
      ),
    );
    expect(bars(trace)).toEqual([
      'lead: instance lead 0- open',
      'lead: tool agent__kid 1-511 ok',
      'lead/kid[1]: instance kid[1] 1-511 ok',
      'lead/kid[1]: model gpt 2-2 interrupted',
      'lead/kid[1]: model gpt 501-510 ok',
    ]);
    expect(trace.spans.attempt.at(4)).toBe(2);
  });

  it('interrupts a delegation too when it is started once more', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, toolOn('lead', 1, 'agent__kid', 'agent')],
        [500, { kind: 'run.resumed', worker: 'w2' }],
        [501, toolOn('lead', 1, 'agent__kid', 'agent', 2)],
      ),
    );
    expect(bars(trace).slice(1)).toEqual([
      'lead: tool agent__kid 1-500 interrupted',
      'lead: tool agent__kid 501- open',
    ]);
  });

  it('gives overlapping tools a sub-row each and takes it back', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, toolOn('lead', 1)],
        [1, toolOn('lead', 2)],
        [2, toolOff('lead', 1)],
        [3, toolOn('lead', 3)],
        [4, toolOn('lead', 4, 'agent__kid', 'agent')],
        [9, toolOff('lead', 2, true)],
      ),
    );
    expect([1, 2, 3, 4].map((span) => trace.spans.slot.at(span))).toEqual([0, 1, 0, 0]);
    expect(trace.lanes[0]).toMatchObject({ slots: 2, errors: 1 });
    expect(trace.spans.statusOf(2)).toBe('timeout');
  });

  it('ignores what it has folded before', () => {
    const events = log([0, begin], [0, queued('lead')], [0, started('lead')]);
    const trace = fold(events);
    expect(fold(events, trace).spans.length).toBe(1);
    expect(foldEvent(trace, events[0] ?? fail())).toBe(false);
  });

  it('orders children as the model asked, whoever is queued first', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, toolOn('lead', 1, 'agent__a', 'agent')],
        [0, toolOn('lead', 2, 'agent__b', 'agent')],
        [1, queued('lead/b[1]', 'lead#t2')],
        [1, queued('lead/a[1]', 'lead#t1')],
        [1, queued('lead/a[1]/deep[1]', 'lead/a[1]#t1')],
      ),
    );
    const names = (collapsed: ReadonlySet<number>) =>
      [...layoutRows(trace, collapsed).lanes].map((lane) => trace.lanes[lane]?.instanceName);
    expect(names(new Set())).toEqual(['lead', 'a[1]', 'deep[1]', 'b[1]']);
    expect(names(new Set([2]))).toEqual(['lead', 'a[1]', 'b[1]']);
    expect(rowAt(layoutRows(trace, new Set()), 60)).toBe(2);
  });

  it('groups history by instance and totals usage once', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, modelOn('lead', 1)],
        [2, modelOff('lead', 1)],
        [2, toolOn('lead', 1)],
        [2, toolOn('lead', 2)],
        [3, toolOff('lead', 2)],
        [4, toolOff('lead', 1)],
        [5, toolOn('lead', 3)],
      ),
    );
    expect(historyRows(trace, [0], new Set()).map((row) => (row.kind === 'group' ? row.calls : row.kind))).toEqual([
      3,
      'call',
      'result',
      'call',
      'result',
      'call',
    ]);
    expect(usageByTemplate(trace, 6000)).toEqual([
      { key: 'lead', name: 'lead', instances: 1, usage: usage(3, 4), busy: 6000, errors: 0 },
    ]);
    expect(usageByInstance(trace, [0], 6000)).toHaveLength(1);
  });
});

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

describe('bytes', () => {
  it('refuses what is no trace', () => {
    expect(() => decodeTrace(new Uint8Array([1, 2, 3, 4]))).toThrow('not a trace');
    expect(() => decodeTrace(new Uint8Array([0x43, 0x42, 0x54, 9]))).toThrow('format 9');
    expect(() => decodeTrace(encodeTrace(fold(log([0, begin], [0, queued('a')]))).slice(0, -2))).toThrow(RangeError);
  });
});

/** JSON and back: what the stream does. */
function revive<T>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value));
  return copy;
}

function fail(): never {
  throw new Error('no such event');
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
      return modelOff(path, n);
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
    default:
      return { kind: 'run.resumed', worker: 'w' };
  }
}
