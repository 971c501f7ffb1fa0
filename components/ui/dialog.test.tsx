import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { Dialog } from './dialog';

test('the Escape of an input method closes no dialog, and a plain one closes it', async () => {
  const onOpenChange = vi.fn();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => {
    root.render(
      <Dialog open title="Words" onOpenChange={onOpenChange}>
        <div className="cm-editor">
          <input aria-label="Text" />
        </div>
      </Dialog>,
    );
  });
  const press = (more: KeyboardEventInit) =>
    act(async () => {
      const options = { key: 'Escape', bubbles: true, cancelable: true, ...more };
      document.querySelector('.cm-editor input')?.dispatchEvent(new KeyboardEvent('keydown', options));
    });
  await press({ isComposing: true });
  await press({ keyCode: 229 });
  expect(onOpenChange).not.toHaveBeenCalled();
  await press({});
  expect(onOpenChange).toHaveBeenCalledWith(false);
  await act(async () => root.unmount());
});
