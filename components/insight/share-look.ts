import type { Share } from '@/lib/trace/analysis/activity-sweep';
import type { StartPhase } from '@/lib/trace/analysis/start-phases';
import type { SpanKind } from '@/lib/trace/span';

/** How a share of the time is named and coloured. Colours are those of the bars. */
export interface ShareLook {
  readonly word: string;
  readonly colour: string;
  /** A sentence that says what counts. */
  readonly title: string;
}

export const shareLooks: Readonly<Record<Share, ShareLook>> = {
  model: { word: 'Model calls', colour: 'bg-model', title: 'A model answered' },
  tool: { word: 'Tools', colour: 'bg-server', title: 'A tool ran, without the hooks that wrap it' },
  hook: { word: 'Hooks', colour: 'bg-hook', title: 'A hook ran, without what it wraps' },
  setup: { word: 'Setup', colour: 'bg-setup', title: 'A server started, code was loaded, or a text was fetched' },
  wait: {
    word: 'Waiting for a permit',
    colour: 'bg-queued',
    title: 'Children waited for a permit, a session or an instance of a pool, and nothing else went on',
  },
  person: { word: 'Waiting for people', colour: 'bg-warn', title: 'People were asked, and nothing else went on' },
  agent: { word: 'Callboard', colour: 'bg-agent', title: 'Instances were open, but none of their steps ran' },
  idle: { word: 'No worker', colour: 'bg-line-strong', title: 'No instance was open, such as between two workers' },
};

export const phaseLooks: Readonly<Record<StartPhase, ShareLook>> = {
  worker: {
    word: 'Waiting for a worker',
    colour: 'bg-queued',
    title: 'From the request to the first event: waiting for a worker, which then reads the folder',
  },
  code: { word: 'Loading code', colour: 'bg-setup', title: 'The functions and hooks of the run were loaded' },
  server: { word: 'Starting servers', colour: 'bg-server', title: 'MCP servers of the first agent started' },
  text: { word: 'Fetching texts', colour: 'bg-busy', title: 'Texts at addresses in instructions were fetched' },
  hook: { word: 'Hooks', colour: 'bg-hook', title: 'Hooks ran before the first step' },
  other: { word: 'Callboard', colour: 'bg-agent', title: 'Everything else before the first step' },
};

export function kindColour(kind: SpanKind | undefined): string {
  switch (kind) {
    case 'model':
      return 'bg-model';
    case 'tool':
      return 'bg-server';
    case 'hook':
      return 'bg-hook';
    case 'setup':
      return 'bg-setup';
    case 'queued':
      return 'bg-queued';
    case 'waiting':
      return 'bg-warn';
    default:
      return 'bg-agent';
  }
}
