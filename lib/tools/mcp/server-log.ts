import type { Clock } from '@/lib/base/clock';
import { hiddenStart, hiderOf } from '@/lib/base/hider';
import type { LogBody } from '@/lib/runtime/ports';

/**
 * Collects the log of a server: its stderr and log notifications. The last lines are used in the message of a failed start.
 */
export interface ServerLog {
  write(level: LogBody['level'], code: string, text: string): void;
  /** Returns the last lines, without secrets. */
  tail(): readonly string[];
  redact(text: string): string;
}

const tailLines = 40;
const maxLineChars = 2_000;
/** This limit keeps a server from flooding the event log of a run. */
const linesPerSecond = 50;

export function createServerLog(input: {
  readonly serverName: string;
  /** Returns what is hidden now. */
  readonly secrets: () => readonly string[];
  readonly clock: Clock;
  emit(body: LogBody): void;
}): ServerLog {
  const { serverName, clock, emit } = input;
  const tail: string[] = [];
  let windowStart = 0;
  let inWindow = 0;
  let dropped = 0;

  return {
    redact: (text) => hiderOf(input.secrets()).hide(text),
    tail: () => tail,
    write(level, code, text) {
      // The line is truncated before secrets are hidden, because hiding would be slow for a line of megabytes.
      const whole = hiddenStart(hiderOf(input.secrets()), text, maxLineChars * 4).trimEnd();
      const message = whole.length > maxLineChars ? `${whole.slice(0, maxLineChars)}… (cut)` : whole;
      if (message === '') return;
      tail.push(message);
      if (tail.length > tailLines) tail.shift();
      const now = clock.now();
      if (now - windowStart >= 1_000) {
        if (dropped > 0) {
          emit({
            level: 'warning',
            code: 'server_log_dropped',
            message: `${dropped} lines were left out.`,
            serverName,
          });
        }
        windowStart = now;
        inWindow = 0;
        dropped = 0;
      }
      inWindow += 1;
      if (inWindow <= linesPerSecond) emit({ level, code, message, serverName });
      else dropped += 1;
    },
  };
}
