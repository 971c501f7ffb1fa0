import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readWithCode } from './read-with-code';
import { soundFixtureOf } from './sound-fixture';

const withTest = (answer: string) =>
  folderOf({
    'lead.md': '---\nname: lead\n---\nLead.\n',
    'tests/greet.fixture.yaml': `version: 1\nmessage: Hi\nexpect:\n  answer:\n    ${answer}\n`,
  });

test.each([
  ['a pattern', 'matches: ["h.*o", "(?=x)"]', "The pattern '(?=x)' cannot be read by RE2"],
  ['a schema', 'schema: { type: strange }', 'The JSON Schema of the answer cannot be used: '],
])('%s of a test that cannot be used is a fault of its line, and the test does not run', (_, answer, message) => {
  const folder = withTest(answer);
  const fault = { file: 'tests/greet.fixture.yaml', line: 5, message: expect.stringContaining(message) };
  expect(readWithCode(folder).issues.filter(({ code }) => code === 'fixture-invalid')).toMatchObject([fault]);
  expect(soundFixtureOf(folder, 'greet')).toMatchObject({ fixture: undefined, issues: [fault] });
});

test('a test with a good pattern and a good schema has no fault', () => {
  const folder = withTest('{ matches: ["h.*o"], schema: { type: object } }');
  expect(soundFixtureOf(folder, 'greet')).toMatchObject({ fixture: { message: 'Hi' }, issues: [] });
  expect(soundFixtureOf(folder, 'gone')).toEqual({ fixture: undefined, issues: [] });
});
