import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import type { ShellPort } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';
import { maxFileCharacters, maxListedFiles } from './runtime-tools';

const files = {
  'agent-cards/solo.md': 'card',
  'notes.md': 'hello',
  'data/long.txt': 'x'.repeat(maxFileCharacters + 5),
  'fast-agent.secrets.yaml': 'key: 1',
  'skills/report/SKILL.md': '---\nname: report\ndescription: Write reports.\n---\nFirst, gather.',
  'skills/report/template.md': '# Title',
  'skills/other/SKILL.md': 'No front matter.',
};

async function runTools(
  calls: readonly TestCall[],
  card: Partial<AgentCard>,
  more: {
    readonly shell?: ShellPort;
    readonly files?: Readonly<Record<string, string>>;
    readonly on?: boolean;
    readonly hooks?: readonly object[];
  } = {},
) {
  const model = scriptedModel({ solo: calls.length > 0 ? [{ calls }, 'end'] : 'end' });
  const given = more.files ?? files;
  const parsed = graphOf('solo', {
    cards: { solo: card },
    settings: { runtime_tools: { files: more.on ?? true }, run_hooks: hookEntries(more.hooks ?? []) },
  });
  const { sink } = await runGraph({ parsed, model, folder: folderOf(given), shell: more.shell });
  const ended = sink.of('tool.ended');
  return {
    results: ended.map(({ result }) => textOf(result.content)),
    codes: ended.map(({ result }) => result.errorCode),
    offered: model.requests[0]?.tools ?? [],
    instruction: model.requests[0]?.instruction,
    logs: sink.of('log').map(({ code }) => code),
    messages: sink.of('log').map(({ message }) => message),
  };
}

const read = (path: string, offset?: number): TestCall => ({
  tool: 'read_file',
  arguments: offset === undefined ? { path } : { path, offset },
});
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('files of the project', () => {
  it('are offered only where the project says so', async () => {
    expect(names((await runTools([], {})).offered)).toEqual(['read_file', 'list_files']);
    expect(names((await runTools([], {}, { on: false })).offered)).toEqual([]);
  });

  it('are read in parts, never outside the project, never secrets', async () => {
    const { results, codes } = await runTools(
      [
        read('notes.md'),
        read('data/long.txt'),
        read('data/long.txt', maxFileCharacters),
        read('../../etc/passwd'),
        read('/etc/passwd'),
        read('fast-agent.secrets.yaml'),
        read('gone.md'),
      ],
      {},
    );
    expect(results[0]).toBe('hello');
    expect(results[1]?.slice(-98)).toContain(
      `[data/long.txt: characters 0 to ${maxFileCharacters} of ${maxFileCharacters + 5}; continue with offset`,
    );
    expect(results[2]).toBe('xxxxx');
    expect(codes.slice(3)).toEqual(['TOOL_FAILED', 'TOOL_FAILED', 'NOT_ALLOWED', 'TOOL_FAILED']);
  });

  it('that hold secrets are neither read nor listed, nor put into an instruction', async () => {
    const given = { '.env': 'K=v1-secret', 'c/server.pem': 'v2-secret', 'notes.md': 'hello' };
    const list: TestCall = { tool: 'list_files', arguments: {} };
    const run = await runTools(
      [read('.env'), read('./c/server.pem'), list],
      { instruction: 'Begin.{{file_silent:.env}}{{file:c/server.pem}}' },
      { files: given },
    );
    expect(run.results).toEqual([
      "Error: '.env' holds secrets and is not read.",
      "Error: 'c/server.pem' holds secrets and is not read.",
      'notes.md\t5',
    ]);
    expect(run.codes).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED', undefined]);
    expect(run.instruction).toBe('Begin.');
    expect(run.messages).toContain("Agent 'solo': {{file:c/server.pem}} holds secrets and stays empty.");
  });

  it('are listed with their sizes, cut with a count', async () => {
    const list = (path?: string): TestCall => ({ tool: 'list_files', arguments: path === undefined ? {} : { path } });
    const { results, codes } = await runTools([list('skills'), list('./skills/report/'), list('..'), list('none')], {});
    expect(results[0]?.split('\n')).toEqual([
      'skills/other/SKILL.md\t16',
      'skills/report/SKILL.md\t63',
      'skills/report/template.md\t7',
    ]);
    expect(results[1]?.split('\n')).toHaveLength(2);
    expect(codes.slice(2)).toEqual(['TOOL_FAILED', 'TOOL_FAILED']);
    const many = Object.fromEntries(Array.from({ length: maxListedFiles + 1 }, (_, n) => [`f${n}`, '']));
    const cut = await runTools([list()], {}, { files: many });
    expect(cut.results[0]).toContain(`[first ${maxListedFiles} of ${maxListedFiles + 1} files; name a folder]`);
  });
});

