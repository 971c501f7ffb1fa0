import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillMessage, problemOfMessage } from './trigger-message';

const filled = (template: string, body: string) => {
  const read = fillMessage(template, { kind: 'webhook', trigger: 'issues', body });
  return read.ok ? read.value : `error: ${read.error}`;
};

test('members of the body of a webhook are put into the message as text', () => {
  const body = JSON.stringify({ issue: { title: 'Save fails', labels: ['bug', 'ui'], points: 3, owner: null } });
  expect(filled('{{trigger}}: {{ body.issue.title }} ({{body.issue.labels.1}})', body)).toBe('issues: Save fails (ui)');
  expect(filled('{{body.issue.labels}} {{body.issue.points}}', body)).toBe('["bug","ui"] 3');
  expect(filled('<{{body.issue.owner}}{{body.none.more}}{{body.constructor}}>', body)).toBe('<>');
  expect(filled('{{body}}', body)).toBe(body);
});

test('a body that is not JSON can be put in whole, and has no members', () => {
  expect(filled('Text: {{body}}', 'plain {{trigger}}')).toBe('Text: plain {{trigger}}');
  expect(filled('{{body.a}}', 'plain')).toBe(
    'error: The body is not JSON, and the message of this trigger names parts of it.',
  );
});

test('an integer beyond 2^53 keeps its digits, alone and inside a list', () => {
  const body = '{"id": 9007199254740993, "ids": [1, -9007199254740993], "text": "9007199254740993"}';
  expect(filled('{{body.id}} {{body.ids}} {{body.ids.1}} {{body.text}}', body)).toBe(
    '9007199254740993 [1,-9007199254740993] -9007199254740993 9007199254740993',
  );
});

test('JSON that cannot be read is not called something else', () => {
  expect(filled('{{body.a}}', '{"a": 1, "b": 1e999}')).toBe(
    'error: The body cannot be read, because it holds the number 1e999, which is beyond the range of numbers here (about 1.8e308), and the message of this trigger names parts of it.',
  );
  expect(filled('{{body.0}}', '['.repeat(2_000) + ']'.repeat(2_000))).toContain('because it is nested too deeply');
});

test('a value of a body is never read as a placeholder, and nothing is computed', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(filled('{{body.a}}', JSON.stringify({ a: `{{body}}${text}{{trigger}}` }))).toBe(
        `{{body}}${text}{{trigger}}`,
      );
    }),
  );
  expect(problemOfMessage('{{body.a + 1}}', 'webhook')).toContain('is no placeholder');
  expect(problemOfMessage('{{constructor}}', 'webhook')).toContain('is no placeholder');
});

test('a placeholder that the kind of trigger does not have is refused', () => {
  expect(problemOfMessage('At {{due}} by {{trigger}}', 'schedule')).toBeUndefined();
  expect(problemOfMessage('{{body.a.b-c.0}} {{body}}', 'webhook')).toBeUndefined();
  expect(problemOfMessage('{{body}}', 'schedule')).toBe('{{body}} is no placeholder. Write {{due}} and {{trigger}}.');
  expect(problemOfMessage('{{due}}', 'webhook')).toContain('{{due}} is no placeholder');
});

test('the message of a schedule says when it was due', () => {
  const values = { kind: 'schedule', trigger: 'nightly', due: '2026-11-24T02:00:00.000Z' } as const;
  expect(fillMessage('{{trigger}} of {{due}}', values)).toEqual({
    ok: true,
    value: 'nightly of 2026-11-24T02:00:00.000Z',
  });
});
