import querystring from 'node:querystring';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tries } from '@/lib/testing/tries';
import { FormHider, type Hider, hiderOf } from './hider';

const key = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj+abc/defghijklmnopqrstuv',
  'AgEAAoIBAQCanaryLine2abcdefghijklmnopqrstuv/wxyz+0123456789abcd',
  'c2hvcnQ=c2hvcnQ=',
  '-----END PRIVATE KEY-----',
  '',
].join('\n');
const password = 'pa"ss\\wörd<&>/9f8e7d6c';

/** Returns what passes of each piece, and at last what was held back. */
function pass(hider: Hider, pieces: readonly string[]): readonly string[] {
  let held = '';
  let covered = 0;
  const passed = pieces.map((piece) => {
    const split = hider.split(held + piece, covered);
    ({ held, covered } = split);
    return split.clean;
  });
  return [...passed, hider.hide(held, covered)];
}

/** Cuts a text at some places. */
function cutAt(text: string, places: readonly number[]): readonly string[] {
  const sorted = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
}

describe('a secret of several lines', () => {
  const { hide } = { hide: (text: string) => hiderOf([key]).hide(text) };

  it.each([
    ['as it is', key],
    ['with the ends of lines of Windows', key.replaceAll('\n', '\r\n')],
    ['with an indent', key.replace(/^/gm, '    ')],
    ['quoted in a mail', key.replace(/^/gm, '> ')],
    ['line by line in other text', key.split('\n').join(' <- line ')],
    ['in the log of another program', `{"msg":${JSON.stringify(JSON.stringify({ key }))}}`],
    ['in a form', new URLSearchParams({ key }).toString()],
    [
      'in Base64 with lines',
      (
        Buffer.from(key)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\n'),
    ],
    ['in Base64 within a longer text', Buffer.from(`{"a":1,"key":"${key}"}`).toString('base64')],
  ])('is hidden %s', (_, text) => {
    const clean = hide(text);
    expect(clean).toContain('***');
    for (const line of key.split('\n').slice(1, 4)) {
      expect(clean).not.toContain(line.slice(0, 12));
      expect(Buffer.from(clean.replaceAll('\n', ''), 'base64').toString()).not.toContain(line.slice(0, 12));
    }
  });

  it('is not said to be in the frame of a file, nor in short lines', () => {
    const text = 'a\n-----BEGIN PRIVATE KEY-----\n}\n----------\n-----END PRIVATE KEY-----\n';
    expect(hiderOf([`${key}}\n----------\n`]).hide(text)).toBe(text);
  });

  it('is hidden line by line where a variable has it on one line', () => {
    const line = key.replaceAll('\n', '\\n');
    expect(hiderOf([line]).hide(key.split('\n')[2] ?? '')).toBe('***');
  });
});

describe('a value inside a secret', () => {
  it('is hidden if it is the key of a JSON file', () => {
    const account = JSON.stringify({ type: 'service_account', private_key: key, client: 'https://accounts.example' });
    const hider = hiderOf([account]);
    expect(hider.hide(key)).toBe('***\n');
    expect(hider.hide('service_account https://accounts.example')).toBe('service_account https://accounts.example');
  });

  it('is hidden if it is the password of an address', () => {
    expect(hiderOf(['postgres://ann:p%40ss-word@db/x']).hide('p@ss-word p%40ss-word db')).toBe('*** *** db');
  });
});

const encodings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  'JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'JSON in JSON in JSON': (secret) => JSON.stringify(JSON.stringify(JSON.stringify(secret))).slice(7, -7),
  'JSON in ASCII': (secret) => ascii(JSON.stringify(secret).slice(1, -1)),
  'JSON with slashes': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'an inspected value': (secret) => JSON.stringify(inspect({ s: secret }).slice(6, -3)).slice(1, -1),
  'an address': encodeURIComponent,
  'an address in small letters': (secret) =>
    encodeURIComponent(secret).replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
  'a form': (secret) => new URLSearchParams({ s: secret }).toString().slice(2),
  'a form of Node': (secret) => querystring.stringify({ s: secret }).slice(2),
  'an address in an address': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  hexadecimal: (secret) => Buffer.from(secret).toString('hex'),
};

