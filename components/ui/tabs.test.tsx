import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Tabs } from './tabs';

function Example({ keepMounted = false }: { readonly keepMounted?: boolean }) {
  const [open, setOpen] = useState('properties');
  const tabs = ['properties', 'card', 'surface'].map((id) => ({ id, label: id, content: <p>{`content of ${id}`}</p> }));
  return <Tabs label="Inspector" tabs={tabs} value={open} onValueChange={setOpen} keepMounted={keepMounted} />;
}

const opened = () => screen.getByRole('tab', { selected: true }).textContent;

test('arrows, Home and End move the focus between tabs and open them, around the ends', async () => {
  const user = userEvent.setup();
  render(<Example />);
  await user.tab();
  const seen: (string | null | undefined)[] = [];
  for (const key of ['{ArrowRight}', '{ArrowRight}', '{ArrowRight}', '{ArrowLeft}', '{Home}', '{End}']) {
    await user.keyboard(key);
    expect(document.activeElement?.textContent).toBe(opened());
    seen.push(opened());
  }
  expect(seen).toEqual(['card', 'surface', 'properties', 'surface', 'properties', 'surface']);
});

test('one tab is in the order of the Tab key: the open one', async () => {
  const user = userEvent.setup();
  render(<Example />);
  await user.click(screen.getByRole('tab', { name: 'card' }));
  expect(screen.getAllByRole('tab').map((tab) => tab.tabIndex)).toEqual([-1, 0, -1]);
});

test('a closed panel is unmounted, or kept and hidden where the tabs ask for it', async () => {
  const user = userEvent.setup();
  const { unmount } = render(<Example />);
  await user.click(screen.getByRole('tab', { name: 'card' }));
  expect(screen.queryByText('content of properties')).toBeNull();
  unmount();
  render(<Example keepMounted />);
  await user.click(screen.getByRole('tab', { name: 'card' }));
  expect(screen.getByText('content of properties')).toBeTruthy();
  expect(screen.getAllByRole('tabpanel', { hidden: true }).map((panel) => panel.hidden)).toEqual([true, false, true]);
});
