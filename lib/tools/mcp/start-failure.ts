import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@/lib/base/json';
import { AddressRefused } from './address-guard';
import { httpFaultOf, statusOf } from './http-words';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import { StdioTransport } from './stdio-transport';
import { tellingLine } from './telling-line';
import { OddResult } from './tool-result';

/** Why a server did not start, or could not be reached. Nothing of it holds a secret. */
export interface StartFailure {
  /** A sentence that names what was tried and what failed. For a command the last output follows, in lines of its own. */
  readonly message: string;
  /** True after a time-out: another attempt would probably take as long. */
  readonly isLate: boolean;
  /** What could not be done: start the process, get a good answer from the address, or agree on the protocol. */
  readonly stage: 'start' | 'connect' | 'initialize';
  /** The one line that says why. */
  readonly why: string;
  /** True if somebody has to sign in at the server. */
  readonly needsSignIn?: true;
}

/** Holds the violation for which the connection to an HTTP server was closed. */
export interface Faults {
  fault: string | undefined;
  /** Set if the server wants a sign-in: the sentence that says so. */
  signIn?: string;
  report(): void;
}

/** The error of an attempt that took too long. */
export class LateError extends Error {}

interface Failed {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly error: unknown;
  readonly faults: Faults;
}

export function startFailure(spec: ServerSpec, log: ServerLog, failed: Failed): StartFailure {
  const { signIn } = failed.faults;
  if (signIn !== undefined) {
    const why = log.redact(signIn);
    return { message: why, isLate: false, stage: 'connect', why, needsSignIn: true };
  }
  const isLate = isTimeout(failed.error);
  const stage = stageOf(spec, failed, isLate);
  const why = log.redact(whyOf(spec, log, failed, isLate));
  return { message: messageFor(spec, log, failed, isLate), isLate, stage, why };
}

/** Returns the end of a sentence about the server: why its connection was closed. */
export function faultOf(transport: Transport, faults: Faults): string | undefined {
  return transport instanceof StdioTransport ? transport.fault : faults.fault;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof LateError || (error instanceof McpError && error.code === ErrorCode.RequestTimeout);
}

/** Returns the message of an error, without the SDK's prefix `MCP error -32000: ` and with the cause that fetch hides. */
export function messageOf(error: unknown): string {
  const place = oddPlace(error);
  if (place !== undefined) return `it answered in a form that MCP does not have: ${place}`;
  const fault = httpFaultOf(error);
  if (fault !== undefined) return fault.words;
  if (!(error instanceof Error)) return String(error);
  // What went wrong below `fetch` says more than its own words.
  if (error.message === 'fetch failed' && error.cause instanceof Error) return messageOf(error.cause);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message.replace(/^MCP error -?\d+: /, '')}${cause}`.slice(0, 2_000);
}

/** Returns the words with which the server itself refused the handshake; `undefined` if it was lost or silent. */
function refusedWith(error: unknown): string | undefined {
  if (isTimeout(error) || !(error instanceof Error)) return undefined;
  const version = /^Server's protocol version is not supported: (.*)$/.exec(error.message)?.[1];
  if (version !== undefined) return `it speaks protocol ${version.slice(0, 100)}, which is not spoken here`;
  const isClosed = error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
  if (isClosed && /: Connection closed$/.test(error.message)) return undefined;
  return error instanceof McpError || oddPlace(error) !== undefined ? messageOf(error) : undefined;
}

/** Says which part of an answer is not as MCP has it, if the SDK found one. Its own words are for programmers. */
export function oddPlace(error: unknown): string | undefined {
  if (error instanceof OddResult) return error.message;
  if (!isRecord(error) || !Array.isArray(error.issues)) return undefined;
  const [first]: unknown[] = error.issues;
  const path = isRecord(first) && Array.isArray(first.path) ? first.path.join('.') : '';
  return path === '' ? 'the answer as a whole' : `'${path}' is missing or of another type`;
}

function messageFor(spec: ServerSpec, log: ServerLog, failed: Failed, isLate: boolean): string {
  const { transport, timeoutMs, error, faults } = failed;
  const refused = refusalIn(error);
  if (refused !== undefined) return `Server '${spec.name}' is not called: ${refused}`;
  const said = refusedWith(error);
  const missing =
    spec.transport === 'stdio' ? whyNotFound(error, spec.command)?.replace(/^Command '.*' /, '') : undefined;
  const reason =
    faultOf(transport, faults) ??
    (said === undefined ? undefined : `refused the handshake: ${said.replace(/\.$/, '')}`) ??
    (isLate
      ? `gave no answer within ${timeoutMs / 1000} s`
      : (endOf(transport) ?? missing ?? `failed: ${messageOf(error)}`));
  const verb = spec.transport === 'stdio' ? 'did not start' : 'could not be reached';
  const next = httpFaultOf(error)?.next;
  const what = `Server '${spec.name}' ${verb}: \`${spec.shown}\` ${reason.replace(/\.$/, '')}.${next === undefined ? '' : ` ${next}`}`;
  // Only a command prints. What the client of an address logs is in the sentence already.
  const printed = spec.transport === 'stdio' ? log.tail() : [];
  const isSilent = spec.transport === 'stdio' && said === undefined && missing === undefined;
  if (printed.length === 0) return log.redact(isSilent ? `${what} It printed nothing.` : what);
  if (said !== undefined) return log.redact(`${what}\nLast output:\n${printed.join('\n')}`);
  return log.redact(`${what} ${tellingLine(printed)}\nLast output:\n${printed.join('\n')}`);
}

