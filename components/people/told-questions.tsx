'use client';

import { later } from '@/components/ui/later';
import { useNoticeSetting } from './notice-setting';

const Notifier = later(async () => (await import('./notifier')).Notifier, null);

/** Tells of new questions on every page of a browser that was asked to. Others do not load its code. */
export function ToldQuestions() {
  const { who } = useNoticeSetting();
  if (who === 'none') return null;
  return <Notifier />;
}
