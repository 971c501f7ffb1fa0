import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';

/** Limits of a run with nothing left open; `undefined` means none. */
export interface Limits {
  readonly maxParallel: number;
  /** The root is depth 0. */
  readonly maxDepth: number;
  readonly maxIterations: number;
  readonly childTimeoutMs: number | undefined;
  readonly runTimeoutMs: number;
  readonly maxTokens: number | undefined;
  readonly maxCostUsd: number | undefined;
  readonly maxResultBytes: number;
  readonly maxArtifactBytes: number;
}

export function limitsOf(settings: Settings): Limits {
  const { limits } = settings;
  return {
    maxParallel: limits.max_parallel ?? 128,
    maxDepth: limits.max_depth ?? 5,
    maxIterations: limits.max_iterations ?? 100,
    childTimeoutMs: limits.child_timeout_ms,
    runTimeoutMs: limits.run_timeout_ms ?? 30 * 60_000,
    maxTokens: limits.max_tokens,
    maxCostUsd: limits.max_cost_usd,
    maxResultBytes: limits.max_result_bytes ?? 256 * 1024,
    maxArtifactBytes: limits.max_artifact_bytes ?? 1024 * 1024,
  };
}

/** Model calls of one instance: the card's `request_params.max_iterations`, else the folder's. */
export function maxIterationsOf(card: AgentCard, limits: Limits): number {
  const own = card.requestParams.max_iterations ?? card.requestParams.maxIterations;
  return typeof own === 'number' && own >= 1 ? Math.floor(own) : limits.maxIterations;
}
