'use client';

import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** These parts of the run page are loaded when they are opened, because the first picture needs none of them. */

export const SpanDetail = later(() => import('./span-detail').then((found) => found.SpanDetail));
export const RunGraph = later(() => import('./run-graph-view').then((found) => found.RunGraph));
export const StateList = later(() => import('./state-list').then((found) => found.StateList));
export const LogList = later(() => import('./log-list').then((found) => found.LogList));
export const Insight = later(() => import('@/components/insight/insight').then((found) => found.Insight));

function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function Later(props: Props) {
    return (
      <Suspense
        fallback={
          <p role="status" className="p-3 text-muted text-sm">
            Loading
          </p>
        }
      >
        <Loaded {...props} />
      </Suspense>
    );
  };
}
