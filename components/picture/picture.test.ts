import { describe, expect, it } from 'vitest';
import { plainView } from '@/components/timeline/lane-view';
import { paintBars } from '@/components/timeline/paint-bars';
import { buildPalette, paintColour } from '@/components/timeline/palette';
import { evenScale } from '@/components/timeline/time-scale';
import type { TimelinePicture } from '@/components/timeline/timeline-props';
import type { EventBody } from '@/lib/runtime/record/events';
import { begin, ended, finish, fold, hookOn, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import type { Trace } from '@/lib/trace/trace';
import { cutText } from './cut-text';
import { mostRowsPx, paintPicture, planPicture } from './paint-picture';
import { SvgSurface } from './svg-surface';

const palette = buildPalette((token) => `#${(token.length * 4321).toString(16).padStart(6, '0')}`);
const textWidth = (text: string) => text.length * 6;

/** `lead` calls two children and a tool; the second child fails. */
function sample(name = 'lead'): Trace {
  const bodies: EventBody[] = [
    { ...begin, entryAgent: name } as EventBody,
    queued('lead'),
    started('lead'),
    toolOn('lead', 1),
    hookOn('lead', 1, 'around', 'lead#t1'),
    toolOff('lead', 1),
    queued('lead/kid[1]', 'lead#t2'),
    started('lead/kid[1]'),
    queued('lead/kid[2]', 'lead#t3'),
    started('lead/kid[2]'),
    ended('lead/kid[1]'),
    ended('lead/kid[2]', 'failed'),
  ];
  return fold(log(...bodies.map((body, i) => [i * 10, body] as const), [120, finish]));
}

function shown(trace: Trace, over: Partial<TimelinePicture> = {}): TimelinePicture {
  const end = trace.lastAt;
  return {
    ...{ trace, view: plainView, only: undefined, laneHeight: 'auto', window: { from: 0, to: end }, whole: end, end },
    scale: evenScale,
    ...{ now: end, moment: undefined, highlight: undefined, marks: undefined, palette, font: 'Inter' },
    ...over,
  };
}

function svgOf(source: TimelinePicture): string {
  const plan = planPicture(source);
  if ('refused' in plan) throw new Error(plan.refused);
  const surface = new SvgSurface(palette, textWidth);
  paintPicture(surface, plan);
  return surface.end({ width: plan.width, height: plan.height, title: plan.words.title, about: plan.words.facts });
}

const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

/** Rectangles of the bars, as `colour x y width height`, read back from the file. */
function rectsOf(svg: string): readonly string[] {
  const bars = /shape-rendering="crispEdges">(.*?)<\/svg>/s.exec(svg)?.[1] ?? '';
  return [...bars.matchAll(/<path fill="(#\w+)" d="([^"]*)"\/>/g)].flatMap(([, colour, path = '']) =>
    [...path.matchAll(/M(-?\d+) (-?\d+)h(\d+)v(\d+)/g)].map(([, ...numbers]) => [colour, ...numbers].join(' ')),
  );
}

