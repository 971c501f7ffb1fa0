import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-diff-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

const card = '---\nname: writer\nservers: [files]\ntools: {files: [read_file]}\n---\nWrite.\n';
const config = 'mcp:\n  servers:\n    files: {url: "https://files.example/mcp"}\n';

async function folder(name: string, text: string): Promise<string> {
  const at = path.join(root, name);
  await mkdir(path.join(at, 'agent-cards'), { recursive: true });
  await writeFile(path.join(at, 'agent-cards/writer.md'), text);
  await writeFile(path.join(at, 'fast-agent.yaml'), config);
  return at;
}

describe('callboard diff', () => {
  it('prints the summary first, then each part', async () => {
    const [before, after] = [
      await folder('a', card),
      await folder('b', card.replace('read_file', 'read_file, delete_file').replace('Write.', 'Write well.')),
    ];
    expect(await callCallboard(['diff', before, after])).toEqual({
      code: 0,
      stdout: `It can do more:
  + Agent 'writer' can now call the tool 'delete_file' of the server 'files'. (agent-cards/writer.md:4)
It does something else:
  ~ The instruction of agent 'writer' is different. (agent-cards/writer.md:6)

Part by part:
  ~ agent writer
      tools.files: ["read_file"] → ["read_file","delete_file"]
      instruction: +1 −1 lines
`,
      stderr: '',
    });
  });

  it('ends with 1 if there is more power and --fail-on more asks for it', async () => {
    const [few, many] = [
      await folder('few', card),
      await folder('many', card.replace('read_file', 'read_file, delete_file')),
    ];
    const codeOf = async (...args: string[]) => (await callCallboard(['diff', ...args])).code;
    expect(await codeOf(few, many, '--fail-on', 'more')).toBe(1);
    expect(await codeOf(many, few, '--fail-on', 'more')).toBe(0);
    expect(await codeOf(many, few, '--fail-on', 'any')).toBe(1);
    expect(await codeOf(few, few, '--fail-on', 'any')).toBe(0);
  });

  it('prints JSON for programs', async () => {
    const [before, after] = [await folder('c', card), await folder('d', card.replace('name: writer', 'name: author'))];
    const { code, stdout } = await callCallboard(['diff', before, after, '--json']);
    const report: unknown = JSON.parse(stdout);
    expect([code, report]).toEqual([
      0,
      {
        capabilities: [
          {
            kind: 'renamed',
            weight: 'same-but-different',
            sentence: "Agent 'writer' is renamed to 'author'.",
            before: 'writer',
            after: 'author',
            subject: { agent: 'author' },
            anchor: { side: 'after', file: 'agent-cards/writer.md', line: 2, node: 'agent:author' },
          },
        ],
        semantic: expect.objectContaining({
          renames: { files: {}, agents: { writer: 'author' }, servers: {}, functions: {} },
          agents: [{ change: 'renamed', name: 'author', from: 'writer', file: 'agent-cards/writer.md', fields: [] }],
        }),
      },
    ]);
  });

  it('says that nothing is different', async () => {
    const same = await folder('e', card);
    expect((await callCallboard(['diff', same, same])).stdout).toBe('Nothing that it can do is different.\n');
  });

  it.each([
    [['diff'], 'Name two folders: callboard diff BEFORE AFTER [--json] [--fail-on more|any]\n'],
    [['diff', '.', '.', '--fail-on', 'less'], "--fail-on takes more or any, not 'less'.\n"],
    [
      ['diff', '/nowhere', '/nowhere'],
      expect.stringContaining("There is no file or folder '/nowhere'. Check the name."),
    ],
  ])('refuses %j', async (args, sentence) => {
    expect(await callCallboard(args)).toEqual({ code: 2, stdout: '', stderr: sentence });
  });
});
