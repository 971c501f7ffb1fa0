import { expect, test } from 'vitest';
import { codePlaceAt } from './code-place';

/** Reads a text in which `|` is the cursor. Returns path, kind and word, such as `agents/- item 'wri'`. */
function at(marked: string, file = 'callboard.yaml'): string | undefined {
  const offset = marked.indexOf('|');
  const place = codePlaceAt(marked.replace('|', ''), file, offset);
  if (place === undefined) return undefined;
  const others = place.siblings.size === 0 ? '' : ` beside ${[...place.siblings].join(',')}`;
  return `${place.path.join('/')} ${place.at} '${place.word}'${place.isKey ? ' key' : ''}${others}`.trim();
}

test.each([
  ['|', "key ''"],
  ['ver|sion: 1\nentry: a', "key 'version' key beside entry"],
  ['version: 1\nen|', "key 'en' beside version"],
  ['entry: |', "entry value ''"],
  ['entry: wri|ter', "entry value 'writer'"],
  ['entry: "wri|ter"', "entry value 'writer'"],
  ['limits:\n  |', "limits key ''"],
  ['limits:\n  max_depth: 3\n  ma|', "limits key 'ma' beside max_depth"],
  ['limits:\n  max_depth: 3\n|\nentry: a', "key '' beside limits,entry"],
  ['a:\n  - one\n  - tw|', "a/- item 'tw' beside one"],
  ['a:\n- one\n- |\n- three', "a/- item '' beside one,three"],
  ['a:\n  - clamp:\n      min: 1\n      m|', "a/-/clamp key 'm' beside min"],
  ['a:\n  - clamp: {min: 1, m|}', "a/-/clamp key 'm' beside min"],
  ['a: [one, tw|, three]', "a/- item 'tw' beside one,three"],
  ['a: [|', "a/- item ''"],
  ['a: {b: {c: d|', "a/b/c value 'd'"],
  ['a:\n  b:\n    - c: 1\n      d: x|', "a/b/-/d value 'x'"],
  ['hooks:\n  hooks.py:audit:\n    on_error: s|', "hooks/hooks.py:audit/on_error value 's'"],
  ['# a comment |', undefined],
  ['text: |-\n', undefined],
])('%j', (marked, expected) => {
  if (marked.startsWith('text')) {
    const text = 'text: |\n  name: x';
    expect(codePlaceAt(text, 'callboard.yaml', text.length)).toBeUndefined();
  } else expect(at(marked)).toBe(expected);
});

test.each([
  ['---\nname: a\nag|\n---\nBody', "key 'ag' beside name"],
  ['---\nname: a\nagents: [|\n---\nBody', "agents/- item ''"],
  ['---\nname: a\n---\nagents: |', undefined],
  ['---\nname: a\nmodel: |', "model value ''"],
  ['\uFEFF---\nname: a|\n---\n', "name value 'a'"],
  ['No front matter |', undefined],
])('front matter: %j', (marked, expected) => {
  expect(at(marked, 'agent.md')).toBe(expected);
});

test('a line with CR LF ends before it', () => {
  expect(at('a: x|\r\nb: y\r\n')).toBe("a value 'x'");
});
