import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { reviewFolder } from '@/lib/testing/review-folder';
import type { ReadProject } from './project-side';
import { semanticDiff } from './semantic-diff';

function projectOf(files: Readonly<Record<string, string>>): ReadProject {
  const folder = folderOf(files);
  return { folder, parsed: readFolder(folder) };
}

/** Compares the review folder with itself after `change` of the text of some files. */
function diffAfter(edits: Readonly<Record<string, (text: string) => string>>) {
  const files: Record<string, string> = { ...reviewFolder };
  for (const [file, change] of Object.entries(edits)) files[file] = change(files[file] ?? '');
  return semanticDiff(projectOf(reviewFolder), projectOf(files));
}

const lead = 'agent-cards/lead.md';
const settings = 'callboard.yaml';

describe('the semantic diff', () => {
  it('finds nothing between a folder and itself', () => {
    const { renames, graph, ...lists } = diffAfter({});
    expect(Object.values(lists).flat()).toEqual([]);
    expect(Object.values(renames).map(({ size }) => size)).toEqual([0, 0, 0, 0]);
    expect(Object.values(graph).flat()).toEqual([]);
  });

  it('shows nothing of the secrets file', () => {
    const diff = diffAfter({
      'fast-agent.secrets.yaml': () =>
        'jira: {pat: hunter2-hunter2}\nmcp: {servers: {files: {args: [hunter2-hunter2]}}}\n',
    });
    expect(JSON.stringify(diff)).not.toContain('hunter2');
  });

  it('compares an agent field by field, and counts the lines of its instruction', () => {
    const { agents } = diffAfter({
      [lead]: (text) =>
        text
          .replace('"list_*"', '"delete_*"')
          .replace('max_parallel: 4', 'max_parallel: 20')
          .replace('Then ask the critic.', 'Then stop.\nSay goodbye.'),
    });
    expect(agents).toEqual([
      {
        change: 'changed',
        name: 'lead',
        from: undefined,
        file: lead,
        fields: [
          { field: 'maxParallel', before: 4, after: 20 },
          { field: 'tools.files', before: ['read_file', 'list_*'], after: ['read_file', 'delete_*'] },
        ],
        instruction: { added: 2, removed: 1 },
      },
    ]);
  });

  it('shows a chain step by step', () => {
    const { chains } = diffAfter({
      [lead]: (text) =>
        text.replace(
          '  - ../code/hooks.py:redact\n  - ../code/hooks.py:audit\n',
          '  - ../code/hooks.py:guard\n  - ../code/hooks.py:audit\n  - ../code/hooks.py:redact\n',
        ),
      [settings]: (text) =>
        text
          .replace('{argument: limit, max: 10}', '{argument: limit, max: 11}')
          .replace('- truncate: {max_chars: 1000}', '- log: {}'),
    });
    expect(
      chains.map(({ agent, steps }) => [
        agent,
        ...steps.map(({ change, after, before }) => `${change} ${(after ?? before)?.name}`),
      ]),
    ).toEqual([
      [undefined, 'added log', 'removed truncate'],
      ['lead', 'added guard', 'kept audit', 'moved redact'],
      ['mailer', 'kept redact', 'changed clamp'],
    ]);
    expect(chains[1]?.steps[2]?.past?.name).toBe('audit');
  });

  it('compares delegations with their options, servers and settings', () => {
    const {
      delegations,
      servers,
      settings: other,
      config,
    } = diffAfter({
      [lead]: (text) => text.replace('[writer, critic]', '[writer, mailer]'),
      [settings]: (text) =>
        text
          .replace('timeout_ms: 60000', 'timeout_ms: 5')
          .replace('max_depth: 4', 'max_depth: 6')
          .replace('x: 10', 'x: 11'),
      'fast-agent.yaml': (text) =>
        text
          .replace('files.mjs]', 'list.mjs]')
          .replace('ROOT: /data', 'ROOT: /secret-place')
          .replace('default_model: gpt-5-mini', 'default_model: gpt-5-nano'),
    });
    expect(delegations).toEqual([
      { parent: 'lead', child: 'critic', change: 'removed', fields: [] },
      { parent: 'lead', child: 'mailer', change: 'added', fields: [] },
      {
        parent: 'lead',
        child: 'writer',
        change: 'changed',
        fields: [{ field: 'timeout_ms', before: 60000, after: 5 }],
      },
    ]);
    expect(servers).toEqual([
      {
        name: 'files',
        change: 'changed',
        fields: [
          { field: 'args', before: ['code/servers/files.mjs'], after: ['code/servers/list.mjs'] },
          { field: 'env.ROOT', before: '[hidden]', after: '[hidden]' },
        ],
      },
    ]);
    expect(other).toEqual([{ field: 'limits.max_depth', before: 4, after: 6 }]);
    expect(config).toEqual([{ field: 'default_model', before: 'gpt-5-mini', after: 'gpt-5-nano' }]);
  });

  it('sees a card in another file with another name and most of its lines as renamed', () => {
    const { 'agent-cards/critic.md': critic = '', ...others } = reviewFolder;
    const rename = (text: string) => text.replaceAll('critic', 'reviewer');
    const files = {
      ...Object.fromEntries(Object.entries(others).map(([path, text]) => [path, rename(text)])),
      'agent-cards/reviewer.md': rename(critic).replace('You are polite.', 'You are kind.'),
    };
    const { agents, renames, delegations, graph } = semanticDiff(projectOf(reviewFolder), projectOf(files));
    expect([...renames.agents, ...renames.files]).toEqual([
      ['critic', 'reviewer'],
      ['agent-cards/critic.md', 'agent-cards/reviewer.md'],
    ]);
    expect(agents.filter(({ name }) => name === 'reviewer')).toEqual([
      {
        change: 'renamed',
        name: 'reviewer',
        from: 'critic',
        file: 'agent-cards/reviewer.md',
        fields: [],
        instruction: { added: 1, removed: 1 },
      },
    ]);
    expect(delegations).toEqual([]);
    expect([graph.addedNodes, graph.removedNodes, graph.addedEdges, graph.removedEdges].flat()).toEqual([]);
  });

  it('sees a card with other content as new, and the old one as gone', () => {
    const { 'agent-cards/critic.md': _, ...others } = reviewFolder;
    const files = {
      ...others,
      'agent-cards/poet.md': '---\nname: poet\n---\nYou write poems.\nThey rhyme.\nThey are sad.\n',
    };
    const { agents } = semanticDiff(projectOf(reviewFolder), projectOf(files));
    expect(agents.map(({ change, name }) => `${change} ${name}`)).toEqual(['removed critic', 'added poet']);
  });

  it('keeps two agents apart that exchange their names', () => {
    const swap = (text: string) =>
      text
        .replace('name: writer', 'name: X')
        .replace('name: critic', 'name: writer')
        .replace('name: X', 'name: critic');
    const { renames, agents } = diffAfter({ 'agent-cards/writer.md': swap, 'agent-cards/critic.md': swap });
    expect(renames.agents.size).toBe(0);
    expect(agents.map(({ change, name }) => `${change} ${name}`)).toEqual(['changed critic', 'changed writer']);
  });
});
