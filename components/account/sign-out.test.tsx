import { fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { textFile } from '@/lib/editor/document';
import { keepDraft } from '@/lib/editor/draft';
import { SignOut } from './sign-out';

const projects = [
  { id: 'p', name: 'Poems' },
  { id: 'q', name: 'Quotes' },
];
const submitted = vi.fn();

beforeEach(() => {
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => submitted('discarding'));
});
afterEach(() => {
  vi.restoreAllMocks();
  submitted.mockReset();
  localStorage.clear();
});

function edit(projectId: string) {
  const file = (text: string) => new Map([['a.md', textFile(text)]]);
  keepDraft(localStorage, { projectId, windowId: 'w' }, { version: 1, folder: file('saved') }, file('edited'));
}

/** Returns true if the browser would send the form. */
function signOut(): boolean {
  render(<SignOut projects={projects} />);
  const button = screen.getByRole('button', { name: 'Sign out' });
  return fireEvent.submit(button.closest('form') ?? button);
}

it('signs out at once if nothing is unsaved', () => {
  expect(signOut()).toBe(true);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('names the projects with unsaved edits, and signs out only on request', () => {
  edit('q');
  edit('gone');
  expect(signOut()).toBe(false);
  const dialog = within(screen.getByRole('alertdialog', { name: 'Discard unsaved edits?' }));
  const names = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(names).toEqual(['A project that is not listed for you', 'Quotes']);
  expect(submitted).not.toHaveBeenCalled();
  fireEvent.click(dialog.getByRole('button', { name: 'Sign out and discard' }));
  expect(submitted.mock.calls).toEqual([['discarding']]);
});

it('stays on request, and keeps the edits', () => {
  edit('p');
  signOut();
  fireEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(submitted).not.toHaveBeenCalled();
  expect(localStorage.length).toBe(1);
});
