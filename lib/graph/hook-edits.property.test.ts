import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { tries } from '@/lib/testing/tries';
import { hookChain } from './hook-chain';
import type { HookCommand } from './hook-edit';
import { addHook, copyHook, moveHook, moveHookToRun, removeHook } from './hook-edits';

const functions = ['one', 'two', 'three', 'four'];
const agents = ['lead', 'kid'];
const declarative = [
  'log: {}',
  'cache: {ttl_ms: 5}',
  'clamp: {argument: x, max: 1}',
  '{log: {}, enabled: false}',
  '{code: code/h.py:two, enabled: false}',
];

/** A project with hooks in all places, each line with a comment of its own. */
const project = fc
  .record({
    run: fc.array(fc.nat(8), { maxLength: 2 }),
    settings: fc.array(fc.nat(8), { maxLength: 3 }),
    card: fc.array(fc.nat(3), { maxLength: 3 }),
    phases: fc.boolean(),
    policies: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
    off: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
  })
  .map(({ run, settings, card, phases, policies, off }): Record<string, string> => {
    const settingsLine = (at: number, index: number) =>
      `    - ${at < 4 ? `code/h.py:${functions[at]}` : declarative[at - 4]} # s${index}`;
    const ofCard = card.map((at, index) => `  - ../code/h.py:${functions[at]} # c${index}`);
    const hooks = phases ? ['tool_hooks:', '  after_llm_call: ../code/h.py:one'] : ['tool_hooks:', ...ofCard];
    const front = ['---', 'name: lead', 'agents: [kid]', ...(ofCard.length > 0 || phases ? hooks : []), '---', 'Lead.'];
    return {
      'cards/lead.md': `${front.join('\n')}\n`,
      'cards/kid.md': '---\nname: kid\n---\nHelp.\n',
      'code/h.py': functions.map((name) => `async def ${name}(*given):\n    pass\n`).join('\n\n'),
      'callboard.yaml': [
        'version: 1',
        ...(run.length > 0 ? ['run_hooks:', ...run.map((at, index) => settingsLine(at, index).slice(2))] : []),
        ...(settings.length > 0 ? ['agent_hooks:', '  lead:', ...settings.map(settingsLine)] : []),
        ...(policies.length > 0 ? ['hooks:'] : []),
        ...policies.map((at) => `  ../code/h.py:${functions[at]}: {on_error: skip} # p${at}`),
        ...(off.length > 0 && !phases && off.some((at) => card.includes(at))
          ? [
              'hooks_off:',
              '  lead:',
              '    tool_hooks:',
              ...off.filter((at) => card.includes(at)).map((at) => `      - ../code/h.py:${functions[at]}`),
            ]
          : []),
        ...(off.length > 0 && phases ? ['hooks_off: {lead: {after_llm_call: "../code/h.py:one"}}'] : []),
        '',
      ].join('\n'),
    };
  });

type Files = Record<string, string>;

function reading(files: Files) {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const cardOf = (name: string) => {
    const card = parsed.cards.find((one) => one.name === name);
    if (card === undefined) throw new Error(`no card ${name}`);
    return card;
  };
  return { folder, parsed, cardOf };
}

/** The hooks of an agent as the runtime orders them, each with its policy. */
function chainOf(files: Files, agent: string): string[] {
  const { parsed, cardOf } = reading(files);
  return hookChain(cardOf(agent), parsed).map(
    ({ phase, spec, kind, file, functionName, policy, off }) =>
      `${phase} ${kind === 'code' ? `${file}:${functionName}` : spec} ${off ? 'off' : 'on'} ${JSON.stringify(policy)}`,
  );
}

function applied(files: Files, command: HookCommand): Files | undefined {
  if (!command.ok) return undefined;
  const texts = [...command.value.texts].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  return { ...files, ...Object.fromEntries(texts) };
}

