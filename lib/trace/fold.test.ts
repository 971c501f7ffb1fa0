import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import {
  begin,
  ended,
  finish,
  fold,
  log,
  modelOff,
  modelOn,
  origin,
  queued,
  started,
  toolOff,
  toolOn,
  usage,
} from '@/lib/testing/trace-log';
import { decodeTrace, encodeTrace } from './columns';
import { foldEvent } from './fold';
import { historyRows } from './history';
import { layoutRows, rowAt } from './lanes';
import { slimEvent } from './slim-event';
import { spanName, type Trace } from './trace';
import { usageByInstance, usageByTemplate } from './usage';

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

const setupOn = (path: string, n: number, name = 'files'): EventBody => ({
  kind: 'setup.started',
  path: brandAs(path),
  step: brandAs(`${path}#s${n}`),
  what: 'server',
  name,
});
const setupOff = (path: string, n: number, code?: string): EventBody => ({
  kind: 'setup.ended',
  path: brandAs(path),
  step: brandAs(`${path}#s${n}`),
  ...(code !== undefined && { error: { code, message: 'It is not there: no token\nLast output:\nno token' } }),
});

describe('what an instance waits for', () => {
  const waits = log(
    [0, begin],
    [1, queued('lead')],
    [2, started('lead')],
    [3, setupOn('lead', 1)],
    [4, setupOn('lead', 2, 'web')],
    [50, setupOff('lead', 2)],
    [90, setupOff('lead', 1, 'server_unavailable')],
    [91, modelOn('lead', 1)],
    [95, modelOff('lead', 1)],
    [96, ended('lead')],
    [97, finish],
  );

  it('has bars below each other, and a server that did not start is a fact of the run', () => {
    const trace = fold(waits.map(slimEvent));
    expect(bars(trace).slice(2, 4)).toEqual(['lead: setup files 3-90 error', 'lead: setup web 4-50 ok']);
    expect(trace.lanes[0]).toMatchObject({ slots: 2, errors: 1 });
    expect(trace.run).toMatchObject({
      status: 'completed',
      failedStarts: [{ server: 'files', agentName: 'lead', message: 'It is not there: no token', span: 2 }],
    });
    expect(historyRows(trace, [0], new Set()).map(({ kind }) => kind)).toEqual([
      'group',
      'call',
      'result',
      'call',
      'result',
    ]);
    const again = decodeTrace(encodeTrace(trace));
    expect([bars(again), again.run]).toEqual([bars(trace), trace.run]);
  });

  it('is forgotten once the server has started after all', () => {
    const trace = fold(waits.slice(0, 7));
    for (const [i, body] of [setupOn('lead', 3), setupOff('lead', 3)].entries()) {
      foldEvent(trace, { seq: 8 + i, at: brandAs(origin + 100 + i), ...body });
    }
    expect(trace.run.failedStarts).toEqual([]);
  });

  it('ends with the run, or with the worker', () => {
    const open = waits.slice(0, 5);
    const stopped = fold(open);
    foldEvent(stopped, { ...finish, seq: 6, at: brandAs(origin + 20) });
    expect(bars(stopped)[2]).toBe('lead: setup files 3-20 cancelled');
    const lost = fold(open);
    foldEvent(lost, { kind: 'run.resumed', worker: 'w', seq: 6, at: brandAs(origin + 20) });
    expect(bars(lost)[2]).toBe('lead: setup files 3-4 interrupted');
  });
});

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

  it('never adds a wait to the instance, however short it is', () => {
    const trace = fold(log([0, begin], [0, queued('lead')], [0.3, started('lead')], [5, ended('lead')]));
    expect(bars(trace)).toEqual(['lead: queued lead 0-0.3 ok', 'lead: instance lead 0.3-5 ok']);
  });

  it('counts each model call that ended, also where an older log counts answered calls only', () => {
    const failed: EventBody = {
      ...{ kind: 'model.ended', path: brandAs('lead'), step: brandAs('lead#m2'), usage: noUsage, requests: 3 },
      error: { code: 'model_failed', message: 'No.' },
    };
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, modelOn('lead', 1)],
        [2, modelOff('lead', 1)],
        [3, modelOn('lead', 2)],
        [4, failed],
        [5, ended('lead', 'failed')],
        [6, { kind: 'run.finished', status: 'failed', usage: usage(3, 4) }],
      ),
    );
    expect([trace.lanes[0]?.usage.modelCalls, trace.run.usage.modelCalls]).toEqual([2, 2]);
    expect(trace.run.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
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

  it('goes on with a delegation that is started once more', () => {
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
    expect(bars(trace).slice(1)).toEqual(['lead: tool agent__kid 1- open']);
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
    expect(usageByTemplate(trace)).toEqual([{ key: 'lead', usage: usage(3, 4), cost: { usd: 0, unpriced: ['gpt'] } }]);
    expect(usageByInstance(trace, [0])).toHaveLength(1);
  });
});

describe('bytes', () => {
  it('refuses what is no trace', () => {
    expect(() => decodeTrace(new Uint8Array([1, 2, 3, 4]))).toThrow('not a trace');
    expect(() => decodeTrace(new Uint8Array([0x43, 0x42, 0x54, 99]))).toThrow('format 99');
    expect(() => decodeTrace(encodeTrace(fold(log([0, begin], [0, queued('a')]))).slice(0, -2))).toThrow(RangeError);
  });
});

function fail(): never {
  throw new Error('no such event');
}
