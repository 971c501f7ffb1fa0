import { isRecord } from '@/lib/base/json';

/**
 * The envelopes in which OTLP in JSON is kept: Tempo has `batches` or `trace`, Python's `MessageToDict` has snake_case, both have ids in
 * base64, some tools write lists of requests. Returns the requests in the form of the specification, and counts of requests of logs and metrics.
 * Returns `undefined` for anything else.
 */
export function otlpRequestsIn(value: unknown): OtlpRequests | undefined {
  if (Array.isArray(value)) return inList(value);
  if (!isRecord(value)) return undefined;
  const camel = value.resource_spans !== undefined || value.resource_logs !== undefined ? camelCase(value) : value;
  if (!isRecord(camel)) return undefined;
  const { trace, batches, resourceLogs } = camel;
  const inside = isRecord(trace) ? (trace.resourceSpans ?? trace.batches) : undefined;
  const resourceSpans = camel.resourceSpans ?? batches ?? inside;
  const found = {
    traces: Array.isArray(resourceSpans) ? [{ resourceSpans: withHexIds(resourceSpans) }] : [],
    logs:
      resourceLogs === undefined
        ? []
        : [{ resourceLogs: Array.isArray(resourceLogs) ? withHexIds(resourceLogs) : resourceLogs }],
    metrics: camel.resourceMetrics === undefined ? 0 : 1,
  };
  return found.traces.length + found.logs.length + found.metrics === 0 ? undefined : found;
}

export interface OtlpRequests {
  readonly traces: readonly object[];
  readonly logs: readonly object[];
  /** The number of requests of metrics. */
  readonly metrics: number;
}

function inList(list: readonly unknown[]): OtlpRequests | undefined {
  const found = list.map(otlpRequestsIn);
  if (found.length === 0 || found.some((one) => one === undefined)) return undefined;
  const known = found.filter((one) => one !== undefined);
  return {
    traces: known.flatMap(({ traces }) => traces),
    logs: known.flatMap(({ logs }) => logs),
    metrics: known.reduce((sum, { metrics }) => sum + metrics, 0),
  };
}

/** Renames members. Names of attributes are values of `key`, so they stay as they are. */
function camelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCase);
  if (!isRecord(value)) return value;
  const renamed = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [renamed(key), camelCase(member)]));
}

const idKeys: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);
const base64 = /^(?:[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{11}=)$/;

/** Turns ids in base64 into hex, if every id has that form. An id in hex is never read as base64. */
function withHexIds(groups: readonly unknown[]): readonly unknown[] {
  const ids: string[] = [];
  walk(groups, (id) => {
    if (id !== '') ids.push(id);
    return id;
  });
  if (ids.length === 0 || !ids.every((id) => base64.test(id))) return groups;
  return walk(groups, hexOf) as readonly unknown[];
}

/** Returns a copy in which each id is what `change` returns. Attributes are not looked into. */
function walk(value: unknown, change: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((member) => walk(member, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === 'attributes') return [key, member];
      return [key, idKeys.has(key) && typeof member === 'string' ? change(member) : walk(member, change)];
    }),
  );
}

function hexOf(id: string): string {
  return Array.from(atob(id), (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
