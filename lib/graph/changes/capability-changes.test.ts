import { describe, expect, it } from 'vitest';
import { printOf } from '@/lib/base/known-servers';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { changes, type Edit } from '@/lib/testing/capability-cases';
import { config, critic, lead, mailer, reviewFolder, settings, writer } from '@/lib/testing/review-folder';
import { capabilityChanges, type Listed } from './capability-changes';
import type { ReadProject } from './project-side';

type Files = Readonly<Record<string, string>>;

function edited(files: Files, edits: readonly Edit[]): Files {
  const next: Record<string, string> = { ...files };
  for (const [file, from, to] of edits) {
    if (to === undefined) {
      if (from === null) delete next[file];
      else next[file] = from;
      continue;
    }
    const text = next[file] ?? '';
    if (from === null || !text.includes(from)) throw new Error(`${file} has no ${from}`);
    next[file] = text.replace(from, to);
  }
  return next;
}

function projectOf(files: Files): ReadProject {
  const folder = folderOf(files);
  return { folder, parsed: readFolder(folder) };
}

const base = projectOf(reviewFolder);

function summary(edits: readonly Edit[], listed?: Listed): string[] {
  const changes = capabilityChanges(base, projectOf(edited(reviewFolder, edits)), listed);
  return changes.map(({ weight, sentence }) => `${signs[weight]} ${sentence}`);
}

const listedSame = (tools: Listed['before']): Listed => ({ before: tools, after: tools });

const signs = { more: '+', 'same-but-different': '~', less: '-' };

/** Changes of form. */
const harmless: readonly (readonly [name: string, edits: readonly Edit[]])[] = [
  ['nothing', []],
  ['another README', [['README.md', 'Writes', 'Reads']]],
  ['a new picture', [['images/logo.svg', '<svg/>']]],
  ['another layout of the canvas', [[settings, '{x: 10, y: 20}', '{x: 99, y: 1}']]],
  [
    'a note on the canvas',
    [[settings, 'canvas:\n', 'canvas:\n  notes: [{id: n1, text: Look here, x: 0, y: 0, width: 100, height: 50}]\n']],
  ],
  ['a comment in a card', [[lead, 'default: true', '# The boss.\ndefault: true']]],
  ['a comment in the settings', [[settings, 'limits:', '# Careful.\nlimits:']]],
  ['keys in another order', [[lead, 'default: true\nmodel: gpt-5\n', 'model: gpt-5\ndefault: true\n']]],
  [
    'servers in another order',
    [
      [config, '    mail:\n      url: https://mail.example/mcp\n', ''],
      [config, '  servers:\n', '  servers:\n    mail:\n      url: https://mail.example/mcp\n'],
    ],
  ],
  ['other quotes', [[lead, '["read_file", "list_*"]', "['read_file', 'list_*']"]]],
  ['a list in block style', [[lead, 'agents: [writer, critic]', 'agents:\n  - writer\n  - critic']]],
  ['a mapping in block style', [[settings, 'state: {down: none}', 'state:\n        down: none']]],
  ['patterns in another order', [[lead, '["read_file", "list_*"]', '["list_*", "read_file"]']]],
  ['a name that a pattern takes already', [[lead, '"list_*"]', '"list_*", "list_all"]']]],
  ['children in another order', [[lead, '[writer, critic]', '[critic, writer]']]],
  [
    'defaults that are written out',
    [[writer, 'human_input: false', 'human_input: false\nshell: false\nuse_history: true\nagents: []']],
  ],
  [
    'default limits that are written out',
    [[settings, 'max_depth: 4', 'max_depth: 4\n  max_parallel: 128\n  max_iterations: 100']],
  ],
  ['a default model that is written out', [[writer, 'human_input: false', 'human_input: false\nmodel: gpt-5-mini']]],
  [
    'default options of a delegation that are written out',
    [[settings, 'timeout_ms: 60000', 'timeout_ms: 60000\n      isolation: clone\n      session: none']],
  ],
  [
    'a default approval that is written out',
    [[settings, 'approvals:\n', 'approvals:\n  default: allow\n  mode: ask\n']],
  ],
  [
    'rules in another order',
    [
      [
        settings,
        '    - tools: [mail__send_mail]\n      effect: ask\n    - tools: [mail__delete]\n      effect: deny\n',
        '    - tools: [mail__delete]\n      effect: deny\n    - tools: [mail__send_mail]\n      effect: ask\n',
      ],
    ],
  ],
  [
    'a card in another folder',
    [
      [critic, null],
      [
        'agent-cards/more/critic.md',
        '---\nname: critic\nmodel: $models.strict\n---\nYou find mistakes.\nYou say where they are.\nYou are polite.\n',
      ],
    ],
  ],
  ['an anchor of YAML', [[lead, 'agents: [writer', 'agents: &kids [writer']]],
  ['a space at the end of a line of a prompt', [[writer, 'Keep them short.\n', 'Keep them short.  \n']]],
  ['an example message', [[settings, 'version: 1\n', 'version: 1\nexample_message: Write about the river.\n']]],
];

