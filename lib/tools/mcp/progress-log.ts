import type { Clock } from '@/lib/base/clock';
import type { LogBody } from '@/lib/runtime/ports';

interface ProgressNote {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** One call logs at most five lines per second. */
const everyMs = 200;

/**
 * Turns the progress notifications of one call into log lines `tool_progress`, throttled: of many notifications the latest is
 * logged. `end` logs the last one if it is still pending.
 */
export function createProgressLog(input: {
  readonly serverName: string;
  readonly clock: Clock;
  redact(text: string): string;
  log(body: LogBody): void;
}): { note(note: ProgressNote): void; end(): void } {
  const { serverName, clock } = input;
  let last = Number.NEGATIVE_INFINITY;
  let held: ProgressNote | undefined;

  function write({ progress, total, message }: ProgressNote): void {
    held = undefined;
    last = clock.now();
    const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
    input.log({
      level: 'info',
      code: 'tool_progress',
      message: message ? `${share}: ${input.redact(message).slice(0, 2_000)}` : share,
      serverName,
      progress: total === undefined ? { done: progress } : { done: progress, total },
    });
  }

  return {
    note(note) {
      if (clock.now() - last >= everyMs) write(note);
      else held = note;
    },
    end() {
      if (held !== undefined) write(held);
    },
  };
}
