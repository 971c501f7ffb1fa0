import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { begin, log } from '@/lib/testing/trace-log';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { shortEvent } from '@/lib/trace/short-event';
import { LinkFacts } from './link-facts';

afterEach(() => vi.unstubAllGlobals());

function startedWith(traceId: string) {
  const [event] = log([0, begin]);
  if (event === undefined) throw new Error('There is an event');
  const imported = {
    id: 's1',
    name: 'call',
    estimated: [],
    attributes: { 'span.links': [{ trace_id: traceId, span_id: '7' }] },
  };
  return { value: shortEvent({ ...event, imported }) };
}

test('a link to another trace leads nowhere until its run is known, also after another span was selected', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{}')),
  );
  const facts = (traceId: string) => (
    <LinkFacts trace={emptyTrace()} started={startedWith(traceId)} projectId="desk" onSelect={() => {}} />
  );
  const { rerender } = render(facts('a'.repeat(32)));
  expect(await screen.findByRole('link')).toBeTruthy();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  rerender(facts('b'.repeat(32)));
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText(`span 7 of trace ${'b'.repeat(32)}`)).toBeTruthy();
});
