import { card, type Files, folderFamily, many, type NastyFamily } from './family';

/** Inputs with many cards, and settings that name them. */
export const nastyGraphs: readonly NastyFamily[] = [
  folderFamily('cards of one name', 60_000, (size) => cards(size / 30, () => 'name: same')),
  folderFamily('one agent with all children', 60_000, (size) => ({
    'lead.md': card(`agents: [${many(size / 40, (i) => `c${i}, `)}]`),
    ...cards(size / 60, (i) => `name: c${i}`),
  })),
  folderFamily('a chain of agents', 60_000, (size) => cards(size / 50, (i) => `name: a${i}\nagents: [a${i + 1}]`)),
  folderFamily('a chain of workflows', 60_000, (size) => ({
    'lead.md': card('agents: [a0]'),
    ...cards(size / 60, (i) => `type: chain\nname: a${i}\nsequence: [a${i + 1}]`),
  })),
  folderFamily('workflows that share their steps', 6_000, (size) => ({
    'lead.md': card('agents: [a0]'),
    ...cards(
      size / 80,
      (i) => `type: parallel\nname: a${i}\nfan_out: [a${i + 1}, a${i + 1}, a${i + 1}]\nfan_in: a${i + 2}`,
    ),
  })),
  folderFamily('everybody delegates to everybody', 60_000, (size) => {
    const count = Math.ceil(Math.sqrt(size / 5));
    return cards(count, (i) => `name: a${i}\nagents: [${many(count, (j) => (i === j ? '' : `a${j}, `))}]`);
  }),
  folderFamily('recursive circles', 40_000, (size) => {
    const count = Math.ceil(Math.sqrt(size / 30));
    const edges = (i: number) => many(count, (j) => (i === j ? '' : `    a${j}: { recursive: ${j % 2 === 0} }\n`));
    return {
      ...cards(count, (i) => `name: a${i}\nagents: [${many(count, (j) => (i === j ? '' : `a${j}, `))}]`),
      'callboard.yaml': `version: 1\ndelegations:\n${many(count, (i) => `  a${i}:\n${edges(i)}`)}`,
    };
  }),
  folderFamily('one circle', 60_000, (size) => {
    const count = Math.ceil(size / 50);
    return cards(count, (i) => `name: a${i}\nagents: [a${(i + 1) % count}]`);
  }),
  folderFamily('one step again and again', 60_000, (size) => ({
    'lead.md': card(`type: parallel\nfan_out: [${'a, '.repeat(size / 6)}]`),
    'a.md': card(
      `name: a\ntool_input_schema: { type: object, properties: { a: { description: '${'x'.repeat(size / 2)}' } } }`,
    ),
    'top.md': card('agents: [lead]'),
  })),
  folderFamily('options of many children', 60_000, (size) => ({
    'lead.md': card(`agents: [${many(size / 30, (i) => `c${i}, `)}]`),
    ...cards(size / 100, (i) => `name: c${i}`),
    'callboard.yaml': `version: 1\ndelegations:\n  lead:\n${many(size / 60, (i) => `    c${i}: { skip_summarization: true }\n`)}`,
  })),
  folderFamily('options of agents that allow all workers', 60_000, (size) => ({
    ...cards(size / 100, (i) => `name: c${i}`),
    'callboard.yaml': `version: 1\ntoolsets:\n  c0: { delegation: { allow_workers: ['*'] } }\ndelegations:\n  c0:\n${many(size / 60, (i) => `    c${i}: { cache: true }\n`)}`,
  })),
  folderFamily('options of steps', 60_000, (size) => ({
    'lead.md': card(`type: parallel\nfan_out: [${many(size / 30, (i) => `c${i}, `)}]`),
    ...cards(size / 100, (i) => `name: c${i}`),
    'callboard.yaml': `version: 1\ndelegations:\n  lead:\n${many(size / 60, (i) => `    c${i}: { cache: true }\n`)}`,
  })),
  folderFamily('options of agents that do not exist', 60_000, (size) => ({
    'callboard.yaml': `version: 1\ndelegations:\n${many(size / 34, (i) => `  c${i}: { d${i}: { cache: true } }\n`)}`,
  })),
  folderFamily('hooks of many agents', 60_000, (size) => ({
    ...cards(size / 100, (i) => `name: c${i}`),
    'callboard.yaml': `version: 1\nagent_hooks:\n${many(size / 40, (i) => `  c${i}: ['a.py:f${i}']\n`)}`,
  })),
  folderFamily('hooks of the run for many agents', 60_000, (size) => ({
    ...cards(size / 100, (i) => `name: c${i}`),
    'callboard.yaml': `version: 1\nrun_hooks: [${many(size / 24, (i) => `'a.py:f${i}', `)}]\n`,
  })),
  folderFamily('saved positions', 60_000, (size) => ({
    'lead.md': card('name: lead'),
    'callboard.yaml': `version: 1\ncanvas:\n  positions:\n${many(size / 40, (i) => `    agent:c${i}: { x: 1e300, y: 1 }\n`)}`,
  })),
  folderFamily('toolsets', 60_000, (size) => ({
    ...cards(size / 100, (i) => `name: c${i}`),
    'callboard.yaml': `version: 1\ntoolsets:\n  c0: { worker_tools: { workers: [${many(size / 12, (i) => `c${i}, `)}] } }\n`,
  })),
  folderFamily('skills that many cards share', 60_000, (size) => ({
    ...cards(size / 100, (i) => `name: c${i}\nskills: [skills]`),
    'skills/a/SKILL.md': card(`name: a\ndescription: ${'x'.repeat(size / 2)}`),
  })),
  folderFamily('files', 60_000, (size) => ({
    'lead.md': card('name: lead'),
    ...Object.fromEntries(Array.from({ length: Math.ceil(size / 10) }, (_, i) => [`d${i % 7}/f${i}`, ''])),
  })),
];

function cards(count: number, fields: (index: number) => string): Files {
  return Object.fromEntries(
    Array.from({ length: Math.max(1, Math.ceil(count)) }, (_, index) => [
      `agent-cards/c${index}.md`,
      card(fields(index)),
    ]),
  );
}
