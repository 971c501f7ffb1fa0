import { expect, it } from 'vitest';
import { declarativeKinds, parameterFaults } from '@/lib/cards/hook-settings';
import { hookFields } from './hook-fields';
import { startingParameters } from './hook-words';

it('makes the fields of a form from the schema of each hook', () => {
  const shown = (kind: Parameters<typeof hookFields>[0]) =>
    hookFields(kind).map(({ name, kind: as, required, fallback }) => [name, as, required, fallback]);
  expect(shown('clamp')).toEqual([
    ['argument', 'text', true, undefined],
    ['min', 'number', false, undefined],
    ['max', 'number', false, undefined],
  ]);
  expect(shown('redact')).toEqual([
    ['patterns', 'list', false, []],
    ['keys', 'list', false, []],
    ['in', 'choice', false, 'result'],
    ['replacement', 'text', false, '[redacted]'],
  ]);
  expect(shown('default').at(-1)).toEqual(['value', 'value', true, undefined]);
  expect(hookFields('rate_limit').find(({ name }) => name === 'scope')?.options).toEqual(['run', 'instance', 'tool']);
  expect(hookFields('retry').find(({ name }) => name === 'attempts')).toMatchObject({ least: 2, whole: true });
});

it('begins every kind with parameters that are valid', () => {
  for (const kind of declarativeKinds) {
    const parameters = startingParameters(kind);
    expect(typeof parameters === 'object' && parameters !== null && parameterFaults(kind, { ...parameters })).toEqual(
      [],
    );
  }
  expect(parameterFaults('clamp', { argument: 'x', min: 3, max: 1 }).map(({ message }) => message)).toEqual([
    "'min' is more than 'max'",
  ]);
});