/** The old name stands in rules, so the way back is no renaming: the rules would count again. */
const oneWay = 'a renamed server that the rules do not follow';

describe('the capability summary', () => {
  it.each(changes)('reports %s', (_, edits, sentences) => {
    expect(summary(edits)).toEqual(sentences);
  });

  it('has test cases for each kind of change', () => {
    expect([changes.length >= 60, harmless.length >= 20]).toEqual([true, true]);
  });

  it('is empty after all lines end in CRLF', () => {
    const files = Object.entries(reviewFolder).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]);
    expect(capabilityChanges(base, projectOf(Object.fromEntries(files)))).toEqual([]);
  });

  it.each(harmless)('is empty after %s', (_, edits) => {
    expect(summary(edits)).toEqual([]);
  });

  it.each(changes.filter(([name]) => name !== oneWay))('gives %s the opposite weight when it is undone', (_, edits) => {
    const after = projectOf(edited(reviewFolder, edits));
    const count = (from: ReadProject, to: ReadProject) => {
      const found = capabilityChanges(from, to).map(({ weight }) => weight);
      return (['more', 'same-but-different', 'less'] as const).map(
        (weight) => found.filter((one) => one === weight).length,
      );
    };
    expect(count(after, base)).toEqual(count(base, after).toReversed());
  });

  /** What a server lists. `list_a reads` declares that it only reads; `list_a#2` has another description than `list_a`. */
  const prints = (...tools: readonly string[]) =>
    Object.fromEntries(
      tools.map((tool) => {
        const [, name = '', hash = '1', mark = ''] = /^(\w+)#?(\w+)?( reads)?$/.exec(tool) ?? [];
        return [name, printOf(hash, mark !== '')];
      }),
    );
  const files = prints('read_file reads', 'list_a', 'delete_file');

  it.each<readonly [name: string, edits: readonly Edit[], listed: Listed, sentences: readonly string[]]>([
    [
      'the tools that a pattern takes, and which of them may write',
      [[lead, '"list_*"', '"list_*", "delete_*"']],
      listedSame({ files: prints('read_file', 'list_all', 'list_old', 'delete_file', 'delete_all reads') }),
      [
        "+ Agent 'lead' can now call the tool 'delete_all' of the server 'files'. It declares that it only reads.",
        "+ Agent 'lead' can now call the tool 'delete_file' of the server 'files'. It may write.",
      ],
    ],
    [
      'a tool that leaves a filter',
      [[lead, '"read_file", ', '']],
      listedSame({ files }),
      ["- Agent 'lead' can no longer call the tool 'read_file' of the server 'files'."],
    ],
    [
      'a filter that is removed',
      [[lead, 'tools:\n  files: ["read_file", "list_*"]\n', '']],
      listedSame({ files }),
      [
        "+ Agent 'lead' can now call every tool of the server 'files'. Before it was 'read_file' and 'list_*'. Of the tools that it lists, 'list_a' and 'delete_file' may write.",
      ],
    ],
    [
      'a server that only reads',
      [[mailer, 'servers: [mail]', 'servers: [mail, files]']],
      listedSame({ files: prints('read_file reads') }),
      [
        "+ Agent 'mailer' can now call every tool of the server 'files'. All tools that it lists declare that they only read.",
      ],
    ],
    [
      'tools that a server lists since',
      [],
      {
        before: { mail: prints('send_mail'), files: prints('list_a') },
        after: { mail: prints('send_mail', 'send_all', 'look reads'), files: prints('list_a', 'list_b') },
      },
      [
        "+ Agent 'lead' can now call the tool 'list_b' of the server 'files'. It may write.",
        "+ Agent 'mailer' can now call the tool 'look' of the server 'mail', which the server lists since. It declares that it only reads.",
        "+ Agent 'mailer' can now call the tool 'send_all' of the server 'mail', which the server lists since. It may write.",
      ],
    ],
    [
      'a tool that no longer declares that it only reads',
      [],
      { before: { files }, after: { files: prints('read_file', 'list_a', 'delete_file') } },
      [
        "+ The tool 'read_file' of the server 'files' may now write. It no longer declares that it only reads. Agent 'lead' can call it.",
      ],
    ],
    [
      'a tool that now declares that it only reads',
      [],
      { before: { files }, after: { files: prints('read_file reads', 'list_a reads', 'delete_file reads') } },
      ["- The tool 'list_a' of the server 'files' now declares that it only reads. Agent 'lead' can call it."],
    ],
    [
      'a tool that is described differently, if an agent can call it',
      [],
      { before: { files }, after: { files: prints('read_file#2 reads', 'list_a', 'delete_file#2') } },
      [
        "~ The description or the arguments of the tool 'read_file' of the server 'files' are different. Agent 'lead' can call it.",
      ],
    ],
    ['nothing for a list that only one side knows', [], { after: { files } }, []],
    [
      'what a server lists since under its old name',
      [
        [config, '    mail:', '    post:'],
        [mailer, 'servers: [mail]', 'servers: [post]'],
        [settings, 'mail__send_mail', 'post__send_mail'],
        [settings, 'mail__delete', 'post__delete'],
      ],
      { before: { mail: prints('send_mail') }, after: { post: prints('send_mail', 'send_all') } },
      [
        "+ Agent 'mailer' can now call the tool 'send_all' of the server 'post', which the server lists since. It may write.",
        "~ The server 'mail' is renamed to 'post'.",
      ],
    ],
  ])('reports, with the tools that servers list, %s', (_name, edits, listed, sentences) => {
    expect(summary(edits, listed)).toEqual(sentences);
  });

  it('points at the line of a new part, and at the old line of a removed part', () => {
    const anchorOf = (edits: readonly Edit[]) =>
      capabilityChanges(base, projectOf(edited(reviewFolder, edits)))[0]?.anchor;
    expect(anchorOf([[settings, 'max_depth: 4', 'max_depth: 9']])).toEqual({ side: 'after', file: settings, line: 3 });
    expect(anchorOf([[settings, 'run_hooks:\n  - truncate: {max_chars: 1000}\n', '']])).toEqual({
      side: 'before',
      file: settings,
      line: 6,
    });
    expect(anchorOf([[lead, 'max_parallel: 4', 'max_parallel: 20']])).toEqual({
      side: 'after',
      file: lead,
      line: 16,
      node: 'agent:lead',
    });
  });

  it('shows no value of a variable, a header or a key', () => {
    const secret = 'hunter2-hunter2';
    const after = edited(reviewFolder, [
      [config, 'ROOT: /data', `ROOT: ${secret}`],
      [config, `X-Key: \${WEB_KEY}`, `X-Key: ${secret}\n        X-More: ${secret}`],
      [
        config,
        'url: https://mail.example/mcp',
        `url: https://me:${secret}@mail.example/mcp?key=${secret}\n      access_token: ${secret}`,
      ],
      [
        config,
        'default_model: gpt-5-mini',
        `default_model: gpt-5-mini\nopenai: {api_key: ${secret}, base_url: "https://x:${secret}@models.example/v1?key=${secret}"}`,
      ],
      [writer, 'human_input: false', `api_key: ${secret}`],
      ['agent-cards/partner.yaml', 'X-Team: press', `X-Team: ${secret}`],
    ]);
    for (const [from, to] of [
      [reviewFolder, after],
      [after, reviewFolder],
    ] as const) {
      const found = capabilityChanges(projectOf(from), projectOf(to));
      expect(found.length).toBeGreaterThan(5);
      expect(JSON.stringify(found)).not.toContain(secret);
    }
  });

  it('says what every part of a new project can do, and nothing of an empty one', () => {
    const empty = projectOf({});
    expect(capabilityChanges(empty, empty)).toEqual([]);
    const weights = capabilityChanges(empty, base).map(({ weight }) => weight);
    expect(weights.indexOf('less')).toBeGreaterThan(weights.lastIndexOf('more'));
  });
});
