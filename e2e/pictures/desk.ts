import type { FakeReply, FakeRequest } from '../../lib/testing/fake-openai';

/*
 * The run of the pictures in the README: an orchestrator asks four children at once. One takes too long and is tried again, and
 * a hook lowers a discount that it asks for. The model is a fake one, so that every run takes the same course.
 */

const card = (name: string, fields: string, text: string) =>
  `---\nname: ${name}\n${fields}---\nYou are ${name}. ${text}\n`;

export const desk: Readonly<Record<string, string>> = {
  'agent-cards/launch-lead.md': card(
    'launch-lead',
    'default: true\nagents: [research, pricing, copywriter, review]\n',
    'Plan the launch with your team, then report.',
  ),
  'agent-cards/research.md': card('research', 'servers: [market]\n', 'Look at one market.'),
  'agent-cards/pricing.md': card(
    'pricing',
    'function_tools: [../tools.ts:quote]\ntool_hooks: [../hooks.ts:cap_discount]\n',
    'Offer a price.',
  ),
  'agent-cards/copywriter.md': card('copywriter', 'function_tools: [../tools.ts:check_tone]\n', 'Write one sentence.'),
  'agent-cards/review.md': card('review', 'function_tools: [../tools.ts:check_tone]\n', 'Read everything once more.'),
  'tools.ts': `const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function quote(args: { users: number; discount: number }) {
  await later(380);
  return { total: Math.round(args.users * 29 * (1 - args.discount / 100)) };
}

export async function check_tone(args: { text: string }) {
  await later(260);
  return 'clear, friendly';
}
`,
  'hooks.ts': `export async function cap_discount(ctx: object, args: { discount: number }, next: (args: object) => Promise<object>) {
  return next({ ...args, discount: Math.min(args.discount, 15) });
}
`,
  'servers/market.mjs': `import { createInterface } from 'node:readline';

const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
const tools = [{ name: 'search', description: 'Searches market reports.', inputSchema }];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'market', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { query } }) => ({ content: [{ type: 'text', text: 'Three reports on ' + query }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params) ?? {};
  setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, result })), method === 'tools/call' ? 480 : 0);
}
`,
  'fast-agent.yaml': `default_model: gpt-5-mini
mcp:
  servers:
    market: { command: node, args: ["servers/market.mjs"] }
`,
  'callboard.yaml': `version: 1
entry: launch-lead
delegations:
  launch-lead:
    pricing: { timeout_ms: 2100, max_attempts: 2 }
`,
};

export const message = 'Plan the launch of the spring release.';

interface Turn {
  readonly ms: number;
  readonly text?: string;
  readonly calls?: FakeReply['toolCalls'];
}

const ask = (agent: string, text: string) => ({ name: `agent__${agent}`, arguments: { text } });
const search = (query: string) => ({ name: 'market__search', arguments: { query } });
const tone = { name: 'check_tone', arguments: { text: 'Spring is here, and so are calm releases.' } };

/** What each agent does, turn by turn. */
const turns: Readonly<Record<string, readonly Turn[]>> = {
  'launch-lead': [
    {
      ms: 620,
      calls: [
        ask('research', 'Europe'),
        ask('research', 'North America'),
        ask('pricing', '40 users'),
        ask('copywriter', 'One sentence'),
      ],
    },
    { ms: 480, calls: [ask('review', 'Please read the plan.')] },
    {
      ms: 700,
      text: 'The launch is planned.\n\n- **Europe and North America** want fewer, calmer releases.\n- **Price:** $986 a month for 40 users, 15 % off.\n- **Line:** Spring is here, and so are calm releases.',
    },
  ],
  'research Europe': [
    { ms: 520, calls: [search('release habits'), search('team size')] },
    { ms: 980, text: 'Teams of 40 release every two weeks.' },
  ],
  'research North America': [
    { ms: 380, calls: [search('release habits')] },
    { ms: 540, calls: [search('budgets')] },
    { ms: 620, text: 'Budgets are stable, and calm releases sell.' },
  ],
  pricing: [
    { ms: 320, calls: [{ name: 'quote', arguments: { users: 40, discount: 40 } }] },
    { ms: 340, text: '$986 a month for 40 users.' },
  ],
  copywriter: [
    { ms: 860, calls: [tone] },
    { ms: 520, text: 'Spring is here, and so are calm releases.' },
  ],
  review: [
    { ms: 460, calls: [tone] },
    { ms: 420, text: 'Good to go.' },
  ],
};

/** Makes the answers of one run. The first answer to `pricing` takes longer than it may. */
export function makeReplies(): (request: FakeRequest) => FakeReply {
  let askedForPrices = false;
  return ({ messages }) => {
    const system = messages.find(({ role }) => role === 'system')?.text ?? '';
    const agent = /You are ([\w-]+)\./.exec(system)?.[1] ?? '';
    const input = messages.find(({ role }) => role === 'user')?.text ?? '';
    const name = Object.keys(turns).find(
      (one) => one === agent || (one.startsWith(agent) && input.includes(one.slice(agent.length + 1))),
    );
    const turn = turns[name ?? '']?.[messages.filter(({ role }) => role === 'assistant').length];
    if (turn === undefined) return { status: 400, text: `The fake model has no turn for "${agent}".` };
    const isLate = agent === 'pricing' && !askedForPrices;
    if (isLate) askedForPrices = true;
    return {
      delayMs: isLate ? 60_000 : turn.ms,
      text: turn.text ?? '',
      ...(turn.calls !== undefined && { toolCalls: turn.calls }),
    };
  };
}
