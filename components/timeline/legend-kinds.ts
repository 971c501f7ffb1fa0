import type { Paint } from './palette';

interface LegendKind {
  readonly name: string;
  readonly paint: Paint;
  readonly look: 'bar' | 'line' | 'dashes' | 'box';
}

/** The meaning of the colours of bars, in the order of the legend. */
export const legendKinds = [
  { name: 'Model', paint: 'model', look: 'bar' },
  { name: 'MCP', paint: 'mcp', look: 'bar' },
  { name: 'Function', paint: 'function', look: 'bar' },
  { name: 'Built-in', paint: 'runtime', look: 'bar' },
  { name: 'Starting', paint: 'setup', look: 'bar' },
  { name: 'Delegation', paint: 'delegation', look: 'line' },
  { name: 'Hook', paint: 'hook', look: 'line' },
  { name: 'Queued', paint: 'queuedEdge', look: 'dashes' },
  { name: 'Waiting for a person', paint: 'warn', look: 'box' },
] as const satisfies readonly LegendKind[];
