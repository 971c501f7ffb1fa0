'use client';

import { type ReactNode, useCallback, useMemo } from 'react';
import { later } from '@/components/ui/later';
import type { CardType } from '@/lib/cards/card';
import { decisionAt } from '@/lib/trace/decision-at';
import type { Lane, Trace } from '@/lib/trace/trace';
import { type LoadedPicture, useRunPicture } from './use-run-picture';

export interface LaneIcons {
  readonly picture: LoadedPicture;
  /** Returns the sign of a workflow, or nothing for an agent. It changes when more types are known. */
  readonly laneIcon: (lane: Lane) => ReactNode;
}

/** Most runs have no workflow, so its signs are loaded with the first. */
const TypeIcon = later(async () => (await import('./type-icon')).TypeIcon, <span className="size-3.5 shrink-0" />);

/**
 * Knows the card types of a run's instances, so that each workflow has its sign. The types come from the graph with which the run
 * was started. It is loaded when it is `wanted`, or when there is a workflow. Until then a decision tells the type.
 */
export function useLaneIcons(runId: string | undefined, trace: Trace, version: number, wanted: boolean): LaneIcons {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const hasWorkflow = useMemo(() => trace.lanes.some(isWorkflow), [trace, version]);
  const picture = useRunPicture(runId ?? '', runId !== undefined && (wanted || hasWorkflow));
  const types = useMemo(() => typesIn(picture), [picture]);
  const laneIcon = useCallback(
    (lane: Lane) => {
      const type = types.get(lane.agentName) ?? typeOfDecisions(trace, lane);
      return type === undefined || type === 'agent' ? undefined : <TypeIcon type={type} />;
    },
    [types, trace],
  );
  return { picture, laneIcon };
}

/** True for an instance that decided something, or runs without a model. */
function isWorkflow({ startedAt, model, decisions }: Lane): boolean {
  return decisions.length > 0 || (startedAt !== undefined && model === '');
}

function typesIn(picture: LoadedPicture): ReadonlyMap<string, CardType> {
  const types = new Map<string, CardType>();
  if (picture === undefined || 'error' in picture) return types;
  for (const { kind, name, type } of picture.picture.nodes) {
    if (kind === 'agent' && type !== undefined && !types.has(name)) types.set(name, type);
  }
  return types;
}

function typeOfDecisions(trace: Trace, { decisions }: Lane): CardType | undefined {
  const [first] = decisions;
  switch (first === undefined ? undefined : decisionAt(trace, first)?.what) {
    case 'route':
      return 'router';
    case 'rating':
      return 'evaluator_optimizer';
    case 'plan':
    case 'plan_end':
      return 'iterative_planner';
    case 'vote':
    case 'votes':
      return 'MAKER';
    case 'remote_task':
      return 'a2a';
    case undefined:
      return undefined;
  }
}
