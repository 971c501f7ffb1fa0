import { expect, test } from 'vitest';
import { checkScripts } from '@/lib/cards/check/check-scripts';
import { folderOf } from '@/lib/cards/files';
import { checkExpectations } from '@/lib/cards/project/expectations';
import { createProjectStore } from './project-store';

test('a fault in code shows in the problems, with its place and on its agent, until it is corrected', async () => {
  const folder = folderOf({
    'lead.md': '---\nname: lead\nmodel: passthrough\nfunction_tools: [tools.ts:add]\n---\n',
    'tools.ts': 'export function add(a: number) {\n  let x = ;\n}\n',
    'other.ts': 'let x = ;',
  });
  const parsed: string[][] = [];
  const { store, actions } = createProjectStore(
    { projectId: 'p', name: 'p', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async () => ({ kind: 'saved', version: 2 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
      async parseCode(files, uses) {
        parsed.push([...files].flatMap(([path, file]) => (file.kind === 'text' && file.text !== '' ? [path] : [])));
        return checkScripts(files, uses);
      },
    },
  );
  const problems = () => {
    const { parsed: now, problems: byNode } = store.getState().picture;
    const places = now.issues
      .filter(({ code }) => code === 'code-syntax')
      .map(({ file, line, column }) => `${file}:${line}:${column}`);
    return [places, byNode.get('agent:lead')?.some(({ code }) => code === 'code-syntax') ?? false];
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  actions.begin();
  await settled();
  expect(problems()).toEqual([['tools.ts:2:11'], true]);
  expect(parsed).toEqual([['tools.ts', 'other.ts']]);

  actions.edit(
    folderOf({ 'lead.md': '---\nname: lead\nmodel: passthrough\nfunction_tools: [tools.ts:add]\n---\nWork.\n' }),
    { label: 'Words' },
  );
  await settled();
  expect(problems()).toEqual([['tools.ts:2:11'], true]);
  expect(parsed).toHaveLength(1);

  actions.edit(folderOf({ 'tools.ts': 'export function add(a: number) {}\n' }), { label: 'Code' });
  await settled();
  expect(problems()).toEqual([[], false]);
});

test('a pattern of a test that cannot be used shows in the problems until it is corrected', async () => {
  const withPattern = (pattern: string) =>
    folderOf({
      'lead.md': '---\nname: lead\nmodel: passthrough\n---\n',
      'tests/greet.fixture.yaml': `version: 1\nmessage: Hi\nexpect:\n  answer:\n    matches: ["${pattern}"]\n`,
    });
  const { store, actions } = createProjectStore(
    { projectId: 'p', name: 'p', saved: { version: 1, folder: withPattern('(?=x)') }, layoutPoints: {} },
    {
      save: async () => ({ kind: 'saved', version: 2 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
      parseCode: async (files) => checkExpectations(files),
    },
  );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const problems = () => store.getState().picture.parsed.issues.filter(({ code }) => code === 'fixture-invalid');

  actions.begin();
  await settled();
  expect(problems()).toMatchObject([{ file: 'tests/greet.fixture.yaml', line: 5 }]);
  actions.edit(withPattern('x'), { label: 'Pattern' });
  await settled();
  expect(problems()).toEqual([]);
});
