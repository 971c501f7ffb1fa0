'use client';

import { lazy, Suspense } from 'react';
import { useNoticeSetting } from './notice-setting';

const Notifier = lazy(async () => ({ default: (await import('./notifier')).Notifier }));

/** Tells of new questions on every page of a browser that was asked to. Others do not load its code. */
export function ToldQuestions() {
  const { who } = useNoticeSetting();
  if (who === 'none') return null;
  return (
    <Suspense>
      <Notifier />
    </Suspense>
  );
}