/** The comments of the lines, each of which belongs to one entry. */
function comments(files: Files): string[] {
  return Object.values(files)
    .flatMap((text) => text.match(/# \w+$/gm) ?? [])
    .sort();
}

it('moves one hook to the wanted position, with its policy, and changes nothing else', () => {
  fc.assert(
    fc.property(project, fc.nat(20), fc.nat(20), (files, pick, to) => {
      const { folder, parsed, cardOf } = reading(files);
      const around = hookChain(cardOf('lead'), parsed).filter(({ phase }) => phase === 'around');
      const entry = around[pick % Math.max(1, around.length)];
      if (entry === undefined) return;
      const at = to % around.length;
      const command = moveHook(folder, parsed, cardOf('lead'), entry.id, at);
      const next = applied(files, command);
      if (next === undefined || !command.ok) return;
      const before = chainOf(files, 'lead');
      const [moved = ''] = before.splice(around.indexOf(entry), 1);
      before.splice(at, 0, moved);
      expect(chainOf(next, 'lead')).toEqual(before);
      // Hooks of the run are those of the child too.
      if (entry.origin !== 'run') expect(chainOf(next, 'kid')).toEqual(chainOf(files, 'kid'));
      const isSameList = command.value.id.split('.')[0] === entry.id.split('.')[0];
      if (isSameList) expect(comments(next)).toEqual(comments(files));
      const { parsed: after, cardOf: now } = reading(next);
      expect(hookChain(now('lead'), after)[at]?.id).toBe(command.value.id);
      expect(after.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
    { numRuns: tries(120) },
  );
});

type Draw = {
  readonly op: 'add' | 'phase' | 'remove' | 'copy' | 'everywhere';
  readonly pick: number;
  readonly agent: number;
};
const draws = fc.array(
  fc.record({
    op: fc.constantFrom<Draw['op'][]>('add', 'phase', 'remove', 'copy', 'everywhere'),
    pick: fc.nat(20),
    agent: fc.nat(1),
  }),
  { minLength: 1, maxLength: 12 },
);

function draw(files: Files, { op, pick, agent }: Draw): HookCommand | undefined {
  const { folder, parsed, cardOf } = reading(files);
  const card = cardOf(agents[agent] ?? 'lead');
  const chain = hookChain(card, parsed);
  const id = chain[pick % Math.max(1, chain.length)]?.id ?? '';
  const code = { kind: 'code' as const, file: 'code/h.py', functionName: functions[pick % 4] ?? 'one' };
  switch (op) {
    case 'add':
      return addHook(folder, parsed, card, pick % 2 === 0 ? code : { kind: 'log', parameters: {} }, {
        phase: 'around',
        at: pick % (chain.length + 1),
      });
    case 'phase':
      return addHook(folder, parsed, card, code, { phase: pick % 2 === 0 ? 'before_llm_call' : 'on_start' });
    case 'remove':
      return removeHook(folder, parsed, card, id);
    case 'copy':
      return copyHook(folder, parsed, card, id, cardOf(agents[1 - agent] ?? 'kid'));
    case 'everywhere':
      return moveHookToRun(folder, parsed, card, id);
  }
}

it('keeps the policy and order of all other hooks through any series of commands', () => {
  fc.assert(
    fc.property(project, draws, (files, series) => {
      let now = files;
      for (const step of series) {
        const command = draw(now, step);
        const next = command && applied(now, command);
        if (next === undefined || command === undefined || !command.ok) continue;
        expect(readFolder(folderOf(next)).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
        for (const agent of agents) {
          const [before, after] = [chainOf(now, agent), chainOf(next, agent)];
          const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
          const left = [...longer];
          // One entry comes, goes, or (in the agent that used it) becomes the innermost hook of the run.
          for (const line of shorter) {
            const at = left.indexOf(line);
            expect(at, `${line} in ${agent}`).not.toBe(-1);
            left.splice(at, 1);
          }
          expect(left.length).toBeLessThanOrEqual(1);
        }
        now = next;
      }
    }),
    { numRuns: tries(60) },
  );
});
