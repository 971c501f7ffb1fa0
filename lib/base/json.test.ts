import { describe, expect, it } from 'vitest';
import { parseJson } from './json';

describe('parseJson', () => {
  it.each(['1e999', '-1E+999', '{"x":[1,{"y":1e400}]}', '9'.repeat(400), `${'9'.repeat(250)}e99`, '[0.1e+0310]'])(
    'takes no number that is too large to be one: %s',
    (text) => {
      expect(parseJson(text)).toBeUndefined();
    },
  );

  it.each(['1e308', '1e-999', '"1e999"', '{"1e999":"1e999"}', '7'.repeat(300), '[1.5e10,null]'])(
    'takes every other number, and any text: %s',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );
});
