import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import {
  answered,
  artifact,
  asked,
  begin,
  decided,
  ended,
  fold,
  hookOff,
  hookOn,
  log,
  modelOff,
  modelOn,
  origin,
  queued,
  started,
  stateChange,
  toolOff,
  toolOn,
  usage,
  vote,
} from '@/lib/testing/trace-log';
import { historyRows } from './history';
import { layoutRows } from './lanes';
import { MomentTrace } from './moment-trace';
import type { Trace } from './trace';
import { usageByInstance } from './usage';

/** Everything that the page of a run reads from a trace, as plain data. */
function picture(trace: Trace, moment: number) {
  const { spans, lanes, run } = trace;
  const rows = layoutRows(trace, new Set(), new Set());
  return {
    spans: Array.from({ length: spans.length }, (_, i) => ({
      kind: spans.kindOf(i),
      status: spans.statusOf(i),
      source: spans.sourceOf(i),
      time: [spans.start.at(i), spans.end.at(i)],
      place: [spans.lane.at(i), spans.parent.at(i), spans.slot.at(i), spans.attempt.at(i)],
      words: [trace.strings[spans.name.at(i)], trace.strings[spans.detail.at(i)]],
      tokens: [spans.inputTokens, spans.outputTokens, spans.cachedTokens, spans.reasoningTokens].map((column) =>
        column.at(i),
      ),
      events: [spans.startSeq.at(i), spans.endSeq.at(i)],
      flags: spans.flags.at(i),
      below: spans.below.get(i),
    })),
    lanes: lanes.map(({ spans: own, busySlots, busyHooks, ...lane }) => ({
      ...lane,
      own: Array.from({ length: own.length }, (_, i) => own.ids.at(i)),
      later: [0, moment / 2, moment].map((at) => own.afterLastStarting(at)),
    })),
    paths: [...trace.laneByPath],
    roots: trace.roots,
    rows: [rows.lanes, rows.tops, rows.rowOf, [...rows.counts]],
    run: { ...run, askedAs: undefined, startChanges: undefined },
    messages: historyRows(trace, rows.lanes, new Set()),
    usage: usageByInstance(trace, rows.lanes),
    notes: trace.notes,
    logs: trace.logs,
  };
}

const timeOf = (event: RunEvent) => Math.round((event.at - origin) * 1000);

/** Compares the picture of a moment with what a fold of the events up to there has. */
function expectSame(at: MomentTrace, events: readonly RunEvent[], moment: number) {
  at.seek(moment);
  const folded = fold(events.filter((event) => timeOf(event) <= moment));
  expect(picture(at.trace, moment)).toEqual(picture(folded, moment));
}

