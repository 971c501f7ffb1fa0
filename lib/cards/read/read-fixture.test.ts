import { expect, test } from 'vitest';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import { folderOf } from '@/lib/cards/files';
import { isFixtureFile, withoutFixtures } from '@/lib/cards/fixture-files';
import { fixtureOf } from '@/lib/cards/project/fixtures';
import { readFolder } from '@/lib/cards/project/read-folder';
import { editYaml } from '@/lib/cards/yaml/edit-yaml';

const card = '---\nname: lead\n---\nWork.\n';
const read = (text: string, more: Record<string, string> = {}) => {
  const folder = folderOf({ 'agent-cards/lead.md': card, 'tests/greet.fixture.yaml': text, ...more });
  const parsed = readFolder(folder);
  return {
    role: parsed.roles.get('tests/greet.fixture.yaml'),
    fixture: fixtureOf(folder, 'greet'),
    issues: parsed.issues.map(
      ({ code, severity, file, line, message }) => `${severity} ${code} ${file}:${line} ${message}`,
    ),
  };
};

const whole = `version: 1
description: Says hello.   # for people
agent: lead
message: Hello
expect:
  answer: { contains: [hello], lacks: [bye], matches: ['h.*o'], fields: { city: Graz } }
  calls:
    - { tool: time__now, agent: lead, times: { min: 1, max: 2 }, arguments: { tz: UTC } }
  order: [time__now, agent__Writer]
  hooks:
    - { hook: guard.py:check, tool: time__now, denied: true }
  limits: { tokens: 100, model_calls: 3, time_ms: 500, cost_usd: 0.1 }
  rubric: It greets.
`;

test('the file of a test is read whole', () => {
  expect(read(whole)).toEqual({
    role: 'fixture',
    issues: [],
    fixture: {
      version: 1,
      description: 'Says hello.',
      agent: 'lead',
      message: 'Hello',
      expect: {
        answer: { contains: ['hello'], lacks: ['bye'], matches: ['h.*o'], fields: { city: 'Graz' } },
        calls: [{ tool: 'time__now', agent: 'lead', times: { min: 1, max: 2 }, arguments: { tz: 'UTC' } }],
        order: ['time__now', 'agent__Writer'],
        hooks: [{ hook: 'guard.py:check', tool: 'time__now', denied: true }],
        limits: { tokens: 100, model_calls: 3, time_ms: 500, cost_usd: 0.1 },
        rubric: 'It greets.',
      },
    },
  });
});

test('a fault in a test is reported with its line, and no part of the test is used', () => {
  const at = (line: number, code: string, message: string) =>
    `${code === 'fixture-mismatch' ? 'warning' : 'error'} ${code} tests/greet.fixture.yaml:${line} ${message}`;
  const faulty = read(
    'version: 1\nmessage: Hi\nexpect:\n  answer:\n    matches: ["(?=x)"]\n  colour: red\n  calls:\n    - { tool: "" }\n',
  );
  expect(faulty.fixture).toBeUndefined();
  expect(faulty.issues).toEqual([
    at(6, 'fixture-invalid', "A test has no key 'expect.colour'. Remove it, or correct its name."),
    expect.stringContaining(at(8, 'fixture-invalid', "'expect.calls.0.tool' is ")),
  ]);
  expect(read('message: Hi\n').issues).toEqual([
    at(1, 'fixture-invalid', "The test has no 'version'. Add the line 'version: 1'."),
  ]);
  expect(read('- one\n').issues).toEqual([at(1, 'fixture-invalid', 'A test must be a mapping, not a list.')]);
  expect(read('version: 1\nmessage: Hi\nmessage: Ho\n').issues).toEqual([
    at(3, 'fixture-invalid', "'message' is given twice. Remove one of them."),
  ]);
  expect(read('version: 1\nmessage: Hi\nagent: leed\nattachments: [tests/gone.txt]\n')).toMatchObject({
    fixture: { agent: 'leed' },
    issues: [
      at(3, 'fixture-mismatch', "The folder has no agent 'leed'. Did you mean 'lead'?"),
      at(4, 'fixture-mismatch', "The folder has no file 'tests/gone.txt'. Correct the path."),
    ],
  });
});

test('a test is edited in place: only the changed line changes', () => {
  const edited = editYaml(
    whole,
    { op: 'set', path: ['expect', 'limits', 'tokens'], value: 200 },
    'tests/greet.fixture.yaml',
  );
  expect(edited).toEqual({ ok: true, value: whole.replace('tokens: 100', 'tokens: 200') });
});

test('files of tests are no cards, and the export for fast-agent leaves them out', () => {
  const folder = folderOf({
    'agent-cards/lead.md': card,
    'tests/greet.fixture.yaml': whole,
    'tests/greet.recording.jsonl': '{"recording":1,"took_ms":0}\n',
    'tests/greet.files/name.md': '---\nname: other\ntype: agent\n---\nNo card.\n',
    'tests/plain.txt': 'kept',
  });
  const parsed = readFolder(folder);
  expect(parsed.cards.map(({ name }) => name)).toEqual(['lead']);
  expect(parsed.issues).toEqual([]);
  expect([...exportForFastAgent(folder).folder.keys()]).toEqual(['agent-cards/lead.md', 'tests/plain.txt']);
  expect(isFixtureFile('lib/tests/greet.fixture.yaml')).toBe(false);
  expect([...withoutFixtures(folder).keys()]).toEqual(['agent-cards/lead.md', 'tests/plain.txt']);
});
