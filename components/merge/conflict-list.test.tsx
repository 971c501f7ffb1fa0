import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { textFile } from '@/lib/editor/document';
import { ConflictList, useFileAnswers } from './conflict-list';
import type { SideWords } from './side-words';

const words: SideWords = {
  ...{ mine: 'Mine', theirs: 'Theirs', byMine: 'Changed by me', byTheirs: 'Changed by them' },
  marks: { mine: 'mine', theirs: 'theirs' },
};
const lines = 'one\ntwo\nthree\nfour\n';
const files = ['a.md', 'b.md', 'c.md', 'd.md'].map((path) => ({
  path,
  base: textFile(lines),
  mine: textFile(lines.replace('two', 'mine').replace('four', '4')),
  theirs: textFile(lines.replace('two', 'theirs')),
}));

function Question() {
  const answers = useFileAnswers(files.map(({ path }) => path));
  return (
    <>
      <ConflictList project="desk" files={files} answers={answers} words={words} />
      <button type="button" onClick={() => answers.setAll('theirs')}>
        All theirs
      </button>
      <output>{answers.areFinished ? files.map(({ path }) => answers.of(path).keep).join(' ') : 'unfinished'}</output>
    </>
  );
}

const kept = () => document.querySelector('output')?.textContent;
const file = (path: string) => within(screen.getByRole('region', { name: `Differences in ${path}` }));

it('keeps mine until something else is chosen, for one file or for all', () => {
  render(<Question />);
  expect(kept()).toBe('mine mine mine mine');
  fireEvent.click(file('b.md').getByRole('radio', { name: 'Theirs' }));
  expect(kept()).toBe('mine theirs mine mine');
  fireEvent.click(screen.getByRole('button', { name: 'All theirs' }));
  expect(kept()).toBe('theirs theirs theirs theirs');
});

it('shows who changed which part, and opens the first files alone', () => {
  render(<Question />);
  expect(file('a.md').getByText('Changed by both')).toBeTruthy();
  expect(file('a.md').getByText('Changed by me')).toBeTruthy();
  expect(file('d.md').queryByText('Changed by both')).toBeNull();
  fireEvent.click(file('d.md').getByRole('button', { name: 'Show differences' }));
  expect(file('d.md').getByText('Changed by both')).toBeTruthy();
});
