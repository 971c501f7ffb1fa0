import { otlpRoute } from '@/app/v1/otlp-route';
import { receiveSpans } from '@/lib/server/imports';

/** Receives the spans of an OpenTelemetry exporter. */
export const POST = otlpRoute('rejectedSpans', receiveSpans);
