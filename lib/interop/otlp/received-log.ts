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

/** The records of one request that belong to a trace. The others are counted: Callboard has no place for them. */
export interface ReceivedLogs {
  readonly logs: ReceivedLog[];
  withoutTrace: number;
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

/** Adds a record, or counts it. Before events had a field for their name, an attribute had it. */
export function addLog(to: ReceivedLogs, log: UncheckedLog, resource: Attributes): void {
  const traceId = log.traceId.toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(traceId) || /^0*$/.test(traceId) || to.logs.length >= otlpLimits.spans) {
    to.withoutTrace += 1;
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
