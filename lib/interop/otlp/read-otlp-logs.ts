import { WireType } from '@bufbuild/protobuf/wire';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { anyValue, attributesOf, digitsOf, listOf, textOf } from './json-values';
import { addAttribute, hex, message, readAttributes, readValue } from './protobuf-values';
import { addLog, noLogs, type ReceivedLogs } from './received-log';
import { type Attributes, msOf, NotOtlp, otlpLimits } from './received-span';

/* Reads requests of OTLP's logs: collector/logs/v1/logs_service.proto and logs/v1/logs.proto of opentelemetry-proto. */

/** Reads an ExportLogsServiceRequest in JSON. Throws `NotOtlp`. */
export function readOtlpLogsJson(text: string): ReceivedLogs {
  const body = parseJson(text);
  if (!isRecord(body)) throw new NotOtlp('The body is not a JSON object.');
  if (body.resourceLogs === undefined && Object.keys(body).length > 0)
    throw new NotOtlp('The body is JSON but has no resourceLogs.');
  return readOtlpLogs(body);
}

/** Reads a request that is parsed already. */
export function readOtlpLogs(body: object): ReceivedLogs {
  const read = noLogs();
  for (const group of 'resourceLogs' in body ? listOf(body.resourceLogs) : []) {
    if (!isRecord(group)) continue;
    const resource = attributesOf(isRecord(group.resource) ? group.resource.attributes : undefined);
    for (const scoped of listOf(group.scopeLogs)) {
      if (!isRecord(scoped)) continue;
      for (const record of listOf(scoped.logRecords)) if (isRecord(record)) readRecord(read, record, resource);
    }
  }
  return read;
}

function readRecord(read: ReceivedLogs, record: Record<string, unknown>, resource: Attributes): void {
  addLog(
    read,
    {
      traceId: textOf(record.traceId),
      spanId: textOf(record.spanId),
      eventName: textOf(record.eventName),
      time: msOf(digitsOf(record.timeUnixNano)),
      observedTime: msOf(digitsOf(record.observedTimeUnixNano)),
      severity: textOf(record.severityText),
      body: anyValue(record.body, otlpLimits.depth),
      attributes: attributesOf(record.attributes),
    },
    resource,
  );
}

/** Reads an ExportLogsServiceRequest in protobuf. Throws `NotOtlp`. */
export function readOtlpLogsProtobuf(bytes: Uint8Array): ReceivedLogs {
  const read = noLogs();
  try {
    message(bytes, { 1: (reader) => readGroup(read, reader.bytes()) });
    return read;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new NotOtlp(`The body is not an OTLP request in protobuf: ${why}.`);
  }
}

function readGroup(read: ReceivedLogs, bytes: Uint8Array): void {
  let resource: Attributes = {};
  const records: Uint8Array[] = [];
  message(bytes, {
    1: (reader) => {
      resource = readAttributes(reader.bytes(), 1);
    },
    2: (reader) => message(reader.bytes(), { 2: (inner) => records.push(inner.bytes()) }),
  });
  for (const record of records) readBinaryRecord(read, record, resource);
}

function readBinaryRecord(read: ReceivedLogs, bytes: Uint8Array, resource: Attributes): void {
  const log = { traceId: '', spanId: '', eventName: '', severity: '', time: 0, observedTime: 0 };
  let body: Json = null;
  const attributes: [string, Json][] = [];
  message(
    bytes,
    {
      1: (reader) => {
        log.time = msOf(String(reader.fixed64()));
      },
      3: (reader) => {
        log.severity = reader.string();
      },
      5: (reader) => {
        body = readValue(reader.bytes(), otlpLimits.depth);
      },
      6: (reader) => addAttribute(attributes, reader.bytes()),
      9: (reader) => {
        log.traceId = hex(reader.bytes());
      },
      10: (reader) => {
        log.spanId = hex(reader.bytes());
      },
      11: (reader) => {
        log.observedTime = msOf(String(reader.fixed64()));
      },
      12: (reader) => {
        log.eventName = reader.string();
      },
    },
    { 1: WireType.Bit64, 11: WireType.Bit64 },
  );
  addLog(read, { ...log, body, attributes: Object.fromEntries(attributes) }, resource);
}