function ascii(text: string): string {
  return text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const secretText = fc.string({
  unit: fc.constantFrom(...'abcdefXYZ0189"\\/\'+=&<>% ~!*()ü€\n'),
  minLength: 8,
  maxLength: 40,
});
const oneLine = secretText.map((text) => `k${text.replaceAll('\n', '.')}k`);
const places = fc.array(fc.nat(), { maxLength: 8 });
const around = fc.constantFrom('', ' ', 'the key is ', '{"a":"', '#');

test('however a secret is encoded, and however the text is cut, none of it passes', () => {
  fc.assert(
    fc.property(
      oneLine,
      fc.constantFrom(...Object.values(encodings)),
      around,
      around,
      places,
      (secret, encode, before, after, cuts) => {
        // Python and Node choose the quotes of a text by what it has.
        fc.pre(encode !== encodings['an inspected value'] || !secret.includes("'"));
        const text = `${before}${encode(secret)}${after}`;
        const hider = hiderOf([secret]);
        expect(hider.hide(text)).toBe(`${before}***${after}`);
        expect(pass(hider, cutAt(text, cuts)).join('')).toBe(`${before}***${after}`);
      },
    ),
    { numRuns: tries(1_500) },
  );
});

test('at most two characters at each end of a secret in Base64 pass, wherever it begins', () => {
  fc.assert(
    fc.property(
      oneLine,
      fc.string({ maxLength: 7 }),
      fc.string({ maxLength: 7 }),
      fc.constantFrom<BufferEncoding>('base64', 'base64url'),
      places,
      (secret, before, after, encoding, cuts) => {
        const bytes = (text: string) => Buffer.from(text).length;
        const text = Buffer.from(`${before}${secret}${after}`).toString(encoding);
        const clean = pass(hiderOf([secret]), cutAt(text, cuts)).join('');
        const [start = '', end = '', ...others] = clean.split('***');
        expect(others).toEqual([]);
        expect(start).toBe(text.slice(0, start.length));
        expect(start.length).toBeLessThanOrEqual(Math.ceil((bytes(before) * 8) / 6));
        expect(end.replaceAll('=', '').length).toBeLessThanOrEqual(Math.ceil((bytes(after) * 8) / 6) + 1);
      },
    ),
    { numRuns: tries(500) },
  );
});

test('every long line of a secret is hidden in each encoding, by itself', () => {
  fc.assert(
    fc.property(secretText, fc.constantFrom(...Object.values(encodings)), places, (secret, encode, cuts) => {
      const lines = secret.split('\n').map((line) => line.trim());
      for (const line of lines.filter((each) => each.length >= 8 && /[a-z\d]/i.test(each) && !each.includes("'"))) {
        const text = `[${encode(line)}]`;
        expect(pass(hiderOf([secret]), cutAt(text, cuts)).join('')).toBe('[***]');
      }
    }),
    { numRuns: tries(500) },
  );
});

test('a header of Basic authorization does not show the password', () => {
  const header = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
  expect(hiderOf([password]).hide(header)).toMatch(/^Basic .{0,8}\*\*\*.{0,2}$/);
});

describe('forms in pieces', () => {
  const passed = (forms: readonly string[], pieces: readonly string[]) => pass(new FormHider(forms), pieces);

  it('holds back what may begin a form, until it is known', () => {
    expect(passed(['sk-live-1234'], ['the key is sk-l', 'ive-1234, ', 'so'])).toEqual([
      'the key is ',
      '***, ',
      'so',
      '',
    ]);
    expect(passed(['sk-live-1234'], ['sk-l', 'ong', ' sk-live'])).toEqual(['', 'sk-long', ' ', 'sk-live']);
  });

  it('waits for the longer of two forms that begin alike', () => {
    expect(passed(['password', 'password-2'], ['a password', '-', '2 b'])).toEqual(['a ', '', '*** b', '']);
    expect(passed(['password', 'password-2'], ['a password', '-', '3 b'])).toEqual(['a ', '', '***-3 b', '']);
    expect(passed(['password', 'password-2'], ['a password'])).toEqual(['a ', '***']);
  });

  it('leaves no end of a form that overlaps another', () => {
    expect(passed(['abcdef', 'defghi'], ['1 abcdefghi 2'])).toEqual(['1 *** 2', '']);
    expect(passed(['abcdef', 'defghi'], ['1 abcdefg', 'hi 2'])).toEqual(['1 ***', ' 2', '']);
    expect(passed(['abcdef', 'defghi'], ['1 abcdefg', '-'])).toEqual(['1 ***', 'g-', '']);
  });

  test('however a text is cut, exactly the letters of forms are hidden', () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    const form = fc.string({ unit: letter, minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.array(form, { maxLength: 6 }),
        fc.string({ unit: letter, maxLength: 30 }),
        places,
        (forms, text, cuts) => {
          const plain = plainlyHidden(text, forms);
          expect(new FormHider(forms).hide(text)).toBe(plain);
          expect(passed(forms, cutAt(text, cuts)).join('')).toBe(plain);
        },
      ),
      { numRuns: tries(3_000) },
    );
  });
});

/** Replaces what forms cover by its definition. Matches that only touch each other are shown one by one. */
function plainlyHidden(text: string, forms: readonly string[]): string {
  let clean = '';
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    const end = at + Math.max(0, ...forms.filter((each) => text.startsWith(each, at)).map((each) => each.length));
    if (at >= done) {
      clean += end > at ? '***' : text.charAt(at);
      done = Math.max(end, at + 1);
    } else done = Math.max(done, end);
  }
  return clean;
}
