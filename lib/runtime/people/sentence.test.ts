import { expect, it } from 'vitest';
import { attachmentSentence, callSentence, creationSentence } from './sentence';

it('a call of an agent is one sentence, with 50 characters of its input and three files', () => {
  const input = 'Read the attached report and tell me in one paragraph what it says about sales';
  const attachments = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
  expect(callSentence({ agent: 'Analyst', input, attachments })).toMatchInlineSnapshot(
    `"Call agent 'Analyst' with input: Read the attached report and tell me in one paragr…, attachments: a.pdf, b.pdf, c.pdf, +2 more"`,
  );
  expect(callSentence({ agent: 'Analyst', input: 'Go', attachments: ['a.pdf'] })).toBe(
    "Call agent 'Analyst' with input: Go, attachments: a.pdf",
  );
  expect(callSentence({ agent: 'Analyst', input: ' ', attachments: ['a.pdf'] })).toBe(
    "Call agent 'Analyst' with attachments: a.pdf",
  );
  expect(callSentence({ agent: 'Analyst', input: '' })).toBe("Call agent 'Analyst'");
  expect(callSentence({ tool: 'mail__send', input: '{"to":"ann"}' })).toBe(
    `Call tool 'mail__send' with input: {"to":"ann"}`,
  );
});

it('a creation shows tools and model, a file its size and its target', () => {
  expect(creationSentence('helper', ['time__now', 'read_file'], 'gpt-5')).toBe(
    "Create agent 'helper' with tools time__now, read_file, on model gpt-5",
  );
  expect(creationSentence('helper', [], 'gpt-5')).toBe("Create agent 'helper' without tools, on model gpt-5");
  expect(attachmentSentence('in/a.pdf', 120, 'Analyst')).toBe("Give file 'in/a.pdf' (120 bytes) to agent 'Analyst'");
});

it('a sentence has one line, whole characters and nothing hidden', () => {
  const cut = callSentence({ agent: 'x', input: '😀'.repeat(60) });
  expect(cut).toBe(`Call agent 'x' with input: ${'😀'.repeat(50)}…`);
  expect(callSentence({ agent: 'x', input: 'two\n lines\t' })).toBe("Call agent 'x' with input: two lines");
  expect(callSentence({ agent: 'x\u202e', input: '\u0000a\u200b' })).toBe(
    "Call agent 'x\\u{202e}' with input: \\u{0}a\\u{200b}",
  );
});
