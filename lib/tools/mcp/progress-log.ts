import type { Clock } from '@/lib/base/clock';
import type { LogBody } from '@/lib/runtime/ports';

interface ProgressNote {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Log lines of one call: five a second at most. */
const everyMs = 200;

/**
 * Turns a server's progress notifications for one call into log lines `tool_progress`. Of a flood the latest is kept;
 * `end` writes what is still held back, so that the last word is heard.
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
      message: message ? `${share}: ${input.redact(message.slice(0, 2_000))}` : share,
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
