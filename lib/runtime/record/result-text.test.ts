import { expect, test } from 'vitest';
import { resultText, withEditedText } from './result-text';

const text = (value: string) => ({ type: 'text' as const, text: value });

test('structured content is read in place of the text, with sorted keys, and beside what is no text', () => {
  const structuredContent = { b: 'é', a: 1 };
  expect(resultText({ content: [text('other')], isError: false, structuredContent })).toBe('{"a":1,"b":"é"}');
  expect(resultText({ content: [text('plain')], isError: false })).toBe('plain');
  const link = { type: 'resource_link' as const, uri: 'file:///a' };
  expect(resultText({ content: [text('x'), link], isError: false, structuredContent: 0 })).toContain('0\n');
});

test('a hook that edits the text alone is heard', () => {
  const before = { content: [text('{"a":1}')], isError: false, structuredContent: { a: 1, b: 2 } };
  const edited = { ...before, content: [text('{"a":1}'), text('[audit]')] };
  expect(withEditedText(before, edited)).toEqual({ content: edited.content, isError: false });
  const both = { ...edited, structuredContent: { a: 2 } };
  expect(withEditedText(before, both)).toBe(both);
  expect(withEditedText(before, { ...before })).toEqual(before);
  expect(withEditedText(undefined, before)).toBe(before);
});
