import type { Json } from '@/lib/base/json';
import { type Attributes, otlpLimits } from './received-span';

/** A log record that belongs to a trace, whatever the encoding. It is also the form in which records are stored. */
export interface ReceivedLog {
  readonly traceId: string;
  /** `undefined` for a record about the whole trace. */
  readonly spanId?: string | undefined;
  /** The name of the event, such as `gen_ai.evaluation.result`, or `log`. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly severity?: string | undefined;
  readonly body?: Json | undefined;
  readonly attributes: Attributes;
  /** The attributes of the process that made the record. */
  readonly resource: Attributes;
}

/**
 * The records of one request that belong to a trace. Those without a trace are counted: Callboard has no place for them. So are those beyond
 * the limit, which are rejected.
 */
export interface ReceivedLogs {
  readonly logs: ReceivedLog[];
  withoutTrace: number;
  rejected: number;
  problem: string | undefined;
}

/** Returns an empty list, to which `addLog` adds. */
export function noLogs(): ReceivedLogs {
  return { logs: [], withoutTrace: 0, rejected: 0, problem: undefined };
}

/** A record before it is checked. Ids are hex, times are epoch milliseconds or 0. */
export interface UncheckedLog {
  readonly traceId: string;
  readonly spanId: string;
  readonly eventName: string;
  readonly time: number;
  readonly observedTime: number;
  readonly severity: string;
  readonly body: Json;
  readonly attributes: Attributes;
}

const tooMany = `A request may have at most ${otlpLimits.spans.toLocaleString('en-US')} log records. Send the others in another request.`;

/** Adds a record, or counts it. Before events had a field for their name, an attribute had it. */
export function addLog(to: ReceivedLogs, log: UncheckedLog, resource: Attributes): void {
  const traceId = log.traceId.toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(traceId) || /^0*$/.test(traceId)) {
    to.withoutTrace += 1;
    return;
  }
  if (to.logs.length >= otlpLimits.spans) {
    to.rejected += 1;
    to.problem ??= tooMany;
    return;
  }
  const { 'event.name': named, ...attributes } = log.attributes;
  const name = log.eventName || (typeof named === 'string' ? named : '') || 'log';
  const spanId = log.spanId.toLowerCase();
  to.logs.push({
    traceId,
    ...(/^[0-9a-f]{16}$/.test(spanId) && !/^0*$/.test(spanId) && { spanId }),
    name: name.slice(0, otlpLimits.name),
    at: log.time || log.observedTime,
    ...(log.severity !== '' && { severity: log.severity }),
    ...(log.body !== null && log.body !== '' && { body: log.body }),
    attributes,
    resource,
  });
}
