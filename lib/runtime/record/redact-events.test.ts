import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody } from './events';
import { noUsage } from './messages';
import { hiddenValues, redactEvents, secretsOfEnv } from './redact-events';

function recorded(hidden: Parameters<typeof redactEvents>[1], ...bodies: EventBody[]): EventBody[] {
  const seen: EventBody[] = [];
  const sink = redactEvents({ append: (body) => seen.push(body), flush: () => Promise.resolve() }, hidden);
  for (const body of bodies) sink.append(body);
  return seen;
}

const log = (message: string): EventBody => ({ kind: 'log', level: 'info', code: 'code_output', message });

test('log events show no secret, the longer of two first', () => {
  const hidden = { everywhere: [], inLogs: ['hush-hush', 'hush-hush-hush'] };
  expect(
    recorded(hidden, log('is it hush-hush-hush or hush-hush?'), { kind: 'run.resumed', worker: 'hush-hush' }),
  ).toEqual([log('is it *** or ***?'), { kind: 'run.resumed', worker: 'hush-hush' }]);
});

test('what is hidden everywhere is in no text of any event, however deep, and in no key', () => {
  const hidden = { everywhere: ['sk-hush-hush'], inLogs: [] };
  const ended = (text: string, key: string): EventBody => ({
    kind: 'tool.ended',
    path: brandAs('lead'),
    step: brandAs('lead#t1'),
    callId: brandAs('call-1'),
    result: { content: [{ type: 'text', text }], isError: false, structuredContent: { list: [{ [key]: text }, 1] } },
  });
  expect(recorded(hidden, ended('key=sk-hush-hush.', 'sk-hush-hush'), log('sk-hush-hush'))).toEqual([
    ended('key=***.', '***'),
    log('***'),
  ]);
});

test('an event without a secret is the same object', () => {
  const event: EventBody = { kind: 'run.resumed', worker: 'worker-1' };
  expect(recorded({ everywhere: ['sk-hush-hush'], inLogs: [] }, event)[0]).toBe(event);
});

test('secrets of an environment go by their names', () => {
  const env = {
    SEARCH_TOKEN: 'hush-hush',
    API_KEY: 'short',
    HOME: '/home/somebody',
    GIT_AUTHOR_NAME: 'Somebody Else',
    NO_KEY: undefined,
  };
  expect(secretsOfEnv(env)).toEqual(['hush-hush']);
});

test('the key of the provider, the password of the database and secrets of projects are hidden everywhere', () => {
  const hidden = hiddenValues({
    models: { OPENAI_API_KEY: 'sk-operator', OPENAI_BASE_URL: 'http://me:base-word-1@127.0.0.1/v1' },
    databaseUrl: 'postgresql://ann:p%40ss-word@db/callboard',
    projectEnv: { SEARCH_TOKEN: 'search-word', DOCS: '/srv/documents', MODE: 'x', UNSET: undefined },
    env: { GITHUB_TOKEN: 'unlisted-word', HOME: '/home/ann' },
  });
  expect(hidden.everywhere.toSorted()).toEqual([
    'base-word-1',
    'base-word-1',
    'p%40ss-word',
    'p@ss-word',
    'postgresql://ann:p%40ss-word@db/callboard',
    'search-word',
    'sk-operator',
  ]);
  expect(hidden.inLogs).toEqual(['search-word', '/srv/documents', 'unlisted-word']);
});

test('what a server printed is a log, also where it says why the server did not start', () => {
  const hidden = { everywhere: [], inLogs: ['hush-hush'] };
  const ended = (message: string): EventBody => ({
    kind: 'setup.ended',
    path: brandAs('lead'),
    step: brandAs('lead#s1'),
    error: { code: 'server_unavailable', message },
  });
  const finished = (message: string): EventBody => ({
    kind: 'run.finished',
    status: 'completed',
    answer: 'hush-hush',
    usage: noUsage,
    failedServers: [{ name: 'files', message }],
  });
  expect(recorded(hidden, ended('no hush-hush'), finished('no hush-hush'))).toEqual([
    ended('no ***'),
    finished('no ***'),
  ]);
});
