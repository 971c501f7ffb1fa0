import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { decodeTrace, encodeTrace, traceFormat } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { slimEvent } from '@/lib/trace/slim-event';
import { currentEventText, eventFormat, readEventRecord, UnreadableRecord } from './event-format';
import type { RunEvent } from './events';
import type { Message } from './messages';
import { readSessionRecord, sessionRecord } from './session-format';

const kept = (name: string) => readFileSync(path.join(import.meta.dirname, 'kept', name));
const linesOf = (format: number) => kept(`events-format-${format}.ndjson`).toString('utf8').trim().split('\n');
const withHistoryRenamed = (event: Json) =>
  JSON.parse(JSON.stringify(event).replaceAll('"what":"history"', '"what":"conversation"'));

describe.each([1, 2, 3, 4, 5])('a log of event format %i', (format) => {
  const lines = linesOf(format);
  const read = () => lines.map((line) => readEventRecord(format, line));

  it('is read whole', () => {
    const written = lines.map((line) => JSON.parse(line));
    expect(read()).toEqual(format === 1 ? written.map(withHistoryRenamed) : written);
  });

  it('as text is handed on in the present format', () => {
    expect(lines.map((line) => JSON.parse(currentEventText(format, line)))).toEqual(read());
    const [text = ''] = lines;
    expect(currentEventText(eventFormat, text)).toBe(text);
  });

  it('has the bytes of its stream: an event that is read and written again is the same text', () => {
    for (const line of lines) expect(JSON.stringify(readEventRecord(eventFormat, line))).toBe(line);
  });

  it('is gone on with wherever it was cut, and no message is repeated to a model', async () => {
    const whole = read();
    for (let length = 0; length <= whole.length; length += 1) {
      const { answer, asked } = await goOn(whole.slice(0, length));
      expect(answer).toBe('all done');
      for (const messages of asked)
        expect(new Set(messages.map((one) => JSON.stringify(one))).size).toBe(messages.length);
    }
  });
});

it('a log of event format 1 calls the whole conversation that a hook left a conversation', () => {
  const lines = linesOf(1);
  const renamed = lines.map((line) => JSON.parse(line.replaceAll('"what":"history"', '"what":"conversation"')));
  expect(lines.map((line) => readEventRecord(1, line))).toEqual(renamed);
  expect(lines.some((line) => line.includes('"what":"history"'))).toBe(true);
});

it('a log gives the same picture as the run trace that was kept with it', () => {
  const stored = new Uint8Array(kept('run-trace-format-11.bin'));
  expect(encodeTrace(decodeTrace(stored))).toEqual(encodeTrace(traceOf(2)));
});

it('a run trace of a former format is not read: it is made again from its events', () => {
  for (const format of [4, 5, 7, 8, 9, 10]) {
    const stored = new Uint8Array(kept(`run-trace-format-${format}.bin`));
    expect(() => decodeTrace(stored)).toThrow(`Trace format ${format} is not known here. Reload the page.`);
  }
  const made = encodeTrace(traceOf(1));
  expect(encodeTrace(decodeTrace(made))).toEqual(made);
});

it('the page about formats names the current ones', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/event-format.md'), 'utf8');
  const current = page
    .split('\n')
    .flatMap((line) => /^\| (event|run trace)\b.* \| (\d+) \| `lib/.exec(line)?.slice(1) ?? []);
  expect(current).toEqual(['event', `${eventFormat}`, 'run trace', `${traceFormat}`]);
});

describe('a record that cannot be read', () => {
  it('of a newer format is refused with what to do', () => {
    expect(() => readEventRecord(eventFormat + 1, '{"kind":"run.wound_back"}')).toThrow(
      new UnreadableRecord(
        `The events of this run were written by a newer Callboard (format ${eventFormat + 1}; this one reads up to ${eventFormat}). Nothing was changed. Update Callboard to open them.`,
      ),
    );
    expect(() => readSessionRecord({ format: 7, history: [], state: {}, activeGroups: [] })).toThrow(
      /Sessions were written by a newer Callboard \(format 7/,
    );
  });

  it('names the event and the field that is damaged', () => {
    const damaged = '{"seq":4,"at":1,"kind":"url.fetched","url":"http://a/"}';
    expect(() => readEventRecord(eventFormat, damaged)).toThrow(
      /damaged: event 4 \(url\.fetched\), 'text' is not as this version/,
    );
    expect(() => readEventRecord(eventFormat, '{"seq":4,"at":1,"kind":"who.knows"}')).toThrow(UnreadableRecord);
    expect(() => readSessionRecord({ history: [{ role: 'nobody' }], state: {}, activeGroups: [] })).toThrow(
      /damaged: 'history\.0/,
    );
  });
});

it('a session stored before its format was counted is read, and says its format from then on', () => {
  const stored = JSON.parse(kept('session-format-1.json').toString('utf8'));
  expect(stored).not.toHaveProperty('format');
  const content = readSessionRecord(stored);
  expect(content.history).toEqual(stored.history);
  expect(readSessionRecord(JSON.parse(JSON.stringify(sessionRecord(content))))).toEqual(content);
});

/** The trace folded from the log that is kept of a format. */
function traceOf(format: number) {
  const trace = emptyTrace();
  for (const line of linesOf(format)) foldEvent(trace, slimEvent(readEventRecord(format, line)));
  return trace;
}

/** Runs the rest of the graph that the kept log is of. */
async function goOn(log: readonly RunEvent[]) {
  const model = scriptedModel({
    lead: [
      {
        text: 'I look it up.',
        calls: [
          { tool: 'box__work', arguments: { x: 1 } },
          { tool: 'agent__expert', arguments: { text: 'first' } },
        ],
      },
      {
        calls: [
          { tool: 'agent__expert', arguments: { text: 'second' } },
          { tool: 'agent__clerk', arguments: { text: 'file it' } },
          { tool: 'no_such_tool', arguments: 'not json' },
        ],
      },
      'all done',
    ],
    clerk: [
      {
        calls: [
          { tool: 'box__work', arguments: { x: 2 } },
          { tool: 'set_state', arguments: { key: 'seen', value: 2 } },
          { tool: 'save_artifact', arguments: { name: 'note.txt', content: 'kept' } },
        ],
      },
      'filed',
    ],
    expert: ({ messages }) => ({ text: `heard ${messages.length}` }),
  });
  const hooks = fakeHooks({
    // As it was written for format 1: of the present history nothing is kept.
    forget: { phase: (): { messageHistory: Json } => ({ messageHistory: [] }) },
    audit: { around: async (_, args, next) => await next({ ...args, audited: true }) },
  });
  const { outcome } = await runGraph({
    parsed: graphOf('lead > expert, clerk', {
      cards: {
        lead: { toolHooks: { form: 'phases', phases: { before_llm_call: hookRef('forget') } } },
        clerk: { toolHooks: { form: 'chain', chain: [hookRef('audit')] } },
      },
      settings: {
        delegations: { lead: { expert: { session: 'reuse' } } },
        runtime_tools: { state: true, artifacts: true },
      },
    }),
    model,
    hooks,
    tools: { mcp: fakeTools({ box__work: () => 'worked' }) },
    sessions: memorySessions(),
    request: { message: 'Ask them.' },
    log,
  });
  const asked = model.requests.map(({ messages }): readonly Message[] => messages);
  return { answer: outcome.answer, asked };
}