describe('skills', () => {
  it('are named in the prompt and read by name or path, nothing beside them', async () => {
    const skill = (path: string): TestCall => ({ tool: 'read_skill', arguments: { path } });
    const { results, codes, offered, instruction } = await runTools(
      [
        skill('report'),
        skill('skills/report/template.md'),
        skill('skills/other/SKILL.md'),
        skill('skills/report/../../notes.md'),
        skill('notes.md'),
      ],
      { skills: ['skills/report'], instruction: 'Do it.\n{{agentSkills}}' },
      { on: false },
    );
    expect(instruction).toContain('<name>report</name>\n  <description>Write reports.</description>');
    expect(offered[0]).toMatchObject({ name: 'read_skill', source: 'runtime' });
    expect(offered[0]?.description).toContain('report (Write reports.)');
    expect(results.slice(0, 2)).toEqual([files['skills/report/SKILL.md'], '# Title']);
    expect(codes.slice(2)).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED', 'NOT_ALLOWED']);
  });

  it('are all below a directory; one without a name is called like its directory', async () => {
    const { instruction } = await runTools([], { skills: ['skills'], instruction: '{{agentSkills}}' });
    expect(instruction).toContain('<name>report</name>');
    expect(instruction).toContain('<name>other</name>');
  });

  it('are looked for in the usual places when the card says nothing, and nowhere for []', async () => {
    const usual = { '.agents/skills/tidy/SKILL.md': '---\nname: tidy\n---\n' };
    expect(names((await runTools([], {}, { files: usual, on: false })).offered)).toEqual(['read_skill']);
    expect(names((await runTools([], { skills: [] }, { files: usual, on: false })).offered)).toEqual([]);
  });

  it('that are missing are a warning', async () => {
    expect((await runTools([], { skills: ['nowhere'] })).logs).toEqual(['skill_missing']);
  });
});

describe('other built-in tools', () => {
  it('human_input answers that nobody can be asked where nobody can', async () => {
    const { results, codes } = await runTools([{ tool: '__human_input', arguments: { message: 'Which?' } }], {
      humanInput: true,
    });
    expect(codes).toEqual(['NOT_ALLOWED']);
    expect(results[0]).toContain('Nobody can be asked in this run.');
  });

  it('execute is offered only where the card asks for it and an administrator allows it', async () => {
    const asked: string[] = [];
    const shell: ShellPort = {
      execute(command) {
        asked.push(command);
        return Promise.resolve({ content: [{ type: 'text', text: 'done' }], isError: false });
      },
    };
    const calls = [{ tool: 'execute', arguments: { command: 'ls' } }];
    expect((await runTools(calls, { shell: true }, { shell })).results).toEqual(['done']);
    expect(asked).toEqual(['ls']);
    const without = await runTools(calls, { shell: true });
    expect(without.codes).toEqual(['UNKNOWN_TOOL']);
    expect(without.logs).toEqual(['shell_left_out']);
    expect((await runTools(calls, {}, { shell })).codes).toEqual(['UNKNOWN_TOOL']);
  });

  it.each(['shell.execute', 'shell*', 'execute'])("a hook for '%s' guards the shell that is offered", async (tool) => {
    const asked: string[] = [];
    const shell: ShellPort = {
      execute(command) {
        asked.push(command);
        return Promise.resolve({ content: [], isError: false });
      },
    };
    const { codes, offered } = await runTools(
      [{ tool: 'execute', arguments: { command: 'ls' } }],
      { shell: true },
      { shell, on: false, hooks: [{ block: { when: { tool, server: 'runtime' } } }] },
    );
    expect(names(offered)).toEqual(['execute']);
    expect([codes, asked]).toEqual([['NOT_ALLOWED'], []]);
  });
});
