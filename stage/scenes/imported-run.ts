import { brandAs, type RunId } from '@/lib/base/ids';
import { importedRunId } from '@/lib/base/imported-run-id';
import type { Attributes, ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { runOfSpans } from '@/lib/interop/run-of-spans';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type Answers, Refusal } from '@/stage/memory/backend';

const trace = 'a'.repeat(32);
/** Traces that the last call links to: of one there is a run. */
const imported = 'b'.repeat(32);
const unknown = 'e'.repeat(32);

/** Answers whether there are runs of the linked traces. */
export const linkedRuns: Answers = {
  [`GET /api/v1/runs/${importedRunId('desk', imported)}`]: () => ({ id: importedRunId('desk', imported) }),
  [`GET /api/v1/runs/${importedRunId('desk', unknown)}`]: () => {
    throw new Refusal('not_found', 'There is no such run.', 404);
  },
};

/** Returns the events of a run that Strands Agents recorded: an agent with two turns of its loop, and a call that names another. */
export function importedFromStrands(events: readonly RunEvent[]): readonly RunEvent[] {
  const at = events[0]?.at ?? 0;
  const span = (id: string, parentId: string | undefined, name: string, from: number, to: number, has: Attributes) =>
    ({
      ...{ traceId: trace, spanId: id.padStart(16, '0'), parentId: parentId?.padStart(16, '0'), name },
      ...{ start: at + from, end: at + to, attributes: has, events: [], failed: false },
      ...{ scope: 'strands.telemetry.tracer', resource: { 'service.name': 'trips' } },
    }) satisfies ReceivedSpan;
  const chat = (input: number) => ({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'claude-sonnet-4-5' },
    ...{ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': 20 },
  });
  const cycle = 'execute_event_loop_cycle';
  const spans: readonly ReceivedSpan[] = [
    span('1', undefined, 'invoke_agent planner', 0, 4_000, {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' },
    }),
    span('2', '1', cycle, 100, 2_500, { 'event_loop.cycle_id': 'first turn' }),
    span('3', '2', 'chat', 200, 1_200, chat(100)),
    span('4', '2', 'execute_tool lookup', 1_300, 2_400, {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup' },
    }),
    span('5', '1', cycle, 2_600, 3_900, { 'event_loop.cycle_id': 'second turn' }),
    {
      ...span('6', '5', 'chat', 2_700, 3_800, chat(180)),
      links: [
        { traceId: trace, spanId: '4'.padStart(16, '0'), attributes: {} },
        { traceId: imported, spanId: 'c'.repeat(16), attributes: {} },
        { traceId: unknown, spanId: 'd'.repeat(16), attributes: {} },
      ],
    },
  ];
  return runOfSpans(brandAs<RunId>('run'), spans)?.events ?? [];
}
