/** The sentence about an agent whose answers are played back, and which has none. */
export function missingScript(agent: string): string {
  return `Agent '${agent}' has no script. Add one under scripts.${agent} in callboard.yaml, or choose a model for the run.`;
}
