import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RunResult, type RunResultProps } from './run-result';

const queued: RunResultProps = {
  status: 'queued',
  message: 'Hello',
  answer: undefined,
  error: undefined,
  failedServers: [],
  lostSessions: [],
  complete: false,
};

test('a queued run says what it waits for: a worker, or the message before it', () => {
  expect(renderToStaticMarkup(<RunResult {...queued} />)).toContain('Waiting for a worker.');
  expect(renderToStaticMarkup(<RunResult {...queued} isInLine />)).toContain(
    'Waiting for the message before this one.',
  );
  const running = renderToStaticMarkup(<RunResult {...queued} status="running" isInLine />);
  expect(running).toContain('Working.');
});
