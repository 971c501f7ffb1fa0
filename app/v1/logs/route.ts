import { otlpRoute } from '@/app/v1/otlp-route';
import { receiveLogs } from '@/lib/server/imports';

/** Receives the log records of an OpenTelemetry exporter, and keeps those that belong to a trace. */
export const POST = otlpRoute('rejectedLogRecords', receiveLogs);
