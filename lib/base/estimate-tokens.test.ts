import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens';

test('an estimate grows with the text, and faster for scripts of few characters', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('You are a helpful assistant.')).toBe(7);
  expect(estimateTokens('時間を教えてください。')).toBe(8);
  expect(estimateTokens('Grüße aus Zürich')).toBe(4);
});
