import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { analyse } from '@/lib/trace/analysis/analyse';
import { runColumns } from '@/lib/trace/analysis/run-columns';
import { decodeTrace, encodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { failureList } from '@/lib/trace/failure-list';
import { foldEvent } from '@/lib/trace/fold';
import { FrameworkFold } from '@/lib/trace/framework-fold';
import { MomentTrace } from '@/lib/trace/moment-trace';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';
import type { Attributes, ReceivedSpan } from './otlp/received-span';
import { runOfSpans } from './run-of-spans';

const t0 = 1_763_628_000_000;

const span = (id: string, parentId: string | undefined, name: string, from: number, to: number, op?: Attributes) =>
  ({
    ...{ traceId: 'a'.repeat(32), spanId: id, parentId, name, start: t0 + from, end: t0 + to },
    ...{ attributes: op ?? {}, events: [], failed: false, scope: 'strands.telemetry.tracer', resource: {} },
  }) satisfies ReceivedSpan;

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' };
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 5 };
const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup' };
const cycle = 'execute_event_loop_cycle';

/** An agent with two turns of its loop, of which one lies in the other's time. */
const turns = [
  span('a', undefined, 'invoke_agent planner', 0, 100, agent),
  span('c1', 'a', cycle, 5, 60, { 'event_loop.cycle_id': 'one' }),
  span('m1', 'c1', 'chat', 10, 30, chat),
  span('t1', 'c1', 'execute_tool lookup', 35, 55, tool),
  span('c2', 'a', cycle, 50, 95),
  span('m2', 'c2', 'chat', 65, 90, chat),
];

const eventsOf = (spans: readonly ReceivedSpan[]) => runOfSpans(brandAs<RunId>('run'), spans)?.events ?? [];

function whole(events: readonly RunEvent[]): Trace {
  const trace = emptyTrace();
  const fold = new FrameworkFold(trace);
  for (const event of events) fold.take(event);
  return decodeTrace(encodeTrace(trace));
}

function plain(events: readonly RunEvent[]): Trace {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, event);
  return trace;
}

function lines(trace: Trace): readonly string[] {
  const { spans, lanes } = trace;
  return Array.from({ length: spans.length }, (_, one) => {
    const times = `${spans.start.at(one) / 1000}-${spans.end.at(one) / 1000}`;
    const parent = spans.parent.at(one);
    const host = spans.kindOf(one) === 'framework' ? ` in ${spanName(trace, parent)}` : '';
    return `${lanes[spans.lane.at(one)]?.path} ${spans.kindOf(one)} ${spanName(trace, one)} ${times}${host}`;
  });
}

test('all spans of a trace come back: those that were folded are lines in the lane of what took them in', () => {
  const trace = whole(eventsOf(turns));
  expect(lines(trace).filter((line) => !line.includes(' queued '))).toEqual([
    'planner instance planner 0-100',
    `planner framework ${cycle} 5-60 in planner`,
    'planner model m 10-30',
    'planner tool lookup 35-55',
    `planner framework ${cycle} 50-95 in planner`,
    'planner model m 65-90',
  ]);
  const folded = [...trace.spans.kind.data].flatMap((_, one) =>
    trace.spans.kindOf(one) === 'framework' && one < trace.spans.length ? [one] : [],
  );
  expect(folded.map((one) => [spanDetail(trace, one), trace.spans.slot.at(one)])).toEqual([
    ['c1', 0],
    ['c2', 1],
  ]);
  expect(trace.lanes[0]?.hookSlots).toBe(2);
});

test('a folded span that failed is drawn as failed, and the failure counts where it came from', () => {
  const failing = turns.map((one) => ({ ...one, failed: ['c2', 'm2'].includes(one.spanId) }));
  const trace = whole(eventsOf(failing));
  const statuses = Array.from({ length: trace.spans.length }, (_, one) => one)
    .filter((one) => trace.spans.kindOf(one) === 'framework')
    .map((one) => trace.spans.statusOf(one));
  expect(statuses).toEqual(['ok', 'error']);
  expect(failureList(trace).map(({ span }) => spanName(trace, span))).toEqual(['m']);
});

test('without them the trace is the one of before, and its log says how many there are', () => {
  const events = eventsOf(turns);
  const trace = plain(events);
  expect(lines(trace).some((line) => line.includes('framework'))).toBe(false);
  expect(trace.logs.find(({ code }) => code === 'spans_folded')?.message).toBe(
    '2 spans were folded into calls and agents. “All spans” in the timeline shows them.',
  );
  expect(
    eventsOf(turns.filter(({ name }) => name !== cycle)).some(
      (event) => 'code' in event && event.code === 'spans_folded',
    ),
  ).toBe(false);
});

