import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  ListToolsResultSchema,
  LoggingMessageNotificationSchema,
  McpError,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { err, ok, type Result } from '@/lib/base/result';
import type { LogBody } from '@/lib/runtime/ports';
import { refuseAddress } from './address-guard';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import { StdioTransport } from './stdio-transport';

export interface Session {
  readonly client: Client;
  /** Set once the connection is lost: what a message says about it. */
  lost: string | undefined;
  close(): Promise<void>;
}

interface Deadline {
  readonly ms: number;
  readonly signal: AbortSignal;
}

interface SessionEvents {
  onToolsChanged(): void;
  onLost(): void;
}

const maxPages = 1_000;
const pingMs = 5_000;

/** Starts or reaches a server and shakes hands. The error is a sentence that names what was tried and what came back. */
export async function openSession(
  spec: ServerSpec,
  log: ServerLog,
  deadline: Deadline,
  events: SessionEvents,
): Promise<Result<Session, string>> {
  const opened = await createTransport(spec, log, deadline);
  if (!opened.ok) return opened;
  const transport = opened.value;
  const client = new Client({ name: 'callboard', version: '1' }, { capabilities: {} });
  const session: Session = {
    client,
    lost: undefined,
    close: async () => {
      session.lost ??= 'it was closed';
      // Polite for servers that keep state; they may not answer any more.
      if (transport instanceof StreamableHTTPClientTransport) await quietly(transport.terminateSession(), 1_000);
      await quietly(client.close(), 5_000);
    },
  };
  client.onclose = () => {
    session.lost ??=
      transport instanceof StdioTransport && transport.ended ? `it ${transport.ended}` : 'the connection closed';
    events.onLost();
  };
  client.onerror = (error) => {
    log.write('debug', 'server_error', error.message);
    // A lost HTTP stream leaves its calls waiting: when the server does not answer any more, they end at once.
    if (!/SSE stream disconnected|reconnect/i.test(error.message) || session.lost !== undefined) return;
    client.ping({ timeout: pingMs }).catch(() => client.close().catch(() => undefined));
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onToolsChanged());
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    log.write(logLevel(params.level), 'server_log', params.logger === undefined ? text : `${params.logger}: ${text}`);
  });
  try {
    // The SDK's time limit covers the handshake only, not a transport that never opens.
    await before(deadline, client.connect(transport, { timeout: deadline.ms, signal: deadline.signal }));
    return ok(session);
  } catch (error) {
    // Output of a server that died may still be on its way through the pipe.
    await quietly(session.close(), 5_000);
    return err(describeFailure(spec, log, transport, deadline.ms, error));
  }
}

/** All pages of the server's tools. Throws what the SDK throws. */
export async function listTools(session: Session, timeoutMs: number): Promise<readonly Tool[]> {
  if (session.client.getServerCapabilities()?.tools === undefined) return [];
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await session.client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
      timeout: timeoutMs,
    });
    tools.push(...result.tools);
    cursor = result.nextCursor;
    if (!cursor) return tools;
  }
  throw new Error(`its tool list does not end after ${maxPages} pages`);
}

async function createTransport(
  spec: ServerSpec,
  log: ServerLog,
  deadline: Deadline,
): Promise<Result<Transport, string>> {
  if (spec.transport === 'stdio') {
    return ok(
      new StdioTransport({
        ...spec,
        onOutput: (line, from) =>
          log.write(
            from === 'stderr' ? 'info' : 'warning',
            from === 'stderr' ? 'server_stderr' : 'server_stdout',
            line,
          ),
      }),
    );
  }
  const url = new URL(spec.url);
  const refused = await before(deadline, refuseAddress(url)).catch(messageOf);
  if (refused !== undefined) return err(`Server '${spec.name}' is not called: ${refused}`);
  const options = { requestInit: { headers: { ...spec.headers } } };
  return ok(
    spec.transport === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options),
  );
}

function describeFailure(
  spec: ServerSpec,
  log: ServerLog,
  transport: Transport,
  timeoutMs: number,
  error: unknown,
): string {
  const tail = log.tail().slice(-5).join('\n');
  const output = tail === '' ? (spec.transport === 'stdio' ? ' It printed nothing.' : '') : ` Last output:\n${tail}`;
  const late = error instanceof LateError || (error instanceof McpError && error.code === ErrorCode.RequestTimeout);
  const reason = late
    ? `gave no answer within ${timeoutMs / 1000} s`
    : transport instanceof StdioTransport && transport.ended !== undefined
      ? transport.ended
      : `failed: ${messageOf(error)}`;
  const verb = spec.transport === 'stdio' ? 'did not start' : 'could not be reached';
  return log.redact(`Server '${spec.name}' ${verb}: \`${spec.shown}\` ${reason}.${output}`);
}

/** The message without the SDK's `MCP error -32000: `, and with the cause that fetch hides. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message.replace(/^MCP error -?\d+: /, '')}${cause}`.slice(0, 2_000);
}

function logLevel(level: string): LogBody['level'] {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warning':
      return 'warning';
    default:
      return 'error';
  }
}

class LateError extends Error {}

/** The work's outcome, or an error when its time is up or the pool closes. */
async function before<T>({ ms, signal }: Deadline, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let abort = (): void => undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer within ${ms / 1000} s`)), ms);
    abort = () => reject(new Error('the worker is stopping'));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Waits for something that may fail or hang without minding either. */
async function quietly(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
