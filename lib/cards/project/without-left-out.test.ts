import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LeftOut } from '@/lib/base/left-out';
import { folderOf } from '@/lib/cards/files';
import { membersOf } from '@/lib/cards/read/members';
import { reachableFrom } from './reachable';
import { readFolder } from './read-folder';
import { withoutLeftOut } from './without-left-out';

const parsed = readFolder(
  folderOf({
    'agent-cards/a-kid.md':
      '---\nname: kid\nagents: [grandkid]\nservers: [clock]\ntools: {clock: ["get_*"]}\nfunction_tools: [tools.ts:add, tools.ts:sub]\n---\nHelp.\n',
    'agent-cards/grandkid.md': '---\nname: grandkid\n---\nHelp.\n',
    'agent-cards/lead.md': '---\nname: lead\nagents: [kid, judged, either]\nservers: [clock, web]\n---\nLead.\n',
    'agent-cards/critic.md': '---\nname: critic\n---\nJudge.\n',
    'agent-cards/writer.md': '---\nname: writer\n---\nWrite.\n',
    'agent-cards/judged.md':
      '---\ntype: evaluator_optimizer\nname: judged\ngenerator: writer\nevaluator: critic\n---\nBoth.\n',
    'agent-cards/either.md': '---\ntype: router\nname: either\nagents: [writer, grandkid]\n---\nOne.\n',
    'agent-cards/broken.md': '---\nname: broken\nagents: [\n---\nNo.\n',
    'agent-cards/tools.ts': 'export function add() {}\nexport function sub() {}\n',
    'fast-agent.yaml':
      'mcp: { servers: { clock: { command: node, args: [clock.mjs] }, web: { url: "https://web.example" } } }\n',
    'callboard.yaml': 'version: 1\nentry: lead\ntoolsets: {lead: {delegation: {allow_workers: [writer, critic]}}}\n',
  }),
);

const agent = (name: string): LeftOut => ({ kind: 'agent', name });
const server = (name: string): LeftOut => ({ kind: 'server', name });

function rest(leftOut: readonly LeftOut[], from?: string, project = parsed) {
  const result = withoutLeftOut(project, leftOut, from);
  if (!result.ok) throw new Error(result.error);
  const { cards, settings } = result.value;
  const byName = new Map(cards.map((card) => [card.name, card]));
  const entry = byName.get(from ?? settings.entry ?? '');
  const reached = entry === undefined ? [] : [...reachableFrom(entry, byName, settings).keys()];
  return { cards: byName, settings, reached: reached.toSorted() };
}

function fault(leftOut: readonly LeftOut[], from?: string): string | undefined {
  const result = withoutLeftOut(parsed, leftOut, from);
  return result.ok ? undefined : result.error;
}

test('nothing left out is the project itself', () => {
  expect(withoutLeftOut(parsed, [], undefined)).toEqual({ ok: true, value: parsed });
});

describe('an agent', () => {
  test('is no child, step or worker any more, and what only it calls is not reached', () => {
    const { cards, settings, reached } = rest([agent('kid'), agent('judged'), agent('critic')]);
    expect(cards.get('lead')).toMatchObject({ agents: ['either'] });
    expect(settings.toolsets.lead?.delegation?.allow_workers).toEqual(['writer']);
    expect(reached).toEqual(['either', 'grandkid', 'lead', 'writer']);
    expect(rest([agent('grandkid')]).cards.get('either')).toMatchObject({ agents: ['writer'] });
  });

  test('at which the run begins is refused', () => {
    expect(fault([agent('lead')])).toBe(
      "The run begins at agent 'lead', so the run cannot leave it out. Keep it, or begin at another agent.",
    );
    expect(fault([agent('lead')], 'kid')).toBeUndefined();
    expect(fault([agent('kid')], 'kid')).toContain("begins at agent 'kid'");
  });

  test('that a workflow cannot do without is refused if the run can reach the workflow', () => {
    const why = "Workflow 'judged' cannot run without agent 'critic'. Keep it, or leave out 'judged' too.";
    expect(fault([agent('critic')])).toBe(why);
    expect(fault([agent('critic'), agent('judged')])).toBeUndefined();
    expect(fault([agent('critic')], 'kid')).toBeUndefined();
    expect(fault([agent('writer'), agent('grandkid'), agent('judged')])).toContain("Workflow 'either' cannot run");
  });

  test('whose card cannot be read may be left out', () => {
    const result = withoutLeftOut(parsed, [agent('broken')], undefined);
    expect(result.ok && [...result.value.unread.keys()]).toEqual([]);
  });

  test('does not change where a run begins', () => {
    const files = { 'a.md': '---\nname: a\n---\nA.\n', 'b.md': '---\nname: b\nagents: [a]\n---\nB.\n' };
    const two = readFolder(folderOf({ ...files, 'c.md': '---\nname: c\n---\nC.\n' }));
    expect(rest([agent('c')], undefined, two).settings.entry).toBe('b');
    expect(withoutLeftOut(two, [agent('b')], undefined)).toMatchObject({ ok: false });
  });
});

