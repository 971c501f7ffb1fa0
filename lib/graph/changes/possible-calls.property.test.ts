import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { fitsWhen, identityOf } from '@/lib/cards/hook-when';
import { readFolder } from '@/lib/cards/project/read-folder';
import { decideCall } from '@/lib/runtime/people/pass-gate';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';
import { tries } from '@/lib/testing/tries';
import { capabilityChanges } from './capability-changes';
import type { ReadProject } from './project-side';

/** What a folder says, by parts that are chosen one by one. */
interface Choice {
  readonly children: readonly string[];
  readonly filter: readonly string[];
  readonly naming: string;
  readonly toolName: string | undefined;
  readonly edge: string | undefined;
  readonly usual: string;
  readonly agents: Readonly<Record<string, string>>;
  readonly rules: readonly { readonly tools: readonly string[]; readonly effect: string }[];
  readonly block: string | undefined;
  readonly ownBlock: string | undefined;
  readonly functions: readonly string[];
}

const effect = fc.constantFrom('allow', 'ask', 'deny');
const tools = ['mail__send', 'mail__*', '*__list', 'agent__kid', 'call_kid', 'help', 'add', '*', 'mail__l?st'];
const choice: fc.Arbitrary<Choice> = fc.record({
  children: fc.subarray(['kid', 'aunt']),
  filter: fc.subarray(['send', 'list', 'l*', '*_all', '*'], { minLength: 1 }),
  naming: fc.constantFrom('agent__', 'call_', 'plain'),
  toolName: fc.constantFrom(undefined, undefined, 'help', 'agent__aunt'),
  edge: fc.option(effect, { nil: undefined }),
  usual: fc.constantFrom('allow', 'allow', 'ask', 'deny'),
  agents: fc.dictionary(fc.constantFrom('lead', 'kid'), effect, { maxKeys: 2 }),
  rules: fc.array(fc.record({ tools: fc.subarray(tools, { minLength: 1, maxLength: 2 }), effect }), { maxLength: 3 }),
  block: fc.option(fc.constantFrom(...tools), { nil: undefined }),
  ownBlock: fc.option(fc.constantFrom(...tools), { nil: undefined }),
  functions: fc.subarray(['add', 'list']),
});

function projectOf(chosen: Choice): ReadProject {
  const { children, filter, naming, toolName, edge, usual, agents, rules, block, ownBlock, functions } = chosen;
  const settings = {
    version: 1,
    tool_naming: naming,
    approvals: { default: usual, agents, rules },
    delegations: { lead: { kid: { ...(toolName && { tool_name: toolName }), ...(edge && { approval: edge }) } } },
    run_hooks: block === undefined ? [] : [{ block: { when: { tool: block } } }],
    agent_hooks: { lead: ownBlock === undefined ? [] : [{ block: { when: { tool: ownBlock } } }] },
  };
  const lead = {
    ...{ name: 'lead', default: true, servers: ['mail'], tools: { mail: filter }, agents: children },
    function_tools: functions.map((name) => `code.py:${name}`),
  };
  const folder = folderOf({
    'agent-cards/lead.md': `---\n${JSON.stringify(lead)}\n---\nLead.\n`,
    'agent-cards/kid.md': '---\nname: kid\nservers: [mail]\n---\nHelp.\n',
    'agent-cards/aunt.md': '---\nname: aunt\n---\nHelp.\n',
    'agent-cards/code.py': 'def add(a: int) -> int:\n    return a\n\ndef list() -> int:\n    return 1\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    mail: {url: "https://mail.example/mcp"}\n',
    'callboard.yaml': JSON.stringify(settings),
  });
  return { folder, parsed: readFolder(folder) };
}

const listed = { send: '1', list: '2', send_all: '3', last: '4' };
const listings = { mail: { tools: Object.keys(listed).map((name) => ({ name, inputSchema: {} })) } };

/** The calls that run without a question, by agent and by what is called, as the surface and the gate of a run decide. */
function freeCalls({ folder, parsed }: ReadProject): ReadonlySet<string> {
  const { settings } = parsed;
  const free = new Set<string>();
  for (const card of parsed.cards) {
    if (card.type !== 'agent') continue;
    const blocks = [...settings.run_hooks, ...(settings.agent_hooks[card.name] ?? [])];
    for (const { name, source, from } of previewSurface(parsed, folder, card, listings).tools) {
      const approval = source === 'agent' ? settings.delegations[card.name]?.[from ?? '']?.approval : undefined;
      const edge = approval && { effect: approval, rule: '' };
      const tool = { name, source, description: '', inputSchema: {} };
      const decision = decideCall(settings, [], { tool, names: [name], callers: [card.name], edge });
      const identity = identityOf(source, source === 'mcp' ? from : undefined, name);
      const isBlocked = blocks.some((hook) => hook.kind === 'block' && fitsWhen(hook.when, identity, [name]));
      if (decision.effect === 'allow' && !isBlocked)
        free.add(`${card.name} ${source} ${source === 'agent' ? from : name}`);
    }
  }
  return free;
}

it('a call that runs without a question after a change, and did not before, has a sentence of more power', () => {
  fc.assert(
    fc.property(
      choice,
      choice,
      fc.subarray(Object.keys(choiceKeys), { minLength: 1, maxLength: 3 }),
      (one, other, keys) => {
        const changed = Object.fromEntries(Object.entries(other).filter(([key]) => keys.includes(key)));
        const [before, after] = [projectOf(one), projectOf({ ...one, ...changed })];
        const old = freeCalls(before);
        const fresh = [...freeCalls(after)].filter((call) => !old.has(call));
        const found = capabilityChanges(before, after, { before: { mail: listed }, after: { mail: listed } });
        const more = found.filter(({ weight }) => weight === 'more').map(({ sentence }) => sentence);
        if (fresh.length > 0) expect({ fresh, more }).not.toEqual({ fresh, more: [] });
      },
    ),
    { numRuns: tries(300) },
  );
});

const choiceKeys: Record<keyof Choice, true> = {
  children: true,
  filter: true,
  naming: true,
  toolName: true,
  edge: true,
  usual: true,
  agents: true,
  rules: true,
  block: true,
  ownBlock: true,
  functions: true,
};
