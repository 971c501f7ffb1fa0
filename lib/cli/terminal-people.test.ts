import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { brandAs, type EpochMs, type PendingId, type RunId } from '@/lib/base/ids';
import type { PendingQuestion } from '@/lib/base/pending';
import { questionOf } from '@/lib/testing/stored-item';
import { terminalPeople } from './terminal-people';

const runId = brandAs<RunId>('run');
const live = new AbortController().signal;

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const people = terminalPeople({ input, output });
  const ask = (question: PendingQuestion, signal = live) => {
    people.note({ kind: 'person.asked', seq: 1, at: brandAs<EpochMs>(1), ...question });
    return people.answerOf(question.item, signal);
  };
  const said = () => String(output.read() ?? '');
  return { input, people, ask, said };
}

test('questions of a run are asked in a terminal one after another, and each gets its own answer', async () => {
  const { input, ask, said, people } = terminal();
  const ends = [
    ask(questionOf(runId, { sentence: 'Send one' })),
    ask(questionOf(runId, { sentence: 'Send two' })),
    ask(questionOf(runId, { sentence: 'Send three' })),
    ask(questionOf(runId, { what: 'input', sentence: 'Which day?', form: { type: 'string' } })),
  ];
  input.write('y\nn\nToo late.\ne\n{"to": 5}\ne\n{"to": "eve"}\nMonday\n');
  expect(await Promise.all(ends)).toEqual(
    [
      { decision: 'approve' },
      { decision: 'deny', note: 'Too late.' },
      { decision: 'edit', arguments: { to: 'eve' } },
      { decision: 'answer', content: 'Monday' },
    ].map((answer) => ({ outcome: 'answered', answer: { ...answer, by: 'terminal', via: 'terminal' } })),
  );
  const text = said();
  expect(text.match(/\? lead: .*/g)).toEqual([
    '? lead: Send one',
    '? lead: Send two',
    '? lead: Send three',
    '? lead: Which day?',
  ]);
  expect(text).toContain('arguments.to: must be string');
  people.close();
});

test('when the input ends, open questions are denied and nothing is approved', async () => {
  const { input, ask } = terminal();
  const ends = [ask(questionOf(runId)), ask(questionOf(runId))];
  input.end('yes\n');
  expect(await Promise.all(ends)).toMatchObject([
    { answer: { decision: 'approve' } },
    { answer: { decision: 'deny', note: 'The terminal was closed.' } },
  ]);
});

test('a run that is stopped waits for no answer', async () => {
  const { ask, people } = terminal();
  const stop = new AbortController();
  const end = ask(questionOf(runId), stop.signal);
  stop.abort();
  expect(await end).toEqual({ outcome: 'withdrawn' });
  people.close();
});

test('a form of a server is asked field by field and shown before it is sent, and its address is only printed', async () => {
  const { input, ask, said, people } = terminal();
  const form = {
    type: 'object',
    properties: {
      city: { type: 'string', enum: ['Oslo', 'Bergen'], default: 'Oslo' },
      days: { type: 'integer', title: 'Days' },
      quiet: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  };
  const server = { serverName: 'travel', message: 'Where to?\nAnd how long?' };
  const { tool: _t, arguments: _a, editable: _e, ...plain } = questionOf(runId, { what: 'question' });
  const { form: _f, ...link } = { ...plain, server: { serverName: 'travel', url: 'https://pay.example/x?y=1' } };
  const ends = [
    ask({ ...plain, form, server }),
    ask({ ...plain, item: brandAs<PendingId>('two'), form, server }),
    ask({ ...plain, item: brandAs<PendingId>('three'), form, server }),
    ask({ ...link, item: brandAs<PendingId>('four') }),
    ask({ ...link, item: brandAs<PendingId>('five') }),
  ];
  // The second round of the first question follows a value that does not fit.
  input.write('y\n\nmany\n\n\ny\n' + 'y\n\n3\nn\na, b\ny\n' + 'n\n' + 'c\n' + 'y\n' + 'c\n');
  expect(await Promise.all(ends)).toEqual(
    [
      { decision: 'answer', content: { city: 'Oslo', days: 3, quiet: false, tags: ['a', 'b'] } },
      { decision: 'deny' },
      { decision: 'cancel' },
      { decision: 'approve' },
      { decision: 'cancel' },
    ].map((answer) => ({ outcome: 'answered', answer: { ...answer, by: 'terminal', via: 'terminal' } })),
  );
  const text = said();
  expect(text).toContain('  Where to?\n  And how long?');
  expect(text).toContain('city {Oslo, Bergen} ["Oslo"]: ');
  expect(text).toContain('content.days: must be integer');
  expect(text).toContain("Send this to server 'travel'?");
  expect(text).toContain('It asks you to open an address of pay.example: https://pay.example/x?y=1');
  people.close();
});
