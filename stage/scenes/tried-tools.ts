import { brandAs, type TaskId } from '@/lib/base/ids';
import type { KnownServer } from '@/lib/base/known-servers';
import type { ProbeRequest, TaskAnswer, ToolRequest } from '@/lib/base/task';
import type { ToolReport } from '@/lib/base/tool-report';
import { withListing } from '@/lib/editor/known-servers';
import { actionsOf } from '@/stage/memory/actions-of';
import { type Answers, ofCall } from '@/stage/memory/backend';

/** Files with a server that listed its tools, one that was not tested, and a function. */
export const triedFiles: Readonly<Record<string, string>> = {
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nservers: [mail, bank]\nfunction_tools: [../tools.ts:count]\n---\nLead.\n',
  'tools.ts': 'export const count = (args: { text: string }) => args.text.length;\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    mail: { command: node, args: [mail.mjs] }\n    bank: { command: node, args: [bank.mjs] }\n',
};

const send = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'Who gets it.' },
    copies: { type: 'integer', minimum: 1 },
    kind: { enum: ['letter', 'card'] },
  },
  required: ['to'],
};
const prints = { tools: {}, resources: {}, prompts: {} };
const mail: KnownServer = {
  listing: {
    tools: [
      { name: 'send', description: 'Sends a letter.', inputSchema: send },
      { name: 'stamp', description: 'Draws a stamp.', inputSchema: { type: 'object' } },
      { name: 'pay', description: 'Pays the postage.', inputSchema: { type: 'object' } },
    ],
    resources: [],
    prompts: [],
    probedAt: 0,
  },
  prints,
  picked: {},
};

const square =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAH0lEQVR4nGOIDrpGFcQwatCoQaMGjRo0atCoQQNvEAA5pWbuOSSxywAAAABJRU5ErkJggg==';
const text = (value: string) => ({ type: 'text', text: value });

/** Answers the tool bench for these files. `pay` needs an approval. */
export function triedTools(id: string): Answers {
  const asked: (ToolRequest | ProbeRequest)[] = [];
  const actions = actionsOf<typeof import('@/app/p/[project]/actions')>('p/[project]/actions', {
    beginTask({ request }) {
      if (request.kind === 'tool' || request.kind === 'probe') asked.push(request);
      return brandAs<TaskId>(`task-${asked.length}`);
    },
    endTask: () => undefined,
    tellServers: () => withListing({ mail }, 'bank', { tools: [balance], resources: [], prompts: [], probedAt: 0 }),
  });
  return {
    ...actions,
    [`GET /api/v1/projects/${id}/servers`]: () => ({ servers: { mail } }),
    'GET /api/v1/tasks/:id': ofCall(({ params }) => {
      const request = asked[Number(params.id?.slice('task-'.length)) - 1];
      return {
        state: 'ended',
        answer: request === undefined ? gone : request.kind === 'probe' ? ofProbe(asked) : answerOf(request),
      };
    }),
  };
}

const gone: TaskAnswer = { ok: false, code: 'not_found', message: 'There is no such task.' };

const balance = { name: 'balance', description: 'What is there.', inputSchema: { type: 'object' } };

/** The first test of the server fails, the next one lists a tool. */
function ofProbe(asked: readonly { readonly kind: string }[]): TaskAnswer {
  const isFirst = asked.filter(({ kind }) => kind === 'probe').length === 1;
  const report = { server: 'bank', log: [], resources: [], prompts: [], probedAt: 0 };
  if (isFirst) {
    const steps = [{ name: 'start', state: 'failed', ms: 2, message: 'There is no bank.mjs.' }] as const;
    return { ok: true, kind: 'probe', report: { ...report, steps, tools: [] } };
  }
  return {
    ok: true,
    kind: 'probe',
    report: { ...report, steps: [{ name: 'list', state: 'done', ms: 3 }], tools: [balance] },
  };
}

const misfit = (field: string, message: string): TaskAnswer => ({
  ...{ ok: false, code: 'invalid_arguments', message: 'The arguments do not fit.' },
  problems: [{ field, message }],
});

function answerOf({ agent, tool, arguments: args, approve, unchecked }: ToolRequest): TaskAnswer {
  const about = {
    agent,
    tool,
    description: '',
    inputSchema: { type: 'object' },
    ms: 0,
    readyMs: 340,
    log: [],
    triedAt: 0,
  };
  const told = (report: Partial<ToolReport>): TaskAnswer => ({
    ...{ ok: true, kind: 'tool', report: { ...about, ms: 12.4, ...report } },
  });
  switch (tool) {
    case 'count': {
      const known = {
        description: 'Counts characters.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      };
      if (args === undefined) return told({ ...known, ms: 0 });
      const failed = { content: [text('TypeError: text is no string')], isError: true, errorCode: 'TOOL_FAILED' };
      const log = [{ level: 'info', message: 'tools.ts:count: counting' }] as const;
      return told({ ...known, result: args.text === 'x' ? failed : { content: [text('4')], isError: false }, log });
    }
    case 'mail__stamp':
      return told({ result: { content: [{ type: 'image', data: square, mimeType: 'image/png' }], isError: false } });
    case 'mail__pay': {
      const message =
        "'mail__pay' of agent 'lead' was not called: the rule 'Money' of your team asks for an approval of each call.";
      if (approve !== true) return { ok: false, code: 'approval_needed', message };
      return told({ result: { content: [text('paid')], isError: false } });
    }
    default: {
      if (args?.copies === 0 && unchecked !== true) return misfit('copies', 'must be >= 1');
      if (args?.to === 1 && unchecked !== true) return misfit('to', 'must be string');
      const result = { content: [text(`Sent to ${args?.to}.`)], structuredContent: { id: 7 }, isError: false };
      return told({ inputSchema: send, result, log: [{ level: 'info', message: 'opening the letter box' }] });
    }
  }
}
