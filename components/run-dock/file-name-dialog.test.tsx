import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FileNameDialog } from './file-name-dialog';

function open(initial = 'notes.md') {
  const done: string[] = [];
  render(
    <FileNameDialog
      title="Rename"
      verb="Rename"
      initial={initial}
      taken={['notes.md', 'lead.md']}
      onName={(path) => done.push(path)}
      onClose={() => done.push('closed')}
    />,
  );
  const type = (path: string) => {
    fireEvent.change(screen.getByRole('textbox', { name: 'Path' }), { target: { value: path } });
    fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
  };
  return { done, type };
}

it('takes a free path without the spaces round it', () => {
  const { done, type } = open();
  type('  tools/clock.py ');
  expect(done).toEqual(['tools/clock.py', 'closed']);
});

it.each([
  ['lead.md', /There is a file lead\.md already/],
  ['../out.md', /\.\./],
  ['', /./],
])('refuses %j and stays open', (path, words) => {
  const { done, type } = open();
  type(path);
  expect(done).toEqual([]);
  const field = screen.getByRole('textbox', { name: 'Path' });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const described = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(described.join(' ')).toMatch(words);
});

it('renames nothing when the name stays', () => {
  const { done, type } = open();
  type('notes.md');
  expect(done).toEqual(['closed']);
});