function stageOf(spec: ServerSpec, { transport, error, faults }: Failed, isLate: boolean): StartFailure['stage'] {
  if (transport instanceof StdioTransport) {
    if (transport.pid === undefined) return 'start';
    if (refusedWith(error) !== undefined) return 'initialize';
    return transport.fault === undefined && transport.ended !== undefined && !isLate ? 'start' : 'initialize';
  }
  if (spec.transport !== 'stdio' && isLate) return 'connect';
  if (faults.fault !== undefined || error instanceof McpError) return 'initialize';
  const status = statusOf(error);
  const hasAnswered = status !== undefined && status < 400;
  return hasAnswered || isUnreadable(error) ? 'initialize' : 'connect';
}

function whyOf(spec: ServerSpec, log: ServerLog, failed: Failed, isLate: boolean): string {
  const { transport, timeoutMs, error, faults } = failed;
  const refused = refusalIn(error);
  if (refused !== undefined) return refused;
  const fault = faultOf(transport, faults);
  if (fault !== undefined) return `It ${fault}.`;
  const said = refusedWith(error);
  if (said !== undefined) return said;
  const late = `It gave no answer within ${timeoutMs / 1000} s.`;
  if (spec.transport !== 'stdio') return isLate ? late : whyNotReached(error);
  const missing = whyNotFound(error, spec.command);
  if (missing !== undefined) return missing;
  const printed = log.tail();
  if (isLate) return printed.length === 0 ? late : `${late} It printed: ${tellingLine(printed)}`;
  if (printed.length > 0) return tellingLine(printed);
  const end = endOf(transport);
  return end === undefined ? messageOf(error) : `It ${end} and printed nothing.`;
}

/** Explains the errors of the system when it starts a program. */
function whyNotFound(error: unknown, command: string): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `Command '${command}' was not found: no folder of PATH has a program of this name.`;
  if (code === 'EACCES') return `Command '${command}' may not be executed.`;
  return undefined;
}

/** Explains an HTTP answer, or why there was none. */
function whyNotReached(error: unknown): string {
  const fault = httpFaultOf(error);
  const words = fault?.words ?? messageOf(error);
  const next = fault?.next === undefined ? '' : ` ${fault.next}`;
  if (words.startsWith('it ')) return `It${words.slice(2)}.${next}`;
  return next === '' || words.endsWith('.') ? `${words}${next}` : `${words}.${next}`;
}

/** True for an answer that was good by its status and could not be read as MCP. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  if (error instanceof StreamableHTTPError && error.code === -1) return true;
  return error instanceof Error && error.name === 'ZodError';
}

function endOf(transport: Transport): string | undefined {
  return transport instanceof StdioTransport ? transport.ended : undefined;
}

function refusalIn(error: unknown): string | undefined {
  if (error instanceof AddressRefused) return error.message;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
}
