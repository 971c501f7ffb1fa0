import { expect, test } from 'vitest';
import { howToList, pickProjectEnv, readListedVariables, unplacedLine, whyNeverGiven } from './project-env';

test('names stand with commas between; blanks and repetitions do not matter', () => {
  expect(readListedVariables(' SEARCH_TOKEN, _x1 ,,SEARCH_TOKEN,')).toEqual({
    listed: [
      { name: 'SEARCH_TOKEN', places: [] },
      { name: '_x1', places: [] },
    ],
    problems: [],
  });
  expect(readListedVariables('')).toEqual({ listed: [], problems: [] });
});

test('a name may say where its value goes, more than once', () => {
  const list = 'A@api.example.com,A@[::1]:8080, A@server:notes ,B@*,C';
  expect(readListedVariables(list).listed).toEqual([
    { name: 'A', places: ['api.example.com', '[::1]:8080', 'server:notes'] },
    { name: 'B', places: ['*'] },
    { name: 'C', places: [] },
  ]);
  for (const bad of ['A@', 'A@a b', 'A@https://x/y', 'A@*.example.com']) {
    expect(readListedVariables(bad).problems).toEqual([expect.stringContaining('is no place. Write a host')]);
  }
});

test.each([
  ['OPENAI_API_KEY', /goes to that provider alone\. Give the server a key of its own/],
  ['openai_api_key', /provider alone/],
  ['OPENAI_BASE_URL', /provider alone/],
  ['ANTHROPIC_API_KEY', /provider alone/],
  ['DATABASE_URL', /own database/],
  ['CALLBOARD_DATA', /a setting of Callboard/],
  ['A B', /is not a variable name/],
  ['A-B', /is not a variable name/],
  ['1A', /is not a variable name/],
  ['A=b', /is not a variable name/],
])('%s cannot be listed, and the sentence says why', (name, message) => {
  expect(readListedVariables(`GOOD,${name}`)).toEqual({
    listed: [{ name: 'GOOD', places: [] }],
    problems: [expect.stringMatching(/^CALLBOARD_PROJECT_ENV: .*\.$/)],
  });
  expect(readListedVariables(name).problems[0]).toMatch(message);
});

test('a listed name has its value, or none', () => {
  const env = { A: 'a', B: '', OTHER: 'x' };
  const { listed } = readListedVariables('A,B,C');
  expect(pickProjectEnv(listed, env).projectEnv).toEqual({ A: 'a', B: undefined, C: undefined });
});

test('where people have accounts, a name without a place goes nowhere', () => {
  const { listed } = readListedVariables('A,B@*,C@api.example.com');
  const env = { A: 'a', B: 'b', C: 'c' };
  const bound = new Map([['C', ['api.example.com']]]);
  expect(pickProjectEnv(listed, env, { accounts: true })).toEqual({
    projectEnv: { B: 'b' },
    boundEnv: { C: 'c' },
    bound,
    unplaced: ['A'],
  });
  expect(pickProjectEnv(listed, env)).toEqual({
    projectEnv: { A: 'a', B: 'b' },
    boundEnv: { C: 'c' },
    bound,
    unplaced: [],
  });
  expect(unplacedLine(['A'])).toMatch(/^A of CALLBOARD_PROJECT_ENV goes nowhere.*A@api\.example\.com, or A@\*/);
});

test('the next step of a name that can be listed is to list it', () => {
  expect(whyNeverGiven('SEARCH_TOKEN')).toBeUndefined();
  expect(howToList('SEARCH_TOKEN')).toBe('Add SEARCH_TOKEN@* to CALLBOARD_PROJECT_ENV and start again.');
  expect(howToList('OPENAI_API_KEY')).toMatch(/^OPENAI_API_KEY belongs to a model provider/);
});