test('a server takes its filters along, also of agents that connect to it alone', () => {
  const { cards } = rest([server('clock')]);
  expect(cards.get('kid')).toMatchObject({ servers: [], tools: {} });
  expect(cards.get('lead')).toMatchObject({ servers: ['web'] });
});

test('a tool of a server and a function are taken from every agent', () => {
  const { cards } = rest([
    { kind: 'tool', server: 'clock', name: 'get_time' },
    { kind: 'tool', server: 'clock', name: 'set_time' },
    { kind: 'function', name: 'agent-cards/tools.ts:add' },
  ]);
  expect(cards.get('kid')).toMatchObject({
    servers: ['clock'],
    toolsLeftOut: { clock: ['get_time', 'set_time'] },
    functionTools: [{ functionName: 'sub' }],
  });
});

test.each([
  [agent('nobody'), "The project has no agent 'nobody' to leave out. Take 'nobody' off the list"],
  [server('nowhere'), "The project has no server 'nowhere' to leave out."],
  [{ kind: 'function', name: 'tools.ts:add' } as const, "no function 'tools.ts:add' to leave out. Take 'add' off"],
  [{ kind: 'tool', server: 'gone', name: 'x' } as const, "no server 'gone', whose tool 'x' is to be left out"],
])('what the project does not have is an error that names it', (one, sentence) => {
  expect(fault([agent('kid'), one])).toContain(sentence);
});

test('whatever is left out, no agent that the run reaches has it, and nothing is added', () => {
  const things: readonly LeftOut[] = [
    ...parsed.cards.map(({ name }) => agent(name)),
    ...['clock', 'web'].map(server),
    { kind: 'function', name: 'agent-cards/tools.ts:sub' },
    { kind: 'tool', server: 'web', name: 'get' },
  ];
  fc.assert(
    fc.property(fc.subarray([...things]), fc.constantFrom(...parsed.cards.map(({ name }) => name)), (leftOut, from) => {
      const result = withoutLeftOut(parsed, leftOut, from);
      if (!result.ok) return;
      const { cards, reached } = rest(leftOut, from);
      const gone = new Set(leftOut.map(({ name }) => name));
      const before = new Map(parsed.cards.map((card) => [card.name, card]));
      for (const name of reached) {
        const [card, was] = [cards.get(name), before.get(name)];
        if (card === undefined || was === undefined) throw new Error(`'${name}' came from nowhere`);
        expect(gone.has(name)).toBe(false);
        const kept = membersOf(was).filter((member) => !gone.has(member));
        expect(membersOf(card)).toEqual(kept);
        if (card.type !== 'agent' || was.type !== 'agent') continue;
        expect(card.servers).toEqual(was.servers.filter((one) => !gone.has(one)));
        expect(Object.keys(card.tools).filter((one) => gone.has(one))).toEqual([]);
      }
      // The same list has nothing left to take away.
      expect(withoutLeftOut(result.value, [], from)).toEqual(result);
    }),
  );
});
