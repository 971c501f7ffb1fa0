import { type Logger, pino } from 'pino';
import { steadyLines } from './steady-output';

/**
 * Makes a log that writes JSON lines on stdout: `time`, `level`, `process`, `msg`, and the product's own names (`run_id`,
 * `correlation_id`, `agent_name`, `instance_path`, `tool_name`, `tool_source`, `tool_use_id`, `server_name`). Logging never
 * fails, because lines that cannot be written are dropped. When the log can be written again, a line has their number
 * (`dropped`). `hide` takes the secrets out of a line.
 */
export function createLog(processName: string, hide = (line: string) => line): Logger {
  const base = { process: processName, pid: process.pid };
  const options = {
    base,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        'apiKey',
        '*.apiKey',
        'password',
        '*.password',
        'headers',
        '*.headers',
      ],
      censor: '[redacted]',
    },
    serializers: { err: (error: unknown) => describeError(error) },
  };
  const report = (dropped: number, code: string) => {
    const time = new Date().toISOString();
    const msg = 'log lines are missing here: the log could not be written';
    return `${JSON.stringify({ level: 'warn', time, ...base, dropped, code, msg })}\n`;
  };
  const lines = steadyLines(1, report);
  return pino(options, { write: (line: string) => lines.write(hide(line)) });
}

/** Returns an error as it is logged, with passwords removed from addresses. */
function describeError(error: unknown): { readonly message: string; readonly stack?: string; readonly code?: string } {
  if (!(error instanceof Error)) return { message: withoutPasswords(String(error)) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { message: withoutPasswords(error.message), stack: withoutPasswords(error.stack ?? ''), code };
}

export function withoutPasswords(text: string): string {
  return text
    .replace(/((?<!\w)\w+:\/\/[^:@/\s]*):[^@/\s]*@/g, '$1:***@')
    .replace(/\b(sk-|Bearer\s+)[\w.-]{8,}/g, '$1***');
}
