import { expect, test } from 'vitest';
import type { EventBody } from './events';
import { redactLogs, secretsOfEnv } from './redact-logs';

test('log events show no secret, and nothing else is touched', () => {
  const seen: EventBody[] = [];
  const sink = redactLogs({ append: (body) => seen.push(body), flush: () => Promise.resolve() }, [
    'hush-hush',
    'hush-hush-hush',
  ]);
  sink.append({ kind: 'log', level: 'info', code: 'code_output', message: 'is it hush-hush-hush or hush-hush?' });
  sink.append({ kind: 'run.resumed', worker: 'hush-hush' });
  expect(seen).toEqual([
    { kind: 'log', level: 'info', code: 'code_output', message: 'is it *** or ***?' },
    { kind: 'run.resumed', worker: 'hush-hush' },
  ]);
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
