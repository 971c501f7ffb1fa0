import { describe, expect, it } from 'vitest';
import { brandAs, type InstancePath } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import {
  begin,
  ended,
  fold,
  hookOff,
  hookOn,
  log,
  modelOff,
  modelOn,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { layoutRows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { measureActivity } from './activity';
import { hitAt, spanAt } from './hit-test';
import type { BarSink } from './paint-bar';
import { paintBars, type Scene } from './paint-bars';
import { paintAxis, paintLabels } from './paint-labels';
import { buildPalette, paints } from './palette';
import type { Pen } from './pen';
import type { SpanMark } from './span-marks';
import { evenScale, TimeScale } from './time-scale';

const palette = buildPalette((token) => `#${token.length.toString(16).padStart(6, '0')}`);

/** `lead` runs 0-100 ms: a model call 0-40, then two tools at once 40-60 and 40-90 (the second fails). */
function sample(more: readonly (readonly [number, EventBody])[] = []): Trace {
  const path = brandAs<InstancePath>('lead');
  const tool = (n: number, toolName: string): EventBody => ({
    kind: 'tool.started',
    path,
    step: brandAs(`lead#t${n}`),
    attempt: 1,
    callId: brandAs(`c${n}`),
    toolName,
    source: 'mcp',
    serverName: 'time',
    arguments: {},
    correlationId: brandAs('c'),
  });
  const toolEnd = (n: number, isError: boolean): EventBody => ({
    kind: 'tool.ended',
    path,
    step: brandAs(`lead#t${n}`),
    callId: brandAs(`c${n}`),
    result: { content: [], isError },
  });
  const bodies: (readonly [number, EventBody])[] = [
    [
      0,
      {
        kind: 'instance.queued',
        path,
        agentName: 'lead',
        instanceName: 'lead',
        correlationId: brandAs('c'),
        depth: 0,
      },
    ],
    [0, { kind: 'instance.started', path, input: '', model: 'm' }],
    [
      0,
      { kind: 'model.started', path, step: brandAs('lead#m1'), attempt: 1, model: 'gpt', messageCount: 1, tools: [] },
    ],
    [40, { kind: 'model.ended', path, step: brandAs('lead#m1'), usage: noUsage, requests: 1 }],
    [40, tool(1, 'time__now')],
    [40, tool(2, 'time__zone')],
    [60, toolEnd(1, false)],
    [90, toolEnd(2, true)],
    ...more,
  ];
  const trace = emptyTrace();
  for (const [i, [ms, body]] of bodies.entries()) foldEvent(trace, { seq: i + 1, at: brandAs(1e12 + ms), ...body });
  return trace;
}

function scene(trace: Trace, over: Partial<Scene> = {}): Scene {
  return {
    trace,
    rows: layoutRows(trace, new Set()),
    window: { from: 0, to: 100_000 },
    now: 100_000,
    width: 1000,
    height: 100,
    scrollTop: 0,
    dpr: 1,
    selected: undefined,
    hovered: undefined,
    activeLane: undefined,
    scale: evenScale,
    ticks: { step: 1, at: [] },
    ...over,
  };
}

/** Bars as `paint x-right y+height`, without grounds and rules. */
function drawLog(target: Scene): { log: string[]; drawn: number; labels: number; marks: number } {
  const log: string[] = [];
  const sink: BarSink = {
    rect(x, y, width, height, paint) {
      const name = paints[paint] ?? '?';
      if (!['ground', 'band', 'rule'].includes(name)) log.push(`${name} ${x}-${x + width} ${y}+${height}`);
    },
  };
  const painted = paintBars(sink, target);
  return { log, drawn: painted.drawn, labels: painted.labels.length, marks: painted.marks.length };
}

describe('paintBars', () => {
  it('draws an instance, its model call, and overlapping tools below each other', () => {
    expect(drawLog(scene(sample()))).toEqual({
      log: [
        'instance 0-1000 3+28',
        'delegation 0-2 3+28',
        'busy 998-1000 3+28',
        'model 0-399 5+24',
        'mcp 400-599 5+11',
        'mcp 400-899 17+11',
        'bad 400-899 26+2',
      ],
      drawn: 4,
      labels: 3,
      marks: 1,
    });
  });

  it('draws highlighted spans in full colour over the dimmed others', () => {
    const log: string[] = [];
    const sink: BarSink = {
      rect(x, _y, width, _height, paint) {
        const name = paint < paints.length ? paints[paint] : `dim ${paints[paint - paints.length]}`;
        if (name === 'mcp' || name === 'dim mcp' || name === 'dim model') log.push(`${name} ${x}-${x + width}`);
      },
    };
    const painted = paintBars(sink, scene(sample(), { highlight: new Set([2]) }));
    expect(log).toEqual(['dim model 0-399', 'dim mcp 400-899', 'mcp 400-599']);
    expect(painted.labels.map(({ span }) => span)).toEqual([2]);
  });

  it('draws a line along a part of a bar and places a flag', () => {
    const marks: SpanMark[] = [
      { span: 1, look: 'line', paint: 'accent', part: { from: 10_000, to: 20_000 } },
      { span: 3, look: 'flag', paint: 'warn', word: 'slow' },
    ];
    const painted = paintBars({ rect: () => undefined }, scene(sample(), { spanMarks: marks }));
    expect(painted.flags).toMatchObject([{ span: 3, x: 400, width: 500, paint: 'warn', word: 'slow' }]);
    expect(drawLog(scene(sample(), { spanMarks: marks })).log.at(-1)).toBe('accent 100-200 26+3');
  });

  it('draws stripes on the part of a model call that repeated requests took, and a gap where its answer begins', () => {
    const again: EventBody = {
      ...{ kind: 'log', level: 'warning', code: 'model_retry', message: 'Busy.', waitMs: 20 },
      ...{ path: brandAs<InstancePath>('lead'), step: brandAs('lead#m2') },
    };
    const answered = { ...modelOff('lead', 2), firstTokenMs: 90 } as EventBody;
    const trace = sample([
      [100, modelOn('lead', 2)],
      [110, again],
      [200, answered],
    ]);
    const gaps: string[] = [];
    const sink: BarSink = {
      rect(x, _y, width, _height, paint) {
        if (paints[paint] === 'ground') gaps.push(`${x}+${width}`);
      },
    };
    const view = scene(trace, { window: { from: 100_000, to: 200_000 } });
    paintBars(sink, view);
    expect(gaps).toEqual(['0+1000', '0+300', '900+1']);
    const stripes = drawLog(view).log.filter((line) => line.startsWith('model'));
    expect(stripes.slice(0, 3)).toEqual(['model 0-999 5+24', 'model 0-1 5+24', 'model 9-10 5+24']);
    expect(stripes.slice(-2)).toEqual(['model 0-300 5+1', 'model 0-300 28+1']);
  });

  it('gives many short steps the colour that took the most time, and not that of the last', () => {
    const calls = Array.from({ length: 400 }, (_, n): (readonly [number, EventBody])[] => {
      const isLong = n % 4 !== 3;
      const at = 40 + n * 0.1;
      const call = toolOn('lead', n + 1, isLong ? 'files__read' : 'note', isLong ? 'mcp' : 'function');
      return [
        [at, call],
        [at + (isLong ? 0.08 : 0.02), toolOff('lead', n + 1)],
      ];
    }).flat();
    const trace = fold(log([0, begin], [0, queued('lead')], [0, started('lead')], ...calls));
    const colours = new Set(drawLog(scene(trace)).log.flatMap((line) => /^(mcp|function) /.exec(line)?.[1] ?? []));
    expect([...colours]).toEqual(['mcp']);
  });

  it('paints two short steps each, however close they are', () => {
    const calls = [toolOn('lead', 1), toolOff('lead', 1), toolOn('lead', 2, 'note', 'function'), toolOff('lead', 2)];
    const times = [50, 50.05, 50.2, 50.25];
    const bodies = calls.map((body, i): readonly [number, EventBody] => [times[i] ?? 0, body]);
    const trace = fold(log([0, begin], [0, queued('lead')], [0, started('lead')], ...bodies));
    expect(drawLog(scene(trace)).log.flatMap((line) => /^(mcp|function) [\d-]+/.exec(line)?.[0] ?? [])).toEqual([
      'mcp 500-502',
      'function 502-504',
    ]);
  });

  it('paints a failed short step over the one that stands for its neighbours', () => {
    const calls = [0, 1, 2, 3, 4].flatMap((n): (readonly [number, EventBody])[] => [
      [50 + n * 0.1, toolOn('lead', n + 1)],
      [50 + n * 0.1 + 0.09, toolOff('lead', n + 1, n === 1)],
    ]);
    const trace = fold(log([0, begin], [0, queued('lead')], [0, started('lead')], ...calls));
    expect(drawLog(scene(trace)).log.slice(-4)).toEqual([
      'mcp 500-503 5+16',
      'mcp 504-506 5+16',
      'bad 501-503 5+16',
      'bad 501-503 19+2',
    ]);
  });

  it('draws five of 50 parallel calls and counts the other 45', () => {
    const calls = Array.from({ length: 50 }, (_, n): EventBody => toolOn('lead', n + 1));
    const ends = Array.from({ length: 50 }, (_, n): EventBody => toolOff('lead', n + 1));
    const trace = fold(
      log(
        ...[begin, queued('lead'), started('lead'), ...calls].map((body) => [0, body] as const),
        ...ends.map((body) => [80, body] as const),
      ),
    );
    const target = scene(trace);
    const painted = paintBars({ rect: () => undefined }, target);
    expect(painted.hidden).toMatchObject([{ count: 45, left: 0 }]);
    expect(drawLog(target).log.filter((line) => line.startsWith('mcp'))).toHaveLength(5);
    const counts = hitAt(target, 4, (painted.hidden[0]?.y ?? 0) + 6);
    expect(counts?.together).toHaveLength(45);
    for (const laneHeight of [12, 2] as const) {
      const low = scene(trace, { rows: layoutRows(trace, new Set(), 'all', { laneHeight }) });
      expect(paintBars({ rect: () => undefined }, low).hidden).toMatchObject([{ count: 49 }]);
      expect(hitAt(low, 4, 1)?.together.length === 50 || hitAt(low, 4, 5)?.together.length === 50).toBe(true);
    }
  });

  it('counts hooks beyond the sixth', () => {
    const hooks = Array.from({ length: 8 }, (_, n): EventBody => hookOn('lead', n + 1, 'around', 'lead#t1'));
    const trace = fold(
      log(...[begin, queued('lead'), started('lead'), toolOn('lead', 1), ...hooks].map((body) => [0, body] as const)),
    );
    expect(paintBars({ rect: () => undefined }, scene(trace)).hidden).toMatchObject([{ count: 2 }]);
  });

  it('scales to device pixels', () => {
    const { log } = drawLog(scene(sample(), { dpr: 2 }));
    expect(log[3]).toBe('model 0-799 10+48');
  });

  it('draws only what the window shows', () => {
    const { log } = drawLog(scene(sample(), { window: { from: 61_000, to: 81_000 } }));
    expect(log.filter((line) => line.startsWith('m'))).toEqual(['mcp -4-1003 17+11']);
  });

  it('draws nothing for rows scrolled away', () => {
    expect(drawLog(scene(sample(), { scrollTop: 500 })).drawn).toBe(0);
  });

  it('skips bars that fall on a pixel already painted', () => {
    const path = brandAs<InstancePath>('lead');
    const many = Array.from({ length: 1000 }, (_, i): (readonly [number, EventBody])[] => [
      [
        90 + i / 1e4,
        {
          kind: 'model.started',
          path,
          step: brandAs(`lead#m${i + 2}`),
          attempt: 1,
          model: 'm',
          messageCount: 1,
          tools: [],
        },
      ],
      [
        90 + (i + 0.5) / 1e4,
        { kind: 'model.ended', path, step: brandAs(`lead#m${i + 2}`), usage: noUsage, requests: 1 },
      ],
    ]).flat();
    const trace = sample(many);
    expect(trace.spans.length).toBe(1004);
    expect(drawLog(scene(trace)).drawn).toBeLessThanOrEqual(7);
  });

  it('lets open bars grow with now', () => {
    const trace = sample();
    expect(drawLog(scene(trace, { now: 70_000 })).log[0]).toBe('instance 0-700 3+28');
    expect(drawLog(scene(trace, { now: 80_000 })).log[0]).toBe('instance 0-800 3+28');
  });
});

describe('paintLabels', () => {
  it('writes names where there is room, marks errors and outlines the selection', () => {
    const target = scene(sample(), { selected: 1 });
    const painted = paintBars({ rect: () => undefined }, target);
    const pen = fakePen();
    paintLabels(pen, target, painted, palette, 'Inter');
    expect(pen.log).toEqual([
      'fillText gpt 5 17.5',
      'fillText time__now 405 11',
      'fillText time__zone 405 23',
      'fill 400 1',
      'strokeRect -0.5 4.5 401 25',
    ]);
  });

  it('writes a name beside the mark of a neighbour, not under it', () => {
    const target = scene(sample());
    const painted = paintBars({ rect: () => undefined }, target);
    const mark = { span: 0, x: 396, y: 5, width: 2, height: 11, kind: 'refused', alone: false } as const;
    const texts = (x: number) => {
      const pen = fakePen();
      paintLabels(pen, target, { ...painted, marks: [{ ...mark, x }] }, palette, 'Inter');
      return pen.log.filter((line) => /^fillText tim.* 11$/.test(line));
    };
    expect(texts(396)).toEqual(['fillText time__now 422 11']);
    expect(texts(430)).toEqual(['fillText tim… 405 11']);
    expect(texts(700)).toEqual(['fillText time__now 405 11']);
  });

  it.each([
    ['that has ended', 3_600_100_000],
    ['without an end', Number.POSITIVE_INFINITY],
  ])('cuts the bars in a stretch %s that is drawn short, and says how long it was', (_, to) => {
    const [from, until] = [100_000, 3_600_100_000];
    const scale = new TimeScale([{ from, to, at: from, drawn: 20_000, until }]);
    const target = scene(sample(), { width: 1200, now: until, window: { from: 0, to: scale.whole(until) }, scale });
    const cuts: number[] = [];
    paintBars({ rect: (x, _y, width) => void (width === 2 && x >= 990 && cuts.push(x)) }, target);
    expect(cuts.length).toBeGreaterThan(20);
    const pen = fakePen();
    paintAxis(pen, { scene: target, height: 24, now: undefined, zero: undefined }, palette, 'Inter');
    expect(pen.log.filter((line) => line.includes('1 h 00 m'))).toHaveLength(1);
  });

  it('puts ticks, resumes and now on the axis', () => {
    const trace = sample([[80, { kind: 'run.resumed', worker: 'w2' }]]);
    const pen = fakePen();
    const shown = scene(trace, { width: 1000, ticks: { step: 50_000, at: [0, 50_000, 100_000] } });
    paintAxis(pen, { scene: shown, height: 24, now: 99_000, zero: undefined }, palette, 'Inter');
    expect(pen.log.filter((line) => line.startsWith('fillText'))).toEqual([
      'fillText 0 4 12',
      'fillText 50 ms 504 12',
      'fillText 100 ms 996 12',
      'fillText resumed 805 12',
    ]);
  });
});

describe('paintAxis', () => {
  it('puts a label at the right edge before its tick, and leaves it out if another one is there', () => {
    const words = (...at: readonly number[]) => {
      const pen = fakePen();
      const shown = scene(sample(), { width: 200, ticks: { step: 10_000, at } });
      paintAxis(pen, { scene: shown, height: 24, now: undefined, zero: undefined }, palette, 'Inter');
      return pen.log.filter((line) => line.startsWith('fillText'));
    };
    expect(words(40_000, 90_000)).toEqual(['fillText 40 ms 84 12', 'fillText 90 ms 176 12']);
    expect(words(70_000, 90_000)).toEqual(['fillText 70 ms 144 12']);
  });
});

describe('spanAt', () => {
  it('answers the topmost bar, the instance between bars, nothing below the rows', () => {
    const target = scene(sample());
    expect([spanAt(target, 200, 15), spanAt(target, 500, 8), spanAt(target, 500, 22), spanAt(target, 950, 15)]).toEqual(
      [1, 2, 3, 0],
    );
    expect(spanAt(target, 200, 60)).toBeUndefined();
  });
});

describe('marks', () => {
  /** `lead` calls a child twice, the second answered from before; a chain of two wraps the first. */
  function marked(): Trace {
    const bodies: EventBody[] = [
      begin,
      queued('lead'),
      started('lead'),
      toolOn('lead', 1, 'agent__kid', 'agent'),
      hookOn('lead', 1, 'around', 'lead#t1'),
      hookOn('lead', 2, 'around', 'lead#t1'),
      queued('lead/kid[1]', 'lead#t1'),
      started('lead/kid[1]'),
      hookOff('lead', 2, false),
      hookOff('lead', 1),
      queued('lead/kid[2]', 'lead#t2'),
      { ...ended('lead/kid[2]'), cached: true },
    ] as EventBody[];
    return fold(log(...bodies.map((body, i) => [i * 10, body] as const)));
  }

  it('puts each hook on a line of its own with a bead, below the bars and inside the row', () => {
    const trace = marked();
    const sink: BarSink = { rect: () => undefined };
    const rows = layoutRows(trace, new Set());
    const painted = paintBars(sink, scene(trace, { rows }));
    const [outer, inner] = painted.beads;
    expect(painted.beads).toHaveLength(2);
    expect((inner?.y ?? 0) - (outer?.y ?? 0)).toBe(6);
    expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThan(rows.tops[1] ?? 0);
    expect(rows.tops[1]).toBe(26 + 12);
  });

  it('says cached in words where the row has room', () => {
    const trace = marked();
    const pen = fakePen();
    const target = scene(trace, { window: { from: 0, to: 200_000 } });
    paintLabels(pen, target, paintBars({ rect: () => undefined }, target), palette, 'sans');
    expect(pen.log.filter((line) => line.includes('cached'))).toHaveLength(1);
  });

  it('marks a call that was turned away although a later delegation has a mark too', () => {
    const refused = { ...toolOff('lead', 1), result: { content: [], isError: true, errorCode: 'UNKNOWN_TOOL' } };
    const bodies = [
      begin,
      queued('lead'),
      started('lead'),
      toolOn('lead', 1, 'nothing'),
      refused,
      toolOn('lead', 2, 'agent__kid', 'agent'),
      { ...toolOff('lead', 2), cached: true },
    ] as EventBody[];
    const trace = fold(log(...bodies.map((body, i) => [i * 10, body] as const)));
    const { marks } = paintBars({ rect: () => undefined }, scene(trace));
    expect(marks.map(({ kind }) => kind).sort()).toEqual(['cached', 'refused']);
  });

  it('leaves the row of a count empty', () => {
    const few = { ...started('lead'), maxDisplayInstances: 1 };
    const bodies = [begin, queued('lead'), few, queued('lead/kid[1]', 'lead#t1'), queued('lead/kid[2]', 'lead#t2')];
    const trace = fold(log(...bodies.map((body, i) => [i * 10, body as EventBody] as const)));
    const rows = layoutRows(trace, new Set(), new Set());
    const target = scene(trace, { rows });
    expect(spanAt(target, 900, (rows.tops[2] ?? 0) + 5)).toBeUndefined();
    expect(paintBars({ rect: () => undefined }, target).drawn).toBe(3);
  });
});

it('measures activity per slice', () => {
  const activity = measureActivity(sample(), 100_000, 10);
  expect([...activity.counts.model.subarray(0, 10)]).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
  expect([...activity.counts.mcp.subarray(0, 10)]).toEqual([0, 0, 0, 0, 2, 2, 2, 1, 1, 1]);
  // The second tool failed at 90 ms.
  expect([...activity.failed]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(activity.highest).toBe(3);
});

/** Records what is written and outlined; a filled path is logged by its first x and last y. */
function fakePen(): Pen & { readonly log: string[] } {
  const log: string[] = [];
  let path: [number, number] = [0, 0];
  const nothing = () => undefined;
  return {
    log,
    fillStyle: '',
    strokeStyle: '',
    lineWidth: 1,
    font: '',
    textBaseline: 'middle',
    textAlign: 'left',
    fillText: (text, x, y) => void log.push(`fillText ${text} ${x} ${y}`),
    strokeRect: (x, y, width, height) => void log.push(`strokeRect ${x} ${y} ${width} ${height}`),
    fillRect: nothing,
    beginPath: nothing,
    moveTo: nothing,
    lineTo: (x, y) => {
      path = [x, y];
    },
    closePath: nothing,
    stroke: nothing,
    arc: (x, y) => {
      path = [x, y];
    },
    fill: () => void log.push(`fill ${path[0]} ${path[1]}`),
  };
}
