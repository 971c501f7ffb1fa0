'use client';

import { later } from '@/components/ui/later';
import { whenIdle } from '@/components/ui/when-idle';
import type { ErrorViewProps } from './error-view';

/** Every page loads this file at first, and few show it. */
const ErrorView = later(async () => (await import('./error-view')).ErrorView);
// When there is an error, the server or the network may be gone.
if (typeof window !== 'undefined') whenIdle(ErrorView.load, 1_000);

export default function ErrorPage(props: ErrorViewProps) {
  return <ErrorView {...props} />;
}
