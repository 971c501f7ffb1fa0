import { expect, test } from 'vitest';
import type { PresentWindow } from '@/lib/base/presence';
import { presentPeople } from './present-people';

const at = (id: string, more: Partial<PresentWindow> = {}): PresentWindow => ({
  ...{ id, since: 1, name: undefined, you: false, draft: 'main', page: 'editor', selected: [] },
  ...more,
});

test('a person with several windows is shown once, where they went last', () => {
  const people = presentPeople([
    at('1', { name: 'Ben Ali', since: 5, selected: ['agent:new'] }),
    at('2', { name: 'Ben Ali', since: 3, selected: ['agent:old'] }),
    at('3', { name: 'Zoë', selected: [] }),
  ]);
  expect(people.map(({ name, initials, selected }) => [name, initials, selected])).toEqual([
    ['Ben Ali', 'BA', ['agent:new']],
    ['Zoë', 'Z', []],
  ]);
});

test('windows without a name and other windows of the reader are shown apart', () => {
  const people = presentPeople([at('1', { you: true }), at('2', { you: true }), at('3', { name: 'Ann', you: true })]);
  expect(people.map(({ name, initials }) => [name, initials])).toEqual([
    ['Another window', '•'],
    ['Another window', '•'],
    ['You, in another window,', 'A'],
  ]);
});
