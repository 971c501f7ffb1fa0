import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type FieldLocks, FieldLocksContext } from './field-locks';
import { HeldField } from './held-field';

function open() {
  let holder: string | undefined;
  const listeners = new Set<() => void>();
  const locks: FieldLocks = {
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    holderOf: () => holder,
    enter: () => undefined,
    leave: () => undefined,
    take: () => undefined,
  };
  render(
    <FieldLocksContext value={locks}>
      <HeldField label="Name">
        <input aria-label="Name" />
      </HeldField>
    </FieldLocksContext>,
  );
  const field = screen.getByLabelText('Name');
  return {
    field,
    isLocked: () => field.closest('[inert]') !== null,
    hold: (name: string | undefined) =>
      act(() => {
        holder = name;
        for (const listener of listeners) listener();
      }),
  };
}

test('a field that has the focus is not locked when somebody else enters it; it is when it is left', async () => {
  const { field, isLocked, hold } = open();
  act(() => field.focus());
  await hold('Ada');
  expect(screen.getByRole('status').textContent).toContain('Ada is editing this.');
  expect([isLocked(), document.activeElement]).toEqual([false, field]);
  act(() => field.blur());
  expect(isLocked()).toBe(true);
  await hold(undefined);
  expect(isLocked()).toBe(false);
});
