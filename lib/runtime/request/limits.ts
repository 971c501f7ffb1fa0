import type { JsonObject } from '@/lib/base/json';
import type { Settings } from '@/lib/cards/settings';

/** Limits of a run with defaults filled in; `undefined` means no limit. */
export interface Limits {
  readonly maxParallel: number;
  /** The deepest level that may run. The root has depth 0. */
  readonly maxDepth: number;
  readonly maxIterations: number;
  readonly childTimeoutMs: number | undefined;
  readonly runTimeoutMs: number;
  /** True if the installation allows no longer run. */
  readonly isLongestRun: boolean;
  readonly maxTokens: number | undefined;
  readonly maxCostUsd: number | undefined;
  /** What happens when one of these two is reached. */
  readonly whenSpent: 'stop' | 'ask';
  readonly maxResultBytes: number;
  readonly maxArtifactBytes: number;
}

/** No run takes longer than `longestRunMs`, whatever its files say. */
export function limitsOf(settings: Settings, longestRunMs = Number.POSITIVE_INFINITY): Limits {
  const { limits } = settings;
  const askedMs = limits.run_timeout_ms ?? 30 * 60_000;
  return {
    maxParallel: limits.max_parallel ?? 128,
    maxDepth: limits.max_depth ?? 5,
    maxIterations: limits.max_iterations ?? 100,
    childTimeoutMs: limits.child_timeout_ms,
    runTimeoutMs: Math.min(askedMs, longestRunMs),
    isLongestRun: askedMs >= longestRunMs,
    maxTokens: limits.max_tokens,
    maxCostUsd: limits.max_cost_usd,
    whenSpent: limits.when_spent ?? 'stop',
    maxResultBytes: limits.max_result_bytes ?? 256 * 1024,
    maxArtifactBytes: limits.max_artifact_bytes ?? 1024 * 1024,
  };
}

/** When an instance stops calling its model. */
export interface IterationLimit {
  readonly modelCalls: number;
  /** With `true` the last text is the answer. With `false` the instance fails. */
  readonly keepsAnswer: boolean;
}

/**
 * Returns the iteration limit of an agent. The card's `request_params.max_iterations` limits batches of tool calls, so one
 * more model call follows; then the turn ends with the last text (as in fast-agent's tool_runner.py). Without it the
 * folder's limit counts model calls, and reaching it is an error.
 */
export function iterationLimitOf(requestParams: JsonObject, limits: Limits): IterationLimit {
  const own = requestParams.max_iterations ?? requestParams.maxIterations;
  if (typeof own === 'number' && own >= 1) return { modelCalls: Math.floor(own) + 1, keepsAnswer: true };
  return { modelCalls: limits.maxIterations, keepsAnswer: false };
}
