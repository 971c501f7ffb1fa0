import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useQuestions } from './use-questions';

afterEach(() => vi.unstubAllGlobals());

/** Takes the place of the browser's `EventSource`. The test sends what a server would. */
class Stream extends EventTarget {
  static newest: Stream | undefined;

  constructor() {
    super();
    Stream.newest = this;
  }

  close() {}
}

const question = {
  ...{ id: 'q1', kind: 'approval', status: 'open', run: 'r1', project: 'p1', path: 'lead[1]' },
  ...{ sentence: 'send', askedAt: 1 },
};
const pageOf = (items: readonly unknown[]) => Response.json({ items, next: null, open: items.length });

/** Answers requests of the list one after another, when the test says so. */
function serveList() {
  const requests: { signal: AbortSignal | null | undefined; answer: (response: Response) => void }[] = [];
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal(
    'fetch',
    (_address: string, init?: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        requests.push({ signal: init?.signal, answer: resolve });
      }),
  );
  return requests;
}

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);
const tellOf = (open: number) =>
  act(() => Stream.newest?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ open }) })));

test('a question that is asked while the page reads the list for the first time is listed', async () => {
  const requests = serveList();
  const { result } = renderHook(() => useQuestions({ status: 'open' }), { wrapper });
  await waitFor(() => expect(requests).toHaveLength(1));
  tellOf(1);
  requests[0]?.answer(pageOf([]));
  await waitFor(() => expect(requests).toHaveLength(2));
  requests[1]?.answer(pageOf([question]));
  await waitFor(() => expect(result.current.items.map(({ id }) => id)).toEqual(['q1']));
  expect(result.current.error).toBeNull();
});

test('a question that is asked later is listed too', async () => {
  const requests = serveList();
  const { result } = renderHook(() => useQuestions({ status: 'open' }), { wrapper });
  await waitFor(() => expect(requests).toHaveLength(1));
  requests[0]?.answer(pageOf([]));
  await waitFor(() => expect(result.current.isLoaded).toBe(true));
  tellOf(1);
  await waitFor(() => expect(requests).toHaveLength(2));
  requests[1]?.answer(pageOf([question]));
  await waitFor(() => expect(result.current.items).toHaveLength(1));
});
