import { expect, test } from 'vitest';
import type { EventBody } from '@/lib/runtime/record/events';
import {
  answered,
  asked,
  begin,
  ended,
  finish,
  fold,
  log,
  modelOff,
  modelOn,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { lineBar, lineTime, openBelow, type ThreadLine, threadLines } from './thread-lines';
import { spanName, type Trace } from './trace';

const resume: EventBody = { kind: 'run.resumed', worker: 'w' };

/** `kind name` of each line of an instance. A delegation has the name of its instance. */
function shown(trace: Trace, lane = 0): string[] {
  return threadLines(trace, lane).map((line) => `${line.kind} ${nameOf(trace, line)}`);
}

function nameOf(trace: Trace, line: ThreadLine): string {
  if (line.kind === 'said') return String(trace.spans.endSeq.at(line.span));
  if (line.kind !== 'delegation' || line.lane === undefined) return spanName(trace, line.span);
  const name = trace.lanes[line.lane]?.instanceName ?? '';
  return line.attempts > 1 ? `${name} of ${line.attempts}` : name;
}

/** A parent that talks, asks two children at once, one of which has a child of its own, and calls a tool. */
const turn = log(
  [0, begin],
  [0, queued('lead')],
  [0, started('lead')],
  [0, modelOn('lead', 1)],
  [100, modelOff('lead', 1)],
  [100, toolOn('lead', 1, 'agent__kid', 'agent')],
  [100, toolOn('lead', 2, 'agent__kid', 'agent')],
  [100, queued('lead/kid[1]', 'lead#t1')],
  [100, queued('lead/kid[2]', 'lead#t2')],
  [110, started('lead/kid[1]')],
  [120, started('lead/kid[2]')],
  [130, toolOn('lead/kid[1]', 1, 'agent__helper', 'agent')],
  [130, queued('lead/kid[1]/helper[1]', 'lead/kid[1]#t1')],
  [140, started('lead/kid[1]/helper[1]')],
  [200, asked('lead/kid[1]/helper[1]', 1)],
  [300, answered('lead/kid[1]/helper[1]', 1, 'approve')],
  [310, ended('lead/kid[1]/helper[1]')],
  [310, toolOff('lead/kid[1]', 1)],
  [320, ended('lead/kid[1]')],
  [320, toolOff('lead', 1)],
  [400, ended('lead/kid[2]')],
  [400, toolOff('lead', 2)],
  [400, modelOn('lead', 2)],
  [500, modelOff('lead', 2)],
  [500, toolOn('lead', 3, 'time__now')],
  [600, toolOff('lead', 3)],
  [600, modelOn('lead', 3)],
  [1000, modelOff('lead', 3)],
  [1000, ended('lead')],
  [1000, finish],
);

test('a turn is what was said before calls, its calls, and its children in the order of the calls', () => {
  const trace = fold(turn);
  expect(shown(trace)).toEqual(['said 5', 'delegation kid[1]', 'delegation kid[2]', 'said 24', 'tool time__now']);
  expect(shown(trace, trace.laneByPath.get('lead/kid[1]'))).toEqual(['delegation helper[1]']);
  expect(shown(trace, trace.laneByPath.get('lead/kid[1]/helper[1]'))).toEqual(["asked Call tool 'send1'"]);
  expect(shown(trace, 99)).toEqual([]);
});

test('lines appear while the run goes on, and their bars grow', () => {
  const now = fold(turn.slice(0, 15));
  expect(shown(now)).toEqual(['said 5', 'delegation kid[1]', 'delegation kid[2]']);
  const [, first, second] = threadLines(now, 0);
  if (first === undefined || second === undefined) throw new Error('no lines');
  expect([openBelow(now, first), openBelow(now, second)]).toEqual([1, 0]);
  // The question of the grandchild shows in the bar of the child.
  expect(lineBar(now, first, 400_000)).toEqual({ from: 0.275, to: 1, waits: [{ from: 0.5, to: 1 }] });
  expect(lineBar(now, first, 800_000)).toEqual({ from: 0.1375, to: 1, waits: [{ from: 0.25, to: 1 }] });
  expect(lineTime(now, first, 800_000)).toBe(690_000);
  const whole = fold(turn);
  expect(lineBar(whole, first, whole.lastAt)).toEqual({ from: 0.11, to: 0.32, waits: [{ from: 0.2, to: 0.3 }] });
  expect(openBelow(whole, first)).toBe(0);
});

test('a call that was refused has no instance, and attempts at one call are one line', () => {
  const retried = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, toolOn('lead', 1, 'agent__gone', 'agent')],
    [2, toolOff('lead', 1, true)],
    [3, toolOn('lead', 2, 'agent__kid', 'agent')],
    [3, queued('lead/kid[1]', 'lead#t2')],
    [4, ended('lead/kid[1]', 'failed')],
    [5, queued('lead/kid[2]', 'lead#t2')],
  );
  expect(shown(fold(retried))).toEqual(['delegation agent__gone', 'delegation kid[2] of 2']);
});

test('a call that a crash interrupted is one line with the call that followed', () => {
  const crashed = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, toolOn('lead', 1, 'time__now')],
    [1, toolOn('lead', 2, 'agent__kid', 'agent')],
    [1, queued('lead/kid[1]', 'lead#t2')],
    [2, started('lead/kid[1]')],
    [5, resume],
    [6, toolOn('lead', 1, 'time__now', 'mcp', 2)],
    [6, toolOn('lead', 2, 'agent__kid', 'agent', 2)],
    [6, queued('lead/kid[1]', 'lead#t2')],
    [7, started('lead/kid[1]')],
  );
  const trace = fold(crashed);
  expect(shown(trace)).toEqual(['delegation kid[1]', 'tool time__now']);
  // Only the last call of the tool goes on, and the delegation.
  expect(threadLines(trace, 0).map(({ span }) => trace.spans.statusOf(span))).toEqual(['open', 'open']);
});
