import type { JsonObject } from '@/lib/base/json';
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

/** When an instance stops calling its model. */
export interface IterationLimit {
  readonly modelCalls: number;
  /** What it has said by then is its answer; otherwise it fails. */
  readonly keepsAnswer: boolean;
}

/**
 * The card's `request_params.max_iterations` counts batches of tool calls, so that one more model call is made, and ends the
 * turn with what was said (fast-agent's tool_runner.py). Without it the folder's limit counts model calls and is an error.
 */
export function iterationLimitOf(requestParams: JsonObject, limits: Limits): IterationLimit {
  const own = requestParams.max_iterations ?? requestParams.maxIterations;
  if (typeof own === 'number' && own >= 1) return { modelCalls: Math.floor(own) + 1, keepsAnswer: true };
  return { modelCalls: limits.maxIterations, keepsAnswer: false };
}