describe('a picture of the timeline', () => {
  it('has exactly the rectangles that the page paints, at twice the resolution', () => {
    const source = shown(sample());
    const plan = planPicture(source);
    if ('refused' in plan) throw new Error(plan.refused);
    const wanted: string[] = [];
    const { rows } = plan;
    const scene = {
      ...{ trace: source.trace, rows, window: source.window, now: source.now, width: 1440 - 48 - 264, dpr: 2 },
      ...{ height: rows.tops[rows.lanes.length] ?? 0, scrollTop: 0, selected: undefined, hovered: undefined },
      ...{ activeLane: undefined, scale: source.scale, ticks: { step: 1, at: [] } },
    };
    const grounds = new Set([paintColour(palette, 0), paintColour(palette, 1), paintColour(palette, 2)]);
    const sink = {
      rect(x: number, y: number, width: number, height: number, paint: number) {
        if (width > 0 && height > 0) wanted.push([paintColour(palette, paint), x, y, width, height].join(' '));
      },
    };
    const { drawn } = paintBars(sink, scene);
    const isBar = (rect: string) => !grounds.has(rect.slice(0, 7));
    expect(drawn).toBe(source.trace.spans.length);
    expect(rectsOf(svgOf(source)).filter(isBar)).toEqual(wanted.filter(isBar));
  });

  it('names every lane, the run and the colours', () => {
    const texts = textsOf(svgOf(shown(sample())));
    for (const text of ['lead', 'kid[1]', 'kid[2]', '3 instances', 'Model', 'Hook', 'Queued', 'Callboard'])
      expect(texts).toContain(text);
    expect(texts.find((text) => text?.startsWith('Completed · 120 ms · 7 tokens · '))).toBeDefined();
  });

  it('has all rows of a long timeline, and counts the calls without a place', () => {
    const calls = Array.from({ length: 50 }, (_, n): EventBody => toolOn('lead', n + 1));
    const kids = Array.from({ length: 120 }, (_, n): EventBody => queued(`lead/kid[${n + 1}]`, 'lead#t1'));
    const bodies = [begin, queued('lead'), started('lead'), ...calls, ...kids];
    const texts = textsOf(svgOf(shown(fold(log(...bodies.map((body) => [0, body] as const), [50, finish])))));
    expect(texts).toContain('+45');
    expect(texts.filter((text) => text?.startsWith('kid['))).toHaveLength(120);
  });

  it('shows the window, the filter, the play-head and folded lanes, and says so', () => {
    const trace = sample();
    const view = { ...plainView, collapsed: new Set([0]), filter: ' <kid> ' };
    const svg = svgOf(shown(trace, { view, window: { from: 20_000, to: 60_000 }, moment: 50_000 }));
    const texts = textsOf(svg);
    expect(texts).toContain('Shows 20 ms to 60 ms of 120 ms · As it was at 50 ms · Filter: &#60;kid&#62;');
    expect(texts).toContain('1 of 3 instances');
    expect(texts).toContain('+2');
    expect(svg).toContain(`<rect x="845.25" y="0" width="1.5"`);
    expect(textsOf(svgOf(shown(trace, { only: new Set([1]) })))).toContain('2 of 3 instances');
  });

  it('has the colours of the theme', () => {
    const dark = buildPalette(() => '#123456');
    const plan = planPicture(shown(sample(), { palette: dark }));
    if ('refused' in plan) throw new Error(plan.refused);
    const surface = new SvgSurface(dark, textWidth);
    paintPicture(surface, plan);
    const svg = surface.end({ width: 1, height: 1, title: '', about: '' });
    expect(new Set(svg.match(/#[\da-f]{6}(?=")/g))).toEqual(new Set(['#123456']));
  });

  it('holds any name', () => {
    const svg = svgOf(shown(sample('a</title>&"\u0000\ud800\u{1f600}')));
    expect(svg).toContain('<title>a&#60;/title&#62;&#38;&#34;\ufffd\ufffd\u{1f600}</title>');
  });

  it('says why there is none', () => {
    const lanes = Array.from({ length: 5_000 }, (_, n): EventBody => queued(`lead/kid[${n + 1}]`, 'lead#t1'));
    const many = fold(log(...[begin, queued('lead'), ...lanes].map((body) => [0, body] as const), [50, finish]));
    expect(planPicture(shown(many))).toEqual({
      refused: `The picture would be 10,002 pixels high, and at most ${mostRowsPx.toLocaleString('en-US')} can be saved. Fold or filter instances, then try again.`,
    });
    expect(planPicture(shown(many, { laneHeight: 12 }))).toMatchObject({ refused: /or choose lower rows/ });
    expect(planPicture(shown(sample(), { only: new Set() }))).toMatchObject({ refused: /no instance shows/ });
  });
});

it('cuts a text to a width', () => {
  expect([cutText('abcdef', 36, textWidth), cutText('abcdef', 30, textWidth), cutText('ab', 0, textWidth)]).toEqual([
    'abcdef',
    'abcd…',
    '…',
  ]);
});
