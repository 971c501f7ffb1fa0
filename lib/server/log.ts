import { type Logger, pino } from 'pino';

/**
 * JSON lines on stdout: `time`, `level`, `process`, `msg`, and the product's own names (`run_id`, `correlation_id`,
 * `agent_name`, `instance_path`, `tool_name`, `tool_source`, `tool_use_id`, `server_name`).
 */
export function createLog(processName: string): Logger {
  return pino({
    base: { process: processName, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
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
    serializers: { err: (error) => describeError(error) },
  });
}

/** An error as a log keeps it; addresses lose their passwords. */
function describeError(error: unknown): { readonly message: string; readonly stack?: string; readonly code?: string } {
  if (!(error instanceof Error)) return { message: withoutPasswords(String(error)) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { message: withoutPasswords(error.message), stack: withoutPasswords(error.stack ?? ''), code };
}

export function withoutPasswords(text: string): string {
  return text.replace(/(\w+:\/\/[^:@/\s]*):[^@/\s]*@/g, '$1:***@').replace(/\b(sk-|Bearer\s+)[\w.-]{8,}/g, '$1***');
}
