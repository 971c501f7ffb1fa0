'use client';

import { useServerActions, useServers } from '@/components/editor-state/servers-context';
import { TestResult, type TestResultProps } from './test-result';

/** Tests a server of the open project, with the text as it is, saved or not. */
export function ServerTestPanel({ server, compact, named }: Pick<TestResultProps, 'server' | 'compact' | 'named'>) {
  const test = useServers((state) => state.tests.get(server));
  const actions = useServerActions();
  return (
    <TestResult
      server={server}
      test={test}
      compact={compact ?? false}
      named={named ?? false}
      onTest={() => void actions.test(server)}
      onStop={() => actions.stop(server)}
    />
  );
}
