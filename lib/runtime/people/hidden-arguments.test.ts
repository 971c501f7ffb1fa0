import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json, JsonObject } from '@/lib/base/json';
import { redacted, redactJson, secretKeys } from '@/lib/base/redact';
import { withHidden } from './hidden-arguments';

const shownOf = (real: JsonObject) => redactJson(real, secretKeys());

it('an edit keeps the secrets that the person could not see', () => {
  const real = { to: 'ann', password: 'x1', login: { token: 't', user: 'u' } };
  const edited = { to: 'bo', password: redacted, login: { token: redacted, user: 'v' } };
  expect(withHidden(edited, shownOf(real), real)).toEqual({
    to: 'bo',
    password: 'x1',
    login: { token: 't', user: 'v' },
  });
  expect(withHidden({ password: 'new' }, shownOf(real), real)).toEqual({ password: 'new' });
  expect(withHidden({ other: redacted }, shownOf(real), real)).toEqual({ other: redacted });
});

it('a secret never moves to another item of a list', () => {
  const real = {
    logins: [
      { user: 'a', token: '1' },
      { user: 'b', token: '2' },
    ],
    tags: ['x', 'y'],
  };
  const b = { user: 'b', token: redacted };
  expect(withHidden({ logins: [b], tags: ['x'] }, shownOf(real), real)).toBeUndefined();
  expect(withHidden({ logins: [{ user: 'a', token: redacted }, b], tags: ['y'] }, shownOf(real), real)).toEqual({
    ...real,
    tags: ['y'],
  });
});

it('any arguments that are sent back as shown are the arguments of the call', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  const objects = fc.dictionary(fc.constantFrom('a', 'token', 'list', 'password'), json);
  fc.assert(
    fc.property(objects, (real) => {
      const shown = shownOf(real);
      expect(withHidden(shown as JsonObject, shown, real)).toEqual(real);
    }),
  );
});
