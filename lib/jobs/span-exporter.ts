import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Clock } from '@/lib/base/clock';
import { isRecord, parseJson } from '@/lib/base/json';
import type { ExportSettings } from '@/lib/interop/otlp/export-settings';
import { writeOtlpProtobuf } from '@/lib/interop/otlp/write-otlp-protobuf';
import type { RunEvent } from '@/lib/runtime/record/events';
import { OtlpTrace, otlpOf } from '@/lib/trace/otel';
import type { OtlpSpan } from '@/lib/trace/otlp-json';

/** One request has at most this many spans. */
const mostInRequest = 512;
/** Spans wait at most this long for others, as OTEL_BSP_SCHEDULE_DELAY has it by default. */
const gatherMs = 5_000;
/** Further spans are dropped while this many wait. */
const mostWaiting = 10_000;
/** A request is tried this often, with growing waits between. */
const mostAttempts = 6;
const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** At shutdown the collector has this long to take the rest. */
const lastChanceMs = 3_000;

/** Takes the events of one run. Does not throw, and costs nothing that a run waits for. */
export interface RunSpans {
  /** Takes an event that was recorded by an earlier attempt. Its spans were sent then. */
  addRecorded(event: RunEvent): void;
  add(event: RunEvent): void;
}

export interface SpanExporter {
  open(): RunSpans;
  /** Sends what waits, for at most three seconds. */
  close(): Promise<void>;
}

const silent: RunSpans = { addRecorded: () => {}, add: () => {} };

/** Exports nothing. */
export const noExporter: SpanExporter = { open: () => silent, close: async () => {} };

/**
 * Sends the spans of runs to an OTLP collector as they end. Spans are sent in batches, and at the end of a run at once. A
 * collector that is slow or away never delays a run: while too many spans wait, further ones are dropped, and the log counts
 * them. A request is repeated for the answers that the specification calls retryable (429, 502, 503, 504) and when there is
 * no answer, after the time that `Retry-After` names.
 */
export function createSpanExporter(settings: ExportSettings, clock: Clock, log: Logger): SpanExporter {
  return new Exporter(settings, clock, log);
}

type Outcome =
  | { readonly done: true; readonly rejected?: number; readonly problem?: string }
  | { readonly done: false; readonly problem: string; readonly retry: boolean; readonly waitMs?: number | undefined };

class Exporter implements SpanExporter {
  private waiting: OtlpSpan[] = [];
  private dropped = 0;
  private isSending = false;
  private sending: Promise<void> = Promise.resolve();
  private hurry = new AbortController();
  private readonly closing = new AbortController();
  private readonly gone = new AbortController();

  constructor(
    private readonly settings: ExportSettings,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  open(): RunSpans {
    const trace = new OtlpTrace({ live: true });
    return {
      addRecorded: (event) => {
        trace.add(event);
        trace.takeEnded();
      },
      add: (event) => {
        trace.add(event);
        const isLast = event.kind === 'run.finished';
        if (isLast || event.kind.endsWith('.ended') || event.kind === 'run.resumed') this.queue(trace.takeEnded());
        if (isLast) this.hurry.abort();
      },
    };
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.hurry.abort();
    const time = this.clock.sleep(lastChanceMs, this.gone.signal);
    await Promise.race([this.sending, time]);
    this.gone.abort();
    await this.sending;
  }

  private queue(spans: readonly OtlpSpan[]): void {
    const room = Math.max(0, mostWaiting - this.waiting.length);
    this.waiting.push(...spans.slice(0, room));
    this.dropped += Math.max(0, spans.length - room);
    if (this.waiting.length >= mostInRequest) this.hurry.abort();
    if (!this.isSending && spans.length > 0) this.sending = this.sendAll();
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0 && !this.gone.signal.aborted) {
      if (!this.closing.signal.aborted) {
        await this.clock.sleep(gatherMs, this.hurry.signal);
        this.hurry = new AbortController();
      }
      while (this.waiting.length > 0 && !this.gone.signal.aborted) {
        await this.sendBatch(this.waiting.splice(0, mostInRequest));
      }
    }
    if (this.waiting.length > 0) this.lose(this.waiting.splice(0).length, 'The worker stopped.');
    this.isSending = false;
  }

  private async sendBatch(spans: readonly OtlpSpan[]): Promise<void> {
    const body = await this.encode(spans);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.post(body);
      if (outcome.done) {
        if ((outcome.rejected ?? 0) > 0)
          this.lose(outcome.rejected ?? 0, `The collector rejected them: ${outcome.problem}`);
        break;
      }
      const isOver = !outcome.retry || attempt === mostAttempts || this.gone.signal.aborted;
      if (isOver) {
        this.lose(spans.length, outcome.problem);
        break;
      }
      const backoff = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs);
      await this.clock.sleep(Math.min(outcome.waitMs ?? backoff, 2 * longestWaitMs), this.gone.signal);
    }
    if (this.dropped > 0) this.lose(0, 'Too many spans waited for the collector.');
  }

  /** Counts in the log what the collector did not get. */
  private lose(spans: number, problem: string): void {
    const dropped = spans + this.dropped;
    this.dropped = 0;
    const { host } = new URL(this.settings.url);
    this.log.warn({ dropped, collector: host, problem }, 'spans were not exported');
  }

  private async encode(spans: readonly OtlpSpan[]): Promise<Uint8Array<ArrayBuffer>> {
    const { protocol, serviceName } = this.settings;
    const request = otlpOf(spans, { serviceName });
    const bytes =
      protocol === 'http/json' ? new TextEncoder().encode(JSON.stringify(request)) : writeOtlpProtobuf(request);
    return this.settings.gzip ? new Uint8Array(await promisify(gzip)(bytes)) : bytes;
  }

  private async post(body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
    const { url, headers, protocol, timeoutMs } = this.settings;
    const type = protocol === 'http/json' ? 'application/json' : 'application/x-protobuf';
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': type, ...(this.settings.gzip && { 'content-encoding': 'gzip' }) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.gone.signal]),
      });
      if (response.ok) return { done: true, ...(await rejectedOf(response)) };
      await response.body?.cancel();
      const problem = `The collector answered ${response.status}.`;
      return {
        done: false,
        problem,
        retry: retryable.has(response.status),
        waitMs: waitOf(response, this.clock.now()),
      };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = cause instanceof Error ? cause.message : String(cause);
      return { done: false, problem: `The collector did not answer: ${why}`, retry: true };
    }
  }
}

/** The answers after which a request is repeated (OTLP specification, "Retryable Response Codes"). */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** An answer is read up to this size. */
const mostAnswer = 64 * 1024;

/** Returns what the collector rejected of a request that it took. Only answers in JSON are read. */
async function rejectedOf(response: Response): Promise<{ readonly rejected?: number; readonly problem?: string }> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (!isJson || Number(response.headers.get('content-length') ?? 0) > mostAnswer) {
    await response.body?.cancel();
    return {};
  }
  const answer = parseJson(await response.text());
  const partial = isRecord(answer) && isRecord(answer.partialSuccess) ? answer.partialSuccess : {};
  return { rejected: Number(partial.rejectedSpans ?? 0) || 0, problem: String(partial.errorMessage ?? '') };
}

/** Reads `Retry-After`: seconds or a date. */
function waitOf(response: Response, now: number): number | undefined {
  const given = response.headers.get('retry-after');
  if (given === null) return undefined;
  const ms = /^\d+$/.test(given.trim()) ? Number(given) * 1_000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
