/** A span as an exporter sent it, `ReceivedSpan` of lib/interop. */
type ShapedSpan = ReturnType<typeof span>;

/** The shapes of traces that are hard in different ways. */
export const spanShapes = ['flat', 'chain', 'nested', 'fan-out', 'roots', 'overlapping'] as const;
export type SpanShape = (typeof spanShapes)[number];

/**
 * Makes a trace of `count` spans, each of one millisecond unless the shape says otherwise.
 *
 *   flat         an agent with calls one after another
 *   chain        agents, each inside of the one before
 *   nested       hooks, each inside of the one before, around as many agents
 *   fan-out      an agent with agents that have one model call each
 *   roots        calls without a parent
 *   overlapping  an agent with calls that all take the same time
 */
export function spansOfShape(shape: SpanShape, count: number): readonly ShapedSpan[] {
  return Array.from({ length: count }, (_, index) => spanAt(shape, index, count));
}

function spanAt(shape: SpanShape, index: number, count: number): ShapedSpan {
  switch (shape) {
    case 'flat':
      return index === 0 ? agent(0, undefined, [0, count]) : tool(index, 0, [index, index + 1]);
    case 'chain':
      return agent(index, index - 1, [index, 2 * count - index]);
    case 'nested': {
      const half = Math.floor(count / 2);
      return index < half
        ? hook(index, index - 1, [index, 2 * count - index])
        : agent(index, half - 1, [index, index + 1]);
    }
    case 'fan-out':
      if (index === 0) return agent(0, undefined, [0, count]);
      return index % 2 === 1 ? agent(index, 0, [index, index + 2]) : model(index, index - 1, [index, index + 1]);
    case 'roots':
      return tool(index, undefined, [index, index + 1]);
    case 'overlapping':
      return index === 0 ? agent(0, undefined, [0, count]) : tool(index, 0, [index / count, count - 1]);
  }
}

type Times = readonly [start: number, end: number];
type Parent = number | undefined;

const agent = (index: number, parent: Parent, times: Times) =>
  span(index, parent, times, `invoke_agent lead`, {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'lead',
  });

const model = (index: number, parent: Parent, times: Times) =>
  span(index, parent, times, 'chat m', {
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 7 },
  });

const tool = (index: number, parent: Parent, times: Times) =>
  span(index, parent, times, 'execute_tool search', {
    ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' },
  });

const hook = (index: number, parent: Parent, times: Times) =>
  span(index, parent, times, 'guard', { 'openinference.span.kind': 'GUARDRAIL' });

const began = 1_763_628_000_000;

function span(
  index: number,
  parent: Parent,
  [start, end]: Times,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
) {
  return {
    ...{ traceId: 'a'.repeat(32), spanId: idOf(index), name, start: began + start, end: began + end },
    ...(parent !== undefined && parent >= 0 && { parentId: idOf(parent) }),
    ...{ attributes, events: [], failed: false, scope: 'shapes', resource: { 'service.name': 'shapes' } },
  };
}

function idOf(index: number): string {
  return (index + 1).toString(16).padStart(16, '0');
}
