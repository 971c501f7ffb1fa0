import { isRecord, parseJson } from '@/lib/base/json';

/** What the body of an error says. */
export interface ErrorWords {
  /** The provider's sentence, or `no message`. */
  readonly said: string;
  /** Its code, type and status as one text. */
  readonly code: string;
  /** The parameter that it is about; empty if it names none. */
  readonly param: string;
  /** The object with the details, which may say when to try again. */
  readonly error: unknown;
}

const longest = 500;

/**
 * Reads the body of an error, as parsed JSON or as text. Servers write it as `{error: {…}}` (OpenAI), `{error: 'text'}`, a list of
 * one (Google), `{message}` (vLLM, Mistral), `{detail}` (FastAPI), `{errors: […]}` or `{msg}`.
 */
export function errorWords(body: unknown): ErrorWords {
  const error = innermost(body);
  if (!isRecord(error)) return { said: sentence(error), code: '', param: '', error };
  const { message, msg, detail, title } = error;
  const details = Array.isArray(detail) ? detailsIn(detail) : undefined;
  const own = [message, msg, details?.said, detail, error.error, title].find(isSentence) ?? JSON.stringify(error);
  const behind = wordsBehind(error);
  return {
    said: sentence(behind === '' ? own : `${own}: ${behind}`),
    code: [error.code, error.type, error.status].map(wordOf).filter(Boolean).join(' '),
    param: wordOf(error.param) || details?.param || '',
    error,
  };
}

/** Returns the value as a word. A server may send any value, and not every value can be converted to text. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';
}

function innermost(body: unknown, depth = 0): unknown {
  if (depth > 3) return body;
  if (Array.isArray(body)) return innermost(body[0], depth + 1);
  if (!isRecord(body)) return body;
  const { error, errors } = body;
  if (isRecord(error)) return innermost(error, depth + 1);
  return Array.isArray(errors) && errors.length > 0 ? innermost(errors[0], depth + 1) : body;
}

/** OpenRouter puts the words of the provider behind it into `metadata.raw`. */
function wordsBehind({ metadata }: Record<string, unknown>): string {
  if (!isRecord(metadata) || !isSentence(metadata.raw)) return '';
  const raw = parseJson(metadata.raw);
  return isRecord(raw) || Array.isArray(raw) ? errorWords(raw).said : metadata.raw;
}

/** FastAPI names the place and the reason of each problem. */
function detailsIn(details: readonly unknown[]): { readonly said: string; readonly param: string } {
  const problems = details.filter(isRecord).map(({ loc, msg }) => {
    const place = Array.isArray(loc) ? loc.map(wordOf).filter((word) => word !== 'body') : [];
    return { place: place.join('.'), msg: wordOf(msg) };
  });
  const said = problems.map(({ place, msg }) => (place === '' ? msg : `${place}: ${msg}`)).join('; ');
  return { said, param: problems[0]?.place ?? '' };
}

function isSentence(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function sentence(value: unknown): string {
  const line = isSentence(value) ? value.trim() : 'no message';
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
