import { useSyncExternalStore } from 'react';
import type { Trace } from '@/lib/trace/trace';
import type { LiveSaid, Said } from './live-said';

/** Returns what models say now, and renders again when they say more. */
export function useSaid(said: LiveSaid, trace: Trace): readonly Said[] {
  useSyncExternalStore(said.subscribe, said.getVersion, said.getVersion);
  return said.now(trace);
}
