// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';

test('the page of errors is loaded ahead, because the server may be gone when there is an error', async () => {
  const loaded = vi.fn();
  vi.doMock('./error-view', () => {
    loaded();
    return { ErrorView: () => null };
  });
  await import('./error');
  expect(loaded).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce(), 10_000);
});
