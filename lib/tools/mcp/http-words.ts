import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { isRecord, parseJson } from '@/lib/base/json';

const longestAnswer = 300;
/** Of a page only the start is searched for words, because a hostile page could take long. */
const longestPage = 4_000;

/** What became of a request over HTTP, in our words: those of the SDK and of `fetch` are for programmers. */
export interface HttpFault {
  /** Says what happened, such as `HTTP 502: Bad Gateway`, without a full stop. */
  readonly words: string;
  /** The status of the answer, if it is the status that says what is wrong. */
  readonly status: number | undefined;
  /** A sentence with the next step, if there is one. */
  readonly next: string | undefined;
}

/** Explains an answer over HTTP that is no answer of MCP; `undefined` for any other error. */
export function httpFaultOf(error: unknown): HttpFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const message = error.message.trim();
  // The SDK marks its own refusal of an answer with -1. A server may use the same words in its errors and pages.
  const isRefused = error instanceof StreamableHTTPError && error.code === -1;
  const type = isRefused ? /Unexpected content type: (.*)$/.exec(message)?.[1] : undefined;
  if (type !== undefined) {
    const what = type === 'null' ? 'something without a content type' : type;
    return plain(`it answered with ${what}, which is not MCP`);
  }
  if (error instanceof SyntaxError) return plain('it answered with something that is not JSON');
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const target = /Redirect to (\S+) not followed/.exec(message)?.[1];
  if (target !== undefined) {
    const next = 'If you trust that address, write it as the url of the server.';
    return { words: `HTTP ${status}: it redirects to ${target}, which is not followed`, status, next };
  }
  const said = firstWords(message.replace(/^.*?(?:endpoint|event stream|SSE stream|SSE error):\s*/s, ''));
  const isSdks = /^Streamable HTTP error|^Error POSTing|^SSE error/.test(said) || said === '';
  return { words: isSdks ? `HTTP ${status}` : `HTTP ${status}: ${said}`, status, next: nextAfter(status) };
}

/** Returns the status of an answer that the SDK has refused. */
export function statusOf(error: unknown): number | undefined {
  const isOfHttp = error instanceof StreamableHTTPError || error instanceof SseError;
  return isOfHttp && error.code !== undefined && error.code > 0 ? error.code : undefined;
}

function plain(words: string): HttpFault {
  return { words, status: undefined, next: undefined };
}

function nextAfter(status: number): string | undefined {
  switch (status) {
    case 401:
    case 403:
      return 'Check its access_token or headers.';
    case 404:
    case 405:
      return 'Check its url.';
    case 429:
      return 'Try again later.';
    default:
      return undefined;
  }
}

/** Returns the start of an answer's text in one line: the message of an error in JSON, or a page without its tags. */
function firstWords(text: string): string {
  const words = (messageIn(text) ?? withoutTags(text)).replace(/\s+/g, ' ').trim();
  return words.length > longestAnswer ? `${words.slice(0, longestAnswer)}…` : words;
}

function withoutTags(text: string): string {
  if (!/<\w/.test(text)) return text;
  // Without its end, a script or style reaches to the end of the page, as in browsers.
  const start = text.replace(/<(script|style)\b.*?(?:<\/\1>|$)/gis, ' ').slice(0, longestPage);
  return start.replace(/<head\b.*?<\/head>|<[^>]*>/gis, ' ');
}

/** Reads the message of an error of JSON-RPC, OAuth or a web framework. */
function messageIn(text: string): string | undefined {
  const body = text.startsWith('{') ? parseJson(text) : undefined;
  if (!isRecord(body)) return undefined;
  const { error } = body;
  const given = [isRecord(error) ? error.message : undefined, body.error_description, body.message, body.detail, error];
  return given.find((one): one is string => typeof one === 'string' && one.trim() !== '');
}
