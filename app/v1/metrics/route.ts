import { otlpRoute } from '@/app/v1/otlp-route';
import { receiveMetrics } from '@/lib/server/imports';

/** Takes metrics and keeps nothing, so that a program that exports all signals prints no errors. */
export const POST = otlpRoute('rejectedDataPoints', (actor, _body, project) => receiveMetrics(actor, project));
