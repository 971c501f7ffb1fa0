import { APIConnectionError, APIError } from 'openai';
import { isRecord } from '@/lib/base/json';
import { trimEndOf } from '@/lib/base/trim';
import { isAboutFormat } from './answer-format';
import { type ErrorWords, errorWords } from './error-words';
import { StatusError } from './openai-client';
import { type RefusedTool, refusedTool } from './refused-tools';
import { retryDelay } from './retry-delay';

/**
 * Why an attempt failed. `retry` is true if a retry may succeed. `retryAfterMs` is the delay that the server asks for.
 * `refusesFormat` is set if the server refuses the response format, or the schema in it; `refusesTool` if it refuses a tool.
 */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly retry: boolean;
  readonly retryAfterMs?: number;
  /** The text that came before the answer broke off. */
  readonly received?: string;
  readonly refusesFormat?: true;
  readonly refusesTool?: RefusedTool;
  /** The words of a server that refuses something of the request, if it is not a tool. */
  readonly refuses?: Pick<ErrorWords, 'said' | 'code' | 'param'>;
}

export function fault(code: string, message: string, retry: boolean, retryAfterMs?: number): Fault {
  return { code, message, retry, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

export interface Target {
  readonly host: string;
  readonly model: string;
  /** A sentence that tells users what to do when the key is rejected. */
  readonly keyStep: string;
  /** The setting that holds the address, such as `OPENAI_BASE_URL`. */
  readonly addressSetting: string;
  /** The current time in epoch milliseconds, for a Retry-After header with a date. */
  readonly now: number;
}

/** Turns an error of the openai client into a fault. Rethrows any other error, which is a bug. */
export function clientFault(error: unknown, target: Target): Fault {
  if (error instanceof APIConnectionError) return unreachable(error, target);
  if (error instanceof APIError && typeof error.status === 'number') {
    const { status, headers } = error;
    const words = errorWords(error instanceof StatusError ? error.body : (error.error ?? error.message));
    return statusFault({ status, headers, ...words }, target);
  }
  throw error;
}

/** Returns the fault of a request that got no answer. `error.cause` says why. */
export function unreachable(error: Error, target: Target): Fault {
  const refused = isRecord(error.cause) && error.cause.code === 'ERR_ADDRESS_REFUSED';
  if (refused) return fault('model_unreachable', `${target.host} is not called: ${reason(error)}`, false);
  const next = `Check that it runs and can be reached from here, or set ${target.addressSetting}.`;
  const message = `Could not reach the model's server at ${target.host}: ${reason(error)}. ${next}`;
  return fault('model_unreachable', message, true);
}

/** Returns the fault of an `error` object in the body of a response with status 200. */
export function bodyFault(error: unknown, mayRetry: boolean): Fault {
  const { said, code } = errorWords({ error });
  if (isOverflow(code, said)) return overflow(said);
  if (/rate_limit|429/.test(code))
    return fault('model_rate_limited', `The model's server is rate limited: ${said}`, mayRetry);
  return fault('model_failed', `The model's server failed while answering: ${said}`, mayRetry);
}

/** A response whose status is not 2xx. */
interface Refusal {
  readonly status: number;
  readonly headers: Headers | undefined;
  /** The server's own message. */
  readonly said: string;
  /** The words with which the server names the kind of error. */
  readonly code: string;
  /** The parameter that the server complains about; empty if it names none. */
  readonly param: string;
  /** The error as it came, if its details may say when to try again. */
  readonly error?: unknown;
}

/** Returns the fault of a response whose status is not 2xx. */
export function statusFault(refusal: Refusal, target: Target): Fault {
  const { status, headers, said, code } = refusal;
  const { host, model, now } = target;
  const delay = retryDelay(refusal, now);
  if (status === 401 || status === 403) {
    // The server's message is not shown, since it may quote part of the key.
    return fault(
      'model_auth',
      `${host} refused the API key for model '${model}' (status ${status}). ${target.keyStep}`,
      false,
    );
  }
  if (isOverflow(code, said) || status === 413) return overflow(said);
  if (status === 404) {
    return fault(
      'model_not_found',
      `${host} knows no model '${model}' (status 404: ${said}). Check the model's name, or ${target.addressSetting}.`,
      false,
    );
  }
  if (status === 429) {
    const empty = code.includes('insufficient_quota');
    return fault('model_rate_limited', `${host} is rate limited (status 429): ${said}`, !empty, delay);
  }
  if (status === 408 || status === 409 || status >= 500) {
    return fault('model_failed', `${host} failed (status ${status}): ${said}`, true, delay);
  }
  if (status < 400) {
    const where = headers?.get('location') ?? 'nowhere';
    return fault(
      'model_bad_response',
      `${host} redirects to ${where}. Set ${target.addressSetting} to the final address.`,
      false,
    );
  }
  const rejected = fault('model_rejected', `${host} rejected the request (status ${status}): ${said}`, false);
  return status === 400 || status === 422 ? { ...rejected, ...refusalIn(refusal) } : rejected;
}

/** What of the request the server refuses, if it says so. */
function refusalIn(refusal: Refusal): Pick<Fault, 'refusesFormat' | 'refuses' | 'refusesTool'> {
  const { said, code, param } = refusal;
  const words = `${param} ${code} ${said}`;
  const refusesTool = refusedTool(said) ?? refusedTool(words);
  if (refusesTool !== undefined) return { refusesTool };
  return { refuses: { said, code, param }, ...(isAboutFormat(words) && { refusesFormat: true }) };
}

function overflow(said: string): Fault {
  const next = 'Shorten the input, or choose a model with a larger context.';
  return fault(
    'model_context_overflow',
    `The conversation does not fit the model's context: ${trimEndOf(said, '. \n\t\r')}. ${next}`,
    false,
  );
}

function isOverflow(code: string, message: string): boolean {
  return (
    code.includes('context_length_exceeded') ||
    /maximum context length|context (length|window)( is|) exceed|exceeds? the (available )?context|exceed context limit|prompt is too long/i.test(
      message,
    )
  );
}

/** Returns the text of a message, or the object as JSON, in at most 500 letters. */
export function messageOf(error: unknown): string {
  const text = isRecord(error) ? (error.message ?? JSON.stringify(error)) : error;
  const line = typeof text === 'string' && text.trim() !== '' ? text.trim() : 'no message';
  return line.length <= 500 ? line : `${line.slice(0, 500)}…`;
}

function reason(error: Error): string {
  const cause = error.cause;
  if (isRecord(cause) && typeof cause.code === 'string' && cause.code !== 'ERR_ADDRESS_REFUSED') return cause.code;
  return cause instanceof Error ? cause.message : error.message.replace(/\.$/, '');
}
