import type { JsonObject } from '@/lib/base/json';
import type { ProviderReply } from './fake-provider';
import { eventText } from './messages-answers';

type Form = readonly [name: string, write: (events: readonly JsonObject[]) => ProviderReply];

const stream = (pieces: readonly (string | Buffer)[], type = 'text/event-stream'): ProviderReply => ({
  pieces,
  headers: { 'content-type': type },
});
const textOf = (events: readonly JsonObject[]) => events.map(eventText).join('');

/**
 * The forms that the same events may have on their way: what WHATWG HTML, section 9.2, allows, and what servers and proxies do
 * beside it. A reader gets the same answer from each.
 */
export const eventForms: readonly Form[] = [
  ['lines that end in CR and LF', (events) => stream([textOf(events).replaceAll('\n', '\r\n')])],
  ['a mark of the byte order', (events) => stream([`\uFEFF${textOf(events)}`])],
  ['comments between its lines', (events) => stream(events.map((event) => `: keep-alive\n\n${eventText(event)}:\n\n`))],
  ['ids and times to retry', (events) => stream(events.map((event, n) => `id: ${n}\nretry: 10\n${eventText(event)}`))],
  ['no space after the colon', (events) => stream([textOf(events).replaceAll(/^(data|event): /gm, '$1:')])],
  ['no empty lines', (events) => stream([textOf(events).replaceAll('\n\n', '\n')])],
  ['no line that names the event', (events) => stream([textOf(events).replaceAll(/^event: .*\n/gm, '')])],
  [
    'the name of the event beside the data alone',
    (events) => stream(events.map(({ type, ...data }) => `event: ${String(type)}\ndata: ${JSON.stringify(data)}\n\n`)),
  ],
  [
    'data of several lines',
    (events) => stream(events.map((event) => `${JSON.stringify(event, null, 1).replaceAll(/^/gm, 'data: ')}\n\n`)),
  ],
  ['empty lines before it', (events) => stream([`\n\n\n${textOf(events)}`])],
  ['the mark of the end of chat completions', (events) => stream([textOf(events), 'data: [DONE]\n\n'])],
  ['the type of another content', (events) => stream([textOf(events)], 'text/html; charset=latin1')],
  ['no empty line at its end', (events) => stream([textOf(events).trimEnd()])],
  ['a chunk for each byte', (events) => stream([...Buffer.from(textOf(events))].map((byte) => Buffer.from([byte])))],
  [
    'events of which nobody knows',
    (events) =>
      stream(events.map((event) => `${eventText({ type: 'tea.ready', index: 0, cups: [1] })}${eventText(event)}`)),
  ],
  ['pings', (events) => stream(events.map((event) => `${eventText({ type: 'ping' })}${eventText(event)}`))],
];

/** The forms that the same answer may have as one JSON object. */
export const wholeForms: readonly (readonly [name: string, write: (answer: ProviderReply) => ProviderReply])[] = [
  ['a mark of the byte order', ({ pieces }) => ({ pieces: ['\uFEFF', ...pieces] })],
  ['empty lines around it', ({ pieces }) => ({ pieces: ['\r\n\n', ...pieces, '\n\n'] })],
  ['the type of another content', ({ pieces }) => ({ pieces, headers: { 'content-type': 'text/event-stream' } })],
  [
    'many lines',
    ({ pieces }) => ({ pieces: [JSON.stringify(JSON.parse(pieces.join('')), null, 2).replaceAll('\n', '\r\n')] }),
  ],
  [
    'a chunk for each byte',
    ({ pieces }) => ({ pieces: [...Buffer.from(pieces.join(''))].map((byte) => Buffer.from([byte])) }),
  ],
];

const status = (code: number, headers: Record<string, string> = {}, body = '{}'): ProviderReply => ({
  status: code,
  headers,
  pieces: [body],
});

/** Answers of servers and proxies after which a request is made again, in milliseconds that the server names, if it does. The time is 1,000. */
export const passingFaults: readonly (readonly [name: string, reply: ProviderReply, wait: number | undefined])[] = [
  ['529 with seconds', status(529, { 'retry-after': '7' }), 7_000],
  ['529 with a date', status(529, { 'retry-after': new Date(31_000).toUTCString() }), 30_000],
  ['529 with milliseconds', status(529, { 'retry-after-ms': '250' }), 250],
  ['529 with a date of the past', status(529, { 'retry-after': new Date(0).toUTCString() }), 0],
  ['529 with nonsense', status(529, { 'retry-after': 'soon' }), undefined],
  ['429 with seconds', status(429, { 'retry-after': '1.5' }), 1_500],
  ['429 with words', status(429, {}, '{"error":{"message":"Please try again in 6.2s."}}'), 6_200],
  [
    '429 with a reset',
    status(429, { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m30s' }),
    90_000,
  ],
  ['an HTML page of a proxy', status(502, { 'content-type': 'text/html' }, '<html>Bad Gateway</html>'), undefined],
  ['an empty answer', status(200, {}, ''), undefined],
  ['no content', status(204), undefined],
  ['an error as text', status(200, {}, '{"error":"Oops."}'), undefined],
  ['an error without a type', status(200, {}, '{"error":{"message":"Oops."}}'), undefined],
];
