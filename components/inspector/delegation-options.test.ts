import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { Json } from '@/lib/base/json';
import { delegationSchema } from '@/lib/cards/delegation-settings';
import { choiceOf, delegationGroups, namesToText, textToNames, valueAt } from './delegation-options';

const fields = delegationGroups.flatMap((group) => group.fields);

it('has a field for every option there is, and none for others', () => {
  const nested = new Set(['state', 'artifacts', 'attachments']);
  const expected = Object.entries(delegationSchema.shape).flatMap(([key, schema]) =>
    nested.has(key)
      ? Object.keys((schema as z.ZodOptional<z.ZodObject>).unwrap().shape).map((inner) => `${key}.${inner}`)
      : [key],
  );
  expect(fields.map(({ path }) => path.join('.')).sort()).toEqual(expected.sort());
});

it('offers only values the reader takes', () => {
  for (const { path, input } of fields) {
    if (input.kind !== 'choice') continue;
    for (const { value } of input.choices) {
      const options = path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value);
      expect(delegationSchema.safeParse(options).success, `${path.join('.')}: ${JSON.stringify(value)}`).toBe(true);
    }
    if (input.unset !== '') expect(input.choices.map(({ id }) => id)).toContain(input.unset);
  }
});

it('reads what is written', () => {
  const options = { state: { down: { keys: ['a', 'b'] } }, history: 'full' };
  expect(valueAt(options, ['state', 'down'])).toEqual({ keys: ['a', 'b'] });
  expect(valueAt(options, ['state', 'isolate'])).toBeUndefined();
  const down = fields.find(({ path }) => path.join('.') === 'state.down')?.input;
  if (down?.kind !== 'choice') throw new Error('state.down is a choice');
  expect(choiceOf(down.choices, valueAt(options, ['state', 'down']))?.id).toBe('keys');
  expect(choiceOf(down.choices, 'none')?.id).toBe('none');
  expect(choiceOf(down.choices, undefined)).toBeUndefined();
  const forward = fields.find(({ path }) => path.join('.') === 'forward_events')?.input;
  if (forward?.kind !== 'choice') throw new Error('forward_events is a choice');
  const written: readonly Json[] = [
    true,
    false,
    { types: ['tool'] },
    { types: ['tool'], incremental: true },
    { incremental: false },
  ];
  expect(written.map((value) => choiceOf(forward.choices, value)?.id)).toEqual([
    'all',
    'none',
    'types',
    'types',
    'whole',
  ]);
  expect(textToNames(' a, b\nc,, ')).toEqual(['a', 'b', 'c']);
  expect(textToNames(' ')).toBeUndefined();
  expect(namesToText(['a', 'b'])).toBe('a, b');
});
