import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it } from 'vitest';
import type { ChatServices, OutgoingMessage, Sent } from './chat-services';
import { useMessage } from './use-message';

beforeEach(() => sessionStorage.clear());

let projects = 0;

/** A conversation that has not begun. Each message waits for the answer that the test gives. */
function open() {
  const sent: OutgoingMessage[] = [];
  const answers: ((answer: Sent) => void)[] = [];
  const begun: string[] = [];
  const services: Pick<ChatServices, 'send'> = {
    send(message) {
      sent.push(message);
      return new Promise((resolve) => answers.push(resolve));
    },
  };
  const client = new QueryClient();
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  projects += 1;
  const props = { project: `p${projects}`, conversation: undefined, onBegun: (id: string) => void begun.push(id) };
  const approval = {
    readTrust: async () => ({ ok: false, message: '' }) as const,
    askCommands: async () => ({ ok: false, message: '' }) as const,
  };
  const all: ChatServices = { ...services, approval, stop: async () => undefined, remove: async () => undefined };
  const { result } = renderHook(() => useMessage({ ...props, services: all }), { wrapper });
  const answer = (given: Sent) => act(async () => answers.shift()?.(given));
  return { result, sent, begun, answer };
}

const refused: Sent = { ok: false, message: 'The disk is full.', notTrusted: false, isUnapproved: false };

it('puts a message that was refused back before what was typed meanwhile, and says why', async () => {
  const { result, answer } = open();
  act(() => result.current.setText('First'));
  act(() => void result.current.send());
  expect(result.current).toMatchObject({ busy: true, draft: { text: '' }, sending: [{ message: 'First' }] });
  act(() => result.current.setText('Second'));
  await answer(refused);
  expect(result.current).toMatchObject({
    ...{ busy: false, draft: { text: 'First\nSecond' }, sending: [], faults: ['The disk is full.'] },
  });
});

it('sends nothing twice, and nothing that is empty', async () => {
  const { result, sent, answer } = open();
  act(() => void result.current.send());
  expect([sent, result.current.faults]).toEqual([[], ['Write a message first.']]);
  act(() => result.current.setText('Once'));
  act(() => void result.current.send());
  act(() => void result.current.send());
  expect(sent.map(({ message }) => message)).toEqual(['Once']);
  await answer(refused);
});

it('tells that the conversation has begun once its first message was taken', async () => {
  const { result, begun, answer } = open();
  act(() => result.current.setText('Hello'));
  act(() => void result.current.send());
  expect(begun).toEqual([]);
  await answer({ ok: true, runId: 'r1', conversation: 'c1' });
  expect(begun).toEqual(['c1']);
  expect(result.current.sending).toMatchObject([{ message: 'Hello', runId: 'r1' }]);
});