test('they count in no figure', () => {
  const events = eventsOf(turns);
  const figures = (trace: Trace) => {
    const { occupancy, path } = analyse(runColumns(trace, trace.lastAt));
    return { occupancy, path: path.map(({ from, to }) => [from, to]), usage: trace.run.usage };
  };
  expect(figures(whole(events))).toEqual(figures(plain(events)));
});

test('a part of the trace that another clock recorded takes its folded spans with it', () => {
  const late = 5_000;
  const moved = turns.map((one) =>
    one.spanId === 'a' ? one : { ...one, start: one.start - late, end: one.end - late },
  );
  const [agentSpan, ...others] = moved;
  const inner = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' };
  const spans = [
    ...(agentSpan === undefined ? [] : [agentSpan]),
    span('h', 'a', 'invoke_agent helper', -late, 100 - late, inner),
    ...others.map((one) => (one.parentId === 'a' ? { ...one, parentId: 'h' } : one)),
  ];
  const shown = lines(whole(eventsOf(spans)));
  expect(shown.filter((line) => line.includes('framework'))).toEqual([
    `planner/helper[1] framework ${cycle} 5-60 in helper[1]`,
    `planner/helper[1] framework ${cycle} 50-95 in helper[1]`,
  ]);
});

test('what began before the step that took it in is drawn from the start of that step', () => {
  const early = [
    span('a', undefined, 'invoke_agent planner', 0, 100, agent),
    span('m', 'a', 'chat', 10, 30, chat),
    span('c', 'm', cycle, 5, 20),
    span('d', 'm', cycle, 6, 8),
  ];
  expect(lines(whole(eventsOf(early))).filter((line) => !line.includes(' queued '))).toEqual([
    'planner instance planner 0-100',
    'planner model m 10-30',
    `planner framework ${cycle} 10-20 in m`,
    `planner framework ${cycle} 10-10 in m`,
  ]);
});

const anySpans = fc
  .array(fc.record({ parent: fc.nat(30), from: fc.nat(200), ms: fc.nat(120), kind: fc.nat(3) }), { maxLength: 30 })
  .map((rows) => [
    span('0', undefined, 'invoke_agent planner', 0, 300, agent),
    ...rows.map(({ parent, from, ms, kind }, index) =>
      span(
        String(index + 1),
        String(parent % (index + 1)),
        kind < 2 ? cycle : 'call',
        from,
        from + ms,
        kind < 2 ? {} : kind === 2 ? chat : tool,
      ),
    ),
  ]);

test('with any spans each is a step or a folded span, the moments of a replay hold, and the rest is as without them', () => {
  fc.assert(
    fc.property(anySpans, fc.nat(400), (spans, at) => {
      const events = eventsOf(spans);
      const trace = whole(events);
      const listed = events.flatMap(({ imported }) => {
        const list = imported?.attributes.folded_spans;
        return Array.isArray(list) ? list : [];
      });
      const shown = lines(trace);
      const steps = events.filter(({ imported }) => imported !== undefined && imported.id !== '');
      expect(steps.length + listed.length).toBe(spans.length);
      expect(shown.filter((line) => line.includes(' framework '))).toHaveLength(listed.length);
      expect(shown.filter((line) => !line.includes(' framework ')).sort()).toEqual([...lines(plain(events))].sort());
      const moment = new MomentTrace(trace);
      moment.seek(at * 1000);
      expect(known(moment.trace)).toEqual(known(trace, at * 1000));
      expect(moment.trace.run.usage).toEqual(momentOfPlain(events, at).run.usage);
    }),
    { numRuns: 150 },
  );
});

/** Says of each span that had begun at a moment whether it was open or had ended. */
function known({ spans, lanes }: Trace, moment = Number.POSITIVE_INFINITY): readonly string[] {
  return Array.from({ length: spans.length }, (_, one) => one)
    .filter((one) => spans.start.at(one) <= moment)
    .map((one) => {
      const end = spans.end.at(one) <= moment ? spans.end.at(one) : Number.POSITIVE_INFINITY;
      return `${lanes[spans.lane.at(one)]?.path} ${spans.detail.at(one)} ${spans.slot.at(one)} ${spans.start.at(one)}-${end}`;
    });
}

function momentOfPlain(events: readonly RunEvent[], at: number): Trace {
  const moment = new MomentTrace(plain(events));
  moment.seek(at * 1000);
  return moment.trace;
}
