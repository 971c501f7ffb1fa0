'use client';

import { later } from '@/components/ui/later';
import type { ErrorViewProps } from './error-view';

/** Every page loads this file at first, and few show it. */
const ErrorView = later(async () => (await import('./error-view')).ErrorView);

export default function ErrorPage(props: ErrorViewProps) {
  return <ErrorView {...props} />;
}
