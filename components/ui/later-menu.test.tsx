import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { later } from './later';
import { LaterMenu } from './later-menu';
import { Menu, MenuItem } from './menu';

function example(load = () => {}) {
  return (
    <LaterMenu button={<button type="button">More</button>} load={load}>
      {(trigger) => (
        <Menu defaultOpen trigger={trigger}>
          <MenuItem disabled>Rename</MenuItem>
          <MenuItem>Duplicate</MenuItem>
        </Menu>
      )}
    </LaterMenu>
  );
}

const item = () => screen.findByRole('menuitem', { name: 'Duplicate' });

test('a menu that is loaded later is announced by its button, and opens when it is clicked', async () => {
  render(example());
  const button = screen.getByRole('button', { name: 'More' });
  expect(button.getAttribute('aria-haspopup')).toBe('menu');
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button);
  expect(await item()).toBeTruthy();
});

test.each(['{Enter}', ' ', '{ArrowDown}'])(
  'it opens with the key %j, with the focus on the first item that can be chosen',
  async (key) => {
    render(example());
    await userEvent.tab();
    await userEvent.keyboard(key);
    const first = await item();
    expect(document.activeElement).toBe(first);
  },
);

test('after a key only the first opening puts the focus on an item', async () => {
  render(example());
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await item();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const first = await item();
  expect(document.activeElement).not.toBe(first);
});

test('a click leaves the items without focus', async () => {
  render(example());
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const first = await item();
  expect(document.activeElement).not.toBe(first);
});

test('a menu whose code could not be loaded is tried again with the next press', async () => {
  let tries = 0;
  const Items = later(
    async () => {
      tries++;
      if (tries <= 2) throw new Error('offline');
      return ({ trigger }: { readonly trigger: ReactNode }) => (
        <Menu defaultOpen trigger={trigger}>
          <MenuItem>Duplicate</MenuItem>
        </Menu>
      );
    },
    ({ trigger }) => trigger,
  );
  render(
    <LaterMenu button={<button type="button">More</button>} load={() => {}}>
      {(trigger) => <Items trigger={trigger} />}
    </LaterMenu>,
  );
  await userEvent.tab();
  for (const times of [1, 2]) {
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => expect(tries).toBe(times));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false'));
  }
  await userEvent.keyboard('{Enter}');
  const first = await item();
  expect(document.activeElement).toBe(first);
});

test('its code is loaded once the pointer or the focus comes to the button', async () => {
  const load = vi.fn();
  render(example(load));
  expect(load).not.toHaveBeenCalled();
  await userEvent.hover(screen.getByRole('button', { name: 'More' }));
  expect(load).toHaveBeenCalledOnce();
  await userEvent.tab();
  expect(load).toHaveBeenCalledTimes(2);
});
