import { describe, expect, test } from 'vitest';
import { findRows } from './find-rows';

const row = (name: string, ...words: string[]) => ({ name, words });
const rows = [
  row('Run', 'start'),
  row('Runs', 'history'),
  row('Export…', 'download', 'zip'),
  row('Lay out', 'tidy', 'arrange'),
  row('monkey-guard.py', 'file'),
  row('Secrets', 'keys', 'api key'),
  row('Set a key', 'credentials'),
  row('Run with other input'),
];
const find = (query: string, limit = 10) => findRows(rows, query, limit).map(({ row: { name } }) => name);

describe('findRows', () => {
  test('without a query returns all in their order, up to the limit', () => {
    expect(find('')).toEqual(rows.map(({ name }) => name));
    expect(find('  ', 2)).toEqual(['Run', 'Runs']);
  });

  test('a name that is the query comes first, then names that begin with it', () => {
    expect(find('run')).toEqual(['Run', 'Runs', 'Run with other input']);
    expect(find('RUNS')).toEqual(['Runs']);
    expect(find('export')).toEqual(['Export…']);
  });

  test('a word of the name is before the beginning of a synonym, and that before a part of a word', () => {
    expect(find('key')).toEqual(['Set a key', 'Secrets', 'monkey-guard.py']);
    expect(find('keys')).toEqual(['Secrets']);
    expect(find('tidy')).toEqual(['Lay out']);
  });

  test('every word of the query must be there, in any order', () => {
    expect(find('input run')).toEqual(['Run with other input']);
    expect(find('key api')).toEqual(['Secrets']);
    expect(find('run nothing')).toEqual([]);
  });

  test('says how well each row fits', () => {
    expect(findRows(rows, 'run', 10).map(({ rank }) => rank)).toEqual([0, 1, 1]);
  });
});
