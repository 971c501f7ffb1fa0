import { expect, test } from 'vitest';
import { howToList, pickProjectEnv, readVariableNames, whyNeverGiven } from './project-env';

test('names stand with commas between; blanks and repetitions do not matter', () => {
  expect(readVariableNames(' SEARCH_TOKEN, _x1 ,,SEARCH_TOKEN,')).toEqual({
    names: ['SEARCH_TOKEN', '_x1'],
    problems: [],
  });
  expect(readVariableNames('')).toEqual({ names: [], problems: [] });
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
  expect(readVariableNames(`GOOD,${name}`)).toEqual({
    names: ['GOOD'],
    problems: [expect.stringMatching(/^CALLBOARD_PROJECT_ENV: .*\.$/)],
  });
  expect(readVariableNames(name).problems[0]).toMatch(message);
});

test('a listed name has its value, or none', () => {
  const env = { A: 'a', B: '', OTHER: 'x' };
  expect(pickProjectEnv(['A', 'B', 'C'], env)).toEqual({ A: 'a', B: undefined, C: undefined });
});

test('the next step of a name that can be listed is to list it', () => {
  expect(whyNeverGiven('SEARCH_TOKEN')).toBeUndefined();
  expect(howToList('SEARCH_TOKEN')).toBe('Add SEARCH_TOKEN to CALLBOARD_PROJECT_ENV and start again.');
  expect(howToList('OPENAI_API_KEY')).toMatch(/^OPENAI_API_KEY belongs to a model provider/);
});
