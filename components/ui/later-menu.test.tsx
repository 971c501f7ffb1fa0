import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LaterMenu } from './later-menu';
import { Menu, MenuItem } from './menu';

function example(load = () => {}) {
  return (
    <LaterMenu button={<button type="button">More</button>} load={load}>
      {(trigger) => (
        <Menu defaultOpen trigger={trigger}>
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

test.each(['{Enter}', ' ', '{ArrowDown}'])('it opens with the key %j', async (key) => {
  render(example());
  await userEvent.tab();
  await userEvent.keyboard(key);
  expect(await item()).toBeTruthy();
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
