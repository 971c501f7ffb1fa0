import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { TurnInfo } from '@/lib/base/conversation';
import { TurnRun } from './turn-run';

afterEach(() => vi.unstubAllGlobals());

const turn: TurnInfo = {
  runId: 'r1',
  message: 'Find it',
  attachments: [],
  createdAt: 1_000,
  finishedAt: 3_000,
  status: 'completed',
  answer: 'Bern',
  error: null,
};

const shown = (isFollowed: boolean) => (
  <QueryClientProvider client={new QueryClient()}>
    <TurnRun turn={turn} agent="lead" isFollowed={isFollowed} onChanged={() => {}} />
  </QueryClientProvider>
);

it('keeps its link and its answer while the run begins to be followed, so that no click is lost', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const { rerender } = render(shown(false));
  const before = [screen.getByRole('link', { name: 'Open run' }), screen.getByRole('region', { name: 'Answer' })];
  rerender(shown(true));
  const after = [screen.getByRole('link', { name: 'Open run' }), screen.getByRole('region', { name: 'Answer' })];
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});
