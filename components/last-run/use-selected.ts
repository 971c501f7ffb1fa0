'use client';

import { useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useShownHook } from '@/components/run/shown-run';
import { type CallTarget, targetOfEdge, targetOfHook, targetOfNode } from '@/lib/editor/last-calls';
import type { NodeId } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';

/** What is selected, as far as a run has calls of it. */
export interface Selected {
  readonly target: CallTarget;
  readonly name: string;
  /** The agent, its hooks and the hook that is chosen. Only agents have hooks. */
  readonly agent: NodeId | undefined;
  readonly hooks: readonly ChainEntry[];
  readonly hook: string | undefined;
}

const noHooks: readonly ChainEntry[] = [];

/** Returns the selected node or wire. `undefined` if nothing is selected, several things are, or it has no calls, like a note. */
export function useSelected(): Selected | undefined {
  const selection = useProject((state) => state.selection);
  const edgeId = useProject((state) => state.selectedEdge);
  const picture = useProject((state) => state.picture);
  const only = edgeId === undefined && selection.length === 1 ? selection[0] : undefined;
  const hook = useShownHook(only);
  return useMemo(() => {
    const { graph, nodes } = picture;
    const edge = edgeId === undefined ? undefined : graph.edges.find(({ id }) => id === edgeId);
    if (edge !== undefined) {
      const target = targetOfEdge(picture, edge);
      const name = [edge.source, edge.target].map((id) => nodes.get(id)?.name ?? id).join(' → ');
      return target && { target, name, agent: undefined, hooks: noHooks, hook: undefined };
    }
    const node = only === undefined ? undefined : nodes.get(only);
    if (only === undefined || node === undefined) return undefined;
    const hooks = graph.chains[only] ?? noHooks;
    const entry = hooks.find(({ id }) => id === hook);
    const target = (entry && targetOfHook(picture, only, entry.id)) ?? targetOfNode(picture, only);
    return target && { target, name: node.name, agent: only, hooks, hook: entry?.id };
  }, [picture, edgeId, only, hook]);
}
