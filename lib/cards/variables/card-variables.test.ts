import { describe, expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { neededVariables } from './asked-variables';
import { fillCardVariables, variablesOfCard } from './card-variables';

const folder: Folder = new Map(
  Object.entries({
    'a.md': `---\nname: a\nmodel: \${MODEL:gpt-4.1}\ndescription: of \${TEAM}\nrequest_params: {template_vars: {who: "\${TEAM}"}}\n---\nBody \${TEAM}.\n`,
    'b.yaml': `name: b\ninstruction: For \${TEAM} and \${NOBODY}, \${GREETING:hi}.\n`,
    'c.md': `---\nname: c\ninstruction: Field \${TEAM}.\n---\n`,
  }).map(([name, text]) => [name, { kind: 'text', text }] as const),
);
const parsed = readFolder(folder);

describe('variables in cards', () => {
  test('front matter and YAML cards are filled from what is listed; the body of a Markdown card is text', () => {
    const [a, b, c] = fillCardVariables(folder, parsed, { TEAM: `red \${GREETING}`, MODEL: undefined }).cards;
    expect(a).toMatchObject({
      model: 'gpt-4.1',
      description: `of red \${GREETING}`,
      instruction: `Body \${TEAM}.`,
      requestParams: { template_vars: { who: `red \${GREETING}` } },
    });
    expect(b).toMatchObject({ instruction: `For red \${GREETING} and \${NOBODY}, hi.` });
    expect(c).toMatchObject({ instruction: `Field red \${GREETING}.` });
  });

  test('fields of workflows are filled too, and what their instructions include is confirmed', () => {
    const flows: Folder = new Map(
      Object.entries({
        'w.md': '---\nname: w\n---\n',
        'pick.yaml': `name: pick\ntype: router\nagents: [w, w]\nmodel: \${MODEL:gpt-4.1}\ninstruction: For \${TEAM} {{url:https://example.org/rules}}.\n`,
        'loop.md': `---\ntype: evaluator_optimizer\ngenerator: w\nevaluator: w\nrefinement_instruction: Like \${TEAM}.\n---\n`,
      }).map(([name, text]) => [name, { kind: 'text', text }] as const),
    );
    const read = readFolder(flows);
    const [loop, pick] = fillCardVariables(flows, read, { TEAM: 'red' }).cards;
    expect(loop).toMatchObject({ type: 'evaluator_optimizer', refinementInstruction: 'Like red.' });
    expect(pick).toMatchObject({ type: 'router', model: 'gpt-4.1' });
    expect(pick?.instruction).toContain('For red ');
    const items = listCapabilities(flows, read).items.map(({ kind, name }) => `${kind} ${name}`);
    expect(items).toEqual(
      expect.arrayContaining(['host https://example.org/rules', 'variable MODEL', 'variable TEAM']),
    );
  });

  test('a person confirms the names, and is told of those that are not given', () => {
    const names = parsed.cards.map((card) => variablesOfCard(folder, card));
    expect(names.map((uses) => uses.map(({ name }) => name))).toEqual([
      ['TEAM', 'MODEL', 'TEAM'],
      ['TEAM', 'NOBODY', 'GREETING'],
      ['TEAM'],
    ]);
    const items = listCapabilities(folder, parsed).items.filter((item) => item.kind === 'variable');
    expect(items.map(({ name, notes }) => [name, ...notes])).toEqual([
      ['GREETING', "Asked for by the card of 'b'."],
      ['MODEL', "Asked for by the card of 'a'."],
      ['NOBODY', "Asked for by the card of 'b'."],
      ['TEAM', "Asked for by the card of 'a'."],
    ]);
    const needed = neededVariables(folder, parsed);
    expect(needed.map(({ name, issue }) => `${name} ${issue.file}`)).toEqual([
      'TEAM a.md',
      'TEAM b.yaml',
      'NOBODY b.yaml',
      'TEAM c.md',
    ]);
  });
});
