import { expect, test } from 'vitest';
import { pastedCardPath } from '@/lib/cards/pasted-card';
import { type DroppedEntry, readDropped, readPicked } from './source-files';

const file = (name: string): DroppedEntry<string> => ({ isDirectory: false, name, file: (done) => done(name) });

/** A folder that hands out its entries two at a time, as browsers do in hundreds. */
function folder(name: string, ...entries: DroppedEntry<string>[]): DroppedEntry<string> {
  return {
    isDirectory: true,
    name,
    createReader: () => {
      let at = 0;
      return {
        readEntries: (done) => {
          at += 2;
          done(entries.slice(at - 2, at));
        },
      };
    },
  };
}

test('one dropped folder becomes the root, read in portions, without what is never part of a project', async () => {
  const dropped = folder(
    'pmo',
    folder('agent-cards', file('c.md'), file('a.md'), file('b.md'), file('.DS_Store')),
    folder('.git', file('HEAD')),
    file('fast-agent.yaml'),
    file('.env'),
  );
  const source = await readDropped([dropped]);
  expect({ ...source, files: source.files.map(({ path }) => path) }).toEqual({
    name: 'pmo',
    files: ['.env', 'agent-cards/a.md', 'agent-cards/b.md', 'agent-cards/c.md', 'fast-agent.yaml'],
    leftOut: ['.git/', 'agent-cards/.DS_Store'],
  });
});

test("fast-agent's home folder keeps its name, without the sessions it writes", async () => {
  const home = folder('.fast-agent', folder('agent-cards', file('a.md')), folder('sessions', file('x.json')));
  for (const dropped of [home, folder('pmo', home)]) {
    const source = await readDropped([dropped]);
    expect(source.files.map(({ path }) => path)).toEqual(['.fast-agent/agent-cards/a.md']);
    expect(source.leftOut).toEqual(['.fast-agent/sessions/']);
  }
  const picked = (path: string) => ({ name: path.split('/').at(-1) ?? '', webkitRelativePath: path });
  for (const top of ['', 'pmo/']) {
    const source = readPicked([
      picked(`${top}.fast-agent/fast-agent.yaml`),
      picked(`${top}.fast-agent/sessions/s/x.json`),
    ]);
    expect(source.files.map(({ path }) => path)).toEqual(['.fast-agent/fast-agent.yaml']);
    expect(source.leftOut).toEqual(['.fast-agent/sessions/']);
  }
});

test('the folder of Claude Code keeps its name', async () => {
  const home = folder('.claude', folder('agents', file('a.md')), file('settings.json'));
  for (const dropped of [home, folder('pmo', home)]) {
    const { files } = await readDropped([dropped]);
    expect(files.map(({ path }) => path)).toEqual(['.claude/agents/a.md', '.claude/settings.json']);
  }
  const picked = (path: string) => ({ name: path.split('/').at(-1) ?? '', webkitRelativePath: path });
  const { files, name } = readPicked([picked('.claude/agents/a.md')]);
  expect([files.map(({ path }) => path), name]).toEqual([['.claude/agents/a.md'], undefined]);
});

test('several dropped things keep their names', async () => {
  const source = await readDropped([folder('agent-cards', file('a.md')), file('callboard.yaml')]);
  expect({ ...source, files: source.files.map(({ path }) => path) }).toEqual({
    name: undefined,
    files: ['agent-cards/a.md', 'callboard.yaml'],
    leftOut: [],
  });
});

test('a file that cannot be read rejects', async () => {
  const broken: DroppedEntry<string> = {
    isDirectory: false,
    name: 'x',
    file: (_, failed) => failed(new Error('gone')),
  };
  await expect(readDropped([broken])).rejects.toThrow('gone');
});

test('a picked folder loses its own name, picked files keep theirs', () => {
  const picked = (path: string) => ({ name: path.split('/').at(-1) ?? '', webkitRelativePath: path });
  const source = readPicked([picked('pmo/b.md'), picked('pmo/node_modules/x/y.js'), picked('pmo/a/c.md')]);
  expect({ ...source, files: source.files.map(({ path }) => path) }).toEqual({
    name: 'pmo',
    files: ['a/c.md', 'b.md'],
    leftOut: ['node_modules/'],
  });
  expect(readPicked([{ name: 'a.md', webkitRelativePath: '' }]).files.map(({ path }) => path)).toEqual(['a.md']);
});

test.each([
  ['---\nname: NY-Project-Manager\n---\nHi', 'agent-cards/NY-Project-Manager.md'],
  ['---\nname: "A b"  # c\n---', 'agent-cards/A-b.md'],
  ['---\nname: ../../etc\n---', 'agent-cards/etc.md'],
  ['no front matter', 'agent-cards/agent.md'],
])('a pasted card %j goes to %s', (text, path) => {
  expect(pastedCardPath(text)).toBe(path);
});
