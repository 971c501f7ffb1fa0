import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import { EmptyState } from './empty-state';
import { showToast, Toaster } from './toast';

/* What asks or tells a person something marks characters that nobody sees, whatever name it is about. */

const name = 'li\u202eve';
const marked = 'liU+202Eve';
const nothing = () => undefined;

test.each([
  ['a dialog', <Dialog key="a" open onOpenChange={nothing} title={`Delete ${name}?`} />],
  [
    'a question',
    <ConfirmDialog key="b" open title={`Delete ${name}?`} confirm="Delete" onConfirm={nothing} onOpenChange={nothing}>
      It is gone.
    </ConfirmDialog>,
  ],
  ['a place without content', <EmptyState key="c" heading="h2" title={`Delete ${name}?`} />],
])('the heading of %s', (_, element) => {
  render(element);
  expect(screen.getByRole('heading').textContent).toBe(`Delete ${marked}?`);
});

test('a message', () => {
  render(<Toaster />);
  act(() => showToast({ text: `${name} is deleted.` }));
  expect(screen.getByText(/is deleted/).textContent).toBe(`${marked} is deleted.`);
});