test('property: bars, lanes, state, messages and log at 1,000 random moments equal the fold up to there', () => {
  let moments = 0;
  fc.assert(
    fc.property(
      randomRun(),
      fc.array(fc.double({ min: 0, max: 1.1, noNaN: true }), { minLength: 20, maxLength: 20 }),
      (events, shares) => {
        const at = new MomentTrace(fold(events));
        const last = Math.max(...events.map(timeOf));
        for (const share of shares) {
          expectSame(at, events, Math.round(share * last));
          moments++;
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(moments).toBeGreaterThanOrEqual(1_000);
});

test('at the time of each event the picture is that of the fold, forwards and backwards', () => {
  fc.assert(
    fc.property(randomRun(), (events) => {
      const at = new MomentTrace(fold(events));
      const times = [...new Set(events.map(timeOf))];
      for (const moment of [...times, ...times.toReversed()]) expectSame(at, events, moment);
    }),
    { numRuns: 20 },
  );
});

test('a run that goes on can be looked at before now while it grows', () => {
  fc.assert(
    fc.property(randomRun(), (events) => {
      const middle = Math.floor(events.length / 2);
      const live = fold(events.slice(0, middle));
      const at = new MomentTrace(live);
      const moment = timeOf(events[Math.floor(middle / 2)] ?? events[0] ?? fail());
      // Later events may have the time of the moment, and the run does not know them yet.
      expectSame(at, events.slice(0, middle), moment);
      const before = picture(at.trace, moment);
      fold(events.slice(middle), live);
      expect(picture(at.trace, moment)).toEqual(before);
      expectSame(at, events, moment);
    }),
    { numRuns: 30 },
  );
});

test('a clock that was set back, and moments outside the run, show a run without an error', () => {
  const events = log(
    [50, begin],
    [50, queued('lead')],
    [20, started('lead')],
    [10, toolOn('lead', 1)],
    [5, toolOff('lead', 1)],
    [90, toolOn('lead', 2)],
  );
  const at = new MomentTrace(fold(events));
  for (const moment of [-5_000_000, 0, 1_000, 39_999, 40_000, 1e12]) at.seek(moment);
  expect(at.trace.spans.length).toBe(3);
  at.seek(-5_000_000);
  expect([at.trace.spans.length, at.trace.lanes.length]).toEqual([0, 0]);
});

test('nothing to show is shown at any moment', () => {
  const at = new MomentTrace(fold([]));
  at.seek(100);
  expect([at.trace.spans.length, at.trace.lanes.length, at.trace.run.status]).toEqual([0, 0, undefined]);
});

function fail(): never {
  throw new Error('The run has no event');
}

/** What may happen next to one instance, in the order in which a runtime writes it. */
interface Instance {
  readonly path: string;
  phase: 'queued' | 'running' | 'ended';
  /** 0 once it is saved. */
  session?: number;
  readonly open: { readonly what: 'model' | 'tool' | 'hook' | 'setup' | 'agent' | 'question'; readonly n: number }[];
}

/** Runs with parallel instances, waits, retries, hooks, failed servers, state, sessions, decisions, questions, suspensions and crashes. */
function randomRun(): fc.Arbitrary<RunEvent[]> {
  const step = fc.record({ wait: fc.nat(3_000), pick: fc.nat(1_000), what: fc.nat(18), odd: fc.boolean() });
  return fc
    .tuple(fc.array(step, { minLength: 5, maxLength: 90 }), fc.constantFrom('completed', 'failed', undefined))
    .map(([steps, status]) => {
      const bodies: [number, EventBody][] = [[0, begin]];
      const instances: Instance[] = [];
      let now = 0;
      let n = 0;
      const add = (body: EventBody) => bodies.push([now / 1000, body]);
      const spawn = (path: string, call: number | undefined) => {
        add({ ...queued(path, call === undefined ? undefined : `lead#t${call}`), attempt: 1 + (n % 3) } as EventBody);
        instances.push({ path, phase: 'queued', open: [] });
      };
      spawn('lead', undefined);
      for (const { wait, pick, what, odd } of steps) {
        now += wait;
        n++;
        if (what === 15 && n % 3 === 0) {
          now++;
          add({ kind: 'run.resumed', worker: 'w' });
          for (const { open } of instances) {
            for (const lost of open.splice(0)) if (lost.what === 'agent' || lost.what === 'question') open.push(lost);
          }
          continue;
        }
        if (what === 16 && n % 3 === 0) {
          add({ kind: 'run.suspended', open: n, activeMs: {} });
          now += wait;
          if (odd) add({ kind: 'run.resumed', worker: 'w' });
          for (const { open } of instances) {
            const kept = open
              .splice(0)
              .filter((each) => each.what !== 'model' && each.what !== 'hook' && each.what !== 'setup');
            if (odd) open.push(...kept);
          }
          if (!odd) break;
          continue;
        }
        const one = instances[pick % instances.length];
        if (one === undefined) continue;
        if (one.phase === 'queued') {
          add({ ...started(one.path), ...(odd && { maxDisplayInstances: 2 }) } as EventBody);
          one.phase = 'running';
        } else if (one.phase === 'ended') {
          add({ ...stateChange(one.path, n, one.path), outcome: odd ? 'refused' : 'committed' } as EventBody);
        } else act(one, { what, odd, n, pick, add, spawn });
      }
      if (status !== undefined) {
        add({ kind: 'run.finished', status, answer: 'x', usage: usage(7, 8) } as EventBody);
      }
      return log(...bodies);
    });
}

interface Action {
  readonly what: number;
  readonly odd: boolean;
  readonly n: number;
  readonly pick: number;
  readonly add: (body: EventBody) => void;
  readonly spawn: (path: string, call: number) => void;
}

function act(one: Instance, { what, odd, n, pick, add, spawn }: Action): void {
  const { path, open } = one;
  const begin = (kind: Instance['open'][number]['what'], body: EventBody) => {
    open.push({ what: kind, n });
    add(body);
  };
  if (what <= 1) begin('model', modelOn(path, n, odd ? 2 : 1));
  else if (what <= 3) begin('tool', toolOn(path, n, 'look'));
  else if (what === 4) begin('hook', hookOn(path, n, 'around', odd ? undefined : `${path}#t${open.at(-1)?.n}`));
  else if (what === 5) begin('setup', { kind: 'setup.started', ...setupOf(path, n), what: 'server', name: 's' });
  else if (what <= 7 && path === 'lead') {
    begin('agent', toolOn(path, n, 'agent__kid', 'agent'));
    spawn(`lead/kid[${n}]`, n);
  } else if (what <= 7) add(artifact(path, n));
  else if (what >= 17) {
    const call = open.findLast((each) => each.what === 'tool' || each.what === 'agent');
    begin('question', asked(path, n, call === undefined ? `${path}#h1` : `${path}#t${call.n}${odd ? '.r2' : ''}`));
  } else if (what === 8) add(decided(path, n, vote(n, 'a', n, 1)));
  else if (what === 9) {
    const step = brandAs<StepKey>(`${path}#m${n}`);
    const again = { level: 'warning', code: 'model_retry', message: `again ${n}` } as const;
    add({ kind: 'log', ...again, path: brandAs(path), step, waitMs: n });
  } else if (what === 10 && one.session !== 0) {
    const session = { ...sessionOf(path, n), version: n };
    if (one.session === undefined) add({ kind: 'session.opened', ...session, owner: 'lead', mode: 'reuse' });
    else add({ kind: 'session.saved', ...session, kept: 0, messages: [], state: {}, activeGroups: [] });
    one.session = one.session === undefined ? n : 0;
  } else if (what === 11 && open.length === 0) {
    one.phase = 'ended';
    add({ ...ended(path, odd ? 'completed' : 'timeout'), cached: n % 5 === 0, usage: usage(n, 1) } as EventBody);
  } else {
    const [next] = open.splice(pick % Math.max(open.length, 1), 1);
    if (next !== undefined) add(endOf(path, next, odd));
  }
}

function setupOf(path: string, n: number) {
  return { path: brandAs<InstancePath>(path), step: brandAs<StepKey>(`${path}#u${n}`) };
}

function sessionOf(path: string, n: number) {
  return { path: brandAs<InstancePath>(path), step: brandAs<StepKey>(`${path}#s${n}`), sessionId: 's1' };
}

function endOf(path: string, { what, n }: Instance['open'][number], odd: boolean): EventBody {
  switch (what) {
    case 'model':
      return {
        ...modelOff(path, n),
        firstTokenMs: n / 3,
        usage: { ...usage(n, 2), cachedInputTokens: n, reasoningTokens: 1 },
      } as EventBody;
    case 'tool':
    case 'agent':
      return toolOff(path, n, odd);
    case 'hook':
      return hookOff(path, n, odd, !odd, odd ? { afterMs: n, ms: n + 1 } : undefined);
    case 'question':
      return answered(path, n, n % 4 === 0 ? undefined : odd ? 'deny' : 'edit');
    case 'setup':
      return {
        kind: 'setup.ended',
        path: brandAs(path),
        step: brandAs(`${path}#u${n}`),
        ...(odd && { error: { code: 'mcp_start', message: `no ${n}` } }),
      } as EventBody;
  }
}
