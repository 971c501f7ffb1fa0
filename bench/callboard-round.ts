import { randomUUID } from 'node:crypto';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { systemClock } from '@/lib/jobs/system-clock';
import type { ToolPort } from '@/lib/runtime/ports';
import { execute } from '@/lib/runtime/run/execute';
import { collectEvents } from '@/lib/testing/collect-events';
import { modelsWith } from '@/lib/testing/models-with';

const shared = {
  'agent-cards/child.md':
    '---\nname: child\ndescription: A child\nmodel: bench\nservers: [bench]\n---\nUse your tool.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    bench:\n      command: none\n',
};

/** An orchestrator whose model asks for the children. */
const orchestrated = folderOf({
  ...shared,
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nagents: [child]\nmodel: bench\nmax_parallel: 1000\n---\nAsk every child.\n',
});

/** A `parallel` card that calls the same child `children` times. */
export function parallelFolder(children: number): Folder {
  const steps = Array.from({ length: children }, () => 'child').join(', ');
  return folderOf({
    ...shared,
    'agent-cards/lead.md': `---\nname: lead\ntype: parallel\ndefault: true\nfan_out: [${steps}]\n---\n`,
    'callboard.yaml': 'version: 1\nlimits: {max_parallel: 1000}\n',
  });
}

/** A tool that does nothing, so that only the runtime is measured. */
const tools: ToolPort = {
  version: () => 0,
  list: async (card) => ({
    issues: [],
    tools: card.servers.map((server) => ({
      name: `${server}__echo`,
      description: 'Echo',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
      source: 'mcp',
      serverName: server,
      remoteName: 'echo',
    })),
  }),
  call: async () => ({ content: [{ type: 'text', text: 'ok' }], isError: false }),
};

/**
 * Makes one run with the real runtime and the real `openai` client, with every event recorded. Returns the number of model
 * calls.
 */
export async function callboardRound(
  url: string,
  folder: Folder = orchestrated,
): Promise<{ modelCalls: number; events: number }> {
  const events = collectEvents(systemClock);
  const parsed = readFolder(folder);
  const outcome = await execute({
    folder,
    parsed,
    request: {
      runId: brandAs<RunId>(randomUUID()),
      correlationId: brandAs<CorrelationId>(randomUUID()),
      agent: undefined,
      message: 'Go',
      model: undefined,
    },
    ports: {
      model: modelsWith({ OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: url }, systemClock, { settings: parsed.settings }),
      tools: { mcp: tools },
      events,
      clock: systemClock,
      newCorrelationId: () => brandAs<CorrelationId>(randomUUID()),
    },
    log: [],
    signal: new AbortController().signal,
  });
  if (outcome.status !== 'completed') throw new Error(`The run ended ${outcome.status}: ${outcome.error?.message}`);
  return { modelCalls: outcome.usage.modelCalls, events: events.events.length };
}
