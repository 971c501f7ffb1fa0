'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { callAction } from '@/app/call-action';
import type { TestServices } from '@/components/tests/test-types';
import { TestsView, type TestsViewProps } from '@/components/tests/tests-view';
import { startTests } from './actions';

export function TestsClient(view: Omit<TestsViewProps, 'services'>) {
  const router = useRouter();
  const { project } = view;
  const services = useMemo<TestServices>(
    () => ({
      async start(mode, names) {
        const started = await callAction(() => startTests({ project, mode, ...(names && { names: [...names] }) }));
        router.refresh();
        return started.ok ? undefined : started.message;
      },
      refresh: () => router.refresh(),
    }),
    [project, router],
  );
  return <TestsView {...view} services={services} />;
}
