import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { OfferList } from './offer-list';

const names = ['add', 'divide', 'echo', 'get-sum', 'get-time', 'print'];
const offered = names.map((name) => ({ name, description: `It can ${name}.` }));

/** Shows the list as a card does that keeps what is chosen. */
function Kept({
  first,
  onKeep,
}: {
  first?: readonly string[];
  onKeep: (patterns: readonly string[] | undefined) => void;
}) {
  const [patterns, setPatterns] = useState(first);
  const change = (next: readonly string[] | undefined) => {
    setPatterns(next);
    onKeep(next);
  };
  return (
    <OfferList kind="tools" server="math" offered={offered} patterns={patterns} drift={undefined} onChange={change} />
  );
}

function open(first?: readonly string[]) {
  const kept: (readonly string[] | undefined)[] = [];
  render(<Kept {...(first && { first })} onKeep={(patterns) => kept.push(patterns)} />);
  return kept;
}

const box = (name: string) => screen.getByRole('checkbox', { name });

it('writes no filter while everything is taken, and names once one is left out', () => {
  const kept = open();
  expect(screen.getByRole('status').textContent).toBe('6 of 6 taken');
  fireEvent.click(box('echo'));
  expect(kept).toEqual([names.filter((name) => name !== 'echo')]);
  fireEvent.click(box('All tools'));
  expect(kept.at(-1)).toBeUndefined();
});

it('keeps wildcards as they are, counts what they match, and fixes what they take', () => {
  const kept = open(['get-*', 'echo']);
  expect(screen.getByRole('list', { name: 'Patterns' }).textContent).toContain('get-*matches 2');
  expect((box('get-sum') as HTMLInputElement).disabled).toBe(true);
  fireEvent.click(box('echo'));
  expect(kept).toEqual([['get-*']]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove the pattern get-*' }));
  expect(kept.at(-1)).toEqual([]);
});

it('finds by name and description, and Escape shows all again', () => {
  open(['echo']);
  const field = screen.getByRole('textbox', { name: 'Search the tools' });
  fireEvent.change(field, { target: { value: 'divide' } });
  expect(screen.getByRole('status').textContent).toBe('1 of 6 taken, 1 found');
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.getByRole('status').textContent).toBe('1 of 6 taken');
});
