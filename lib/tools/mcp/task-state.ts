import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@/lib/base/json';
import { type InputRequest, inputRequestsIn } from './modern-messages';

/** An id goes back to the server with each request. */
const maxIdCharacters = 4_096;

/** What a server says of a task, as far as it is used. */
export interface TaskState {
  readonly status: string;
  /** True while the server says that the task goes on. */
  readonly isOpen: boolean;
  /** How often the server wants to be asked, in milliseconds. */
  readonly pollMs: number | undefined;
  /** How long the server keeps the task, in milliseconds from its beginning. */
  readonly ttlMs: number | undefined;
  readonly says: string;
}

/** What a server of protocol 2026-07-28 says of a task, with its result and what it needs. */
export interface ModernTaskState extends TaskState {
  readonly requests: Readonly<Record<string, InputRequest>>;
  readonly result: unknown;
  /** The words of the error with which the task has failed. */
  readonly error: string;
}

/** A task that a server has begun. */
export type BegunTask = TaskState & { readonly id: string };

/** Reads the state of a task; `undefined` for anything else. Protocol 2026-07-28 names the times differently. */
export function readTaskState(value: unknown): TaskState | undefined {
  if (!isRecord(value) || typeof value.status !== 'string') return undefined;
  const { status, statusMessage } = value;
  return {
    status,
    isOpen: status === 'working' || status === 'input_required',
    pollMs: positive(value.pollIntervalMs ?? value.pollInterval),
    ttlMs: positive(value.ttlMs ?? value.ttl),
    says: typeof statusMessage === 'string' ? statusMessage.trim() : '',
  };
}

/** Reads the answer to a call that has begun a task; `undefined` for anything else. */
export function readBegunTask(value: unknown): BegunTask | undefined {
  if (!isRecord(value) || typeof value.taskId !== 'string' || value.taskId === '') return undefined;
  const state = readTaskState(value) ?? readTaskState({ ...value, status: 'working' });
  return state && { ...state, id: value.taskId };
}

export function readModernTask(value: unknown): ModernTaskState | undefined {
  const state = readTaskState(value);
  if (state === undefined || !isRecord(value)) return undefined;
  const { error } = value;
  const message = isRecord(error) && typeof error.message === 'string' ? error.message : undefined;
  return {
    ...state,
    requests: inputRequestsIn(value.inputRequests),
    result: value.result,
    error: message ?? state.says,
  };
}

/** Returns what is wrong with the id of a task, as a sentence about the server; `undefined` if nothing is. */
export function faultOfId(id: string, server: string): string | undefined {
  if (id.length <= maxIdCharacters) return undefined;
  return `Server '${server}' gave a task whose id has ${id.length} characters. Have it corrected at the server.`;
}

/** Servers answer so for a task that they have deleted, or that was lost when they started again. */
export function isForgotten(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.InvalidParams && /task/i.test(error.message);
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}
