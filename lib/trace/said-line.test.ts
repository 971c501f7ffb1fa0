import { expect, test } from 'vitest';
import { LiveTexts } from './live-texts';
import { saidLine } from './said-line';

function lineOf(part: 'text' | 'reasoning' | 'arguments', text: string, at = 0) {
  const texts = new LiveTexts();
  const of = part === 'arguments' ? { part, call: 0, toolName: 'get_time' } : { part };
  texts.put({ step: 'lead#m1', path: 'lead', ...of, at, text });
  return saidLine([...texts.calls().values()].flatMap((parts) => [...parts.values()]));
}

test('one line has the end of the latest part, without breaks', () => {
  expect(lineOf('text', ' The\n\nweather  is')).toEqual({ how: 'says', text: 'The weather is' });
  expect(lineOf('reasoning', 'Hm.')).toEqual({ how: 'thinks', text: 'Hm.' });
  expect(lineOf('arguments', '{"city":')).toEqual({ how: 'calls', text: 'get_time {"city":' });
  expect(lineOf('arguments', '')).toEqual({ how: 'calls', text: 'get_time' });
  expect(saidLine([])).toEqual({ how: 'says', text: '' });
});

test('a long text, and one whose beginning is not known, begin with an ellipsis', () => {
  expect(lineOf('text', 'known', 20).text).toBe('…known');
  const { text } = lineOf('text', `${'word '.repeat(1_000)}end`);
  expect(text).toMatch(/^….{160}$/);
  expect(text.endsWith('word end')).toBe(true);
});
