import type { Json } from '@/lib/base/json';
import type { RunEvent, ToolSource } from '@/lib/runtime/record/events';

/** A tool call of a run, with its arguments and the answer of its tool. */
export interface RecordedCall {
  readonly tool: string;
  readonly source: ToolSource;
  readonly server?: string | undefined;
  /** A text if they were no JSON object, or were cut when they were recorded. */
  readonly arguments: Json;
  /** What the tool answered, before hooks saw it. Absent if the call has not ended. */
  readonly result?: Json | undefined;
}

/**
 * Makes a call of its events, in their order: its start, what its tool returned inside the hooks, and its end. Returns `undefined`
 * if the first one starts no call.
 */
export function recordedCall(events: readonly RunEvent[]): RecordedCall | undefined {
  const [started] = events;
  if (started?.kind !== 'tool.started') return undefined;
  const { toolName, source, serverName, arguments: args } = started;
  const ended =
    events.find((event) => event.kind === 'tool.returned') ?? events.find((event) => event.kind === 'tool.ended');
  return {
    tool: toolName,
    source,
    ...(serverName !== undefined && { server: serverName }),
    arguments: args,
    ...(ended && 'result' in ended && { result: withoutMeta(ended.result) }),
  };
}

/** The effects of a call are not part of what its tool answered. */
function withoutMeta({ meta, ...result }: { readonly meta?: unknown }): Json {
  return JSON.parse(JSON.stringify(result));
}
