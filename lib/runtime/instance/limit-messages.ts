import type { InstanceSpec } from './instance-spec';
import type { Run } from './run';

/** The sentences about limits are here because several callers use them. */
export function timeoutMessage(spec: InstanceSpec): string {
  return `Agent '${spec.card.name}' timed out after ${seconds(spec.timeoutMs ?? 0)}.`;
}

export function runTimeoutMessage(run: Pick<Run, 'limits'>): string {
  const { runTimeoutMs, isLongestRun } = run.limits;
  const next = isLongestRun
    ? 'No run may take longer here. Split it into shorter runs.'
    : "Raise 'limits.run_timeout_ms' in callboard.yaml.";
  return `The run took longer than ${seconds(runTimeoutMs)}. ${next}`;
}

export function maxTokensMessage(run: Pick<Run, 'limits'>): string {
  return `The run used its ${run.limits.maxTokens} tokens. Raise 'limits.max_tokens' in callboard.yaml.`;
}

export function maxCostMessage(run: Pick<Run, 'limits'>): string {
  return `The run has reached its cost limit of $${run.limits.maxCostUsd}. Raise 'limits.max_cost_usd' in callboard.yaml.`;
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}
