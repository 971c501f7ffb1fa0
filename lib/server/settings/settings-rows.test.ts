import { expect, test } from 'vitest';
import { readEnv } from './env';
import { describeEnv } from './settings-rows';

test('shows addresses without passwords and of the key only that it is there', () => {
  const env = readEnv({
    DATABASE_URL: 'postgresql://ann:hunter2@db.example:5432/callboard?password=hunter2',
    OPENAI_BASE_URL: 'http://user:hunter2@127.0.0.1:9000/v1?key=hunter2',
    OPENAI_API_KEY: 'sk-hunter2',
  });
  const shown = JSON.stringify(describeEnv(env, false));
  expect(shown).not.toContain('hunter2');
  expect(shown).toContain('postgresql://db.example:5432/callboard');
  expect(shown).toContain('http://127.0.0.1:9000/v1');
});

test('a database of our own has no address to show', () => {
  const rows = describeEnv(readEnv({ DATABASE_URL: 'postgresql://x@127.0.0.1:5000/c' }), true).flatMap(
    ({ rows }) => rows,
  );
  expect(rows.find((row) => row.variable === 'DATABASE_URL')).toMatchObject({ value: 'Built in', isSet: false });
});

test('variables of projects are shown by name, never by value', () => {
  const env = readEnv({ CALLBOARD_PROJECT_ENV: 'SEARCH_TOKEN,DOCS_TOKEN', SEARCH_TOKEN: 'hunter2' });
  const rows = describeEnv(env, true).flatMap(({ rows }) => rows);
  expect(rows.find((row) => row.variable === 'CALLBOARD_PROJECT_ENV')).toMatchObject({
    value: 'SEARCH_TOKEN, DOCS_TOKEN',
    isSet: true,
  });
  expect(JSON.stringify(rows)).not.toContain('hunter2');
});

test('the isolation of processes is shown with a word and its meaning, also when it is off', () => {
  const row = (fence?: Parameters<typeof describeEnv>[2]) =>
    describeEnv(readEnv({}), true, fence)
      .flatMap(({ rows }) => rows)
      .find(({ label }) => label === 'Isolation of processes');
  expect(row('hidden')).toMatchObject({
    value: 'On',
    isSet: true,
    hint: expect.stringMatching(/see no other processes/),
  });
  expect(row('unreadable')).toMatchObject({ value: 'On, in part', isSet: true });
  expect(row()).toMatchObject({ value: 'Off', isSet: false, hint: expect.stringMatching(/can read the variables/) });
});
