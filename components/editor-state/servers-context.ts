'use client';

import { createContext, use, useMemo } from 'react';
import { useStore } from 'zustand';
import type { KnownServers } from '@/lib/base/known-servers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { driftProblems, type FilterDrift, filterDrifts } from '@/lib/editor/server-drift';
import type { ServerTests, ServerTestsState } from '@/lib/editor/server-tests';
import { useProject } from './project-context';

export const ServersContext = createContext<ServerTests | undefined>(undefined);

function useTests(): ServerTests {
  const tests = use(ServersContext);
  if (tests === undefined) throw new Error('Bug: a part of the editor outside its project');
  return tests;
}

/** Reads one value of what is known of the project's servers. */
export function useServers<T>(read: (state: ServerTestsState) => T): T {
  return useStore(useTests().store, read);
}

export function useServerActions(): ServerTests['actions'] {
  return useTests().actions;
}

/** Returns the filters that were written against another list than their server has now. */
export function useDrifts(): readonly FilterDrift[] {
  const known = useServers((state) => state.known);
  const drawn = useProject((state) => state.picture.drawn);
  return driftsOf(drawn, known);
}

/** Many marks ask for the same drifts, so the last answer for each folder is kept. */
const lastDrifts = new WeakMap<object, { readonly known: KnownServers; readonly drifts: readonly FilterDrift[] }>();

function driftsOf(drawn: ParsedFolder, known: KnownServers): readonly FilterDrift[] {
  const last = lastDrifts.get(drawn);
  if (last?.known === known) return last.drifts;
  const drifts = filterDrifts(drawn, known);
  lastDrifts.set(drawn, { known, drifts });
  return drifts;
}

/** Returns the same as problems of the cards. */
export function useDriftProblems() {
  const drifts = useDrifts();
  const folder = useProject((state) => state.document.folder);
  return useMemo(() => driftProblems(drifts, folder), [drifts, folder]);
}
