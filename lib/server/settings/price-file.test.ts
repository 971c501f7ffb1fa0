import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EnvError, readEnv } from './env';
import { pricesIn, readPrices } from './price-file';
import { readPriceList, writePriceList } from './price-variable';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const house = { pattern: 'generic.house', price: { input: 0.5, cached_input: 0.05, cache_write: 0.6, output: 2 } };

describe('a file of prices', () => {
  test.each([
    [
      'YAML',
      'generic.house: { input: 0.5, cached_input: 0.05, cache_write: 0.6, output: 2 }\n"gpt-*": { input: 1, output: 2 }\n',
    ],
    [
      'JSON',
      '{"generic.house": {"input": 0.5, "cached_input": 5e-2, "cache_write": 0.6, "output": 2},\n "gpt-*": {"input": 1, "output": 2}}',
    ],
  ])('may be %s', (_, text) => {
    const wanted = [house, { pattern: 'gpt-*', price: { input: 1, output: 2 } }];
    expect(pricesIn(text)).toEqual({ prices: wanted, problems: [] });
    expect(readPriceList(writePriceList(wanted) ?? '')).toEqual(wanted);
  });

  test.each([
    ['', []],
    ['# nothing yet\n', []],
  ])('may be empty: %j', (text, prices) => {
    expect(pricesIn(text)).toEqual({ prices, problems: [] });
    expect(writePriceList(prices)).toBeUndefined();
  });

  test.each([
    ['- a\n', /^line 1: This is no list of prices\. Write one model per line, such as/],
    ['a: 5\n', /^line 1: 'a' has no prices\. Write one model per line/],
    ['a: { input: 1, output: 2 }\nb: { input: 1 }\n', /^line 2: 'b' has no 'output'\./],
    ['a: {}\n', /^line 1: 'a' has no 'input' and no 'output'\./],
    [
      'a:\n  input: 1\n  output: cheap\n',
      /^line 3: 'output' of 'a' must be a number of 0 or more, in US dollars per million/,
    ],
    ['a: { input: -1, output: 2 }\n', /^line 1: 'input' of 'a' must be a number of 0 or more/],
    ['a: { input: .nan, output: 2 }\n', /^line 1: 'input' of 'a' must be/],
    [
      'a: { input: 1, output: 2, cached: 1 }\n',
      /^line 1: 'cached' of 'a' is not known\. Write input, output, cached_input or/,
    ],
    ['a: { input: 1, output: 2 }\na: { input: 1, output: 2 }\n', /^line \d: 'a' is there twice\. Remove one\.$/],
    ['a: { input: 1\nb: 2\n', /^line \d: .+/],
    ['{"a": {"input": 1, "output": }}', /^line 1: .+/],
  ])('that is wrong says what and where: %j', (text, expected) => {
    const { prices, problems } = pricesIn(text);
    expect(problems.join('\n')).toMatch(expected);
    expect(prices).toEqual([]);
  });
});

test('CALLBOARD_PRICES names it, and a fault in it keeps the app from starting', () => {
  const good = fileOf('good.yaml', 'generic.house: { input: 0.5, cached_input: 0.05, cache_write: 0.6, output: 2 }\n');
  const bad = fileOf('bad.yaml', 'generic.house: { input: 1 }\n');
  expect(readEnv({ CALLBOARD_PRICES: good }).prices).toEqual([house]);
  expect(() => readEnv({ CALLBOARD_PRICES: bad })).toThrow(EnvError);
  expect(() => readEnv({ CALLBOARD_PRICES: bad })).toThrow(
    `CALLBOARD_PRICES: ${bad}, line 1: 'generic.house' has no 'output'.`,
  );
  expect(readPrices({ CALLBOARD_PRICES: path.join(folder, 'none.yaml') }).problems.join()).toMatch(
    /^CALLBOARD_PRICES: .*none\.yaml cannot be read \(ENOENT\)\. Correct the path/,
  );
  expect(readPrices({ CALLBOARD_PRICES: fileOf('big.yaml', `#${' '.repeat(128 * 1024 - 1)}`) }).problems).toEqual([]);
  const tooBig = fileOf('too-big.yaml', `#${' '.repeat(128 * 1024)}`);
  expect(readPrices({ CALLBOARD_PRICES: tooBig }).problems).toEqual([
    `CALLBOARD_PRICES: ${tooBig} is larger than 128 KiB. Use patterns, such as 'gpt-*', in place of lines for single models.`,
  ]);
});

test('a process of the launcher takes what the launcher has read', () => {
  const sent = writePriceList([house]);
  expect(readEnv({ CALLBOARD_PRICES: '/changed/meanwhile.yaml', CALLBOARD_PRICE_LIST: sent }).prices).toEqual([house]);
});
